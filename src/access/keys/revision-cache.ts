import { LRUCache } from 'lru-cache';

/** Finds the values of names; unknown ones are left out. */
export type Lookup<Value> = (names: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface Entry<Value> {
  readonly value: Value;
  /** The generation whose look-up found it. */
  readonly generation: number;
  /** ms; the time at which the database confirmed it. */
  seenAt: number;
}

interface RevisionCacheOptions<Value> {
  readonly lookup: Lookup<Value>;
  readonly batchSize: number;
  readonly known: LRUCache.Options<string, Entry<Value>, unknown>;
  readonly mostUnknown: number;
  /** How long a value is used after it was last confirmed, also beyond a change if the database does not answer. */
  readonly grace?: { readonly ms: number; readonly monotonic: () => number } | undefined;
}

/** The time without a poll's answer after which the database counts as not answering. */
export const SILENCE_MS = 2_000;
const ATTEMPTS = 5;

/**
 * Creates a cache of what the database says of names. Each change of the revision begins a generation: a value found in
 * an earlier one, or by a look-up that began in one, is not used while the database answers. With a grace, cached values
 * are then looked up again in the background, so that a change also applies to one that is first used again after the
 * database has failed. Without a grace, a change clears the cache.
 */
export function createRevisionCache<Value>(options: RevisionCacheOptions<Value>) {
  const { lookup, batchSize, grace } = options;
  const { ms: graceMs, monotonic } = grace ?? { ms: Number.POSITIVE_INFINITY, monotonic: () => 0 };
  const known = new LRUCache(options.known);
  // No entry of these is used after its generation.
  const unknown = new LRUCache<string, true>({ max: options.mostUnknown });
  const queue = createLookupQueue(lookup, batchSize);
  let revision: string | undefined;
  let generation = 0;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  /** The generation of which all cached values are. */
  let refreshed = 0;
  let isRefreshing = false;

  /** The value of a name from memory, if it may be used; null if the name is known to be unknown. */
  function get(name: string): Value | null | undefined {
    const entry = known.get(name);
    if (entry !== undefined) {
      const at = monotonic();
      const { value, seenAt } = entry;
      const isTrusted =
        entry.generation === generation
          ? at - Math.max(seenAt, confirmedAt) <= graceMs
          : at - confirmedAt > SILENCE_MS && at - seenAt <= graceMs;
      if (isTrusted) {
        return value;
      }
    }
    return unknown.get(name) === true ? null : undefined;
  }

  function remember(name: string, value: Value | undefined, seenAt: number): void {
    if (value === undefined) {
      known.delete(name);
      unknown.set(name, true);
    } else {
      known.set(name, { value, generation, seenAt });
    }
  }

  /** Looks a name up in the database; null if it is unknown. */
  async function find(name: string): Promise<Value | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [begun, seenAt] = [generation, monotonic()];
      let value: Value | undefined;
      try {
        value = await queue.find(name);
      } catch (error) {
        const earlier = get(name);
        if (earlier) {
          return earlier;
        }
        throw error;
      }
      // Otherwise something changed meanwhile, and this answer may be older than the change.
      if (begun === generation) {
        remember(name, value, seenAt);
        return value ?? null;
      }
    }
    throw new Error('The keys changed during every look-up of this one.');
  }

  const outdated = (): string[] =>
    [...known.entries()].flatMap(([name, entry]) => (entry.generation === generation ? [] : name));

  async function refresh(): Promise<void> {
    isRefreshing = true;
    try {
      for (let names = outdated(); names.length > 0; names = outdated()) {
        const [begun, seenAt, chunk] = [generation, monotonic(), names.slice(0, batchSize)];
        const values = await lookup(chunk);
        for (const name of begun === generation ? chunk : []) {
          remember(name, values.get(name), seenAt);
        }
      }
      refreshed = generation;
    } catch {
      // The next successful poll retries. Until then each use looks its name up.
    } finally {
      isRefreshing = false;
    }
  }

  function beginGeneration(): void {
    for (const entry of known.values()) {
      if (entry.generation === generation) {
        entry.seenAt = Math.max(entry.seenAt, confirmedAt);
      }
    }
    if (grace === undefined) {
      known.clear();
    }
    generation += 1;
    unknown.clear();
    queue.forget();
  }

  return {
    get,
    find,
    /**
     * Call this with each result of polling the revision, a few times a second. A new value begins a generation; the same
     * value confirms what is cached.
     */
    notify(value: bigint | string): void {
      const polled = String(value);
      if (polled !== revision) {
        revision = polled;
        beginGeneration();
      }
      confirmedAt = monotonic();
      if (refreshed !== generation && !isRefreshing) {
        void refresh();
      }
    },
    /** What is cached may belong to another history of the database: the next {@link notify} looks it up again. */
    reset: beginGeneration,
    get size(): number {
      return known.size + unknown.size;
    },
  };
}

class Batch<Value> {
  readonly names = new Set<string>();
  resolve: (values: ReadonlyMap<string, Value>) => void = () => {};
  reject: (error: unknown) => void = () => {};
  readonly values = new Promise<ReadonlyMap<string, Value>>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/** With a slow database, queries become larger rather than more numerous. */
const CONCURRENCY = 2;
/** The least time between the starts of two queries, in ms: at most 100 a second, however many unknown names arrive. */
const SPACING_MS = 10;

/**
 * Creates a queue of look-ups: well-formed unknown keys cost their sender nothing.
 *
 * @param size the most names of one query.
 */
export function createLookupQueue<Value>(lookup: Lookup<Value>, size: number) {
  let queued: Batch<Value>[] = [];
  /** The batches that callers share, by their names. */
  let shared = new Map<string, Batch<Value>>();
  let queries = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isScheduled = false;
  const restOfSpacing = (): number => Math.max(0, startedAt + SPACING_MS - performance.now());

  function schedule(): void {
    if (!isScheduled && queries < CONCURRENCY && queued.length > 0) {
      isScheduled = true;
      setTimeout(start, restOfSpacing());
    }
  }

  function start(): void {
    isScheduled = false;
    // Timers may fire early: they count from the start of their turn of the event loop, in whole ms.
    const batch = restOfSpacing() === 0 ? queued.shift() : undefined;
    if (batch !== undefined) {
      startedAt = performance.now();
      void run(batch);
    }
    schedule();
  }

  async function run(batch: Batch<Value>): Promise<void> {
    queries += 1;
    try {
      batch.resolve(await lookup([...batch.names]));
    } catch (error) {
      // Those in the queue would fail too, one time-out later.
      for (const failed of [batch, ...queued]) {
        failed.reject(error);
      }
      queued = [];
      shared = new Map();
    }
    queries -= 1;
    for (const name of batch.names) {
      if (shared.get(name) === batch) {
        shared.delete(name);
      }
    }
    schedule();
  }

  function add(name: string): Batch<Value> {
    const last = queued.at(-1);
    const batch = last !== undefined && last.names.size < size ? last : new Batch<Value>();
    if (batch !== last) {
      queued.push(batch);
    }
    batch.names.add(name);
    shared.set(name, batch);
    schedule();
    return batch;
  }

  return {
    /** Finds the value of a name; undefined if there is none. Callers that wait for the same name share its query. */
    async find(name: string): Promise<Value | undefined> {
      return (await (shared.get(name) ?? add(name)).values).get(name);
    },
    /** From now on, new callers do not share the result of a query that has already begun. */
    forget(): void {
      shared = new Map(queued.flatMap((batch) => [...batch.names].map((name) => [name, batch])));
    },
  };
}
