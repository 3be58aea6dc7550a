import { FairQueue } from '../../../lib/loop/time-slices.ts';

/**
 * The most reads of the database at a time. The event loop decodes one result after another, so more would not be
 * faster: their results would only arrive together, and occupy the connections that the look-ups of keys need.
 */
const MAX_READS = 6;

/** Begins the reads of operations. When others must end first, the owners of those that wait take turns. */
export class ReadQueue {
  readonly #waiting = new FairQueue<() => void>();
  #running = 0;

  async run<T>(owner: string, read: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_READS) {
      this.#running += 1;
    } else {
      await new Promise<void>((resolve) => this.#waiting.add(owner, resolve));
    }
    try {
      return await read();
    } finally {
      const next = this.#waiting.next;
      if (next === undefined) {
        this.#running -= 1;
      } else {
        this.#waiting.take(next)?.();
      }
    }
  }
}

/** The reads of this process, which has one pool of connections for them. */
export const readQueue = new ReadQueue();
