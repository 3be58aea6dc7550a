import { lockForWriting } from '../../db/transaction.ts';
import { OperatorError } from '../../lib/errors.ts';
import type { OwnField } from '../model/own-fields.ts';
import { pointColumns, priceColumns } from '../model/point-figures.ts';
import { declareAdded, recordChoices } from './declared.ts';
import {
  type ChangePlan,
  checkDay,
  countChanges,
  type PlanOptions,
  planChanges,
  readRevision,
} from './plan.ts';
import {
  fromRun,
  type ImportClient,
  type ImportProgress,
  isLacking,
  qualify,
  type Staging,
} from './staging.ts';
import { openUndoLog, type UndoLog } from './undo-log.ts';

/** The right to import ended while it ran. */
export class RightEndedError extends OperatorError {
  constructor() {
    super('The right to import has ended: nothing was written.');
  }
}

/** Returns a row as long as whoever runs an import may: checked before it applies, and in its last moment. */
export interface Authorization {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * @param lock keeps the right until the end of the transaction.
 * @throws RightEndedError
 */
export async function requireRight(
  client: ImportClient,
  authorize: Authorization | undefined,
  lock: '' | 'FOR SHARE',
): Promise<void> {
  if (authorize !== undefined) {
    const { rows } = await client.query(`${authorize.text} ${lock}`, [...authorize.values]);
    if (rows.length === 0) {
      throw new RightEndedError();
    }
  }
}

/** What an import has done in its transaction, beside its plan. */
export interface Applied {
  /** The id of the import, if it is recorded. */
  readonly importId: number | undefined;
  /** The fields that it has declared. */
  readonly declared: readonly OwnField[];
}

export interface ApplyOptions extends PlanOptions {
  /** Whether it is recorded in the list of imports, and so can be undone. */
  isRecorded?: boolean;
  /** Marks the records as the sample, and fails if there are startups already. */
  sample?: boolean;
  authorize?: Authorization | undefined;
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
  beforeCommit: (plan: ChangePlan, applied: Applied) => Promise<void>,
): Promise<ChangePlan> {
  const { asOf, signal, authorize } = options;
  const hasOwn = staging.own.length > 0;
  const onProgress: OnProgress = (phase, records, totalRecords) => {
    signal?.throwIfAborted();
    options.progress?.({ phase, records, totalRecords, rejected: read.rejected });
  };
  onProgress('applying', 0, planned.created + planned.updated + planned.pointsOnly);
  try {
    await staging.begin();
    // Whoever declares or removes a field waits, and does not change it meanwhile.
    const tables = ['startups', ...(hasOwn ? ['own_fields'] : [])];
    await lockForWriting(client, tables, () => signal?.throwIfAborted());
    await requireRight(client, authorize, '');
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
    const declared = hasOwn ? await declareAdded(client, staging) : [];
    const log = options.isRecorded === true ? await openUndoLog(client) : undefined;
    await write(client, staging, plan, options, log, onProgress);
    // Compiling the statements of the market takes longer than running them.
    await client.query('SET LOCAL enable_seqscan = on; SET LOCAL jit = off');
    if (asOf === undefined) {
      await recordUnchanged(client, plan, log);
    }
    if (countChanges(plan) > 0 && hasOwn) {
      await recordChoices(client, asOf === undefined && options.complete === undefined);
    }
    if (countChanges(plan) > 0) {
      await (asOf === undefined
        ? recordMarket(client, log)
        : recordPastMarket(client, staging, asOf.day, log, onProgress));
      await log?.forgetOlder();
    }
    // Only now, so that whoever ends the right need not wait until everything is applied.
    await requireRight(client, authorize, 'FOR SHARE');
    await beforeCommit(plan, { importId: log?.importId, declared });
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
  log: UndoLog | undefined,
  onProgress: OnProgress,
): Promise<void> {
  if (!sample && plan.removedSample > 0) {
    await client.query('DELETE FROM startups WHERE sample');
    // The sample is only loaded into an empty database, so this is the market of the sample alone.
    await client.query('DELETE FROM market_days');
  }
  if (plan.removed > 0) {
    await log?.keepLacking(staging);
    await client.query(`DELETE FROM startups AS t WHERE ${isLacking(staging)}`);
  }
  // The planner has no statistics of the temporary tables; each run finds its few rows by index.
  await client.query('SET LOCAL enable_seqscan = off');
  const { columnNames } = staging;
  // Without the slug: the trigger would check every row for a renamed startup.
  const changedColumns = columnNames.filter((name) => name !== '"slug"');
  // A statement raises the revision even where it changes no row, so only those with work are run.
  let applied = 0;
  const all = plan.created + plan.updated + plan.pointsOnly;
  for (const { from, created, updated, returned, pointsOnly } of plan.runs) {
    if (created + updated + pointsOnly === 0) {
      continue;
    }
    const run = [from, from + staging.runLength];
    if (updated > returned) {
      await log?.keepUpdated(staging, run);
      await client.query(
        `UPDATE startups AS t SET ${changedColumns.map((name) => `${name} = s.${name}`).join(', ')}
         FROM ${fromRun(staging)} AND NOT p.point_only AND t.id = p.id`,
        run,
      );
    }
    if (returned > 0) {
      await log?.keepReturning(staging, run);
      // By its id, a trigger knows the startup again.
      const insert = `INSERT INTO startups (id, ${columnNames.join(', ')})
         SELECT p.returning_id, ${qualify('s', columnNames)}
         FROM ${fromRun(staging)} AND p.returning_id IS NOT NULL ORDER BY p.ordinal`;
      await client.query(log?.inserting('returned', insert) ?? insert, run);
    }
    if (created > 0) {
      // Numbers are taken after sorting, so ids follow the order of the input.
      const insert = `INSERT INTO startups (${columnNames.join(', ')}, sample)
         SELECT ${qualify('s', columnNames)}, ${sample}
         FROM ${fromRun(staging)} AND p.id IS NULL AND p.returning_id IS NULL ORDER BY p.ordinal`;
      await client.query(log?.inserting('created', insert) ?? insert, run);
    }
    if (pointsOnly > 0) {
      await log?.keepPoints(staging, run, asOf?.day ?? '');
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
      await client.query(removeRepeatedPoints(staging, log), run);
    }
    if (asOf !== undefined) {
      await log?.keepAbsences(staging, run, asOf.day);
      await endAbsences(client, staging, run, asOf.day);
      await recordPrices(client, staging, run, asOf.day, log);
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
  log: UndoLog | undefined,
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
  if (typeof ids === 'string') {
    await log?.keepPrices(ids);
    await client.query(
      `UPDATE startups AS t SET previous_asking_price = c.previous, asking_price_changed_at = c.at
       FROM unnest($1::integer[], $2::bigint[], $3::timestamptz[]) AS c (id, previous, at) WHERE t.id = c.id`,
      [ids, previous, times],
    );
  }
}

/** A point with the same values as the one before it is no change: the day had an import that changed nothing. */
function removeRepeatedPoints(staging: Staging, log: UndoLog | undefined): string {
  const days =
    'SELECT day, range_agg(int4range(startup_id, startup_id + 1)) AS startup_ids FROM repeated GROUP BY day';
  return `WITH repeated AS (
      DELETE FROM startup_points AS o USING ${fromRun(staging)} AND p.point_only AND NOT p.is_confirmed
        AND o.startup_id = p.id AND o.day = p.until AND (${qualify('o', pointColumns)}) IS NOT DISTINCT FROM (${qualify('s', pointColumns)})
      RETURNING o.startup_id, o.day
    )${log === undefined ? '' : `, logged AS (${log.unchanged(days, true)})`}
    INSERT INTO unchanged_startups AS u ${days}
    ON CONFLICT (day) DO UPDATE SET startup_ids = u.startup_ids + excluded.startup_ids`;
}

/** What an import of a past day changes ends where a later import has named the startup, also with the values it had. */
async function recordUnchanged(
  client: ImportClient,
  plan: ChangePlan,
  log: UndoLog | undefined,
): Promise<void> {
  const unchangedIds = plan.runs.flatMap((run) => run.unchangedIds ?? []);
  if (unchangedIds.length > 0) {
    const days =
      'SELECT revgate_day_of_change() AS day, range_agg(ids) AS startup_ids FROM unnest($1::int4multirange[]) AS t (ids)';
    if (log !== undefined) {
      await client.query(log.unchanged(days, countChanges(plan) > 0), [unchangedIds]);
    }
    await client.query(
      `INSERT INTO unchanged_startups AS u ${days}
       ON CONFLICT (day) DO UPDATE SET startup_ids = u.startup_ids + excluded.startup_ids
       WHERE NOT u.startup_ids @> excluded.startup_ids`,
      [unchangedIds],
    );
  }
}

/** Records the market of today. */
async function recordMarket(client: ImportClient, log: UndoLog | undefined): Promise<void> {
  // Days in the future, which a wrong clock has recorded, again.
  const { rows } = await client.query(
    `SELECT revgate_day_of_change()::text AS day
     UNION SELECT day::text FROM market_days WHERE day > revgate_day_of_change()`,
  );
  const days = rows.map(({ day }) => day as string);
  await log?.keepMarket(days);
  await client.query('SELECT revgate_record_market(day) FROM unnest($1::date[]) AS days (day)', [days]);
}

/**
 * Calculates the market of each day that the planned records of a past day touch: of that day, of the days on which they
 * cease to apply, and of the recorded days between.
 */
async function recordPastMarket(
  client: ImportClient,
  { plan }: Staging,
  day: string,
  log: UndoLog | undefined,
  onProgress: OnProgress,
): Promise<void> {
  const { rows } = await client.query(
    `SELECT $1::date::text AS day UNION SELECT until::text FROM ${plan} WHERE until < 'infinity'
     UNION SELECT day::text FROM market_days
     WHERE category = '' AND day > $1 AND day < (SELECT max(until) FROM ${plan}) ORDER BY day`,
    [day],
  );
  await log?.keepMarket(rows.map((row) => row.day as string));
  for (const [index, touched] of rows.entries()) {
    onProgress('calculating', index, rows.length);
    await client.query('SELECT revgate_record_market($1)', [touched.day]);
  }
}
