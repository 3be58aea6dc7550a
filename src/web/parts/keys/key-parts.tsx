import { parseDocumentId, type ReadDocument } from '../../../access/keys/documents/list.ts';
import { isEmbedKey, type KeyState, type KeySummary, type ListedKey } from '../../../access/keys/key.ts';
import { type RotationPartner, readRotations } from '../../../access/keys/rotate.ts';
import type { Limiter, RateLimitState } from '../../../access/limits/limiter.ts';
import { keySubject } from '../../../access/limits/subject.ts';
import { readUsageTotals } from '../../../access/usage/read.ts';
import { contactUrl } from '../../../lib/text/service.ts';
import type { Services } from '../../page/services.ts';
import { cellBar } from '../../shared/charts.tsx';
import {
  Badge,
  type Column,
  capitalized,
  type Fact,
  Facts,
  Figures,
  ListTable,
} from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { KEYS_PATH } from '../../shared/paths.ts';
import { ago, durationText, time, timeOr } from '../../shared/time.tsx';
import { failedRequests } from './failed-requests.tsx';
import { DAY_MS, dividePeriod } from './usage-views.tsx';

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
export const keyBadge = (state: KeyState): Html => <Badge tone={tones[state]}>{capitalized(state)}</Badge>;

/** The end of a key is marked when it is that near. */
const SOON_MS = 14 * DAY_MS;

/** When a working key ends. What is near, or is the end of a replaced key, is marked, as: ends in 23 h. */
function endBadge(expiresAt: Date, isReplaced: boolean, now: number): Content {
  const ms = expiresAt.getTime() - now;
  return isReplaced || ms < SOON_MS ? (
    <Badge tone="warn">ends in {durationText(ms)}</Badge>
  ) : (
    <span>ends {time(expiresAt)}</span>
  );
}

/** The rest of a key's limit in the current minute; undefined for a key that has ended. */
export const peekLimit = (
  limiter: Limiter,
  { familyId, tier, rateLimit, state }: KeySummary,
): RateLimitState | undefined =>
  state === 'active' || state === 'disabled'
    ? limiter.peek(keySubject({ family: familyId, tier, rateLimit, state }))
    : undefined;

/** How much of a limit is left. */
export function gauge(left: RateLimitState | undefined): Content {
  return left === undefined ? (
    <span class="soft">–</span>
  ) : (
    <span class="gauge">
      {count(left.remaining)} of {count(left.limit)}
      {cellBar(left.remaining / left.limit, left.remaining === 0 ? 'refused' : 'plain')}
    </span>
  );
}

/** When a key was last used. */
export const lastUse = (at: Date | null, now: number): Content =>
  at === null ? <span class="soft">Never</span> : ago(at, now);

/** What a document is called, by its operations. */
export const documentName = ({ operations }: Pick<ReadDocument, 'operations'>): string =>
  operations.join(', ') || 'Unnamed operation';

/** The page of a document of a key. */
export const documentPath = (keyId: string, documentId: string): string =>
  `${KEYS_PATH}/${keyId}/documents/${parseDocumentId(documentId)}`;

/** Where the documents of a key are, on its page. */
export const documentsPath = (keyId: string): string => `${KEYS_PATH}/${keyId}#documents`;

/** The name of a key with what tells it from others. */
export function keyNameCell(path: string, key: KeySummary, more?: Content): Content {
  return (
    <span class="two-lines">
      <a href={path}>{key.name}</a>
      <span class="soft">
        <span class="mono">{key.prefix}…</span> {isEmbedKey(key) && <Badge>Embed</Badge>} {more}
      </span>
    </span>
  );
}

/** A key in a list, with how much it is used. */
export interface UsedKey extends ListedKey {
  /** Requests in the last seven days. */
  readonly week: number;
  /** Undefined for a key that has ended. */
  readonly left: RateLimitState | undefined;
}

type UsageServices = Pick<Services, 'prisma' | 'limiter' | 'now'>;

