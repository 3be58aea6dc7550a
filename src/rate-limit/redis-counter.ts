import type { Bucket, Counter, JointReservation, Reservation, Usage } from './counter.ts';
import type { KnownWindows } from './known-windows.ts';
import type { RedisLink } from './redis-link.ts';
import { WINDOW_MS } from './tiers.ts';
import type { WindowAnswer } from './window-script.ts';

interface RedisCounterOptions {
  readonly link: Pick<RedisLink, 'ask' | 'now'>;
  /** Kept over successive links. */
  readonly known: KnownWindows;
  /** What the keys begin with; the identity follows. */
  readonly prefix: string;
  readonly windowMs?: number;
}

/** What the keys of windows begin with unless told otherwise. */
export const KEY_PREFIX = 'revgate:limit:';

/**
 * Creates a counter over one connection to Redis, exact over all nodes that share it: one call per
 * reservation, by Redis's clock.
 *
 * Where a window is known to have nothing left, its refusal needs no call: within a window what is
 * used never shrinks. A server that lost its windows, as one restarted without persistence, is told
 * with the first question after the connection what this node remembers of the window asked for.
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

  /** A refusal that needs no call. Of a window that is not known to be used up, nothing is told. */
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
