import { Hono } from 'hono';
import { html } from '../html.ts';
import { type DashboardEnv, redirect } from './page.ts';
import type { Services } from './services.ts';

/** The start: what this is, or for those who signed in their keys. */
export function welcomeRoutes({ limits, origin }: Services): Hono<DashboardEnv> {
  return new Hono<DashboardEnv>().get('/dashboard', (context) =>
    context.var.visitor !== undefined
      ? redirect(context, '/dashboard/keys')
      : context.render({
          title: 'Startups with verified revenue, over GraphQL and REST',
          main: html`<div class="hero"><p class="lead">revgate lists startups whose revenue their payment providers have verified. Make a key here, and ask for what you need.</p>
<p class="actions"><a class="button" href="/dashboard/sign-up">Sign up</a><a class="button second" href="/dashboard/sign-in">Sign in</a></p></div>
<div class="columns">
<section class="card"><h2>One key, two ways</h2><p>The same key opens GraphQL and REST. Both give the same data and draw on the same budget.</p></section>
<section class="card"><h2>Limits that are told</h2><p>${limits.standard} requests a minute with a standard key, ${limits.premium} with a premium one. Every answer says what is left.</p></section>
<section class="card"><h2>Keys that end well</h2><p>Give a key an end, let a new one take over while the old one still works, or revoke it at once.</p></section>
</div>
<section class="card"><h2>A first request</h2>
<pre tabindex="0"><code>curl -H "Authorization: Bearer $REVGATE_KEY" \\
  "${origin}/api/v1/startups?limit=3"</code></pre>
<p class="soft small">All of it is in the <a href="/docs">API reference</a> and the <a href="/docs/schema">GraphQL schema</a>.</p></section>`,
        }),
  );
}
