import { OperatorError } from '../../lib/errors.ts';
import { storedStartupFields } from '../model/fields.ts';
import { pointColumns } from '../model/point-figures.ts';
import type { ImportClient, Staging } from './staging.ts';

/** The past day as of which data is imported. */
interface AsOf {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  /** For how many days points of the history are kept. */
  readonly historyDays: number;
}

/**
 * Checks that data may be imported as of a day. Past days are imported from the oldest to the newest, because a
 * startup's state on a day follows from the days before.
 *
 * @throws OperatorError when it may not.
 */
export async function checkDay(client: ImportClient, { day, historyDays }: AsOf): Promise<void> {
  const { rows } = await client.query(
    `SELECT days.*, imported.* FROM (
       SELECT today::text, (today - $1::integer)::text AS oldest FROM revgate_utc_day(clock_timestamp()) AS today
     ) AS days, (SELECT max(as_of)::text AS last FROM imports) AS imported`,
    [historyDays],
  );
  const { today, oldest, last } = rows[0] as { today: string; oldest: string; last: string | null };
  // Such texts are in the order of their days.
  if (day > today || day < oldest) {
    throw new OperatorError(
      `--as-of: got "${day}", allowed: a day from ${oldest}, the oldest that HISTORY_DAYS keeps, to ${today}, today in UTC. Nothing was written.`,
    );
  }
  if (last !== null && day < last) {
    throw new OperatorError(
      `--as-of: got "${day}", but ${last} has been imported already: import past days from the oldest to the newest. Nothing was written.`,
    );
  }
}

/** How records are applied. */
export interface PlanOptions {
  /** Also removes the records that are missing from the input; more than half of them only with `yes`. */
  replace?: { readonly yes: boolean } | undefined;
  /** Applies the data as if imported on a past day. Not together with `replace` or `sample`. */
  asOf?: AsOf | undefined;
  /** Stops the import at any moment, leaving the data unchanged. */
  signal?: AbortSignal | undefined;
}

/** What applying the staged records would do. */
export type ChangePlan = Awaited<ReturnType<typeof planChanges>>;

/** How many rows a plan writes or removes. */
export function countChanges(plan: ChangePlan): number {
  const { created, updated, pointsOnly, removed, removedSample } = plan;
  return created + updated + pointsOnly + removed + removedSample;
}

/** The columns that a record fills, in the order of its fields. */
export const columnNames = storedStartupFields.map(({ column }) => `"${column}"`);

/**
 * Calculates, without changing any startup, what applying the staged records would do, and stores it in the
 * plan table of the staging.
 *
 * @param read how many records were read, rejected ones included, and how many of them were rejected.
 */
