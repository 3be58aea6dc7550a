/** A window as it stands. */
export interface Usage {
  /** What the window has admitted; 0 when none is open. */
  readonly used: number;
  /** The limit that was applied; a counter may apply less than it was asked to. */
  readonly limit: number;
  /** ms since 1970; without an open window, when one that opened now would end. */
  readonly resetAt: number;
}

/** The outcome of a reservation; `used` includes it if it was admitted. */
export interface Reservation extends Usage {
  readonly admitted: boolean;
}

/**
 * Counts what identities have used of their windows. Counting and deciding are one atomic step, or
 * parallel requests would pass the limit.
 */
export interface Counter {
  /**
   * Reserves `cost` if no more than `limit` of the window is then used. The first admitted one opens
   * the window; a refused one changes nothing.
   */
  reserve(identity: string, cost: number, limit: number): Reservation | Promise<Reservation>;
  /** Reads without reserving. */
  peek(identity: string, limit: number): Usage | Promise<Usage>;
  /**
   * Whether the window is known to have nothing left, as far as can be told at once and without asking
   * anyone. If so, a reservation is refused at once as well; if not, only a reservation can tell.
   */
  isExhausted(identity: string, limit: number): boolean;
}
