import { Hono } from 'hono';
import { Badge, Facts } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { secondsText, time } from '../../shared/time.tsx';
import type { SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { operatorPage } from './frame.tsx';

const limitStates = {
  memory: ['in memory', 'good'],
  redis: ['in Redis', 'good'],
  fallback: ['in memory: no Redis', 'bad'],
} as const;

/** The state of this node: what /ready and /metrics report, in words. */
export function healthRoutes({ node, unready, databaseKind, now, limits }: Services): Hono<SignedInEnv> {
  const badge = (text: string, tone: string): Html => <Badge tone={tone}>{text}</Badge>;
  const card = (title: string, facts: readonly (readonly [name: string, value: Content])[]): Html => (
    <section class="card">
      <h2>{title}</h2>
      <Facts facts={facts} />
    </section>
  );

  return new Hono<SignedInEnv>().get('/dashboard/operator/health', (context) => {
    const reasons = unready();
    const [where, tone] = limitStates[node.limits()];
    const { pool, catalogue, usage, verifier, silence } = node;
    const { size, revision, readAt } = catalogue.current();
    return context.render(
      operatorPage(
        '/dashboard/operator/health',
        'Health',
        <>
          <div class="columns">
            {card('This node', [
              ['Readiness', reasons.length === 0 ? badge('ready', 'good') : badge(reasons.join('; '), 'bad')],
              ['Rate limits', badge(where, tone)],
              ['Standard, a minute', count(limits.standard)],
              ['Premium, a minute', count(limits.premium)],
              ['Keys in memory', count(verifier.size)],
              ['Unsaved usage counts', count(usage.pending)],
              [
                'Dropped usage counts',
                usage.dropped === 0 ? 'none' : badge(`${count(usage.dropped)} requests`, 'bad'),
              ],
            ])}
            {card('Catalogue', [
              ['Startups', count(size)],
              ['Revision', String(revision)],
              ['Last reload', `${secondsText(now() - readAt)} ago`],
              [
                'Data',
                catalogue.age === 0
                  ? badge('up to date', 'good')
                  : badge(`for ${secondsText(catalogue.age)}`, 'warn'),
              ],
            ])}
            {card('Database', [
              ['Kind', databaseKind === 'server' ? 'PostgreSQL' : 'embedded'],
              ['Last answer', `${secondsText(silence())} ago`],
              ['Connections', `${pool.totalCount} (${pool.idleCount} idle)`],
              ['Queued connections', count(pool.waitingCount)],
            ])}
          </div>
          <p class="soft small">
            As of {time(new Date(now()), 'minute')}, on the node that answered. For programs:{' '}
            <a href="/ready">/ready</a> and <a href="/metrics">/metrics</a>.
          </p>
        </>,
      ),
    );
  });
}
