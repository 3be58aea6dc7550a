import { getKey, listKeys } from '../../../access/keys/key.ts';
import { readDurations, readUsage, readUsageTotals } from '../../../access/usage/read.ts';
import { USAGE_KEPT_DAYS } from '../../../access/usage/store.ts';
import { page, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { gauge, keyNameCell, peekLimit, premiumText } from '../../parts/keys/key-parts.tsx';
import {
  dividePeriod,
  outcomeColumns,
  periods,
  responsesTable,
  usageChart,
  usageFigures,
} from '../../parts/keys/usage-views.tsx';
import { buttonLink, EmptyState, ListTable, Tabs } from '../../shared/components.tsx';
import { pageLinks } from '../../shared/page-links.ts';
import { USAGE_PATH, usagePath } from '../../shared/paths.ts';

/** The newest of the keys that have ended, which may have been used today. */
const ENDED_KEYS = 50;

/** The usage of the keys of an account, or of one key; operators see that of every key. */
export function usagePages(services: Services) {
  const { prisma, limiter, node, now } = services;
  const keysOf = async ({ visitor, query }: Visit) => {
    const { id: holder, isOperator } = visitor;
    const id = query('key');
    return id !== undefined
      ? [await getKey({ prisma, now, holder: isOperator ? undefined : holder }, id)]
      : [
          ...(await listKeys({ prisma, now, holder }, { which: 'ended', newest: ENDED_KEYS })),
          ...(await listKeys({ prisma, now, holder }, { which: 'working' })),
        ];
  };
  return [
    page({
      path: USAGE_PATH,
      load: keysOf,
      view: async ({ visitor, query }, keys) => {
        if (keys.length === 0) {
          return {
            title: pageLinks.usage.label,
            main: (
              <EmptyState title="No key yet" text="Create a key and send a request: its usage appears here.">
                {buttonLink(pageLinks.newKey.path, pageLinks.newKey.label)}
              </EmptyState>
            ),
          };
        }
        await node.usage.store();
        const period = dividePeriod(query('period'), now());
        const ids = keys.map(({ id }) => id);
        const rows = await readUsage(prisma, ids, period);
        const totals = await readUsageTotals(prisma, ids, period);
        const used = keys
          .map((key) => ({ ...key, ...(totals.get(key.id) ?? { requests: 0, refused: 0, errors: 0 }) }))
          .map((key) => ({ ...key, left: peekLimit(limiter, key) }))
          // Keys that have ended are shown only if they were used.
          .filter(({ left, requests }) => left !== undefined || requests > 0)
          .sort((one, other) => other.requests - one.requests);
        const [only] = query('key') === undefined ? [] : keys;
        const above = only?.accountId === visitor.id ? '/dashboard/keys' : '/dashboard/operator/keys';
        return {
          title: only === undefined ? pageLinks.usage.label : `Usage of ${only.name}`,
          back: only && { path: `${above}/${only.id}`, label: only.name },
          scripts: ['chart.js'],
          action: (
            <Tabs
              label="Period"
              className="views"
              tabs={Object.entries(periods).map(([name, { label }]) => ({
                path: only === undefined ? `${USAGE_PATH}?period=${name}` : usagePath(only.id, name),
                label,
                isCurrent: name === period.name,
              }))}
            />
          ),
          main: [
            usageFigures(rows, await readDurations(prisma, ids, period)),
            usageChart(period, rows),
            <div class="columns">
              {only === undefined && used.length > 0 && (
                <ListTable
                  caption="Keys"
                  layout="entries"
                  columns={[
                    ['Key', (key) => keyNameCell(usagePath(key.id, period.name), key)],
                    ...outcomeColumns,
                    ['Left this minute', ({ left }) => gauge(left), 'number'],
                  ]}
                  rows={used}
                />
              )}
              {responsesTable(period, rows)}
            </div>,
            used.some(({ tier }) => tier === 'standard') && premiumText(services),
            <p class="soft small">
              Counts are updated every few seconds and kept for {USAGE_KEPT_DAYS} days. Rate limited requests
              do not count against the limit.
            </p>,
          ],
        };
      },
    }),
  ];
}
