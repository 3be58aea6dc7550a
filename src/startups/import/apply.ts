import { lockForWriting } from '../../db/transaction.ts';
import { OperatorError } from '../../errors.ts';
import { type ChangePlan, columnNames, fromRun, isLacking, planChanges, readRevision } from './plan.ts';
import type { ImportClient, Staging } from './staging.ts';

/** How to apply. */
interface ApplyOptions {
  /** How many records were read, rejected ones included. */
  count: number;
  /** How many of them were rejected. */
  rejected: number;
  /** Whether records that the input lacks are removed. */
  replace: boolean;
  /** Marks the new rows as the sample, and refuses where there is any startup. */
  sample: boolean;
  /** Called between statements; throws to stop. */
  check(): void;
  /** Called with the number of records written so far. */
  onApplied(records: number): void;
  /** Whether a plan may be carried out; throws when not. Called again when the data changed since. */
  approve(plan: ChangePlan): void;
  /** Run inside the transaction after the last change, for what must be kept or lost with it. */
  beforeCommit?: ((plan: ChangePlan) => Promise<void>) | undefined;
}

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
  try {
    await staging.begin();
    await lockForWriting(client, ['startups'], options.check);
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
    // A lost connection undoes the transaction by itself; the first error is the one to report.
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
    const run = [from, from + staging.runLength];
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
