/** The current state of a window. */
export interface Usage {
  /** The cost that the window has admitted; 0 if none is open. */
  readonly used: number;
  /** The limit that was applied; a counter may apply a lower one than requested. */
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
  readonly identity: string;
  readonly limit: number;
}

/** The outcome of reserving from several windows, in their order. */
export interface JointReservation {
  readonly admitted: boolean;
  readonly windows: readonly Usage[];
}

/**
 * Counts the use of windows by identity. Counting and deciding are one atomic step, or
 * parallel requests would exceed the limit.
 */
export interface Counter {
  /**
   * Reserves `cost` if no more than `limit` of the window is then used. The first admitted reservation opens
   * the window; a refused one changes nothing.
   */
  reserve(identity: string, cost: number, limit: number): Reservation | Promise<Reservation>;
  /**
   * Reserves `cost` from every bucket if it fits them all, and otherwise from none: like {@link reserve},
   * in one atomic step.
   */
  reserveAll(buckets: readonly Bucket[], cost: number): JointReservation | Promise<JointReservation>;
  /** The window as this process knows it, without reserving and without a remote call. */
  peek(identity: string, limit: number): Usage;
  /**
   * The window, if it is known to be exhausted without a remote call. A reservation would be refused;
   * undefined means that only a reservation can decide.
   */
  findExhausted(identity: string, limit: number): Usage | undefined;
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
