import { repeat, type Schedule } from '../../lib/loop/schedule.ts';
import type { AddFailures, FailedRequest, FailureGroup } from './failures.ts';
import type { AddUsage, UsageCount } from './store.ts';

/** The upper ends of the ranges in which durations are counted, in ms. */
export const durationEnds = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const;

/** The range of a duration in ms: the index of its end, or the number of ends for a longer one. */
export function durationRange(ms: number): number {
  let range = 0;
  while (range < durationEnds.length && ms > (durationEnds[range] as number)) {
    range += 1;
  }
  return range;
}

export interface UsageRecorderOptions {
  readonly addUsage: AddUsage;
  readonly addFailures: AddFailures;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Called for the first failure to store in a row; what could not be stored is kept and stored again. */
  readonly onError: (error: unknown) => void;
  /** How the next time to store is waited for; by the timers of this process by default. */
  readonly schedule?: Schedule | undefined;
}

/** How often what was recorded is stored, in ms: the most that a crash loses. */
const INTERVAL_MS = 5_000;
/** How many counts of use, and groups of failed requests, may wait. */
const [MOST_COUNTS, MOST_FAILURES] = [100_000, 10_000];
/** Items in one statement: some 50 ms of the embedded engine's time, for which all other connections wait. */
const BATCH_SIZE = 500;
const HOUR_MS = 3_600_000;

/** Adds a count to an earlier one of the same requests. */
function addCount(earlier: UsageCount, { requests, lastUsedAt }: UsageCount): void {
  earlier.requests += requests;
  earlier.lastUsedAt = Math.max(earlier.lastUsedAt, lastUsedAt);
}

/** Adds a group to another one with the same error; what is known of the last request is that of the later. */
function addGroup(one: FailureGroup, other: FailureGroup): void {
  const requests = one.requests + other.requests;
  const firstAt = Math.min(one.firstAt, other.firstAt);
  Object.assign(one, other.lastAt >= one.lastAt ? other : {}, { requests, firstAt });
}

/**
 * Collects items until they are stored, those of the same name as one. A part whose storing failed is kept; should it
 * have been stored in spite of the failure, it counts twice.
 */
export function createBatch<Item extends { readonly requests: number }>(
  capacity: number,
  add: (items: readonly Item[]) => Promise<void>,
  merge: (earlier: Item, item: Item) => void,
) {
  let waiting = new Map<string, Item>();
  const batch = {
    /** Requests that were not recorded, because too many items were waiting to be stored. */
    dropped: 0,
    get pending(): number {
      return waiting.size;
    },
    put(name: string, item: Item): void {
      const earlier = waiting.get(name);
      if (earlier !== undefined) {
        merge(earlier, item);
      } else if (waiting.size < capacity) {
        waiting.set(name, item);
      } else {
        batch.dropped += item.requests;
      }
    },
    /** If it rejects, the rest is kept. */
    async store(): Promise<void> {
      const taken = [...waiting];
      waiting = new Map();
      for (let start = 0; start < taken.length; start += BATCH_SIZE) {
        try {
          await add(taken.slice(start, start + BATCH_SIZE).map(([, item]) => item));
        } catch (error) {
          for (const [name, item] of taken.slice(start)) {
            batch.put(name, item);
          }
          throw error;
        }
      }
    },
  };
  return batch;
}

/** Creates a recorder of the use of keys, and of their failed requests: both wait in memory, and are stored together. */
export function createUsageRecorder({ addUsage, addFailures, now, onError, schedule }: UsageRecorderOptions) {
  const counts = createBatch(MOST_COUNTS, addUsage, addCount);
  const failures = createBatch(MOST_FAILURES, addFailures, addGroup);
  let isFailing = false;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  /** Stores what waits, after what is being stored: once for all who ask meanwhile. Never rejects. */
  const store = (): Promise<void> => {
    next ??= last.then(storeAll);
    last = next;
    return next;
  };

  async function storeAll(): Promise<void> {
    next = undefined;
    try {
      await counts.store();
      await failures.store();
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        onError(error);
      }
      isFailing = true;
    }
  }

  const storing = repeat(
    async () => {
      await store();
      return INTERVAL_MS;
    },
    INTERVAL_MS,
    schedule,
  );
  return {
    store,
    /** Counts one request, without waiting. Its duration is in ms; only one with an embed key has an origin. */
    record(keyId: string, surface: string, status: number, duration: number, origin?: string): void {
      const at = now();
      const hour = at - (at % HOUR_MS);
      const upTo = durationEnds[durationRange(duration)] ?? Number.POSITIVE_INFINITY;
      const name = `${keyId} ${surface} ${status} ${hour} ${upTo} ${origin ?? ''}`;
      counts.put(name, { keyId, hour, surface, status, origin, upTo, requests: 1, lastUsedAt: at });
    },
    /** Counts one failed request, without waiting. */
    recordFailure(
      keyId: string,
      { code, target, parameters }: FailedRequest,
      last: Pick<FailureGroup, 'status' | 'requestId' | 'traceId'>,
    ): void {
      const at = now();
      const group = { keyId, code, target, parameters, requests: 1, firstAt: at, lastAt: at, ...last };
      failures.put(`${keyId} ${code} ${target} ${parameters}`, group);
    },
    get pending(): number {
      return counts.pending;
    },
    /** Requests that were not counted, because too many counts were waiting to be stored. */
    get dropped(): number {
      return counts.dropped;
    },
    /** Stores what remains and stops. Never rejects. */
    async close(): Promise<void> {
      await storing.stop();
      await store();
    },
  };
}
