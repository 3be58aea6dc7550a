import { type Schedule, schedule as scheduleByTimer } from '../schedule.ts';
import type { Database } from './open.ts';

/** The revisions of what running nodes hold in memory. */
export interface Revisions {
  readonly dataset: bigint;
  readonly keys: bigint;
}

/** How often a node looks, in ms: changes are to be noticed within a second. */
const POLL_MS = 400;

/** A running poll. */
export interface RevisionPoll {
  /** When the database last answered, in ms since 1970. */
  readonly answeredAt: number;
  stop(): Promise<void>;
}

/** The callbacks of a poll, and how it waits between two queries. */
export interface RevisionPollOptions {
  revisions(revisions: Revisions): void;
  fault(error: unknown): void;
  recovery(): void;
  /** Default: the timers of this process. */
  readonly schedule?: Schedule | undefined;
}

/** Reads the revisions once. */
export async function readRevisions(pool: Database['pool']): Promise<Revisions> {
  const { rows } = await pool.query<{ name: 'dataset' | 'keys'; value: string }>(
    "SELECT name, value FROM revisions WHERE name IN ('dataset', 'keys')",
  );
  const values = new Map(rows.map(({ name, value }) => [name, BigInt(value)]));
  return { dataset: values.get('dataset') ?? 0n, keys: values.get('keys') ?? 0n };
}

/**
 * Polls the revisions until stopped. One small query per node, whatever it holds; a failed one is
 * told once, and again when the database answers.
 */
export function pollRevisions(
  pool: Database['pool'],
  now: () => number,
  on: RevisionPollOptions,
): RevisionPoll {
  const { schedule = scheduleByTimer } = on;
  let answeredAt = now();
  let isFailing = false;
  let isStopped = false;
  const poll = async (): Promise<void> => {
    try {
      on.revisions(await readRevisions(pool));
      answeredAt = now();
      if (isFailing) {
        on.recovery();
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        on.fault(error);
      }
      isFailing = true;
    }
    if (!isStopped) {
      cancel = schedule(start, POLL_MS);
    }
  };
  let running = Promise.resolve();
  const start = (): Promise<void> => {
    running = poll();
    return running;
  };
  let cancel = schedule(start, 0);
  return {
    get answeredAt() {
      return answeredAt;
    },
    async stop() {
      isStopped = true;
      cancel();
      await running;
    },
  };
}
