import type { Bucket, Counter, JointReservation, Reservation, Usage } from './counter.ts';
import type { KnownWindows } from './known-windows.ts';
import type { RedisLink } from './redis-link.ts';
import { WINDOW_MS } from './tiers.ts';
import type { WindowAnswer } from './window-script.ts';

interface RedisCounterOptions {
  readonly link: Pick<RedisLink, 'ask' | 'now'>;
  /** Kept over successive links. */
  readonly known: KnownWindows;
  /** The prefix of the keys; the identity follows. */
  readonly prefix: string;
  readonly windowMs?: number;
}

/** The prefix of the keys of windows by default. */
export const KEY_PREFIX = 'revgate:limit:';

/**
 * Creates a counter over one connection to Redis, exact over all nodes that share it: one call per
 * reservation, by Redis's clock.
 *
 * If a window is known to be exhausted, its refusal needs no call: the use of a window
 * never decreases. After a reconnection, the first call on a window passes what this node knows of it,
 * in case the server lost its windows, as it does after a restart without persistence.
 *
 * Its promises reject with RemoteError as those of the link do.
 */
export function createRedisCounter({
  link,
  known,
  prefix,
  windowMs = WINDOW_MS,
}: RedisCounterOptions): Counter {
  const epoch = known.beginEpoch();

  function findExhausted(identity: string, limit: number): Usage | undefined {
    const window = known.find(identity, link.now());
    return window === undefined || window.used < limit
      ? undefined
      : { used: window.used, limit, resetAt: window.resetAt };
  }

  async function ask(buckets: readonly Bucket[], cost: number): Promise<JointReservation> {
    const windows = buckets.map(({ identity, limit }) => {
      const window = known.find(identity, link.now());
      const remembered = window === undefined || window.epoch === epoch ? undefined : window;
      return { key: prefix + identity, limit, remembered };
    });
    const answer = await link.ask({ windows, cost, windowMs });
    const usages = buckets.map(({ identity, limit }, i) => {
      const { used, resetAt } = answer.windows[i] as WindowAnswer['windows'][number];
      if (used > 0) {
        known.note(identity, { used, resetAt, epoch });
      }
      return { used, limit, resetAt };
    });
    return { admitted: answer.admitted, windows: usages };
  }

  async function askOne(identity: string, cost: number, limit: number): Promise<Reservation> {
    const { admitted, windows } = await ask([{ identity, limit }], cost);
    return { admitted, ...(windows[0] as Usage) };
  }

  /** A refusal that needs no call. Undefined for a window that is not known to be exhausted. */
  function refuse(buckets: readonly Bucket[]): JointReservation | undefined {
    const exhausted = buckets.map(({ identity, limit }) => findExhausted(identity, limit));
    if (exhausted.every((usage) => usage === undefined)) {
      return undefined;
    }
    const resetAt = Math.round(link.now()) + windowMs;
    const windows = buckets.map(({ limit }, i) => exhausted[i] ?? { used: 0, limit, resetAt });
    return { admitted: false, windows };
  }

  return {
    reserve(identity, cost, limit) {
      const exhausted = findExhausted(identity, limit);
      return exhausted === undefined ? askOne(identity, cost, limit) : { admitted: false, ...exhausted };
    },
    reserveAll: (buckets, cost) => refuse(buckets) ?? ask(buckets, cost),
    peek(identity, limit) {
      const now = link.now();
      const { used, resetAt } = known.find(identity, now) ?? { used: 0, resetAt: Math.round(now) + windowMs };
      return { used, limit, resetAt };
    },
    findExhausted,
  };
}
