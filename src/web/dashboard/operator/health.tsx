import { Badge, Facts } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { secondsText, time } from '../../shared/time.tsx';
import type { Services } from '../services.ts';

const limitStates = {
  memory: ['in memory', 'good'],
  redis: ['in Redis', 'good'],
  fallback: ['in memory: no Redis', 'bad'],
} as const;

/** The state of the node that answers: what /ready and /metrics report, in words. */
export function healthCard({ node, unready, databaseKind, now, limits }: Services): Html {
  const badge = (text: string, tone: string): Html => <Badge tone={tone}>{text}</Badge>;
  const reasons = unready();
  const [where, tone] = limitStates[node.limits()];
  const { pool, catalogue, usage, verifier, silence } = node;
  const { revision, readAt } = catalogue.current();
  return (
    <section class="card" id="health">
      <h2>This node</h2>
      <Facts
        facts={[
          ['Readiness', reasons.length === 0 ? badge('ready', 'good') : badge(reasons.join('; '), 'bad')],
          ['Rate limits', badge(where, tone)],
          ['Requests a minute', `standard ${count(limits.standard)}, premium ${count(limits.premium)}`],
          ['Keys in memory', count(verifier.size)],
          ['Unsaved usage counts', count(usage.pending)],
          [
            'Dropped usage counts',
            usage.dropped === 0 ? 'none' : badge(`${count(usage.dropped)} requests`, 'bad'),
          ],
          ['Revision of the data', String(revision)],
          ['Last reload', `${secondsText(now() - readAt)} ago`],
          ['Database', databaseKind === 'server' ? 'PostgreSQL' : 'embedded'],
          ['Last answer', `${secondsText(silence())} ago`],
          ['Connections', `${pool.totalCount} (${pool.idleCount} idle)`],
          ['Queued connections', count(pool.waitingCount)],
        ]}
      />
      <p class="soft small">
        As of {time(new Date(now()), 'minute')}. For programs: <a href="/ready">/ready</a> and{' '}
        <a href="/metrics">/metrics</a>.
      </p>
    </section>
  );
}
