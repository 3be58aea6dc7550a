import { Hono } from 'hono';
import { getKey, type KeySummary } from '../../../access/keys/key.ts';
import { listKeys } from '../../../access/keys/list.ts';
import { readDurations, readUsage, readUsageTotals } from '../../../access/usage/read.ts';
import { KEPT_DAYS } from '../../../access/usage/store.ts';
import { buttonLink, EmptyState } from '../../shared/components.tsx';
import { keyTabs } from '../keys/key-details.tsx';
import { ALL_KEYS } from '../keys/key-pages.tsx';
import { nestReplaced, peekLimit } from '../keys/key-usage.tsx';
import { piece, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { readPeriod } from './buckets.ts';
import {
  keyUsageTable,
  leftCard,
  periodChoice,
  remainder,
  responsesTable,
  usageChart,
  usageFigures,
} from './views.tsx';

const PATH = '/dashboard/usage';
/** The newest of the keys that have ended, which may have been used today. */
const ENDED_KEYS = 50;
const look = { scripts: ['chart.js'] } as const;
const RECORDED = (
  <p class="soft small">
    Requests appear within a few seconds and are kept for {KEPT_DAYS} days. Rate limited requests do not count
    against the limit.
  </p>
);

/** The usage of keys, for their holder and for operators. */
export function usageRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, limiter, now } = services;

  const readRows = async (context: SignedInContext, keyIds: readonly string[]) => {
    const period = readPeriod(context.req.query(), now());
    return {
      period,
      rows: await readUsage(prisma, keyIds, period),
      durations: await readDurations(prisma, keyIds, period),
    };
  };

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
        main: (
          <EmptyState title="No key yet">
            <p class="soft">Create a key and send a request: its usage appears here.</p>
            <p>{buttonLink('/dashboard/keys/new', 'New key')}</p>
          </EmptyState>
        ),
      });
    }
    const ids = keys.map(({ id }) => id);
    const { period, rows, durations } = await readRows(context, ids);
    const totals = await readUsageTotals(prisma, ids, period);
    const listed = keys
      .map((key) => ({
        ...key,
        total: totals.get(key.id) ?? { requests: 0, refused: 0, errors: 0 },
        left: peekLimit(limiter, key),
      }))
      // Keys that have ended are shown only if they were used.
      .filter(({ left, total }) => left !== undefined || total.requests > 0)
      .sort((one, other) => other.total.requests - one.total.requests);
    return context.render({
      ...look,
      title: 'Usage',
      action: periodChoice(PATH, period),
      main: (
        <>
          {usageFigures(rows, durations)}
          {usageChart(period, rows, PATH)}
          {listed.length > 0 && keyUsageTable(period, nestReplaced(listed), now())}
          {responsesTable(period, rows)}
          {RECORDED}
        </>
      ),
    });
  };

  const one = async (context: SignedInContext): Promise<Response> => {
    const key = await find(context);
    const { period, rows, durations } = await readRows(context, [key.id]);
    const path = `${PATH}/${key.id}`;
    const isOwn = key.accountId === context.var.visitor.id;
    return context.render({
      ...look,
      connects: true,
      title: `Usage of ${key.name}`,
      ...(isOwn
        ? { heading: key.name, back: ALL_KEYS }
        : { back: { path: `/dashboard/operator/keys/${key.id}`, label: key.name } }),
      main: (
        <>
          {isOwn && keyTabs(key.id, 'Usage')}
          {periodChoice(path, period)}
          {usageFigures(rows, durations)}
          {usageChart(period, rows, path)}
          <div class="columns">
            {responsesTable(period, rows)}
            {leftCard(key, remainder(peekLimit(limiter, key), now()))}
          </div>
          {RECORDED}
        </>
      ),
    });
  };

  /** The rest of the limit, without the page: a script requests it every few seconds. */
  const left = async (context: SignedInContext): Promise<Response> =>
    piece(context, remainder(peekLimit(limiter, await find(context)), now()));

  return new Hono<SignedInEnv>().get(PATH, overview).get(`${PATH}/:id`, one).get(`${PATH}/:id/left`, left);
}
