import { type Bucket, type Counter, outcomeOf, type Reservation, takenOf, type Usage } from './counter.ts';
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

const emptyCohort = (): Cohort => ({ windows: new Map(), lastReset: Number.NEGATIVE_INFINITY });

/**
 * Windows of one length. Those that opened within such a length end before the next is over, and are dropped together: it
 * holds no more than those of two lengths, needs no timer, and no request removes individual windows of others.
 */
class Windows {
  readonly #length: number;
  #current = emptyCohort();
  #previous = emptyCohort();
  #turnAt = Number.NEGATIVE_INFINITY;

  /** @param length ms. */
  constructor(length: number) {
    this.#length = length;
  }

  /** How many it holds; some may have ended. */
  get size(): number {
    return this.#current.windows.size + this.#previous.windows.size;
  }

  /** The open window of a name. */
  find(name: string, at: number): Window | undefined {
    this.#turnAt = Math.min(this.#turnAt, at + this.#length);
    if (at >= this.#turnAt) {
      this.#previous = this.#current;
      this.#current = emptyCohort();
      this.#turnAt = at + this.#length;
    }
    if (at >= this.#previous.lastReset && this.#previous.windows.size > 0) {
      this.#previous = emptyCohort();
    }
    const window = this.#current.windows.get(name) ?? this.#previous.windows.get(name);
    if (window === undefined) {
      return undefined;
    }
    window.resetAt = Math.min(window.resetAt, at + this.#length);
    return window.resetAt > at ? window : undefined;
  }

  /** Adds a cost to a window, which is opened if there is none; without a cost, says what there is. */
  use(name: string, window: Window | undefined, cost: number, at: number): Readonly<Window> {
    if (window !== undefined) {
      window.used += cost;
      return window;
    }
    const opened = { used: cost, resetAt: at + this.#length };
    if (cost !== 0) {
      this.#current.windows.set(name, opened);
      this.#current.lastReset = opened.resetAt;
    }
    return opened;
  }
}

/**
 * Creates a counter in the memory of this process.
 *
 * @param now the time in ms. If the clock is set back, a window ends at most its length later.
 */
export function createMemoryCounter(now: () => number) {
  // Of requests: found without a look-up.
  const minutes = new Windows(WINDOW_MS);
  const byLength = new Map([[WINDOW_MS, minutes]]);

  function ofLength(length: number): Windows {
    let windows = byLength.get(length);
    if (windows === undefined) {
      windows = new Windows(length);
      byLength.set(length, windows);
    }
    return windows;
  }

  return {
    reserve(name: string, cost: number, limit: number, windowMs = WINDOW_MS): Reservation {
      const at = now();
      const windows = windowMs === WINDOW_MS ? minutes : ofLength(windowMs);
      const found = windows.find(name, at);
      const before = found?.used ?? 0;
      const admitted = before + cost <= limit;
      const taken = takenOf({ name, limit, isChargedForRefusals: true }, before, cost, admitted);
      const { used, resetAt } = windows.use(name, found, taken, at);
      return { admitted, used, limit, resetAt, taken };
    },
    reserveAll(buckets: readonly Bucket[], cost: number): Reservation {
      const at = now();
      const find = ({ name, windowMs = WINDOW_MS }: Bucket) => ofLength(windowMs).find(name, at);
      const admitted = buckets.every((bucket) => (find(bucket)?.used ?? 0) + cost <= bucket.limit);
      const windows = buckets.map((bucket) => {
        const { name, limit, windowMs = WINDOW_MS } = bucket;
        const window = find(bucket);
        const taken = takenOf(bucket, window?.used ?? 0, cost, admitted);
        const { used, resetAt } = ofLength(windowMs).use(name, window, taken, at);
        return { used, limit, resetAt, taken };
      });
      return outcomeOf(admitted, windows, cost);
    },
    peek(name: string, limit: number, windowMs = WINDOW_MS): Usage {
      const at = now();
      const windows = windowMs === WINDOW_MS ? minutes : ofLength(windowMs);
      const { used, resetAt } = windows.use(name, windows.find(name, at), 0, at);
      return { used, limit, resetAt };
    },
    /** How many windows it holds; some may have ended. */
    get size(): number {
      return [...byLength.values()].reduce((sum, { size }) => sum + size, 0);
    },
  } satisfies Counter & { readonly size: number };
}
