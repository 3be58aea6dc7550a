import type { KeyLookup, KeyRecord } from './lookup.ts';

/** Look-ups gathered into few queries. */
export interface LookupBatches {
  /** Finds one key by its hash (hex). Callers that ask for the same hash share the answer. */
  find(hash: string): Promise<KeyRecord | null>;
  /** Lets nobody from now on share the answer of a query that is already under way. */
  forget(): void;
}

interface Waiter {
  readonly promise: Promise<KeyRecord | null>;
  readonly resolve: (record: KeyRecord | null) => void;
  readonly reject: (error: unknown) => void;
}

// One query in 10 ms is at most 100 a second, whatever unknown keys arrive.
const SPACING_MS = 10;
const BATCH_SIZE = 500;
// A slow database gets larger batches, not more of them beside the queries of known keys.
const CONCURRENCY = 2;

/**
 * Gathers look-ups, since well-formed unknown keys cost nothing to make: at most 100 queries a second,
 * two at a time. The first after a pause starts at once.
 */
export function createLookupBatches(lookup: KeyLookup): LookupBatches {
  const waiting = new Map<string, Waiter>();
  const underWay = new Map<string, Waiter>();
  let running = 0;
  let pausing = false;

  function next(): void {
    if (pausing || running >= CONCURRENCY || waiting.size === 0) {
      return;
    }
    pausing = true;
    setTimeout(() => {
      pausing = false;
      next();
    }, SPACING_MS);
    void run(take());
  }

  function take(): Map<string, Waiter> {
    const batch = new Map<string, Waiter>();
    for (const [hash, waiter] of waiting) {
      batch.set(hash, waiter);
      underWay.set(hash, waiter);
      waiting.delete(hash);
      if (batch.size === BATCH_SIZE) {
        break;
      }
    }
    return batch;
  }

  async function run(batch: Map<string, Waiter>): Promise<void> {
    running += 1;
    try {
      const records = await lookup([...batch.keys()]);
      settle(batch);
      for (const record of records) {
        batch.get(record.hash)?.resolve(record);
      }
      for (const waiter of batch.values()) {
        // Without effect on those just resolved.
        waiter.resolve(null);
      }
    } catch (error) {
      settle(batch);
      // Those in the queue would fail too, one time-out later.
      for (const waiter of [...batch.values(), ...waiting.values()]) {
        waiter.reject(error);
      }
      waiting.clear();
    } finally {
      running -= 1;
      next();
    }
  }

  function settle(batch: Map<string, Waiter>): void {
    for (const [hash, waiter] of batch) {
      if (underWay.get(hash) === waiter) {
        underWay.delete(hash);
      }
    }
  }

  return {
    find(hash) {
      const shared = underWay.get(hash) ?? waiting.get(hash);
      if (shared !== undefined) {
        return shared.promise;
      }
      const waiter = createWaiter();
      waiting.set(hash, waiter);
      next();
      return waiter.promise;
    },
    forget: () => underWay.clear(),
  };
}

function createWaiter(): Waiter {
  let resolve: Waiter['resolve'] = () => {};
  let reject: Waiter['reject'] = () => {};
  const promise = new Promise<KeyRecord | null>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
