import { Hono } from 'hono';
import { html } from '../html.ts';
import { type DashboardEnv, redirect } from './page.ts';
import type { Services } from './services.ts';

/** The start page; signed-in users are redirected to their keys. */
export function welcomeRoutes({ limits, origin }: Services): Hono<DashboardEnv> {
  return new Hono<DashboardEnv>().get('/dashboard', (context) =>
    context.var.visitor !== undefined
      ? redirect(context, '/dashboard/keys')
      : context.render({
          title: 'Startups with verified revenue, over GraphQL and REST',
          main: html`<div class="hero"><p class="lead">revgate lists startups whose revenue their payment providers have verified. Create a key, then query them over GraphQL or REST.</p>
<p class="actions"><a class="button" href="/dashboard/sign-up">Sign up</a><a class="button second" href="/dashboard/sign-in">Sign in</a></p></div>
<div class="columns">
<section class="card"><h2>One key for both APIs</h2><p>The same key works for GraphQL and REST. Both return the same data and share one limit.</p></section>
<section class="card"><h2>Clear limits</h2><p>${limits.standard} requests a minute with a standard key, ${limits.premium} with a premium key. Every response says how many are left.</p></section>
<section class="card"><h2>Keys you can replace</h2><p>Set an expiry date, rotate a key while the old one still works, or revoke it at once.</p></section>
</div>
<section class="card"><h2>First request</h2>
<pre tabindex="0"><code>curl -H "Authorization: Bearer $REVGATE_KEY" \\
  "${origin}/api/v1/startups?limit=3"</code></pre>
<p class="soft small">See the <a href="/docs">API reference</a> and the <a href="/docs/schema">GraphQL schema</a>.</p></section>`,
        }),
  );
}
