/** Work in steps, each short enough for everything else to wait for it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The longest that work may keep the event loop, in ms, give or take its last step. */
const SLICE_MS = 10;

/** Taken once: a turn that began under other timers, such as a test's, would never end. */
const inNextTurn = setImmediate;

/** Lets everything else have its turn between slices of long work. */
export class TimeSlices {
  readonly #now: () => number;
  readonly #afterTurn: (callback: () => void) => void;
  /** When this turn of the event loop began to work; undefined where it has not. */
  #turnBegan: number | undefined;
  /** What waits for later turns: each does a step, and says whether it was the last. */
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
   * Does work now where this turn has time for it, otherwise as a promise.
   *
   * @param owner its signal ends the work; looked at only once the work waits.
   */
  run<T>(steps: Steps<T>, owner?: { readonly signal: AbortSignal }): T | Promise<T> {
    while (this.#hasTime()) {
      const { done, value } = steps.next();
      if (done === true) {
        return value;
      }
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          owner?.signal.throwIfAborted();
          const { done, value } = steps.next();
          if (done === true) {
            resolve(value);
          }
          return done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      });
    });
  }

  /**
   * Whether this turn has time for another step. What others do in the same turn counts, such as writing the results
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
    // A step of each in turn, so that nobody waits for all that others asked before.
    while (this.#waiting.length > 0 && this.#hasTime()) {
      const next = this.#waiting.shift() as () => boolean;
      if (next()) {
        // What waited for it runs first, so that its time counts.
        await undefined;
      } else {
        this.#waiting.push(next);
      }
    }
  }
}

/** Those of this process, which has one event loop. */
export const timeSlices = new TimeSlices();
