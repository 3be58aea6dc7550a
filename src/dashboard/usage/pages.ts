import { Hono } from 'hono';
import { html } from '../../html.ts';
import { getKey, type KeySummary } from '../../keys/key.ts';
import { listKeys } from '../../keys/list.ts';
import type { RateLimitState } from '../../rate-limit/limiter.ts';
import { keySubject } from '../../rate-limit/subject.ts';
import { readUsage, readUsageTotals } from '../../usage/read.ts';
import { KEPT_DAYS } from '../../usage/store.ts';
import type { SignedInContext, SignedInEnv } from '../page.ts';
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
export function usageRoutes(services: Services): Hono<SignedInEnv> {
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

  const find = ({ req, var: { visitor } }: SignedInContext): Promise<KeySummary> =>
    getKey({ prisma, now, holder: visitor.isOperator ? undefined : visitor.id }, req.param('id') ?? '');

  const overview = async (context: SignedInContext): Promise<Response> => {
    const { visitor } = context.var;
    const keys = [
      ...(await listKeys({ prisma, now, holder: visitor.id }, { which: 'ended', newest: ENDED_KEYS })),
      ...(await listKeys({ prisma, now, holder: visitor.id }, { which: 'working' })),
    ];
    if (keys.length === 0) {
      return context.render({
        title: 'Usage',
        main: html`<section class="card empty"><h2>No key yet</h2><p class="soft">What your keys are used for is shown here.</p><p><a class="button" href="/dashboard/keys/new">New key</a></p></section>`,
      });
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
    return context.render({
      ...look,
      title: 'Usage',
      main: html`${listed.length > 0 && keyUsageTable(listed)}${usageCharts(charts)}${DELAY}`,
    });
  };

  const one = async (context: SignedInContext): Promise<Response> => {
    const key = await find(context);
    const [charts, left] = [await readCharts([key.id]), peek(key)];
    const [, days] = charts;
    return context.render({
      ...look,
      scripts: ['usage.js'],
      connects: true,
      title: `Usage of ${key.name}`,
      back: { path: PATH, label: 'Usage of all your keys' },
      main: html`${usageHead(key, remainder(left, now()), key.accountId === context.var.visitor.id)}
${usageCharts(charts)}
${answersTable(days.division, days.rows)}
${DELAY}`,
    });
  };

  /** What is left, alone: a script asks for it every few seconds. */
  const left = async (context: SignedInContext): Promise<Response> =>
    context.body(remainder(peek(await find(context)), now()).toString(), 200, {
      'Content-Type': 'text/html; charset=utf-8',
    });

  return new Hono<SignedInEnv>().get(PATH, overview).get(`${PATH}/:id`, one).get(`${PATH}/:id/left`, left);
}
