import { storedStartupFields } from '../fields.ts';
import type { ImportClient, Staging } from './staging.ts';

/** What applying the staged records would do. */
export interface ChangePlan {
  created: number;
  updated: number;
  unchanged: number;
  /** Records that the input lacks, to be removed; 0 unless it replaces. */
  removed: number;
  /** Records of the sample, to be removed. */
  removedSample: number;
  /** How many records there are now, without the sample. */
  existing: number;
  /** Which runs of staged records hold changes, in order. */
  runs: readonly { from: number; created: number; updated: number }[];
  /** The dataset's revision that this was worked out for. */
  revision: string;
}

/** How many rows a plan writes or removes. */
export function countChanges({ created, updated, removed, removedSample }: ChangePlan): number {
  return created + updated + removed + removedSample;
}

/** The columns that a record fills, in the order of its fields. */
export const columnNames = storedStartupFields.map(({ column }) => `"${column}"`);

/**
 * Works out, without changing anything, what applying the staged records would do, and leaves it in the
 * staging's plan.
 *
 * @param count how many records were read, rejected ones included.
 * @param rejected how many of them were rejected.
 * @param replace whether records that the input lacks go.
 * @param check called between statements; throws to stop.
 */
export async function planChanges(
  client: ImportClient,
  staging: Staging,
  options: { count: number; rejected: number; replace: boolean; check: () => void },
): Promise<ChangePlan> {
  const { count, rejected, replace, check } = options;
  // Before anything else is read: what changes from here on shows as another revision.
  const revision = await readRevision(client);
  await client.query(`TRUNCATE ${staging.plan}`);
  const runs: { from: number; created: number; updated: number }[] = [];
  const sum = { created: 0, updated: 0, found: 0 };
  for (let from = 0; from < count; from += staging.runLength) {
    check();
    const { created, updated, found } = await planRun(client, staging, from);
    sum.created += created;
    sum.updated += updated;
    sum.found += found;
    if (created + updated > 0) {
      runs.push({ from, created, updated });
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
    removed: replace ? existing - sum.found : 0,
    removedSample,
    existing,
    runs,
    revision,
  };
}

/** Plans one run. `found` counts the rows of one's own that have a slug of the run's, also of a rejected record. */
function planRun(
  client: ImportClient,
  { records, plan, runLength }: Staging,
  from: number,
): Promise<{ created: number; updated: number; found: number }> {
  // LATERAL with a LIMIT is always a look-up by index, whatever the planner believes of a temporary table.
  return readNumbers(
    client,
    `WITH pairs AS MATERIALIZED (
       SELECT s.ordinal, s.rejected, t.id, (${qualify('s')}) IS DISTINCT FROM (${qualify('t')}) AS differs
       FROM ${records} AS s
       LEFT JOIN LATERAL (SELECT * FROM startups WHERE slug = s.slug AND NOT sample LIMIT 1) AS t ON true
       WHERE s.ordinal >= $1 AND s.ordinal < $2
     ), planned AS (
       INSERT INTO ${plan} SELECT ordinal, id FROM pairs WHERE NOT rejected AND (id IS NULL OR differs)
       RETURNING id
     )
     SELECT (SELECT count(*) - count(id) FROM planned) AS created, (SELECT count(id) FROM planned) AS updated,
       (SELECT count(id) FROM pairs) AS found`,
    [from, from + runLength],
  );
}

/** The condition, on `startups AS t`, of a record of one's own that the input lacks. A rejected one is not lacking. */
export function isLacking(staging: Staging): string {
  return `NOT t.sample AND NOT EXISTS (SELECT FROM ${staging.records} AS s WHERE s.slug = t.slug)`;
}

/**
 * The staged records of one run that the plan names, as `p` and `s`; `$1` is where the run begins, `$2` where
 * the next one does. Both ranges are stated for the sake of the indexes.
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

/** The numbers of the one row that a query gives. */
async function readNumbers<Name extends string>(
  client: ImportClient,
  sql: string,
  values?: unknown[],
): Promise<Record<Name, number>> {
  const { rows } = await client.query(sql, values);
  const numbers = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]);
  return Object.fromEntries(numbers) as Record<Name, number>;
}

function qualify(alias: string): string {
  return columnNames.map((column) => `${alias}.${column}`).join(', ');
}
