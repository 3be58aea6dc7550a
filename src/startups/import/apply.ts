import { beginAlone } from '../../db/begin-alone.ts';
import { OperatorError } from '../../errors.ts';
import { storedStartupFields } from '../fields.ts';
import { type ChangePlan, isLacking, planChanges, RUN_LENGTH, readRevision } from './plan.ts';
import type { ImportClient, Staging } from './staging.ts';

/** How to apply. */
export interface ApplyOptions {
  /** How many records were read, rejected ones included. */
  count: number;
  /** Whether records that the input lacks go. */
  replace: boolean;
  /** Marks the new rows as the sample, and refuses where there is any startup. */
  sample: boolean;
  /** Whether a plan may be carried out; throws when not. Called again when the data moved since. */
  approve(plan: ChangePlan): void;
  /** Called between statements; throws to stop. */
  check(): void;
  /** Told how many of the records have been written. */
  onApplied(records: number): void;
  /** Run inside the transaction after the last change, for what must be kept or lost with it. */
  beforeCommit?: ((plan: ChangePlan) => Promise<void>) | undefined;
}

const columnNames = storedStartupFields.map(({ column }) => `"${column}"`);

/**
 * Carries out a plan in one transaction. Readers see everything of it or nothing. Other writers wait;
 * when they changed something since the plan was made, it is made again first.
 *
 * @returns the plan that was carried out.
 * @throws whatever `approve` or `check` throws, after everything was undone.
 */
export async function applyChanges(
  client: ImportClient,
  staging: Staging,
  planned: ChangePlan,
  options: ApplyOptions,
): Promise<ChangePlan> {
  await beginAlone(client, ['startups'], options.check);
  try {
    let plan = planned;
    if ((await readRevision(client)) !== plan.revision) {
      plan = await planChanges(client, staging, options);
      options.approve(plan);
    }
    if (options.sample && plan.existing + plan.removedSample > 0) {
      throw new OperatorError('The sample is only loaded into a database without startups.');
    }
    await write(client, staging, plan, options);
    await options.beforeCommit?.(plan);
    options.check();
    await client.query('COMMIT');
    return plan;
  } catch (error) {
    // A lost connection undoes the transaction by itself; the first fault is the one to tell.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function write(
  client: ImportClient,
  staging: Staging,
  plan: ChangePlan,
  { replace, sample, check, onApplied }: ApplyOptions,
): Promise<void> {
  if (!sample && plan.removedSample > 0) {
    await client.query('DELETE FROM startups WHERE sample');
  }
  if (replace && plan.removed > 0) {
    await client.query(`DELETE FROM startups AS t WHERE ${isLacking(staging)}`);
  }
  // The planner knows nothing of the temporary tables; each run finds its few rows by index.
  await client.query('SET LOCAL enable_seqscan = off');
  // A statement raises the revision even where it changes no row, so only those with work are run.
  let applied = 0;
  for (const { from, created, updated } of plan.runs) {
    check();
    const run = [from, from + RUN_LENGTH];
    if (updated > 0) {
      await client.query(
        `UPDATE startups AS t SET ${columnNames.map((name) => `${name} = s.${name}`).join(', ')}
         FROM ${fromRun(staging)} AND p.id IS NOT NULL AND t.id = p.id`,
        run,
      );
    }
    if (created > 0) {
      // Numbers are taken after sorting, so ids follow the order of the input.
      await client.query(
        `INSERT INTO startups (${columnNames.join(', ')}, sample)
         SELECT ${columnNames.map((name) => `s.${name}`).join(', ')}, ${sample}
         FROM ${fromRun(staging)} AND p.id IS NULL ORDER BY p.ordinal`,
        run,
      );
    }
    applied += created + updated;
    onApplied(applied);
  }
}

/** The staged records of one run that the plan names; both ranges are stated for the sake of the indexes. */
function fromRun({ plan, records }: Staging): string {
  return `${plan} AS p JOIN ${records} AS s ON s.ordinal = p.ordinal
    WHERE p.ordinal >= $1 AND p.ordinal < $2 AND s.ordinal >= $1 AND s.ordinal < $2`;
}
