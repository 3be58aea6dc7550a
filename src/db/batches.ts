/** Look-ups gathered into few queries. */
export interface Batches<K, V> {
  /** Finds one value; undefined where there is none. Callers that ask for the same share the answer. */
  find(key: K): Promise<V | undefined>;
  /** Lets nobody from now on share the answer of a query that is already under way. */
  forget(): void;
}

/** How look-ups are gathered. */
export interface BatchOptions<K, V> {
  /** One query; keys without a value are left out. */
  readonly load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  /** The most that one query asks for. */
  readonly size: number;
  /** At least so many ms between the beginnings of two queries; 0: what one turn of the event loop asks for. */
  readonly spacing: number;
}

interface Waiter<V> {
  readonly promise: Promise<V | undefined>;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

// A slow database gets larger batches, not more of them beside other queries.
const CONCURRENCY = 2;

/** Gathers look-ups, two queries under way at most. */
export function createBatches<K, V>({ load, size, spacing }: BatchOptions<K, V>): Batches<K, V> {
  const waiting = new Map<K, Waiter<V>>();
  const underWay = new Map<K, Waiter<V>>();
  let running = 0;
  let isScheduled = false;
  let startedAt = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    if (isScheduled || running >= CONCURRENCY || waiting.size === 0) {
      return;
    }
    isScheduled = true;
    const start = (): void => {
      isScheduled = false;
      startedAt = performance.now();
      void run(take());
      schedule();
    };
    const rest = startedAt + spacing - performance.now();
    if (rest > 0) {
      setTimeout(start, rest);
    } else {
      setImmediate(start);
    }
  }

  function take(): Map<K, Waiter<V>> {
    const batch = new Map<K, Waiter<V>>();
    for (const [key, waiter] of waiting) {
      batch.set(key, waiter);
      underWay.set(key, waiter);
      waiting.delete(key);
      if (batch.size === size) {
        break;
      }
    }
    return batch;
  }

  async function run(batch: Map<K, Waiter<V>>): Promise<void> {
    running += 1;
    try {
      const values = await load([...batch.keys()]);
      settle(batch);
      for (const [key, waiter] of batch) {
        waiter.resolve(values.get(key));
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
      schedule();
    }
  }

  function settle(batch: Map<K, Waiter<V>>): void {
    for (const [key, waiter] of batch) {
      if (underWay.get(key) === waiter) {
        underWay.delete(key);
      }
    }
  }

  return {
    find(key) {
      const shared = underWay.get(key) ?? waiting.get(key);
      if (shared !== undefined) {
        return shared.promise;
      }
      const waiter = createWaiter<V>();
      waiting.set(key, waiter);
      schedule();
      return waiter.promise;
    },
    forget: () => underWay.clear(),
  };
}

function createWaiter<V>(): Waiter<V> {
  let resolve: Waiter<V>['resolve'] = () => {};
  let reject: Waiter<V>['reject'] = () => {};
  const promise = new Promise<V | undefined>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
