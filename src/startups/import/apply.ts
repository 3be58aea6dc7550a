import { lockForWriting } from '../../db/transaction.ts';
import { OperatorError } from '../../lib/errors.ts';
import { pointColumns, priceColumns } from '../model/point-figures.ts';
import {
  type ChangePlan,
  checkDay,
  columnNames,
  countChanges,
  fromRun,
  isLacking,
  type PlanOptions,
  planChanges,
  qualify,
  readRevision,
} from './plan.ts';
import type { ImportClient, ImportProgress, Staging } from './staging.ts';

/** The right to import ended while it ran. */
export class RightEndedError extends OperatorError {
  constructor() {
    super('The right to import has ended: nothing was written.');
  }
}

export interface ApplyOptions extends PlanOptions {
  /** Marks the records as the sample, and fails if there are startups already. */
  sample?: boolean;
  /** Returns a row as long as whoever runs the import may: checked before it applies, and in its last moment. */
  authorize?: { readonly text: string; readonly values: readonly unknown[] } | undefined;
  progress?: (progress: ImportProgress) => void;
}

/**
 * Applies a plan in one transaction. Readers see all of it or nothing. Other writers wait;
 * if they changed something since the plan was made, a new plan is made first.
 *
 * @param beforeCommit run after the last change, for writes that must be committed or rolled back with it.
 * @returns the plan that was applied.
 * @throws OperatorError where that removes more than the first plan; RightEndedError; the signal's reason. Nothing was
 *   changed then.
 */