export async function planChanges(
  client: ImportClient,
  staging: Staging,
  read: { readonly records: number; readonly rejected: number },
  { replace, asOf, signal }: PlanOptions,
) {
  // Read first, so that any later change shows as another revision.
  const revision = await readRevision(client);
  await client.query(`TRUNCATE ${staging.plan}`);
  const runs: ({ readonly from: number } & Awaited<ReturnType<typeof planRun>>)[] = [];
  for (let from = 0; from < read.records; from += staging.runLength) {
    signal?.throwIfAborted();
    runs.push({ from, ...(await planRun(client, staging, from, asOf)) });
  }
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE NOT sample)::integer AS existing,
       count(*) FILTER (WHERE sample)::integer AS "removedSample"
     FROM startups`,
  );
  const { existing, removedSample } = rows[0] as { existing: number; removedSample: number };
  const sum = (count: 'created' | 'updated' | 'pointsOnly' | 'found'): number =>
    runs.reduce((total, run) => total + run[count], 0);
  const [created, updated] = [sum('created'), sum('updated')];
  return {
    created,
    updated,
    unchanged: read.records - read.rejected - created - updated,
    /** Records of startups with newer data, or removed since: only points are written. */
    pointsOnly: sum('pointsOnly'),
    /** Records that the input lacks, to be removed; 0 unless it replaces. */
    removed: replace !== undefined ? existing - sum('found') : 0,
    removedSample,
    /** How many records there are now, without the sample. */
    existing,
    /** All runs (batches) of staged records by the ordinal of their first one, in order. */
    runs,
    /** The dataset's revision that this plan is based on. */
    revision,
  };
}

/** What the statements of one run would do. */
async function planRun(
  client: ImportClient,
  { records, plan, runLength }: Staging,
  from: number,
  asOf: AsOf | undefined,
) {
  const run = [from, from + runLength];
  // LATERAL with a LIMIT is always a look-up by index, whatever the planner believes of a temporary table.
  const { rows } = await client.query(
    `WITH pairs AS MATERIALIZED (
       SELECT s.ordinal, s.rejected, t.id AS stored_id, h.*,
         CASE WHEN h.point_only THEN h.point_differs
           ELSE (${qualify('s', columnNames)}) IS DISTINCT FROM (${qualify('t', columnNames)}) END AS differs
       FROM ${records} AS s
       LEFT JOIN LATERAL (SELECT * FROM startups WHERE slug = s.slug AND NOT sample LIMIT 1) AS t ON true
       CROSS JOIN LATERAL (${asOf === undefined ? ofToday : ofPastDay}) AS h
       WHERE s.ordinal >= $1 AND s.ordinal < $2
     ), planned AS (
       INSERT INTO ${plan}
       SELECT ordinal, id, point_only, until, is_confirmed, price
       FROM pairs WHERE NOT rejected AND (id IS NULL OR differs)
       RETURNING id, point_only
     )
     SELECT (SELECT count(*) - count(id) FROM planned)::integer AS created,
       (SELECT count(id) FILTER (WHERE NOT point_only) FROM planned)::integer AS updated,
       (SELECT count(*) FILTER (WHERE point_only) FROM planned)::integer AS "pointsOnly",
       (SELECT count(stored_id) FROM pairs)::integer AS found,
       (SELECT range_agg(int4range(id, id + 1)) FROM pairs
        WHERE ${asOf === undefined} AND NOT rejected AND NOT differs)::text AS "unchangedIds"`,
    asOf === undefined ? run : [...run, asOf.day],
  );
  return rows[0] as {
    readonly created: number;
    readonly updated: number;
    readonly pointsOnly: number;
    /** Stored startups, without the sample, with a slug of the run, also of a rejected record. */
    readonly found: number;
    /** The ids of unchanged startups as a text of PostgreSQL's int4multirange; null for none, and as of a past day. */
    readonly unchangedIds: string | null;
  };
}

/** What the plan has of a record `s` of today and its startup `t`. */
const ofToday = `
  SELECT t.id, false AS point_only, NULL::boolean AS point_differs, NULL::date AS until, false AS is_confirmed,
    NULL::bigint AS price`;

/**
 * What the plan has of a record `s` of the day `$3`. Its startup is the one that had the slug, or was the next to get
 * it: removed since, or else `t`. The record applies until the next point, removal or import of the startup. Without any,
 * it becomes the current data.
 */
const ofPastDay = `
  SELECT o.id, o.recorded IS NOT NULL OR c.day IS NOT NULL AS point_only,
    (${qualify('s', pointColumns)}) IS DISTINCT FROM (${qualify('p', pointColumns)}) AS point_differs,
    coalesce(c.day, o.recorded, 'infinity') AS until, c.day IS NOT NULL AS is_confirmed,
    p.asking_price AS price
  FROM (SELECT) AS one
  LEFT JOIN LATERAL (
    SELECT startup_id, day FROM removed_startups WHERE slug = s.slug AND day > $3::date ORDER BY startup_id LIMIT 1
  ) AS r ON true
  CROSS JOIN LATERAL (SELECT coalesce(r.startup_id, t.id) AS id) AS i
  CROSS JOIN LATERAL (
    SELECT i.id, least(r.day, (
      SELECT day FROM startup_points WHERE startup_id = i.id AND day > $3::date ORDER BY day LIMIT 1
    )) AS recorded
  ) AS o
  LEFT JOIN LATERAL (
    SELECT day FROM unchanged_startups
    WHERE day > $3::date AND (o.recorded IS NULL OR day < o.recorded) AND startup_ids @> o.id ORDER BY day LIMIT 1
  ) AS c ON true
  LEFT JOIN LATERAL revgate_point_on(o.id, $3::date) AS p ON true`;

/** The condition, on `startups AS t`, for a startup that is missing from the input. A rejected record is not missing. */
export function isLacking(staging: Staging): string {
  return `NOT t.sample AND NOT EXISTS (SELECT FROM ${staging.records} AS s WHERE s.slug = t.slug)`;
}

/**
 * The staged records of one run that are in the plan, as `p` and `s`; `$1` is the first ordinal of the run, `$2` that
 * of the next one. Both ranges are stated so that both indexes are used.
 */
export function fromRun({ plan, records }: Staging, join = ''): string {
  return `${plan} AS p JOIN ${records} AS s ON s.ordinal = p.ordinal ${join}
    WHERE p.ordinal >= $1 AND p.ordinal < $2 AND s.ordinal >= $1 AND s.ordinal < $2`;
}

/** The dataset's revision, as text. */
export async function readRevision(client: ImportClient): Promise<string> {
  const { rows } = await client.query(`SELECT value::text FROM revisions WHERE name = 'dataset'`);
  return String(rows[0]?.value);
}

/** Columns of an alias, for SQL. */
export function qualify(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}
