import type { Counter, Reservation } from './counter.ts';
import type { KnownWindows } from './known-windows.ts';
import type { RedisLink } from './redis-link.ts';
import { WINDOW_MS } from './tiers.ts';

export interface RedisCounterOptions {
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
 * Its promises reject with RemoteFault as those of the link do.
 */
export function createRedisCounter({
  link,
  known,
  prefix,
  windowMs = WINDOW_MS,
}: RedisCounterOptions): Counter {
  const epoch = known.beginEpoch();

  function findExhausted(identity: string, limit: number): Reservation | undefined {
    const window = known.find(identity, link.now());
    return window === undefined || window.used < limit
      ? undefined
      : { admitted: false, used: window.used, limit, resetAt: window.resetAt };
  }

  async function ask(identity: string, cost: number, limit: number): Promise<Reservation> {
    const window = known.find(identity, link.now());
    const remembered = window === undefined || window.epoch === epoch ? undefined : window;
    const answer = await link.ask({ key: prefix + identity, cost, limit, windowMs, remembered });
    const { admitted, used, resetAt } = answer;
    if (used > 0) {
      known.note(identity, { used, resetAt, epoch });
    }
    return { admitted, used, limit, resetAt };
  }

  return {
    reserve: (identity, cost, limit) => findExhausted(identity, limit) ?? ask(identity, cost, limit),
    peek(identity, limit) {
      const exhausted = findExhausted(identity, limit);
      return exhausted === undefined ? ask(identity, 0, limit).then(toUsage) : toUsage(exhausted);
    },
    isExhausted: (identity, limit) => findExhausted(identity, limit) !== undefined,
  };
}

function toUsage({ used, limit, resetAt }: Reservation) {
  return { used, limit, resetAt };
}
