import { Hono } from 'hono';
import { type DashboardEnv, redirect } from './page.ts';

/** The start of the dashboard: the keys of signed-in users, and the first page for others. */
export function welcomeRoutes(): Hono<DashboardEnv> {
  return new Hono<DashboardEnv>().get('/dashboard', (context) =>
    redirect(context, context.var.visitor === undefined ? '/' : '/dashboard/keys'),
  );
}
