import { Hono } from 'hono';
import { type Content, type Html, html } from '../../html.ts';
import { count } from '../figures.ts';
import { time } from '../forms.ts';
import type { SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { operatorPage } from './frame.ts';

const limitStates = {
  memory: ['in memory', 'good'],
  redis: ['in Redis', 'good'],
  fallback: ['in memory: no Redis', 'bad'],
} as const;

/** The state of this node: what /ready and /metrics report, in words. */
export function healthRoutes({ node, unready, databaseKind, now, limits }: Services): Hono<SignedInEnv> {
  const seconds = (ms: number): string => `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
  const badge = (text: string, tone: string): Html => html`<span class="badge ${tone}">${text}</span>`;
  const card = (title: string, facts: readonly (readonly [name: string, value: Content])[]): Html =>
    html`<section class="card"><h2>${title}</h2><dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;

  return new Hono<SignedInEnv>().get('/dashboard/operator', (context) => {
    const reasons = unready();
    const [where, tone] = limitStates[node.limits()];
    const { pool, catalogue, usage, verifier, silence } = node;
    const { size, revision, builtAt } = catalogue.current();
    return context.render(
      operatorPage(
        '/dashboard/operator',
        'Health',
        html`<div class="columns">
${card('This node', [
  ['Readiness', reasons.length === 0 ? badge('ready', 'good') : badge(reasons.join('; '), 'bad')],
  ['Limits are kept', badge(where, tone)],
  ['Standard, a minute', count(limits.standard)],
  ['Premium, a minute', count(limits.premium)],
  ['Keys in memory', count(verifier.size)],
  ['Use not stored yet', `${count(usage.pending)} counts`],
  ['Use not counted', usage.dropped === 0 ? 'none' : badge(`${count(usage.dropped)} requests`, 'bad')],
])}
${card('Catalogue', [
  ['Startups', count(size)],
  ['Revision', String(revision)],
  ['Read', `${seconds(now() - builtAt)} ago`],
  [
    'Behind the data',
    catalogue.age === 0 ? badge('up to date', 'good') : badge(`for ${seconds(catalogue.age)}`, 'warn'),
  ],
])}
${card('Database', [
  ['Kind', databaseKind === 'server' ? 'PostgreSQL' : 'embedded'],
  ['Last answer', `${seconds(silence())} ago`],
  ['Connections', `${pool.totalCount} (${pool.idleCount} idle)`],
  ['Waiting for one', count(pool.waitingCount)],
])}
</div>
<p class="soft small">As of ${time(new Date(now()), 'minute')}, on the node that answered. For programs: <a href="/ready">/ready</a> and <a href="/metrics">/metrics</a>.</p>`,
      ),
    );
  });
}
