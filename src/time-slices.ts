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
  /** What this turn of the event loop has spent on work. */
  #spent = 0;
  #isTurnNoted = false;
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
    while (this.#spent < SLICE_MS) {
      const done = this.#step(steps);
      if (done !== undefined) {
        return done.value;
      }
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          owner?.signal.throwIfAborted();
          const done = this.#step(steps);
          if (done !== undefined) {
            resolve(done.value);
          }
          return done !== undefined;
        } catch (error) {
          reject(error);
          return true;
        }
      });
      this.#noteTurn();
    });
  }

  #step<T>(steps: Steps<T>): { readonly value: T } | undefined {
    const startedAt = this.#now();
    try {
      const { done, value } = steps.next();
      return done === true ? { value } : undefined;
    } finally {
      this.#spent += this.#now() - startedAt;
      this.#noteTurn();
    }
  }

  #noteTurn(): void {
    if (!this.#isTurnNoted) {
      this.#isTurnNoted = true;
      this.#afterTurn(() => this.#beginTurn());
    }
  }

  #beginTurn(): void {
    this.#isTurnNoted = false;
    this.#spent = 0;
    // A step of each in turn, so that nobody waits for all that others asked before.
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (!next()) {
        this.#waiting.push(next);
      }
      if (this.#spent >= SLICE_MS) {
        break;
      }
    }
    if (this.#waiting.length > 0) {
      this.#noteTurn();
    }
  }
}

/** Those of this process, which has one event loop. */
export const timeSlices = new TimeSlices();

/** Work of a single step. */
// biome-ignore lint/correctness/useYield: it has one step.
export function* inOneStep<T>(work: () => T): Steps<T> {
  return work();
}