/** Reads how much some keys are used. */
export async function withUsage(
  { prisma, limiter, now }: UsageServices,
  keys: readonly ListedKey[],
): Promise<UsedKey[]> {
  const ids = keys.map(({ id }) => id);
  const totals = await readUsageTotals(prisma, ids, dividePeriod('7d', now()));
  return keys.map((key) => ({
    ...key,
    left: peekLimit(limiter, key),
    week: totals.get(key.id)?.requests ?? 0,
  }));
}

/**
 * The columns of a table of keys, whose pages are below a path.
 *
 * @param now ms since 1970.
 * @param holderOf whose a key is, for operators.
 */
export const keyColumns = <Key extends UsedKey>(
  path: string,
  now: number,
  holderOf: (key: Key) => Content = () => null,
): readonly Column<Key>[] => [
  ['Name', (key) => keyNameCell(`${path}/${key.id}`, key, holderOf(key))],
  [
    'State',
    ({ state, expiresAt, left }) => [
      keyBadge(state),
      ' ',
      left !== undefined && expiresAt !== null && endBadge(expiresAt, false, now),
    ],
  ],
  ['Requests 7d', ({ week }) => count(week), 'number'],
  ['Left this minute', ({ left }) => gauge(left), 'number'],
  ['Last used', ({ lastUsedAt }) => lastUse(lastUsedAt, now)],
];

/** A table of keys, whose pages are below a path. */
export const keysTable = async (
  services: UsageServices,
  path: string,
  caption: string,
  keys: readonly ListedKey[],
): Promise<Content> => (
  <ListTable
    caption={caption}
    isCaptionHidden
    layout="entries"
    columns={keyColumns(path, services.now())}
    rows={await withUsage(services, keys)}
  />
);

/**
 * A key on its page, and whether another has replaced it.
 *
 * @param path below which the pages of keys are.
 * @param more further facts.
 */
export async function keyDetails(
  services: UsageServices & Pick<Services, 'limits' | 'node'>,
  key: KeySummary,
  path: string,
  more: readonly Fact[],
): Promise<{ readonly html: Content; readonly isReplaced: boolean }> {
  const { prisma, limiter, limits, node, now } = services;
  const { id, state, tier, revokedAt, expiresAt } = key;
  await node.usage.store();
  const { replaces, replacedBy } = await readRotations(prisma, key);
  const use = await prisma.keyLastUse.findUnique({ where: { keyId: id } });
  const left = peekLimit(limiter, key);
  const end = revokedAt !== null ? 'Revoked' : state === 'expired' ? 'Expired' : 'Expires';
  const partner = (one: RotationPartner): Content => (
    <a href={`${path}/${one.id}`} class="mono">
      {one.prefix}…
    </a>
  );
  const html = [
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
    />,
    await failedRequests(services, key),
    <section class="card">
      <h2>Details</h2>
      <Facts
        facts={[
          ['Key', `${key.prefix}…`, 'mono'],
          ['ID', id, 'mono'],
          key.rateLimit === null
            ? ['Tier', `${capitalized(tier)}, ${limits[tier]} requests a minute`]
            : ['Custom limit', `${key.rateLimit} requests a minute (tier: ${tier})`],
          ['Created', time(key.createdAt, 'minute')],
          replacedBy !== null && [
            'Replaced by',
            [partner(replacedBy), state === 'active' && ', with which it shares its limit until it expires'],
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
          isEmbedKey(key) && ['Sites', key.origins.join(', ')],
          key.snapshot && ['Snapshots', 'Can download all startups, once an hour'],
          ...more,
        ]}
      />
    </section>,
  ];
  return { html, isReplaced: replacedBy !== null };
}

/** What a premium key gives, and whom to ask for one, where limits are shown. */
export const premiumText = ({ limits, service: { contact } }: Pick<Services, 'limits' | 'service'>): Html => (
  <p class="soft small">
    A standard key has {limits.standard} requests a minute, a premium key {limits.premium}. For premium,{' '}
    {contact === undefined ? (
      'ask the operator of this server.'
    ) : (
      <>
        <a href={contactUrl(contact)}>contact us</a>.
      </>
    )}
  </p>
);
