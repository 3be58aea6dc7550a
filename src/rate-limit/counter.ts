/** The current state of a window. */
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

/** A window to draw on, and what it allows. */
export interface Bucket {
  readonly identity: string;
  readonly limit: number;
}

/** The outcome of a reservation of several windows, in their order. */
export interface JointReservation {
  readonly admitted: boolean;
  readonly windows: readonly Usage[];
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
  /**
   * Reserves `cost` of every bucket if it fits them all, and otherwise of none: as {@link reserve} does,
   * in one atomic step.
   */
  reserveAll(buckets: readonly Bucket[], cost: number): JointReservation | Promise<JointReservation>;
  /** The window as this process knows it, without reserving and without asking anyone. */
  peek(identity: string, limit: number): Usage;
  /**
   * The window, where it is known to have nothing left without asking anyone. A reservation would be refused;
   * undefined means that only a reservation can tell.
   */
  findExhausted(identity: string, limit: number): Usage | undefined;
}
