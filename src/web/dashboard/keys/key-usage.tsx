import { isEmbedKey, type KeyState, type KeySummary } from '../../../access/keys/key.ts';
import type { ListedKey } from '../../../access/keys/list.ts';
import type { Limiter, RateLimitState } from '../../../access/limits/limiter.ts';
import { keySubject } from '../../../access/limits/subject.ts';
import { readDays } from '../../../access/usage/read.ts';
import { sparkBars } from '../../shared/bar-chart.tsx';
import { cellBar } from '../../shared/charts.tsx';
import { Badge, type Column, ListTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { ago, durationText, time } from '../../shared/time.tsx';
import type { Services } from '../services.ts';
import { type Tally, tally } from '../usage/buckets.ts';

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

const DAY_MS = 86_400_000;
const WEEK = 7;
/** A key that was not used for so many days is probably not needed. */
const IDLE_DAYS = 90;
/** The end of a key is marked when it is that near. */
export const SOON_MS = 14 * DAY_MS;

/** A key in a list with how much it is used. */
export interface UsedKey extends ListedKey {
  /** Of the last seven days in UTC, today included. */
  readonly week: readonly Tally[];
  /** Undefined for a key that has ended. */
  readonly left: RateLimitState | undefined;
  /** How long it was not used, in words, if that is remarkable. */
  readonly idle: string | undefined;
  /** Whether it stands below a key that has replaced it. */
  readonly isReplaced: boolean;
}

/** The rest of a key's limit in the current minute; undefined for a key that has ended. */
export const peekLimit = (
  limiter: Limiter,
  { familyId, tier, rateLimit, state }: KeySummary,
): RateLimitState | undefined =>
  state === 'active' || state === 'disabled'
    ? limiter.peek(keySubject({ family: familyId, tier, rateLimit, state }))
    : undefined;

/**
 * Reads how much some keys are used, and puts a key that was replaced after its replacement, if that is among them.
 *
 * @param keys in the order of the list.
 */
export async function withUsage(
  { prisma, limiter, now }: Pick<Services, 'prisma' | 'limiter' | 'now'>,
  keys: readonly ListedKey[],
): Promise<UsedKey[]> {
  const at = now();
  const weekOf = await readWeeks(prisma, 'keys', keys, at);
  return nestReplaced(keys).map((key): UsedKey => {
    const left = peekLimit(limiter, key);
    return {
      ...key,
      left,
      week: weekOf(key),
      idle: left === undefined ? undefined : idleText(key, at),
    };
  });
}

/** Puts each key that was replaced after its replacement: both stand where the first of them does. */
export function nestReplaced<Key extends KeySummary>(
  keys: readonly Key[],
): (Key & { readonly isReplaced: boolean })[] {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const nextOf = new Map(keys.map((key) => [key.rotatedFrom, key]));
  const newest = (key: Key): Key => {
    const next = nextOf.get(key.id);
    return next === undefined ? key : newest(next);
  };
  const nested = new Set<Key>();
  for (const key of keys) {
    for (let one: Key | undefined = newest(key); one !== undefined; one = byId.get(one.rotatedFrom ?? '')) {
      nested.add(one);
    }
  }
  return [...nested].map((key) => ({ ...key, isReplaced: nextOf.has(key.id) }));
}

/** Reads the last seven days of some keys or accounts, in UTC and today included. */
export async function readWeeks(
  prisma: Services['prisma'],
  of: 'keys' | 'accounts',
  owners: readonly { readonly id: string }[],
  at: number,
): Promise<(owner: { readonly id: string }) => Tally[]> {
  const first = at - (at % DAY_MS) - (WEEK - 1) * DAY_MS;
  const ids = owners.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await readDays(prisma, of, ids, new Date(first));
  return ({ id: owner }) =>
    Array.from({ length: WEEK }, (_, day) =>
      tally(rows.filter(({ id, start }) => id === owner && start.getTime() === first + day * DAY_MS)),
    );
}

/** A new key is not idle before a day has passed. */
function idleText({ createdAt, lastUsedAt }: ListedKey, at: number): string | undefined {
  const days = Math.floor((at - (lastUsedAt ?? createdAt).getTime()) / DAY_MS);
  return lastUsedAt === null
    ? days > 0
      ? 'never used'
      : undefined
    : days >= IDLE_DAYS
      ? `idle for ${count(days)} days`
      : undefined;
}

/** When a working key ends. What is near, or is the end of a replaced key, is marked, as: ends in 23 h. */
export function endBadge(expiresAt: Date, isReplaced: boolean, at: number): Html {
  const ms = expiresAt.getTime() - at;
  return isReplaced || ms < SOON_MS ? (
    <Badge tone="warn">ends in {durationText(ms)}</Badge>
  ) : (
    <span>ends {time(expiresAt)}</span>
  );
}

/**
 * A table of working keys with their use.
 *
 * @param path below which their pages are.
 * @param now ms since 1970.
 */
export function usedKeyTable(path: string, keys: readonly UsedKey[], now: number): Html {
  const columns = usedKeyColumns(path, now);
  return <ListTable caption="Working keys" isCaptionHidden isCompact columns={columns} rows={keys} />;
}

/**
 * The columns of such a table.
 *
 * @param now ms since 1970.
 * @param holderOf whose a key is, for operators.
 */
export const usedKeyColumns = <Key extends UsedKey>(
  path: string,
  now: number,
  holderOf: (key: Key) => Content = () => null,
): readonly Column<Key>[] => [
  [
    'Name',
    (key) => (
      <span class={key.isReplaced ? 'two-lines nested' : 'two-lines'}>
        <a href={`${path}/${key.id}`}>{key.name}</a>
        <span class="soft">
          <span class="mono">{key.prefix}…</span> {holderOf(key)} {isEmbedKey(key) && <Badge>embed</Badge>}{' '}
          {key.isReplaced && 'replaced, '}
          {key.expiresAt !== null && key.left !== undefined && endBadge(key.expiresAt, key.isReplaced, now)}
        </span>
      </span>
    ),
  ],
  ['State', ({ state }) => keyBadge(state)],
  ['7-day requests', ({ week }) => weekCell(week), 'number'],
  ['Left this minute', ({ left }) => gauge(left), 'number'],
  [
    'Last used',
    ({ lastUsedAt, idle }) =>
      idle !== undefined ? <Badge tone="warn">{idle}</Badge> : lastUse(lastUsedAt, now),
  ],
];

/** When a key was last used. */
export const lastUse = (at: Date | null, now: number): Html =>
  at === null ? <span class="soft">not yet</span> : ago(at, now);

/** The requests of seven days, as a number and by day. */
export function weekCell(week: readonly Tally[]): Html {
  const sum = (of: (day: Tally) => number): number => week.reduce((all, day) => all + of(day), 0);
  const [requests, errors, refused] = [
    sum((day) => day.requests),
    sum((day) => day.errors),
    sum((day) => day.refused),
  ];
  return requests === 0 ? (
    <span class="soft">–</span>
  ) : (
    <span class="week">
      {count(requests)}
      {sparkBars(
        week,
        `${count(requests)} requests in 7 days, ${count(errors)} with an error, ${count(refused)} rate limited`,
      )}
    </span>
  );
}

/** How much of a limit is left. */
export function gauge(left: RateLimitState | undefined): Html {
  if (left === undefined) {
    return <span class="soft">–</span>;
  }
  const { remaining, limit } = left;
  return (
    <span class="gauge">
      {count(remaining)} of {count(limit)}
      {cellBar(remaining / limit, remaining === 0 ? 'refused' : 'plain')}
    </span>
  );
}

/** What to do about keys that nobody uses; nothing if there are none. */
export function idleHint(keys: readonly UsedKey[]): Html | null {
  const idle = keys.filter((key) => key.idle !== undefined).length;
  return idle === 0 ? null : (
    <p class="hint">
      {idle === 1 ? 'One key was' : `${idle} keys were`} never used, or not for {IDLE_DAYS} days. Revoke what
      no program needs: a key that nobody misses can leak unnoticed.
    </p>
  );
}
