import { html } from '../../html.ts';
import { getKey, type KeySummary } from '../../keys/key.ts';
import { listKeys } from '../../keys/list.ts';
import type { RateLimitState } from '../../rate-limit/limiter.ts';
import { keySubject } from '../../rate-limit/subject.ts';
import { readUsage, readUsageTotals } from '../../usage/read.ts';
import { KEPT_DAYS } from '../../usage/store.ts';
import { type Reply, type Route, type SignedInContext, signedIn } from '../page.ts';
import type { Services } from '../services.ts';
import { divisions } from './buckets.ts';
import { answersTable, keyUsageTable, remainder, usageCharts, usageHead } from './views.ts';

const PATH = '/dashboard/usage';
/** The newest of those that ended, which may have been used today. */
const ENDED_KEYS = 50;
const HOUR_MS = 3_600_000;
const look = { styles: ['data.css'] } as const;
const DELAY = html`<p class="soft small">Counts come here within some seconds, and are kept for ${KEPT_DAYS} days. What is refused costs nothing.</p>`;

/** What keys are used for: to their holder, and to operators. */
export function usageRoutes(services: Services): Route[] {
  const { prisma, limiter, now } = services;

  const readCharts = async (keyIds: readonly string[]) => {
    const { hours, days } = divisions(now());
    const rows = await readUsage(prisma, keyIds, days.since, hours.since);
    return [
      { division: hours, rows: rows.filter(({ start }) => start >= hours.since) },
      { division: days, rows },
    ] as const;
  };

  /** Undefined for a key that ended. */
  const peek = ({ familyId, tier, state }: KeySummary): RateLimitState | undefined =>
    state === 'active' || state === 'disabled'
      ? limiter.peek(keySubject({ family: familyId, tier, state }))
      : undefined;

  const find = ({ visitor, params }: SignedInContext): Promise<KeySummary> =>
    getKey({ prisma, now, holder: visitor.isOperator ? undefined : visitor.id }, params.id ?? '');

  const overview = async ({ visitor }: SignedInContext): Promise<Reply> => {
    const keys = [
      ...(await listKeys({ prisma, now, holder: visitor.id }, { which: 'ended', newest: ENDED_KEYS })),
      ...(await listKeys({ prisma, now, holder: visitor.id }, { which: 'working' })),
    ];
    if (keys.length === 0) {
      return {
        title: 'Usage',
        main: html`<section class="card empty"><h2>No key yet</h2><p class="soft">What your keys are used for is shown here.</p><p><a class="button" href="/dashboard/keys/new">New key</a></p></section>`,
      };
    }
    const ids = keys.map(({ id }) => id);
    const [charts, totals] = await Promise.all([
      readCharts(ids),
      readUsageTotals(prisma, ids, new Date(now() - 24 * HOUR_MS)),
    ]);
    const listed = keys
      .map((key) => ({
        ...key,
        total: totals.get(key.id) ?? { requests: 0, refused: 0 },
        left: peek(key),
      }))
      // Those that ended matter only for what they were used for.
      .filter(({ left, total }) => left !== undefined || total.requests > 0)
      .reverse();
    return {
      ...look,
      title: 'Usage',
      main: html`${listed.length > 0 && keyUsageTable(listed)}${usageCharts(charts)}${DELAY}`,
    };
  };

  const one = async (context: SignedInContext): Promise<Reply> => {
    const key = await find(context);
    const [charts, left] = [await readCharts([key.id]), peek(key)];
    const [, days] = charts;
    return {
      ...look,
      scripts: ['usage.js'],
      connects: true,
      title: `Usage of ${key.name}`,
      back: { path: PATH, label: 'Usage of all your keys' },
      main: html`${usageHead(key, remainder(left, now()), key.accountId === context.visitor.id)}
${usageCharts(charts)}
${answersTable(days.division, days.rows)}
${DELAY}`,
    };
  };

  /** What is left, alone: a script asks for it every few seconds. */
  const left = async (context: SignedInContext): Promise<Reply> => ({
    status: 200,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: remainder(peek(await find(context)), now()).text,
  });

  return [
    signedIn('GET', PATH, overview),
    signedIn('GET', `${PATH}/:id`, one),
    signedIn('GET', `${PATH}/:id/left`, left),
  ];
}
