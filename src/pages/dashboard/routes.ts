import type { Hono } from 'hono';
import { limitChanges, readForm, requireOperator, requireSignIn } from './access.ts';
import { accountRoutes } from './account-pages.ts';
import { EMBED_PATH, embedRoutes } from './explorer/embed-pages.tsx';
import { explorerRoutes } from './explorer/pages.tsx';
import { sessionRoutes } from './graphql.ts';
import { documentRoutes } from './keys/document-pages.ts';
import { keyRoutes } from './keys/pages.ts';
import { accountAdminRoutes } from './operator/account-pages.tsx';
import { healthRoutes } from './operator/health-page.tsx';
import { keyAdminRoutes } from './operator/key-pages.tsx';
import { recordRoutes } from './operator/record-pages.tsx';
import { type DashboardEnv, redirect } from './page.ts';
import { passwordRoutes } from './password-pages.tsx';
import { policyRoutes } from './policy-pages.tsx';
import type { Services } from './services.ts';
import { signInRoutes } from './sign-in-pages.tsx';
import { signUpRoutes } from './sign-up-pages.tsx';
import { usageRoutes } from './usage/pages.tsx';

/** Paths that require signing in. */
const signedInPaths = [
  '/dashboard/keys/*',
  '/dashboard/usage/*',
  '/dashboard/explorer/*',
  EMBED_PATH,
  '/dashboard/account/*',
  '/dashboard/change-email',
];

/** Adds all pages of the dashboard: first the access checks, then the handlers. */
export function addRoutes(app: Hono<DashboardEnv>, services: Services): void {
  for (const path of signedInPaths) {
    app.use(path, requireSignIn);
  }
  app.post('/dashboard/policy', requireSignIn);
  app.use('/dashboard/operator/*', requireOperator);
  // A form is read only after its sender is authorized.
  app.use(readForm);
  for (const path of ['/dashboard/keys/*', EMBED_PATH]) {
    app.use(path, limitChanges(services));
  }

  app.get('/dashboard', (context) =>
    redirect(context, context.var.visitor === undefined ? '/' : '/dashboard/keys'),
  );
  app.route('/', signInRoutes(services));
  app.route('/', signUpRoutes(services));
  app.route('/', passwordRoutes(services));
  app.route('/', policyRoutes(services));
  app.route('/', keyRoutes(services));
  app.route('/', documentRoutes(services));
  app.route('/', accountRoutes(services));
  app.route('/', explorerRoutes(services));
  app.route('/', embedRoutes(services));
  app.route('/', usageRoutes(services));
  app.route('/', sessionRoutes(services));
  app.route('/', healthRoutes(services));
  app.route('/', accountAdminRoutes(services));
  app.route('/', keyAdminRoutes(services));
  app.route('/', recordRoutes(services));
}
