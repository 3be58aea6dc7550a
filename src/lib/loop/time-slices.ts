/** Work in steps, each short enough for everything else to wait for it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The longest that work may occupy the event loop, in ms, apart from its last step. */
const SLICE_MS = 10;

/** The time for which one of several owners occupies the event loop before the next, in ms, apart from its last step. */
const SHARE_MS = 1;

/** The longest time, in ms, for which work waits for connections that arrive without a pause. */
const ARRIVAL_MS = 50;

/** For whom work is done. */
export interface Owner {
  /** Whose turn the work waits for: all work of a key has the same. */
  readonly ownerId: string;
  /** Throws once nobody waits for the result. Called before each slice of work that had to wait. */
  throwIfAborted?(): void;
}

/** What waits for something, by owners who take turns. */
export class FairQueue<T> {
  readonly #items = new Map<string, T[]>();

  /** The owner whose turn it is; undefined if nothing waits. */
  get next(): string | undefined {
    return this.#items.keys().next().value;
  }

  add(owner: string, item: T): void {
    const items = this.#items.get(owner);
    if (items === undefined) {
      this.#items.set(owner, [item]);
    } else {
      items.push(item);
    }
  }

  /** Removes the first item of an owner, who is then behind all others. */
  take(owner: string): T | undefined {
    const items = this.#items.get(owner);
    const item = items?.shift();
    this.#items.delete(owner);
    if (items !== undefined && items.length > 0) {
      this.#items.set(owner, items);
    }
    return item;
  }
}

/** Captured once: with replaced timers, such as a test's, a turn would never end. */
const inNextTurn = setImmediate;
const afterPendingPromises = process.nextTick;

/** Work of a single step. */
// biome-ignore lint/correctness/useYield: it has one step.
function* oneStep<T>(work: () => T): Steps<T> {
  return work();
}

/**
 * Lets other work run between slices of long work. Owners take turns, so that the work of one waits for at most one
 * slice of each other, however much that has to do.
 */
export class TimeSlices {
  readonly #now: () => number;
  readonly #afterTurn: (callback: () => void) => unknown;
  /** When work began in this turn of the event loop; undefined if none has. */
  #turnBegan: number | undefined;
  /** Whether a connection has arrived in this turn, and work therefore waits for a turn without one. */
  #isLeft = false;
  /** When work for later turns was last done, unless there was none. */
  #workedAt = Number.NEGATIVE_INFINITY;
  /** Work for later turns: each function does some steps, and returns whether one was the last. */
  readonly #waiting = new FairQueue<() => boolean>();

  /**
   * @param now ms.
   * @param afterTurn calls back in the next turn of the event loop.
   */
  constructor(
    now: () => number = performance.now.bind(performance),
    afterTurn: (callback: () => void) => unknown = inNextTurn,
  ) {
    this.#now = now;
    this.#afterTurn = afterTurn;
  }

  /**
   * Does the work now if this turn has time for it, otherwise returns a promise.
   *
   * @param owner asked only once the work waits.
   * @param mayBegin whether this turn has time for the first step, for a caller that knows.
   */
  run<T>(steps: Steps<T>, owner: Owner, mayBegin: boolean = this.hasTime()): T | Promise<T> {
    for (let hasTime = mayBegin; hasTime; hasTime = this.hasTime()) {
      const { done, value } = steps.next();
      if (done === true) {
        return value;
      }
    }
    return this.#runLater(steps, owner);
  }

  /** Does work of a single step now if this turn has time for it, otherwise returns a promise. */
  runStep<T>(work: () => T, owner: Owner): T | Promise<T> {
    return this.hasTime() ? work() : this.#runLater(oneStep(work), owner);
  }

  /**
   * Waits for a turn that has time. Callers continue one after another: what each does until it next waits for
   * something counts towards the time of the turn. For results that arrive together, such as those of one statement.
   */
  async waitForTime(owner: Owner): Promise<void> {
    this.hasTime();
    await this.#runLater(
      oneStep(() => {}),
      owner,
    );
  }

  #runLater<T>(steps: Steps<T>, owner: Owner): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(owner.ownerId, () => {
        try {
          owner.throwIfAborted?.();
          const end = this.#now() + SHARE_MS;
          do {
            const { done, value } = steps.next();
            if (done === true) {
              resolve(value);
              return true;
            }
          } while (this.#now() < end);
          return false;
        } catch (error) {
          reject(error);
          return true;
        }
      });
    });
  }

  /**
   * Whether this turn has time for another step. Other work in the same turn counts, such as writing the results
   * of earlier work.
   *
   * @param now for a caller that has just read the clock.
   */
  hasTime(now: number = this.#now()): boolean {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      this.#afterTurn(this.#beginTurn);
    }
    return now - this.#turnBegan < SLICE_MS;
  }

  /**
   * Leaves this turn to connections that arrive. Node.js accepts one in each turn of the event loop: each of them would
   * wait for a slice of work for every connection before it.
   */
  leaveTurn(): void {
    if (!this.#isLeft && this.#now() - this.#workedAt < ARRIVAL_MS) {
      this.hasTime();
      this.#isLeft = true;
      this.#turnBegan = Number.NEGATIVE_INFINITY;
    }
  }

  readonly #beginTurn = async (): Promise<void> => {
    if (this.#isLeft) {
      this.#isLeft = false;
      this.#afterTurn(this.#beginTurn);
      return;
    }
    this.#turnBegan = undefined;
    this.#workedAt = this.#now();
    for (let owner = this.#waiting.next; owner !== undefined && this.hasTime(); owner = this.#waiting.next) {
      const end = this.#now() + SHARE_MS;
      for (
        let work = this.#waiting.take(owner);
        work !== undefined;
        work = this.#now() < end ? this.#waiting.take(owner) : undefined
      ) {
        if (work()) {
          // Work that waited for it runs first, so that its time counts.
          await new Promise<void>((resolve) => afterPendingPromises(resolve));
        } else {
          this.#waiting.add(owner, work);
        }
      }
    }
  };
}

/** The slices of this process, which has one event loop. */
export const timeSlices = new TimeSlices();

/** The time that work without a waiting owner takes of each turn of the event loop, in ms, apart from its last step. */
const BACKGROUND_MS = 2;

/** Does long work that no request waits for. */
export async function runInBackground<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + BACKGROUND_MS;
    do {
      const { done, value } = steps.next();
      if (done === true) {
        return value;
      }
    } while (performance.now() < end);
    await new Promise<void>((resolve) => inNextTurn(resolve));
  }
}

/**
 * Continues with a value: at once, or when its promise is resolved. Most requests wait for nothing, and each promise costs
 * them a turn of the queue of microtasks.
 */
export function andThen<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
