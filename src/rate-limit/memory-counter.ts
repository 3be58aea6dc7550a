import type { Bucket, Counter, JointReservation, Reservation, Usage } from './counter.ts';
import { WINDOW_MS } from './tiers.ts';

/** A counter in this process's memory. */
export interface MemoryCounter extends Counter {
  reserve(identity: string, cost: number, limit: number): Reservation;
  reserveAll(buckets: readonly Bucket[], cost: number): JointReservation;
  peek(identity: string, limit: number): Usage;
  /** How many windows it holds; some may have ended. */
  readonly size: number;
}

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
export function createMemoryCounter(now: () => number, windowMs: number = WINDOW_MS): MemoryCounter {
  let current = emptyCohort();
  let previous = emptyCohort();
  let turnAt = Number.NEGATIVE_INFINITY;

  function turn(at: number): void {
    turnAt = Math.min(turnAt, at + windowMs);
    if (at >= turnAt) {
      previous = current;
      current = emptyCohort();
      turnAt = at + windowMs;
    }
    if (at >= previous.lastReset && previous.windows.size > 0) {
      previous = emptyCohort();
    }
  }

  function find(identity: string, at: number): Window | undefined {
    const window = current.windows.get(identity) ?? previous.windows.get(identity);
    if (window === undefined) {
      return undefined;
    }
    window.resetAt = Math.min(window.resetAt, at + windowMs);
    return window.resetAt > at ? window : undefined;
  }

  /** Adds to a window, which is opened if there is none. */
  function add(identity: string, window: Window | undefined, cost: number, at: number): void {
    if (window === undefined) {
      const resetAt = at + windowMs;
      current.windows.set(identity, { used: cost, resetAt });
      current.lastReset = resetAt;
    } else {
      window.used += cost;
    }
  }

  function reserveAll(buckets: readonly Bucket[], cost: number): JointReservation {
    const at = now();
    turn(at);
    const found = buckets.map(({ identity }) => find(identity, at));
    const admitted = buckets.every(({ limit }, i) => (found[i]?.used ?? 0) + cost <= limit);
    if (admitted) {
      buckets.forEach(({ identity }, i) => {
        add(identity, found[i], cost, at);
      });
    }
    const windows = buckets.map(({ identity, limit }) => usage(find(identity, at), limit, at + windowMs));
    return { admitted, windows };
  }

  return {
    reserve(identity, cost, limit) {
      const at = now();
      turn(at);
      const window = find(identity, at);
      const used = window?.used ?? 0;
      const resetAt = window?.resetAt ?? at + windowMs;
      const admitted = used + cost <= limit;
      if (admitted) {
        add(identity, window, cost, at);
      }
      return { admitted, used: admitted ? used + cost : used, limit, resetAt };
    },
    reserveAll,
    peek(identity, limit) {
      const at = now();
      turn(at);
      return usage(find(identity, at), limit, at + windowMs);
    },
    findExhausted(identity, limit) {
      const at = now();
      const window = find(identity, at);
      return window !== undefined && window.used >= limit ? usage(window, limit, at) : undefined;
    },
    get size() {
      return current.windows.size + previous.windows.size;
    },
  };
}

function usage(window: Window | undefined, limit: number, resetAtIfNone: number): Usage {
  return { used: window?.used ?? 0, limit, resetAt: window?.resetAt ?? resetAtIfNone };
}

function emptyCohort(): Cohort {
  return { windows: new Map(), lastReset: Number.NEGATIVE_INFINITY };
}
