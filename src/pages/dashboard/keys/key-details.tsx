import { isEmbedKey, type KeyState, type KeySummary } from '../../../keys/key.ts';
import type { ListedKey } from '../../../keys/list.ts';
import type { RotationPartner, Rotations } from '../../../keys/rotate.ts';
import { Badge, type Column, Facts, Figures } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time, timeOr } from '../../shared/time.tsx';
import type { Services } from '../services.ts';
import { failedRequests } from './failed-requests.tsx';

// What tables and pages show of a key, to its holder and to operators.

const tones: Readonly<Record<KeyState, string>> = {
  active: 'good',
  disabled: 'bad',
  expired: 'warn',
  revoked: '',
};

/** The states of keys, in the order of their life cycle. */
export const keyStates = Object.keys(tones) as KeyState[];

/** The state of a key. */
export const keyBadge = (state: KeyState): Html => <Badge tone={tones[state]}>{state}</Badge>;

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
 * A key on its page.
 *
 * @param path below which the pages of keys are.
 * @param more further facts.
 */
export async function keyDetails(
  { prisma, limits, now }: Pick<Services, 'prisma' | 'limits' | 'now'>,
  { key, replaces, replacedBy }: Rotations & { readonly key: KeySummary },
  path: string,
  more: Parameters<typeof Facts>[0]['facts'],
): Promise<Html> {
  const { id, state, tier, revokedAt, expiresAt } = key;
  const use = await prisma.keyLastUse.findUnique({ where: { keyId: id } });
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
          ['Last used', timeOr('Never', use?.lastUsedAt ?? null, 'minute')],
          [end, timeOr('Never', revokedAt ?? expiresAt, 'minute')],
        ]}
      />
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
            replaces !== null && ['Replaces', partner(replaces)],
            isEmbedKey(key) && ['Origins', key.origins.join(', ')],
            key.snapshot && ['Snapshots', 'can download all startups, once an hour'],
            ...more,
          ]}
        />
      </section>
      {await failedRequests({ prisma, now }, key)}
    </>
  );
}
