import type { KeyLookup, KeyRecord } from './lookup.ts';

/** Key look-ups, batched into few queries. */
interface LookupQueue {
  /** Finds the record of a hash; undefined if there is none. Callers that wait for the same hash share its query. */
  find(hash: string): Promise<KeyRecord | undefined>;
  /** From now on, new callers do not share the result of a query that has already begun. */
  forget(): void;
}

interface LookupQueueOptions {
  /** The most hashes of one query. */
  readonly size: number;
  /** The minimum time between the starts of two queries, in ms. */
  readonly spacing: number;
}

/** A hash that waits for its query. */
interface Waiting {
  readonly record: Promise<KeyRecord | undefined>;
  readonly resolve: (record: KeyRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** With a slow database, queries become larger rather than more numerous. */
const CONCURRENCY = 2;

/**
 * Creates a queue of look-ups. Well-formed unknown keys cost their sender nothing, so however many arrive,
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
    // Timers may fire early: they count from the start of their turn of the event loop, in whole ms.
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
