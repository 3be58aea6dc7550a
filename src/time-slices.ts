/** Work in steps, each short enough for everything else to wait for it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The longest that work may occupy the event loop, in ms, apart from its last step. */
const SLICE_MS = 10;

/** The time for which one of several works runs before the next, in ms, apart from its last step. */
const SHARE_MS = 1;

/** For whom work is done. */
interface Owner {
  /** Throws once nobody waits for the result. Called before each slice of work that had to wait. */
  throwIfAborted(): void;
}

/** Captured once: with replaced timers, such as a test's, a turn would never end. */
const inNextTurn = setImmediate;
const afterPendingPromises = process.nextTick;

/** Work of a single step. */
// biome-ignore lint/correctness/useYield: it has one step.
function* oneStep<T>(work: () => T): Steps<T> {
  return work();
}

/** Lets other work run between slices of long work. */
export class TimeSlices {
  readonly #now: () => number;
  readonly #afterTurn: (callback: () => void) => void;
  /** When work began in this turn of the event loop; undefined if none has. */
  #turnBegan: number | undefined;
  /** Work for later turns: each function does some steps, and returns whether one was the last. */
  readonly #waiting: (() => boolean)[] = [];

  /**
   * @param now ms.
   * @param afterTurn calls back in the next turn of the event loop.
   */
  constructor(
    now: () => number = () => performance.now(),
    afterTurn: (callback: () => void) => void = (callback) => void inNextTurn(callback),
  ) {
    this.#now = now;
    this.#afterTurn = afterTurn;
  }

  /**
   * Does the work now if this turn has time for it, otherwise returns a promise.
   *
   * @param owner asked only once the work waits.
   */
  run<T>(steps: Steps<T>, owner?: Owner): T | Promise<T> {
    while (this.#hasTime()) {
      const { done, value } = steps.next();
      if (done === true) {
        return value;
      }
    }
    return this.#runLater(steps, owner);
  }

  /** Does work of a single step now if this turn has time for it, otherwise returns a promise. */
  runStep<T>(work: () => T, owner?: Owner): T | Promise<T> {
    return this.#hasTime() ? work() : this.#runLater(oneStep(work), owner);
  }

  /**
   * Waits for a turn that has time. Callers continue one after another: what each does until it next waits for
   * something counts towards the time of the turn. For results that arrive together, such as those of one statement.
   */
  async waitForTime(owner: Owner): Promise<void> {
    this.#hasTime();
    await this.#runLater(
      oneStep(() => {}),
      owner,
    );
  }

  #runLater<T>(steps: Steps<T>, owner: Owner | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          owner?.throwIfAborted();
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
   */
  #hasTime(): boolean {
    const now = this.#now();
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      this.#afterTurn(() => void this.#beginTurn());
    }
    return now - this.#turnBegan < SLICE_MS;
  }

  async #beginTurn(): Promise<void> {
    this.#turnBegan = undefined;
    // Some steps of each per round, so that no work waits for all earlier work.
    while (this.#waiting.length > 0 && this.#hasTime()) {
      const next = this.#waiting.shift() as () => boolean;
      if (next()) {
        // Work that waited for it runs first, so that its time counts.
        await new Promise<void>((resolve) => afterPendingPromises(resolve));
      } else {
        this.#waiting.push(next);
      }
    }
  }
}

/** The slices of this process, which has one event loop. */
export const timeSlices = new TimeSlices();