export async function applyChanges(
  client: ImportClient,
  staging: Staging,
  planned: ChangePlan,
  read: { readonly records: number; readonly rejected: number },
  options: ApplyOptions,
  beforeCommit: (plan: ChangePlan) => Promise<void>,
): Promise<ChangePlan> {
  const { asOf, signal, authorize } = options;
  const onProgress: OnProgress = (phase, records, totalRecords) => {
    signal?.throwIfAborted();
    options.progress?.({ phase, records, totalRecords, rejected: read.rejected });
  };
  /** @param lock keeps the right until the end of the transaction. */
  const requireRight = async (lock: '' | 'FOR SHARE'): Promise<void> => {
    const { text, values } = authorize ?? { text: 'SELECT 1', values: [] };
    if ((await client.query(`${text} ${lock}`, [...values])).rows.length === 0) {
      throw new RightEndedError();
    }
  };
  onProgress('applying', 0, planned.created + planned.updated + planned.pointsOnly);
  try {
    await staging.begin();
    await lockForWriting(client, ['startups'], () => signal?.throwIfAborted());
    await requireRight('');
    if (asOf !== undefined) {
      // Again: another import of a past day may have been applied while this one waited.
      await checkDay(client, asOf);
      await client.query("SELECT set_config('revgate.day', $1, true)", [asOf.day]);
    }
    let plan = planned;
    if ((await readRevision(client)) !== plan.revision) {
      plan = await planChanges(client, staging, read, options);
      if (plan.removed > planned.removed) {
        throw new OperatorError(
          'The startups changed during the import, which would now remove more of them: nothing was written. Run it again.',
        );
      }
    }
    if (options.sample && plan.existing + plan.removedSample > 0) {
      throw new OperatorError('The sample is only loaded into a database without startups.');
    }
    await write(client, staging, plan, options, onProgress);
    // Compiling the statements of the market takes longer than running them.
    await client.query('SET LOCAL enable_seqscan = on; SET LOCAL jit = off');
    if (asOf === undefined) {
      await recordUnchanged(client, plan);
    }
    if (countChanges(plan) > 0) {
      await (asOf === undefined
        ? recordMarket(client)
        : recordPastMarket(client, staging, asOf.day, onProgress));
    }
    // Only now, so that whoever ends the right need not wait until everything is applied.
    await requireRight('FOR SHARE');
    await beforeCommit(plan);
    signal?.throwIfAborted();
    await client.query('COMMIT');
    return plan;
  } catch (error) {
    // A lost connection rolls back the transaction by itself; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Called with the number of records written so far, or of days whose market was calculated, and of all; throws to stop. */
type OnProgress = (phase: 'applying' | 'calculating', done: number, all: number) => void;

async function write(
  client: ImportClient,
  staging: Staging,
  plan: ChangePlan,
  { sample = false, asOf }: ApplyOptions,
  onProgress: OnProgress,
): Promise<void> {
  if (!sample && plan.removedSample > 0) {
    await client.query('DELETE FROM startups WHERE sample');
    // The sample is only loaded into an empty database, so this is the market of the sample alone.
    await client.query('DELETE FROM market_days');
  }
  if (plan.removed > 0) {
    await client.query(`DELETE FROM startups AS t WHERE ${isLacking(staging)}`);
  }
  // The planner has no statistics of the temporary tables; each run finds its few rows by index.
  await client.query('SET LOCAL enable_seqscan = off');
  // A statement raises the revision even where it changes no row, so only those with work are run.
  let applied = 0;
  const all = plan.created + plan.updated + plan.pointsOnly;
  for (const { from, created, updated, returned, pointsOnly } of plan.runs) {
    if (created + updated + pointsOnly === 0) {
      continue;
    }
    const run = [from, from + staging.runLength];
    if (updated > returned) {
      await client.query(
        `UPDATE startups AS t SET ${changedColumns.map((name) => `${name} = s.${name}`).join(', ')}
         FROM ${fromRun(staging)} AND NOT p.point_only AND t.id = p.id`,
        run,
      );
    }
    if (returned > 0) {
      // By its id, a trigger knows the startup again.
      await client.query(
        `INSERT INTO startups (id, ${columnNames.join(', ')})
         SELECT p.returning_id, ${qualify('s', columnNames)}
         FROM ${fromRun(staging)} AND p.returning_id IS NOT NULL ORDER BY p.ordinal`,
        run,
      );
    }
    if (created > 0) {
      // Numbers are taken after sorting, so ids follow the order of the input.
      await client.query(
        `INSERT INTO startups (${columnNames.join(', ')}, sample)
         SELECT ${qualify('s', columnNames)}, ${sample}
         FROM ${fromRun(staging)} AND p.id IS NULL AND p.returning_id IS NULL ORDER BY p.ordinal`,
        run,
      );
    }
    if (pointsOnly > 0) {
      await client.query(
        `INSERT INTO startup_points (startup_id, day, ${[...pointColumns, ...priceColumns].join(', ')})
         SELECT p.id, p.until, ${qualify('o', [...pointColumns, ...priceColumns])}
         FROM ${fromRun(staging, 'CROSS JOIN LATERAL revgate_point_on(p.id, $3::date) AS o')} AND p.is_confirmed`,
        [...run, asOf?.day],
      );
      await client.query(
        // The earlier price is that of the point before, until it turns out that the price is another one.
        `INSERT INTO startup_points (startup_id, day, ${[...pointColumns, ...priceColumns].join(', ')})
         SELECT p.id, $3::date, ${qualify('s', pointColumns)}, ${qualify('o', priceColumns)}
         FROM ${fromRun(staging, 'LEFT JOIN LATERAL revgate_point_on(p.id, $3::date) AS o ON true')}
           AND p.point_only ORDER BY p.id
         ON CONFLICT (startup_id, day) DO UPDATE SET
           ${pointColumns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
        [...run, asOf?.day],
      );
      await client.query(removeRepeatedPoints(staging), run);
    }
    if (asOf !== undefined) {
      await endAbsences(client, staging, run, asOf.day);
      await recordPrices(client, staging, run, asOf.day);
    }
    applied += created + updated + pointsOnly;
    onProgress('applying', applied, all);
  }
}

/** A startup that a past day names was there on that day, and has been since. */
async function endAbsences(
  client: ImportClient,
  staging: Staging,
  run: number[],
  day: string,
): Promise<void> {
  await client.query(
    `UPDATE removed_startups AS r SET until = $3::date
     FROM ${fromRun(staging)} AND r.startup_id = p.id AND r.day <= $3::date AND r.until > $3::date`,
    [...run, day],
  );
}

/**
 * Records what the points of a past day, and those after it, say of the earlier price, if the price of that day changed: as
 * far as the price stays the same after the next recorded day. What is the current data has it by a trigger.
 */
async function recordPrices(
  client: ImportClient,
  staging: Staging,
  run: number[],
  day: string,
): Promise<void> {
  const { rows } = await client.query(
    `WITH changed AS MATERIALIZED (
       SELECT x.startup_id, x.day, x.asking_price, e.previous, e.since, n.*, m.day AS ends
       FROM ${fromRun(
         staging,
         `JOIN startup_points AS x ON x.startup_id = p.id AND x.day = $3::date
          CROSS JOIN LATERAL revgate_earlier_price(x.startup_id, x.asking_price) AS e
          LEFT JOIN LATERAL (
            SELECT day AS begins, asking_price AS next_price, asking_price_changed_at AS next_since FROM startup_points
            WHERE startup_id = p.id AND day > $3::date ORDER BY day LIMIT 1
          ) AS n ON true
          LEFT JOIN LATERAL (
            SELECT day FROM startup_points
            WHERE startup_id = p.id AND day > n.begins AND asking_price IS DISTINCT FROM n.next_price ORDER BY day LIMIT 1
          ) AS m ON true`,
       )}
         AND p.point_only AND p.price IS DISTINCT FROM s.asking_price
     ), derived AS (
       SELECT startup_id, day AS begins, CASE WHEN begins IS NULL THEN 'infinity' ELSE day + 1 END AS ends, previous, since
       FROM changed
       UNION ALL
       SELECT startup_id, begins, coalesce(ends, 'infinity'),
         CASE WHEN next_price = asking_price THEN previous WHEN next_price IS NOT NULL THEN asking_price END,
         CASE WHEN next_price = asking_price THEN since
           WHEN next_price IS NOT NULL AND begins = revgate_utc_day(next_since) THEN next_since
           WHEN next_price IS NOT NULL THEN begins::timestamp AT TIME ZONE 'UTC' END
       FROM changed WHERE begins IS NOT NULL
     ), written AS (
       UPDATE startup_points AS p SET previous_asking_price = d.previous, asking_price_changed_at = d.since
       FROM derived AS d WHERE p.startup_id = d.startup_id AND p.day >= d.begins AND p.day < d.ends
     )
     SELECT array_agg(t.id)::text AS ids, array_agg(d.previous)::text AS previous, array_agg(d.since)::text AS times
     FROM derived AS d JOIN startups AS t ON t.id = d.startup_id
     WHERE d.ends = 'infinity' AND (t.previous_asking_price IS DISTINCT FROM d.previous
       OR (d.previous IS NOT NULL AND t.asking_price_changed_at IS DISTINCT FROM d.since))`,
    [...run, day],
  );
  const { ids, previous, times } = rows[0] as Record<string, string | null>;
  if (ids !== null) {
    await client.query(
      `UPDATE startups AS t SET previous_asking_price = c.previous, asking_price_changed_at = c.at
       FROM unnest($1::integer[], $2::bigint[], $3::timestamptz[]) AS c (id, previous, at) WHERE t.id = c.id`,
      [ids, previous, times],
    );
  }
}

/** A point with the same values as the one before it is no change: the day had an import that changed nothing. */
function removeRepeatedPoints(staging: Staging): string {
  return `WITH repeated AS (
      DELETE FROM startup_points AS o USING ${fromRun(staging)} AND p.point_only AND NOT p.is_confirmed
        AND o.startup_id = p.id AND o.day = p.until AND (${qualify('o', pointColumns)}) IS NOT DISTINCT FROM (${qualify('s', pointColumns)})
      RETURNING o.startup_id, o.day
    )
    INSERT INTO unchanged_startups AS u
    SELECT day, range_agg(int4range(startup_id, startup_id + 1)) FROM repeated GROUP BY day
    ON CONFLICT (day) DO UPDATE SET startup_ids = u.startup_ids + excluded.startup_ids`;
}

/** Without the slug: the trigger would check every row for a renamed startup. */
const changedColumns = columnNames.filter((name) => name !== '"slug"');

/** What an import of a past day changes ends where a later import has named the startup, also with the values it had. */
async function recordUnchanged(client: ImportClient, { runs }: ChangePlan): Promise<void> {
  const unchangedIds = runs.flatMap((run) => run.unchangedIds ?? []);
  if (unchangedIds.length > 0) {
    await client.query(
      `INSERT INTO unchanged_startups AS u
       SELECT revgate_day_of_change(), range_agg(ids) FROM unnest($1::int4multirange[]) AS t (ids)
       ON CONFLICT (day) DO UPDATE SET startup_ids = u.startup_ids + excluded.startup_ids
       WHERE NOT u.startup_ids @> excluded.startup_ids`,
      [unchangedIds],
    );
  }
}

/** Records the market of today. */
async function recordMarket(client: ImportClient): Promise<void> {
  await client.query(
    // Days in the future, which a wrong clock has recorded, again.
    `SELECT revgate_record_market(day) FROM (
       SELECT revgate_day_of_change() AS day UNION SELECT day FROM market_days WHERE day > revgate_day_of_change()
     ) AS days`,
  );
}

/**
 * Calculates the market of each day that the planned records of a past day touch: of that day, of the days on which they
 * cease to apply, and of the recorded days between.
 */
async function recordPastMarket(
  client: ImportClient,
  { plan }: Staging,
  day: string,
  onProgress: OnProgress,
): Promise<void> {
  const { rows } = await client.query(
    `SELECT $1::date::text AS day UNION SELECT until::text FROM ${plan} WHERE until < 'infinity'
     UNION SELECT day::text FROM market_days
     WHERE category = '' AND day > $1 AND day < (SELECT max(until) FROM ${plan}) ORDER BY day`,
    [day],
  );
  for (const [index, touched] of rows.entries()) {
    onProgress('calculating', index, rows.length);
    await client.query('SELECT revgate_record_market($1)', [touched.day]);
  }
}
