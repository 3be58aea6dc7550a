import { isEmbedKey, type KeySummary } from '../../../access/keys/key.ts';
import type { ListedKey } from '../../../access/keys/list.ts';
import type { RotationPartner, Rotations } from '../../../access/keys/rotate.ts';
import { readUsage } from '../../../access/usage/read.ts';
import { Badge, type Column, Facts, Figures, Tabs } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time, timeOr } from '../../shared/time.tsx';
import type { Services } from '../services.ts';
import { dividePeriod } from '../usage/buckets.ts';
import { usageChart } from '../usage/views.tsx';
import { failedRequests } from './failed-requests.tsx';
import { endBadge, gauge, keyBadge, lastUse, peekLimit } from './key-usage.tsx';

// What tables and pages show of a key, to its holder and to operators.

/** The pages of a key, for its holder. */
export function keyTabs(id: string, current: 'Overview' | 'Usage' | 'Documents'): Html {
  const tabs = [
    { label: 'Overview', path: `/dashboard/keys/${id}` },
    { label: 'Usage', path: `/dashboard/usage/${id}` },
    { label: 'Documents', path: `/dashboard/keys/${id}/documents` },
  ];
  return (
    <Tabs
      label="Pages of this key"
      tabs={tabs.map((tab) => ({ ...tab, isCurrent: tab.label === current }))}
    />
  );
}

/** The columns of a table of keys that have ended, whose pages are below a path. */
export const endedKeyColumns = (path: string): readonly Column<ListedKey>[] => [
  ['Name', ({ id, name }) => <a href={`${path}/${id}`}>{name}</a>],
  [
    'Key',
    (key) => (
      <>
        <span class="mono">{key.prefix}…</span> {isEmbedKey(key) && <Badge>embed</Badge>}
      </>
    ),
  ],
  ['State', ({ state }) => keyBadge(state)],
  ['Created', ({ createdAt }) => time(createdAt)],
  ['Ends', ({ revokedAt, expiresAt }) => timeOr('never', revokedAt ?? expiresAt)],
  ['Last used', ({ lastUsedAt }) => timeOr('never', lastUsedAt, 'minute')],
];

/**
 * A key on its page, which needs the script of charts.
 *
 * @param path below which the pages of keys are.
 * @param more further facts.
 */
export async function keyDetails(
  services: Pick<Services, 'prisma' | 'limits' | 'limiter' | 'now'>,
  rotated: Rotations & { readonly key: KeySummary },
  path: string,
  more: Parameters<typeof Facts>[0]['facts'],
): Promise<Html> {
  const { prisma, limiter, limits, now } = services;
  const { key, replaces, replacedBy } = rotated;
  const { id, state, tier, revokedAt, expiresAt } = key;
  const use = await prisma.keyLastUse.findUnique({ where: { keyId: id } });
  const left = peekLimit(limiter, key);
  const period = dividePeriod('30d', now());
  const end = revokedAt !== null ? 'Revoked' : state === 'expired' ? 'Expired' : 'Expires';
  const partner = (one: RotationPartner): Html => (
    <a href={`${path}/${one.id}`} class="mono">
      {one.prefix}…
    </a>
  );
  return (
    <>
      <Figures
        figures={[
          ['State', keyBadge(state)],
          ['Left this minute', gauge(left)],
          ['Last used', lastUse(use?.lastUsedAt ?? null, now())],
          [
            end,
            left !== undefined && expiresAt !== null
              ? endBadge(expiresAt, replacedBy !== null, now())
              : timeOr('Never', revokedAt ?? expiresAt, 'minute'),
          ],
        ]}
      />
      {usageChart(period, await readUsage(prisma, [id], period), `/dashboard/usage/${id}`)}
      {await failedRequests(services, key)}
      <section class="card">
        <h2>Details</h2>
        <Facts
          facts={[
            ['Key', `${key.prefix}…`, 'mono'],
            ['Id', id, 'mono'],
            key.rateLimit === null
              ? ['Tier', `${tier}, ${limits[tier]} requests a minute`]
              : ['Its own limit', `${key.rateLimit} requests a minute (tier: ${tier})`],
            ['Created', time(key.createdAt, 'minute')],
            replacedBy !== null && [
              'Replaced by',
              <>
                {partner(replacedBy)}
                {state === 'active' && ', with which it shares its limit until it expires'}
              </>,
            ],
            replaces !== null && [
              'Replaces',
              <>
                {partner(replaces)}{' '}
                {replaces.revokedAt === null &&
                  replaces.expiresAt !== null &&
                  replaces.expiresAt.getTime() > now() &&
                  endBadge(replaces.expiresAt, true, now())}
              </>,
            ],
            isEmbedKey(key) && ['Origins', key.origins.join(', ')],
            key.snapshot && ['Snapshots', 'can download all startups, once an hour'],
            ...more,
          ]}
        />
      </section>
    </>
  );
}
