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
  /** Which runs of {@link RUN_LENGTH} staged records hold changes, in order. */
  runs: readonly { from: number; created: number; updated: number }[];
  /** The dataset's revision that this was worked out for. */
  revision: string;
}

/**
 * How many staged records one statement compares or writes: few enough that no statement takes long, so
 * that cancelling acts soon and an embedded database serves others in between.
 */
export const RUN_LENGTH = 500;

const comparedColumns = storedStartupFields.map(({ column }) => `"${column}"`);

/**
 * Works out, without changing anything, what applying the staged records would do, and leaves it in the
 * staging's plan.
 *
 * @param count how many records were read, rejected ones included.
 * @param replace whether records that the input lacks go.
 * @param check called between statements; throws to stop.
 */
export async function planChanges(
  client: ImportClient,
  staging: Staging,
  { count, replace, check }: { count: number; replace: boolean; check: () => void },
): Promise<ChangePlan> {
  // Before anything else is read: what changes from here on shows as another revision.
  const revision = await readRevision(client);
  await client.query(`TRUNCATE ${staging.plan}`);
  for (let from = 0; from < count; from += RUN_LENGTH) {
    check();
    // LATERAL with a LIMIT is always a look-up by index, whatever the planner believes of a temporary table.
    await client.query(
      `INSERT INTO ${staging.plan}
       SELECT s.ordinal, t.id
       FROM ${staging.records} AS s
       LEFT JOIN LATERAL (SELECT * FROM startups WHERE slug = s.slug AND NOT sample LIMIT 1) AS t ON true
       WHERE s.ordinal >= $1 AND s.ordinal < $2 AND NOT s.rejected
         AND (t.id IS NULL OR (${qualify('s')}) IS DISTINCT FROM (${qualify('t')}))`,
      [from, from + RUN_LENGTH],
    );
  }
  const runs = await readRuns(client, staging);
  const created = runs.reduce((sum, run) => sum + run.created, 0);
  const updated = runs.reduce((sum, run) => sum + run.updated, 0);
  check();
  const numbers = await readNumbers(
    client,
    `SELECT
       (SELECT count(*) FROM ${staging.records} WHERE NOT rejected) AS valid,
       (SELECT count(*) FROM startups WHERE NOT sample) AS existing,
       (SELECT count(*) FROM startups WHERE sample) AS sample,
       ${replace ? `(SELECT count(*) FROM startups AS t WHERE ${isLacking(staging)})` : '0'} AS removed`,
  );
  return {
    created,
    updated,
    unchanged: numbers.valid - created - updated,
    removed: numbers.removed,
    removedSample: numbers.sample,
    existing: numbers.existing,
    runs,
    revision,
  };
}

/** The condition, on `startups AS t`, of a record of one's own that the input lacks. A rejected one is not lacking. */
export function isLacking(staging: Staging): string {
  return `NOT t.sample AND NOT EXISTS (SELECT FROM ${staging.records} AS s WHERE s.slug = t.slug)`;
}

/** The dataset's revision, as text. */
export async function readRevision(client: ImportClient): Promise<string> {
  const { rows } = await client.query(`SELECT value::text FROM revisions WHERE name = 'dataset'`);
  return String(rows[0]?.value);
}

async function readRuns(client: ImportClient, staging: Staging): Promise<ChangePlan['runs']> {
  const { rows } = await client.query(
    `SELECT ordinal / ${RUN_LENGTH} * ${RUN_LENGTH} AS "from",
       (count(*) FILTER (WHERE id IS NULL))::integer AS created,
       (count(*) FILTER (WHERE id IS NOT NULL))::integer AS updated
     FROM ${staging.plan} GROUP BY 1 ORDER BY 1`,
  );
  return rows as { from: number; created: number; updated: number }[];
}

async function readNumbers(
  client: ImportClient,
  sql: string,
): Promise<{ valid: number; existing: number; sample: number; removed: number }> {
  const { rows } = await client.query(sql);
  const [row = {}] = rows;
  const read = (name: string): number => Number(row[name]);
  return {
    valid: read('valid'),
    existing: read('existing'),
    sample: read('sample'),
    removed: read('removed'),
  };
}

function qualify(alias: string): string {
  return comparedColumns.map((column) => `${alias}.${column}`).join(', ');
}
