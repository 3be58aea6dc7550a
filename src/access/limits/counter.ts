/** The current state of a window. */
export interface Usage {
  /** The cost that the window has admitted; 0 if none is open. */
  readonly used: number;
  /** The limit that it was asked with. */
  readonly limit: number;
  /** ms since 1970; without an open window, when one that opened now would end. */
  readonly resetAt: number;
}

/** The outcome of a reservation; `used` includes it if it was admitted. */
export interface Reservation extends Usage {
  readonly admitted: boolean;
}

/** A window to use, and its limit. */
export interface Bucket {
  readonly name: string;
  readonly limit: number;
  /** Its length in ms, the same each time that it is used; {@link WINDOW_MS} by default. */
  readonly windowMs?: number | undefined;
}

/**
 * Counts the use of windows by name. Counting and deciding are one atomic step, or
 * parallel requests would exceed the limit.
 */
export interface Counter {
  /**
   * Reserves `cost` from every bucket if no more than its limit is then used of each window, and otherwise from none.
   * The first admitted reservation opens a window; a refused one changes nothing.
   *
   * @returns the decisive window: the tightest, or of a refusal, the one after whose end a retry succeeds.
   */
  reserveAll(buckets: readonly Bucket[], cost: number): Reservation | Promise<Reservation>;
  /** The same for one window. */
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
export function tightest(windows: readonly Usage[]): Usage {
  const left = ({ used, limit }: Usage): number => Math.max(0, limit - used);
  return windows.reduce((one, other) => {
    const difference = left(one) - left(other);
    return difference < 0 || (difference === 0 && one.resetAt >= other.resetAt) ? one : other;
  });
}

/** The outcome of reserving from windows, which the counter has decided. */
export function outcomeOf(admitted: boolean, windows: readonly Usage[], cost: number): Reservation {
  const refusing = windows.filter(({ used, limit }) => used + cost > limit);
  const { used, limit, resetAt } = admitted
    ? tightest(windows)
    : refusing.reduce((one, other) => (one.resetAt >= other.resetAt ? one : other));
  return { admitted, used, limit, resetAt };
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
