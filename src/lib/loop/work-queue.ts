import { FairQueue } from './time-slices.ts';

/** Runs pieces of work, some at a time. When others must end first, the owners of those that wait take turns. */
export class WorkQueue {
  readonly #waiting = new FairQueue<() => void>();
  #free: number;

  /** @param most how many run at a time. */
  constructor(most: number) {
    this.#free = most;
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await new Promise<void>((resolve) => this.#waiting.add(owner, resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.next;
      if (next === undefined) {
        this.#free += 1;
      } else {
        this.#waiting.take(next)?.();
      }
    }
  }
}
