import { storedStartupFields } from '../fields.ts';
import type { AsOf } from './as-of.ts';
import type { ImportClient, Staging } from './staging.ts';

/** What applying the staged records would do. */
export interface ChangePlan {
  created: number;
  updated: number;
  unchanged: number;
  /** Records of startups that have newer data: only a point of the past day is written. */
  pointsOnly: number;
  /** Records that the input lacks, to be removed; 0 unless it replaces. */
  removed: number;
  /** Records of the sample, to be removed. */
  removedSample: number;
  /** How many records there are now, without the sample. */
  existing: number;
  /** The runs (batches) of staged records with changes, in order. */
  runs: readonly PlannedRun[];
  /** The dataset's revision that this plan is based on. */
  revision: string;
}

/** What the statements of one run would do. */
interface PlannedRun {
  /** The ordinal of its first record. */
  readonly from: number;
  readonly created: number;
  readonly updated: number;
  readonly pointsOnly: number;
}

/** How many rows a plan writes or removes. */
export function countChanges(plan: ChangePlan): number {
  const { created, updated, pointsOnly, removed, removedSample } = plan;
  return created + updated + pointsOnly + removed + removedSample;
}

/** The columns that a record fills, in the order of its fields. */
export const columnNames = storedStartupFields.map(({ column }) => `"${column}"`);

/** The columns that a point of the history copies from its startup. A test compares them with the table. */
export const pointColumns = [
  'revenue_last_30_days',
  'revenue_mrr',
  'revenue_total',
  'customers',
  'active_subscriptions',
  'asking_price',
  'on_sale',
] as const;

/**
 * Calculates, without changing any startup, what applying the staged records would do, and stores it in the
 * plan table of the staging.
 *
 * @param count how many records were read, rejected ones included.
 * @param rejected how many of them were rejected.
 * @param replace whether records that are missing from the input are removed.
 * @param asOf the day as of which they are applied; undefined for today.
 * @param check called between statements; throws to stop.
 */
export async function planChanges(
  client: ImportClient,
  staging: Staging,
  options: { count: number; rejected: number; replace: boolean; asOf: AsOf | undefined; check: () => void },
): Promise<ChangePlan> {
  const { count, rejected, replace, asOf, check } = options;
  // Read first, so that any later change shows as another revision.
  const revision = await readRevision(client);
  await client.query(`TRUNCATE ${staging.plan}`);
  const runs: PlannedRun[] = [];
  const sum = { created: 0, updated: 0, pointsOnly: 0, found: 0 };
  for (let from = 0; from < count; from += staging.runLength) {
    check();
    const { created, updated, pointsOnly, found } = await planRun(client, staging, from, asOf);
    sum.created += created;
    sum.updated += updated;
    sum.pointsOnly += pointsOnly;
    sum.found += found;
    if (created + updated + pointsOnly > 0) {
      runs.push({ from, created, updated, pointsOnly });
    }
  }
  check();
  const { existing, removedSample } = await readNumbers<'existing' | 'removedSample'>(
    client,
    `SELECT count(*) FILTER (WHERE NOT sample) AS existing, count(*) FILTER (WHERE sample) AS "removedSample"
     FROM startups`,
  );
  return {
    created: sum.created,
    updated: sum.updated,
    unchanged: count - rejected - sum.created - sum.updated,
    pointsOnly: sum.pointsOnly,
    removed: replace ? existing - sum.found : 0,
    removedSample,
    existing,
    runs,
    revision,
  };
}

/** Plans one run. `found` counts stored startups (without the sample) with a slug of the run, also of a rejected record. */
function planRun(
  client: ImportClient,
  { records, plan, runLength }: Staging,
  from: number,
  asOf: AsOf | undefined,
): Promise<Omit<PlannedRun, 'from'> & { found: number }> {
  const run = [from, from + runLength];
  // LATERAL with a LIMIT is always a look-up by index, whatever the planner believes of a temporary table.
  return readNumbers(
    client,
    `WITH pairs AS MATERIALIZED (
       SELECT s.ordinal, s.rejected, t.id, h.point_only,
         CASE WHEN h.point_only THEN h.differs
           ELSE (${qualify('s', columnNames)}) IS DISTINCT FROM (${qualify('t', columnNames)}) END AS differs
       FROM ${records} AS s
       LEFT JOIN LATERAL (SELECT * FROM startups WHERE slug = s.slug AND NOT sample LIMIT 1) AS t ON true
       CROSS JOIN LATERAL (${asOf === undefined ? 'SELECT false AS point_only, false AS differs' : comparePoints}) AS h
       WHERE s.ordinal >= $1 AND s.ordinal < $2
     ), planned AS (
       INSERT INTO ${plan} SELECT ordinal, id, point_only FROM pairs WHERE NOT rejected AND (id IS NULL OR differs)
       RETURNING id, point_only
     )
     SELECT (SELECT count(*) - count(id) FROM planned) AS created,
       (SELECT count(id) FILTER (WHERE NOT point_only) FROM planned) AS updated,
       (SELECT count(*) FILTER (WHERE point_only) FROM planned) AS "pointsOnly",
       (SELECT count(id) FROM pairs) AS found`,
    asOf === undefined ? run : [...run, asOf.day],
  );
}

/** Whether the startup `t` has points after the day `$3`, and whether `s` differs from its point of that day. */
const comparePoints = `
  SELECT EXISTS (SELECT FROM startup_points WHERE startup_id = t.id AND day > $3::date) AS point_only,
    NOT EXISTS (
      SELECT FROM (
        SELECT * FROM startup_points WHERE startup_id = t.id AND day <= $3::date ORDER BY day DESC LIMIT 1
      ) AS p
      WHERE (${qualify('s', pointColumns)}) IS NOT DISTINCT FROM (${qualify('p', pointColumns)})
    ) AS differs`;

/** The condition, on `startups AS t`, for a startup that is missing from the input. A rejected record is not missing. */
export function isLacking(staging: Staging): string {
  return `NOT t.sample AND NOT EXISTS (SELECT FROM ${staging.records} AS s WHERE s.slug = t.slug)`;
}

/**
 * The staged records of one run that are in the plan, as `p` and `s`; `$1` is the first ordinal of the run, `$2` that
 * of the next one. Both ranges are stated so that both indexes are used.
 */
export function fromRun({ plan, records }: Staging): string {
  return `${plan} AS p JOIN ${records} AS s ON s.ordinal = p.ordinal
    WHERE p.ordinal >= $1 AND p.ordinal < $2 AND s.ordinal >= $1 AND s.ordinal < $2`;
}

/** The dataset's revision, as text. */
export async function readRevision(client: ImportClient): Promise<string> {
  const { rows } = await client.query(`SELECT value::text FROM revisions WHERE name = 'dataset'`);
  return String(rows[0]?.value);
}

/** The numbers in the only row of a result. */
async function readNumbers<Name extends string>(
  client: ImportClient,
  sql: string,
  values?: unknown[],
): Promise<Record<Name, number>> {
  const { rows } = await client.query(sql, values);
  const numbers = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]);
  return Object.fromEntries(numbers) as Record<Name, number>;
}

function qualify(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}
