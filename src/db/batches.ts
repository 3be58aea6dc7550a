/** Look-ups gathered into few queries. */
export interface Batches<K, V> {
  /** Finds the values of some keys; undefined where there is none. Callers that ask for the same share the answer. */
  find(keys: readonly K[]): Promise<(V | undefined)[]>;
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

/**
 * One query, with one promise for all of its keys. What is made for each query dies young; one map of all keys,
 * set and deleted thousands of times a second, would be copied and copied into the old generation.
 */
interface Batch<K, V> {
  readonly keys: Set<K>;
  readonly isLoaded: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  values?: ReadonlyMap<K, V>;
}

// A slow database gets larger batches, not more of them beside other queries.
const CONCURRENCY = 2;
/** So many of the queries in the queue are searched for a key, the last ones: more are there in an overload only. */
const SEARCHED = 50;

/** Gathers look-ups, two queries under way at most. */
export function createBatches<K, V>({ load, size, spacing }: BatchOptions<K, V>): Batches<K, V> {
  const waiting: Batch<K, V>[] = [];
  let running = 0;
  /** Of those under way. */
  let shared: Batch<K, V>[] = [];
  let isScheduled = false;
  let startedAt = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    if (isScheduled || running >= CONCURRENCY || waiting.length === 0) {
      return;
    }
    isScheduled = true;
    const rest = restOfSpacing();
    if (rest > 0) {
      setTimeout(start, rest);
    } else {
      setImmediate(start);
    }
  }

  function start(): void {
    isScheduled = false;
    // A timer counts from when its turn of the event loop began, in whole ms, so it may be early.
    const batch = restOfSpacing() > 0 ? undefined : waiting.shift();
    if (batch !== undefined) {
      startedAt = performance.now();
      void run(batch);
    }
    schedule();
  }

  function restOfSpacing(): number {
    return startedAt + spacing - performance.now();
  }

  async function run(batch: Batch<K, V>): Promise<void> {
    running += 1;
    shared.push(batch);
    try {
      batch.values = await load([...batch.keys]);
      batch.resolve();
    } catch (error) {
      // Those in the queue would fail too, one time-out later.
      for (const failed of [batch, ...waiting.splice(0)]) {
        failed.reject(error);
      }
    } finally {
      running -= 1;
      shared = shared.filter((other) => other !== batch);
      schedule();
    }
  }

  function batchOf(key: K): Batch<K, V> {
    const hasKey = ({ keys }: Batch<K, V>): boolean => keys.has(key);
    const recent = waiting.length > SEARCHED ? waiting.slice(-SEARCHED) : waiting;
    const known = shared.find(hasKey) ?? recent.find(hasKey);
    if (known !== undefined) {
      return known;
    }
    let last = waiting.at(-1);
    if (last === undefined || last.keys.size === size) {
      last = createBatch();
      waiting.push(last);
    }
    last.keys.add(key);
    return last;
  }

  return {
    async find(keys) {
      const batches = keys.map(batchOf);
      schedule();
      for (const { isLoaded } of new Set(batches)) {
        await isLoaded;
      }
      return keys.map((key, index) => batches[index]?.values?.get(key));
    },
    forget() {
      shared = [];
    },
  };
}

function createBatch<K, V>(): Batch<K, V> {
  let resolve: Batch<K, V>['resolve'] = () => {};
  let reject: Batch<K, V>['reject'] = () => {};
  const isLoaded = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Whoever waits for several hears of the first that fails; of the others nobody need hear.
  isLoaded.catch(() => {});
  return { keys: new Set(), isLoaded, resolve, reject };
}
