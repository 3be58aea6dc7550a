/** The current state of a window. */
export interface Usage {
  /** What reservations have taken of the window; 0 if none is open. */
  readonly used: number;
  /** The limit that it was asked with. */
  readonly limit: number;
  /** ms since 1970; without an open window, when one that opened now would end. */
  readonly resetAt: number;
}

/** The outcome of a reservation; `used` includes what it took. */
export interface Reservation extends Usage {
  readonly admitted: boolean;
  /** What it took of this window: its cost if it was admitted, otherwise 0 or {@link REFUSAL_COST}. */
  readonly taken: number;
}

/** What a refusal takes of a window that is charged for refusals, if any of it is left. */
export const REFUSAL_COST = 1;

/** A window to use, and its limit. */
export interface Bucket {
  readonly name: string;
  readonly limit: number;
  /** Its length in ms, the same each time that it is used; {@link WINDOW_MS} by default. */
  readonly windowMs?: number | undefined;
  /**
   * Whether a refusal takes {@link REFUSAL_COST} of what is left: the request was read and validated to know its cost,
   * which must not be free to repeat.
   */
  readonly isChargedForRefusals?: boolean | undefined;
}

/**
 * Counts the use of windows by name. Counting and deciding are one atomic step, or
 * parallel requests would exceed the limit.
 */
export interface Counter {
  /**
   * Reserves `cost` from every bucket if no more than its limit is then used of each window, and otherwise from none.
   * A refusal only takes {@link REFUSAL_COST} of the buckets that are charged for it. What first takes anything of a
   * window opens it.
   *
   * @returns the decisive window: the tightest, or of a refusal, the last to end of those that refused.
   */
  reserveAll(buckets: readonly Bucket[], cost: number): Reservation | Promise<Reservation>;
  /** The same for one window, which is charged for refusals. */
  reserve(name: string, cost: number, limit: number, windowMs?: number): Reservation | Promise<Reservation>;
  /**
   * The window as this process knows it, without reserving and without a remote call. If it is exhausted, a reservation
   * would be refused; otherwise only a reservation can decide.
   */
  peek(name: string, limit: number, windowMs?: number): Usage;
}

/** Whether nothing is left of a window. */
export function isExhausted({ used, limit }: Usage): boolean {
  return used >= limit;
}

/** The window with the least left; of equal ones, the one that ends last. */
export function tightest<Window extends Usage>(windows: readonly Window[]): Window {
  const left = ({ used, limit }: Usage): number => Math.max(0, limit - used);
  return windows.reduce((one, other) => {
    const difference = left(one) - left(other);
    return difference < 0 || (difference === 0 && one.resetAt >= other.resetAt) ? one : other;
  });
}

/** What a reservation takes of a window, which all of its windows have admitted or one has refused. */
export function takenOf(bucket: Bucket, used: number, cost: number, isAdmitted: boolean): number {
  if (isAdmitted) {
    return cost;
  }
  return bucket.isChargedForRefusals ? Math.min(REFUSAL_COST, Math.max(0, bucket.limit - used)) : 0;
}

/** A window after a reservation, and what that took of it. */
export interface ChargedWindow extends Usage {
  readonly taken: number;
}

/** The outcome of reserving from windows, which the counter has decided. */
export function outcomeOf(admitted: boolean, windows: readonly ChargedWindow[], cost: number): Reservation {
  const refusing = windows.filter(({ used, taken, limit }) => used - taken + cost > limit);
  const decisive = admitted
    ? tightest(windows)
    : refusing.reduce((one, other) => (one.resetAt >= other.resetAt ? one : other));
  return { admitted, ...decisive };
}

/** Called with the reason, without any secret, when counting falls back to memory, and again when it returns. */
export type FallbackListener = (active: boolean, reason: string) => void;

/** Where windows are currently stored; `fallback` is memory in place of Redis. */
export type CounterState = 'memory' | 'redis' | 'fallback';

export interface OpenedCounter {
  readonly counter: Counter;
  state(): CounterState;
  /** Requests in progress are counted in memory. */
  close(): void;
}
