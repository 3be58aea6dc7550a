import { repeat } from '../../lib/loop/schedule.ts';
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

/** The dependencies of a recorder. */
export interface UsageRecorderOptions {
  readonly add: AddUsage;
  /** Stores what else waits, after each batch of counts. */
  readonly alsoStore?: () => Promise<void>;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Called for the first failure to store in a row; its counts are kept and stored again. */
  readonly onError: (error: unknown) => void;
  /** How often counts are stored, in ms: the most that a crash loses. */
  readonly intervalMs?: number;
  /** How many counts may wait. */
  readonly capacity?: number;
}

const INTERVAL_MS = 5_000;
const CAPACITY = 100_000;
/** Counts in one statement: some 50 ms of the embedded engine's time, for which all other connections wait. */
const BATCH_SIZE = 500;
const HOUR_MS = 3_600_000;

/**
 * Creates a recorder that counts in memory and stores what it counted every few seconds. A batch whose
 * storing failed is tried again; should it have been stored in spite of the failure, it counts twice.
 */
export function createUsageRecorder(options: UsageRecorderOptions) {
  const { add, alsoStore, now, onError, intervalMs = INTERVAL_MS, capacity = CAPACITY } = options;
  let counts = new Map<string, UsageCount>();
  let dropped = 0;
  let isFailing = false;

  function merge(count: UsageCount): void {
    const { keyId, hour, surface, status, origin, upTo, requests, lastUsedAt } = count;
    const name = `${keyId} ${surface} ${status} ${hour} ${upTo} ${origin ?? ''}`;
    const existing = counts.get(name);
    if (existing !== undefined) {
      existing.requests += requests;
      existing.lastUsedAt = Math.max(existing.lastUsedAt, lastUsedAt);
    } else if (counts.size < capacity) {
      counts.set(name, count);
    } else {
      dropped += requests;
    }
  }

  async function flush(): Promise<void> {
    try {
      await storeCounts();
      await alsoStore?.();
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        onError(error);
      }
      isFailing = true;
    }
  }

  /** If it rejects, the rest is kept. */
  async function storeCounts(): Promise<void> {
    const taken = [...counts.values()];
    counts = new Map();
    for (let start = 0; start < taken.length; start += BATCH_SIZE) {
      try {
        await add(taken.slice(start, start + BATCH_SIZE));
      } catch (error) {
        for (const count of taken.slice(start)) {
          merge(count);
        }
        throw error;
      }
    }
  }

  const storing = repeat(async () => {
    await flush();
    return intervalMs;
  }, intervalMs);
  return {
    /** Counts one request, without waiting. Its duration is in ms; only one with an embed key has an origin. */
    record(keyId: string, surface: string, status: number, duration: number, origin?: string): void {
      const at = now();
      const hour = at - (at % HOUR_MS);
      const upTo = durationEnds[durationRange(duration)] ?? Number.POSITIVE_INFINITY;
      merge({ keyId, hour, surface, status, origin, upTo, requests: 1, lastUsedAt: at });
    },
    /** Counts that are not stored yet. */
    get pending(): number {
      return counts.size;
    },
    /** Requests that were not counted, because too many counts were waiting to be stored. */
    get dropped(): number {
      return dropped;
    },
    /** Stores the remaining counts and stops. Never rejects. */
    async close(): Promise<void> {
      await storing.stop();
      await flush();
    },
  };
}
