import { type NextTable, openNextTable } from '../../db/next-table.ts';
import { type ChangePlan, columnNames, fromRun } from './plan.ts';
import type { ImportClient, Staging } from './staging.ts';

/** How to write the rows. */
export interface FillOptions {
  /** Whether records that the input lacks go. */
  replace: boolean;
  /** Marks the new rows as the sample, and refuses where there is any startup. */
  sample: boolean;
  /** Called between statements; throws to stop. */
  check(): void;
  /** Told how many of the records have been written. */
  onApplied(records: number): void;
}

/**
 * Writes what `startups` is to be after a plan into a table beside it, a few rows in each transaction.
 * It may take the place while the dataset's revision is the plan's.
 *
 * @returns undefined where there can be no such table.
 * @throws whatever `check` throws, after the table was dropped.
 */
export async function fillNext(
  client: ImportClient,
  staging: Staging,
  plan: ChangePlan,
  options: FillOptions,
): Promise<NextTable | undefined> {
  const next = await openNextTable(client, 'startups');
  if (next === undefined) {
    return undefined;
  }
  try {
    await writeChanged(client, staging, plan, next, options);
    await copyKept(client, staging, next, options);
    return next;
  } catch (error) {
    await next.discard().catch(() => {});
    throw error;
  }
}

async function writeChanged(
  client: ImportClient,
  staging: Staging,
  plan: ChangePlan,
  { name }: NextTable,
  { sample, check, onApplied }: FillOptions,
): Promise<void> {
  const columns = columnNames.join(', ');
  const values = columnNames.map((column) => `s.${column}`).join(', ');
  const revision = BigInt(plan.revision) + 1n;
  let applied = 0;
  for (const { from, created, updated } of plan.runs) {
    check();
    const run = [from, from + staging.runLength];
    if (updated > 0) {
      await client.query(
        `INSERT INTO ${name} (id, ${columns}, revision)
         SELECT p.id, ${values}, ${revision} FROM ${fromRun(staging)} AND p.id IS NOT NULL`,
        run,
      );
    }
    if (created > 0) {
      // Numbers are taken after sorting, so ids follow the order of the input.
      await client.query(
        `INSERT INTO ${name} (${columns}, sample, revision)
         SELECT ${values}, ${sample}, ${revision} FROM ${fromRun(staging)} AND p.id IS NULL ORDER BY p.ordinal`,
        run,
      );
    }
    applied += created + updated;
    onApplied(applied);
  }
}

/** What stays as it is: neither changed, which is there by now, nor to be removed. */
async function copyKept(
  client: ImportClient,
  { records, runLength }: Staging,
  { name }: NextTable,
  { replace, check }: FillOptions,
): Promise<void> {
  // LATERAL with a LIMIT is always a look-up by index.
  const staged = `(SELECT true AS found FROM ${records} AS s WHERE s.slug COLLATE "C" = t.slug LIMIT 1)`;
  let last: unknown = -(2 ** 31);
  for (;;) {
    check();
    const { rows } = await client.query(
      `WITH part AS MATERIALIZED (SELECT * FROM startups WHERE id > $1 ORDER BY id LIMIT ${runLength}),
       kept AS (
         INSERT INTO ${name}
         SELECT t.* FROM part AS t ${replace ? `LEFT JOIN LATERAL ${staged} AS s ON true` : ''}
         WHERE NOT t.sample ${replace ? 'AND s.found' : ''}
         ON CONFLICT (id) DO NOTHING
       )
       SELECT max(id) AS last FROM part`,
      [last],
    );
    last = rows[0]?.last ?? null;
    if (last === null) {
      return;
    }
  }
}
