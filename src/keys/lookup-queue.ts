import type { KeyLookup, KeyRecord } from './lookup.ts';

/** Look-ups of keys, gathered into few queries. */
interface LookupQueue {
  /** Finds the record of a hash; undefined where there is none. Callers that wait for one hash share its query. */
  find(hash: string): Promise<KeyRecord | undefined>;
  /** From now on, nobody shares the result of a query that has begun. */
  forget(): void;
}

interface LookupQueueOptions {
  /** Most hashes of one query. */
  readonly size: number;
  /** Least time between the starts of two queries, in ms. */
  readonly spacing: number;
}

/** A hash that waits for its query. */
interface Waiting {
  readonly record: Promise<KeyRecord | undefined>;
  readonly resolve: (record: KeyRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** A slow database gets larger queries, not more of them beside those of others. */
const CONCURRENCY = 2;

/**
 * Creates a queue of look-ups. Well-formed unknown keys cost their sender nothing, so that however many arrive,
 * the database gets at most two queries at a time, and no more of them per second than their spacing allows.
 */
export function createLookupQueue(lookup: KeyLookup, { size, spacing }: LookupQueueOptions): LookupQueue {
  const queued = new Map<string, Waiting>();
  let running = new Map<string, Waiting>();
  let queries = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queries >= CONCURRENCY || queued.size === 0) {
      return;
    }
    isScheduled = true;
    setTimeout(start, restOfSpacing());
  }

  function start(): void {
    isScheduled = false;
    // Timers may be early: they count from the start of their turn of the event loop, in whole ms.
    if (restOfSpacing() === 0) {
      startedAt = performance.now();
      const batch = new Map<string, Waiting>();
      for (const [hash, waiting] of queued) {
        if (batch.size === size) {
          break;
        }
        queued.delete(hash);
        batch.set(hash, waiting);
        running.set(hash, waiting);
      }
      void run(batch);
    }
    schedule();
  }

  function restOfSpacing(): number {
    return Math.max(0, startedAt + spacing - performance.now());
  }

  async function run(batch: ReadonlyMap<string, Waiting>): Promise<void> {
    queries += 1;
    try {
      const records = new Map((await lookup([...batch.keys()])).map((record) => [record.hash, record]));
      for (const [hash, { resolve }] of batch) {
        resolve(records.get(hash));
      }
    } catch (error) {
      // Those in the queue would fail too, one time-out later.
      for (const { reject } of [...batch.values(), ...queued.values()]) {
        reject(error);
      }
      queued.clear();
    } finally {
      queries -= 1;
      for (const [hash, waiting] of batch) {
        if (running.get(hash) === waiting) {
          running.delete(hash);
        }
      }
      schedule();
    }
  }

  return {
    find(hash) {
      const known = running.get(hash) ?? queued.get(hash);
      if (known !== undefined) {
        return known.record;
      }
      const waiting = createWaiting();
      queued.set(hash, waiting);
      schedule();
      return waiting.record;
    },
    forget() {
      running = new Map();
    },
  };
}

function createWaiting(): Waiting {
  let resolve: Waiting['resolve'] = () => {};
  let reject: Waiting['reject'] = () => {};
  const record = new Promise<KeyRecord | undefined>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { record, resolve, reject };
}
