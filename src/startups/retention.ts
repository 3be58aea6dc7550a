import type pg from 'pg';
import { type Schedule, schedule as scheduleByTimer } from '../schedule.ts';

export const DEFAULT_HISTORY_DAYS = 730;
/** At most this many removals are kept, however recent. */
const MAX_REMOVALS = 100_000;

/** Rows that one statement searches and removes: less than 50 ms of the embedded engine's time. */
const PART_ROWS = 500;
const FIRST_MS = 60_000;
/** After a failure, such as that of the database. */
const RETRY_MS = 600_000;
const DAY_MS = 86_400_000;

/** How many rows were removed. */
interface RemovedHistory {
  readonly points: number;
  readonly removals: number;
  readonly market: number;
}

interface RetentionOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  /** Days for which history is kept. */
  readonly historyDays: number;
  /** The time, in ms since 1970. */
  readonly now: () => number;
}

/**
 * Removes history beyond the retention period, in short statements. For each startup, and each category, the last
 * record up to the first kept day remains, because it applies to that day. Several nodes may do it at once.
 *
 * @param signal ends it between two statements.
 */
export async function removeOldHistory(
  { pool, historyDays, now }: RetentionOptions,
  signal?: AbortSignal,
  maxRemovals = MAX_REMOVALS,
): Promise<RemovedHistory> {
  const firstDay = new Date(now() - historyDays * DAY_MS).toISOString().slice(0, 10);
  return {
    removals: await removeRemovals(pool, firstDay, maxRemovals, signal),
    points: await removePoints(pool, firstDay, signal),
    market: await removeMarket(pool, firstDay, signal),
  };
}

/** Cursors from before the deleted removals expire: they are older than `unrecorded_removals`. */
async function removeRemovals(
  pool: RetentionOptions['pool'],
  firstDay: string,
  max: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { rows } = await pool.query<{ revision: string; startup_id: number }>(
    'SELECT revision, startup_id FROM startup_removals ORDER BY revision DESC, startup_id DESC OFFSET $1 LIMIT 1',
    [max],
  );
  const [newestExcess = { revision: '-1', startup_id: 0 }] = rows;
  return repeat(signal, async () => {
    const { rows } = await pool.query<{ removed: number }>(
      // A locked row is being changed and so no longer old. Cursors between two removals of one revision are rare, and
      // expire too.
      `WITH old AS (
         SELECT slug FROM startup_removals
         WHERE removed_at < $1::date::timestamp AT TIME ZONE 'UTC' OR (revision, startup_id) <= ($2, $3)
         ORDER BY revision LIMIT ${PART_ROWS} FOR UPDATE SKIP LOCKED
       ), removed AS (
         DELETE FROM startup_removals AS r USING old WHERE r.slug = old.slug RETURNING r.revision
       ), raised AS (
         UPDATE revisions SET value = greatest(value, (SELECT max(revision) + 1 FROM removed))
         WHERE name = 'unrecorded_removals' AND EXISTS (SELECT FROM removed)
       )
       SELECT count(*)::integer AS removed FROM removed`,
      [firstDay, newestExcess.revision, newestExcess.startup_id],
    );
    return rows[0]?.removed ?? 0;
  });
}

async function removePoints(
  pool: RetentionOptions['pool'],
  firstDay: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  let after = 0;
  let removed = 0;
  while (!signal?.aborted) {
    const { rows } = await pool.query<{ last: number | null; removed: number }>(
      // The limit in each LATERAL makes the planner use the index; without it, one may read all points of all startups.
      `WITH part AS MATERIALIZED (
         SELECT id FROM startups WHERE id > $1 ORDER BY id LIMIT ${PART_ROWS}
       ), old AS MATERIALIZED (
         SELECT p.startup_id, p.day FROM part CROSS JOIN LATERAL (
           SELECT day FROM startup_points WHERE startup_id = part.id AND day <= $2::date ORDER BY day DESC LIMIT 1
         ) AS kept CROSS JOIN LATERAL (
           SELECT startup_id, day FROM startup_points WHERE startup_id = part.id AND day < kept.day
           LIMIT ${PART_ROWS} FOR UPDATE SKIP LOCKED
         ) AS p
         LIMIT ${PART_ROWS}
       ), removed AS (
         DELETE FROM startup_points AS p USING old WHERE p.startup_id = old.startup_id AND p.day = old.day
         RETURNING 1
       )
       SELECT (SELECT max(id) FROM part) AS last, (SELECT count(*)::integer FROM removed) AS removed`,
      [after, firstDay],
    );
    const [part = { last: null, removed: 0 }] = rows;
    if (part.last === null) {
      break;
    }
    removed += part.removed;
    // The same startups again, as long as there may be more.
    after = part.removed < PART_ROWS ? part.last : after;
  }
  return removed;
}

function removeMarket(
  pool: RetentionOptions['pool'],
  firstDay: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  return repeat(signal, async () => {
    const { rowCount } = await pool.query(
      `DELETE FROM market_days WHERE (category, day) IN (
         SELECT category, day FROM market_days JOIN (
           SELECT category, max(day) AS kept FROM market_days WHERE day <= $1::date GROUP BY category
         ) AS last USING (category)
         WHERE day < kept LIMIT ${PART_ROWS}
       )`,
      [firstDay],
    );
    return rowCount ?? 0;
  });
}

/** Repeats a statement until it removes fewer rows than it may. */
async function repeat(signal: AbortSignal | undefined, remove: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const removed = signal?.aborted ? 0 : await remove();
    sum += removed;
    if (removed < PART_ROWS) {
      return sum;
    }
  }
}

/** The retention of a running node. */
interface Retention {
  /** Ends it, after the current statement. */
  stop(): Promise<void>;
}

/**
 * Removes old history after a minute, so that a node that is often restarted does it too, and then once a day, or ten
 * minutes after a failure.
 */
export function removeOldHistoryDaily(
  options: RetentionOptions & {
    /** How the next time is waited for; by the timers of this process by default. */
    readonly schedule?: Schedule | undefined;
    readonly onRemoved: (removed: RemovedHistory) => void;
    readonly onError: (error: unknown) => void;
  },
): Retention {
  const { schedule = scheduleByTimer, onRemoved, onError } = options;
  const stop = new AbortController();
  let running = Promise.resolve();
  const remove = async (): Promise<void> => {
    let pause = DAY_MS;
    try {
      onRemoved(await removeOldHistory(options, stop.signal));
    } catch (error) {
      onError(error);
      pause = RETRY_MS;
    }
    if (!stop.signal.aborted) {
      cancel = schedule(start, pause);
    }
  };
  const start = (): Promise<void> => {
    running = remove();
    return running;
  };
  let cancel = schedule(start, FIRST_MS);
  return {
    async stop() {
      cancel();
      stop.abort();
      await running;
    },
  };
}
