import type pg from 'pg';

export const DEFAULT_HISTORY_DAYS = 730;
/** At most this many removals are kept, however recent. */
const MAX_REMOVALS = 100_000;

/** Rows that one statement searches and removes: less than 50 ms of the embedded engine's time. */
const PART_ROWS = 500;
const DAY_MS = 86_400_000;

interface RetentionOptions {
  readonly pool: Pick<pg.Pool, 'query'>;
  /** Days for which history is kept. */
  readonly historyDays: number;
  /** The time, in ms since 1970. */
  readonly now: () => number;
}

/** What each statement needs. */
interface Removal extends Pick<RetentionOptions, 'pool'> {
  readonly firstDay: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Removes history beyond the retention period, in short statements. For each startup, and each category, the last
 * record up to the first kept day remains, because it applies to that day; not that of a startup which was removed by
 * then. Several nodes may do it at once.
 *
 * @param signal ends it between two statements.
 * @returns how many rows were removed.
 */
export async function removeOldHistory(
  { pool, historyDays, now }: RetentionOptions,
  signal?: AbortSignal,
  maxRemovals = MAX_REMOVALS,
) {
  const firstDay = new Date(now() - historyDays * DAY_MS).toISOString().slice(0, 10);
  const removal = { pool, firstDay, signal };
  const removed = {
    removals: await removeRemovals(removal, maxRemovals),
    points: await removePoints(removal),
    market: await removeMarket(removal),
  };
  await removeUnneeded(removal);
  return removed;
}

/**
 * Cursors from before the deleted removals expire, as `unrecorded_removals` becomes the revision of the last deleted one:
 * whoever has read that revision to its end has read the deleted removals.
 */
async function removeRemovals(removal: Removal, max: number): Promise<number> {
  const { rows } = await removal.pool.query<{ revision: string; startup_id: number }>(
    'SELECT revision, startup_id FROM startup_removals ORDER BY revision DESC, startup_id DESC OFFSET $1 LIMIT 1',
    [max],
  );
  const [newestExcess = { revision: '-1', startup_id: 0 }] = rows;
  return repeat(
    removal,
    // A locked row is being changed and so no longer old.
    `WITH old AS (
       SELECT slug FROM startup_removals
       WHERE removed_at < $1::date::timestamp AT TIME ZONE 'UTC' OR (revision, startup_id) <= ($2, $3)
       ORDER BY revision LIMIT ${PART_ROWS} FOR UPDATE SKIP LOCKED
     ), removed AS (
       DELETE FROM startup_removals AS r USING old WHERE r.slug = old.slug RETURNING r.revision
     ), raised AS (
       UPDATE revisions SET value = greatest(value, (SELECT max(revision) FROM removed))
       WHERE name = 'unrecorded_removals' AND EXISTS (SELECT FROM removed)
     )
     SELECT FROM removed`,
    [removal.firstDay, newestExcess.revision, newestExcess.startup_id],
  );
}

async function removePoints({ pool, firstDay, signal }: Removal): Promise<number> {
  let after = 0;
  let removed = 0;
  while (!signal?.aborted) {
    const { rows } = await pool.query<{ last: number | null; removed: number }>(
      // The limit in each LATERAL makes the planner use the index; without it, one may read all points of all startups.
      `WITH part AS MATERIALIZED (
         SELECT * FROM (
           (SELECT id, false AS is_gone FROM startups WHERE id > $1 ORDER BY id LIMIT ${PART_ROWS})
           UNION ALL (
             SELECT startup_id, day <= $2::date FROM removed_startups
             WHERE startup_id > $1 AND until IS NULL ORDER BY startup_id LIMIT ${PART_ROWS}
           )
         ) AS ids ORDER BY id LIMIT ${PART_ROWS}
       ), old AS MATERIALIZED (
         SELECT p.startup_id, p.day FROM part CROSS JOIN LATERAL (
           SELECT CASE WHEN is_gone THEN 'infinity' ELSE day END AS day FROM startup_points
           WHERE startup_id = part.id AND (is_gone OR day <= $2::date) ORDER BY startup_id, day DESC LIMIT 1
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

function removeMarket(removal: Removal): Promise<number> {
  return repeat(
    removal,
    `DELETE FROM market_days WHERE (category, day) IN (
       SELECT category, day FROM market_days JOIN (
         SELECT category, max(day) AS kept FROM market_days WHERE day <= $1::date GROUP BY category
       ) AS last USING (category)
       WHERE day < kept LIMIT ${PART_ROWS}
     )`,
  );
}

/** Absences that ended before, removed startups whose points are gone, and unchanged ones of days that no import can fill in any more. */
async function removeUnneeded(removal: Removal): Promise<void> {
  const { pool, firstDay, signal } = removal;
  await repeat(
    removal,
    `DELETE FROM removed_startups WHERE (startup_id, day) IN (
       SELECT startup_id, day FROM removed_startups AS r
       WHERE until <= $1 OR day <= $1 AND until IS NULL AND NOT EXISTS (
         SELECT FROM startup_points WHERE startup_id = r.startup_id
       )
       LIMIT ${PART_ROWS}
     )`,
  );
  if (!signal?.aborted) {
    await pool.query('DELETE FROM unchanged_startups WHERE day <= $1', [firstDay]);
  }
}

/** Repeats a statement until it returns, or removes, fewer rows than it may. */
async function repeat(
  { pool, firstDay, signal }: Removal,
  statement: string,
  values: unknown[] = [firstDay],
): Promise<number> {
  for (let sum = 0; ; ) {
    const { rowCount } = signal?.aborted ? { rowCount: 0 } : await pool.query(statement, values);
    sum += rowCount ?? 0;
    if ((rowCount ?? 0) < PART_ROWS) {
      return sum;
    }
  }
}
