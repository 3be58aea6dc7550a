import type { Bucket, Counter, JointReservation, Reservation, Usage } from './counter.ts';
import { WINDOW_MS } from './tiers.ts';

interface Window {
  used: number;
  resetAt: number;
}

/** Windows that opened within one window's length of each other. */
interface Cohort {
  readonly windows: Map<string, Window>;
  /** ms; when the last of them ends. */
  lastReset: number;
}

/**
 * Creates a counter that holds no more than the windows opened within two windows' length: since all
 * are equally long, those that opened in one such period end before the next is over, and are
 * dropped together. It needs no timer, and no request removes individual windows of others.
 *
 * @param now the time in ms. If the clock is set back, a window ends at most its length later.
 */
export function createMemoryCounter(now: () => number, windowMs: number = WINDOW_MS) {
  let current = emptyCohort();
  let previous = emptyCohort();
  let turnAt = Number.NEGATIVE_INFINITY;

  const noWindow = (at: number): Window => ({ used: 0, resetAt: at + windowMs });

  /** The open window of a name. */
  function find(name: string, at: number): Window | undefined {
    turnAt = Math.min(turnAt, at + windowMs);
    if (at >= turnAt) {
      previous = current;
      current = emptyCohort();
      turnAt = at + windowMs;
    }
    if (at >= previous.lastReset && previous.windows.size > 0) {
      previous = emptyCohort();
    }
    const window = current.windows.get(name) ?? previous.windows.get(name);
    if (window === undefined) {
      return undefined;
    }
    window.resetAt = Math.min(window.resetAt, at + windowMs);
    return window.resetAt > at ? window : undefined;
  }

  /** Adds to a window, which is opened if there is none. */
  function add(name: string, window: Window | undefined, cost: number, at: number): Window {
    if (window === undefined) {
      const opened = { used: cost, resetAt: at + windowMs };
      current.windows.set(name, opened);
      current.lastReset = opened.resetAt;
      return opened;
    }
    window.used += cost;
    return window;
  }

  return {
    reserve(name: string, cost: number, limit: number): Reservation {
      const at = now();
      const found = find(name, at);
      const admitted = (found?.used ?? 0) + cost <= limit;
      const { used, resetAt } = (admitted ? add(name, found, cost, at) : found) ?? noWindow(at);
      return { admitted, used, limit, resetAt };
    },
    reserveAll(buckets: readonly Bucket[], cost: number): JointReservation {
      const at = now();
      const found = buckets.map(({ name }) => find(name, at));
      const admitted = buckets.every(({ limit }, i) => (found[i]?.used ?? 0) + cost <= limit);
      const windows = buckets.map(({ name, limit }, i) => {
        const { used, resetAt } = (admitted ? add(name, found[i], cost, at) : found[i]) ?? noWindow(at);
        return { used, limit, resetAt };
      });
      return { admitted, windows };
    },
    peek(name: string, limit: number): Usage {
      const at = now();
      const { used, resetAt } = find(name, at) ?? noWindow(at);
      return { used, limit, resetAt };
    },
    /** How many windows it holds; some may have ended. */
    get size(): number {
      return current.windows.size + previous.windows.size;
    },
  } satisfies Counter & { readonly size: number };
}

function emptyCohort(): Cohort {
  return { windows: new Map(), lastReset: Number.NEGATIVE_INFINITY };
}
