import type { FailedRequest } from './failed-request.ts';
import { type AddFailures, type FailureGroup, MOST_GROUPS } from './store.ts';

/** The dependencies of a recorder. */
export interface FailureRecorderOptions {
  readonly add: AddFailures;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** How many groups of all keys may wait. */
  readonly capacity?: number;
}

const CAPACITY = 10_000;
/** Groups in one statement. */
const BATCH_SIZE = 500;

/** Creates a recorder that groups failed requests in memory until `store` is called: with each batch of usage. */
export function createFailureRecorder({
  add: addFailures,
  now,
  capacity = CAPACITY,
}: FailureRecorderOptions) {
  /** The groups of each key, the one that failed last at the end. */
  let keys = new Map<string, FailureGroup[]>();
  let size = 0;

  /** The group of a failed request, now the last of its key; undefined if there is none. */
  function take(
    groups: FailureGroup[],
    { code, target, parameters }: Pick<FailureGroup, 'code' | 'target' | 'parameters'>,
  ): FailureGroup | undefined {
    // Mostly the last one: clients repeat their errors.
    for (let index = groups.length - 1; index >= 0; index -= 1) {
      const group = groups[index] as FailureGroup;
      if (group.target === target && group.parameters === parameters && group.code === code) {
        if (index < groups.length - 1) {
          groups.splice(index, 1);
          groups.push(group);
        }
        return group;
      }
    }
    return undefined;
  }

  /** Adds a group, in place of the oldest of its key if that has too many. */
  function add(groups: FailureGroup[], group: FailureGroup): void {
    if (groups.length >= MOST_GROUPS) {
      groups.shift();
    } else if (size >= capacity) {
      return;
    } else {
      size += 1;
    }
    groups.push(group);
  }

  function groupsOf(keyId: string): FailureGroup[] {
    let groups = keys.get(keyId);
    if (groups === undefined) {
      groups = [];
      keys.set(keyId, groups);
    }
    return groups;
  }

  /** Takes groups back that could not be stored, as older ones than those that came meanwhile. */
  function restore(taken: readonly FailureGroup[]): void {
    const newer = [...keys.values()].flat();
    keys = new Map();
    size = 0;
    for (const group of [...taken, ...newer]) {
      const groups = groupsOf(group.keyId);
      const older = take(groups, group);
      if (older === undefined) {
        add(groups, group);
      } else {
        Object.assign(older, group, { requests: older.requests + group.requests, firstAt: older.firstAt });
      }
    }
  }

  return {
    /** Counts a failed request, without waiting. */
    record(keyId: string, failure: FailedRequest, status: number, requestId: string, traceId?: string): void {
      const at = now();
      const groups = groupsOf(keyId);
      const group = take(groups, failure);
      if (group === undefined) {
        const { code, target, parameters } = failure;
        const times = { firstAt: at, lastAt: at };
        add(groups, { keyId, code, target, parameters, requests: 1, ...times, status, requestId, traceId });
        return;
      }
      group.requests += 1;
      group.lastAt = at;
      group.status = status;
      group.requestId = requestId;
      group.traceId = traceId;
    },
    /** Groups that are not stored yet. */
    get pending(): number {
      return size;
    },
    /** Stores what waits. If it rejects, the rest is kept. */
    async store(): Promise<void> {
      const taken = [...keys.values()].flat();
      keys = new Map();
      size = 0;
      for (let start = 0; start < taken.length; start += BATCH_SIZE) {
        try {
          await addFailures(taken.slice(start, start + BATCH_SIZE));
        } catch (error) {
          restore(taken.slice(start));
          throw error;
        }
      }
    },
  };
}
