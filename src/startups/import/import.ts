import type { DatabaseKind } from '../../db/transaction.ts';
import { isDatabaseFull } from '../../db/unavailable.ts';
import { amount, OperatorError } from '../../lib/errors.ts';
import { inCommand, onPage, type Wording, withOptions } from '../../lib/text/wording.ts';
import { type Applied, type ApplyOptions, applyChanges } from './apply.ts';
import { withoutChoices } from './columns/import-fields.ts';
import { completeRecords, findLacking } from './complete.ts';
import { checkDay, checkRemoval, countChanges, planChanges } from './plan.ts';
import { type ImportClient, openStaging } from './staging.ts';
import { type Intake, type IntakeOptions, takeIn } from './values/intake.ts';
import { type ImportSummary, summarise } from './values/summary.ts';

/** The input has errors, and nothing was imported. */
export class InvalidInputError extends OperatorError {
  /** What was read; no record was created, updated or removed. */
  readonly summary: ImportSummary;
  /** Why nothing was imported. */
  readonly reason: string;

  /** The same in the words of a page. */
  readonly reasonOnPage: string;

  constructor(summary: ImportSummary, reason: Wording) {
    const [first = '', ...others] = [...summary.messages, inCommand(reason)];
    super(first, ...others);
    this.summary = summary;
    this.reason = inCommand(reason);
    this.reasonOnPage = onPage(reason);
  }
}

/** Another import runs, for which this one does not wait. */
export class ImportRunningError extends OperatorError {
  constructor() {
    super('Another import runs: nothing was written. Try again when it has ended.');
  }
}

/** The disk of the database is full. */
export class DatabaseFullError extends OperatorError {
  constructor() {
    super(
      'The database has no room left: nothing was imported. Free some space on its disk, then import again.',
    );
  }
}

/** The task and the dependencies of an import. */
export interface ImportOptions extends IntakeOptions, ApplyOptions {
  /** One session of the database, with no transaction open. The caller closes it. */
  client: ImportClient;
  kind: DatabaseKind;
  /** Validates and counts, and changes nothing. */
  dryRun?: boolean | undefined;
  /** Fails instead of waiting if another import runs, on any node of a server. */
  isOnly?: boolean;
  /** How many records one statement adds, compares or writes. */
  runLength?: number;
  /** Run inside the transaction that applies, after the last change. Its failure rolls back the import. */
  beforeCommit?: (summary: ImportSummary, applied: Applied) => Promise<void>;
}

/**
 * Imports startups: validates everything into temporary tables, then applies it in one short transaction,
 * all or nothing. A record replaces the whole stored one with its slug, or with `update`, sets what it has.
 *
 * @throws OperatorError for errors of the input, one message a line, and for a replacement that needs `yes`;
 * DatabaseFullError; the signal's reason if it was stopped. Nothing was changed then.
 */
export async function importStartups(options: ImportOptions): Promise<ImportSummary> {
  const { client, kind, signal, asOf, skipInvalid } = options;
  if (options.update === true && (options.replace !== undefined || options.sample === true)) {
    throw new OperatorError(
      '--update cannot be combined with --replace: an update in part removes no startup. Nothing was written.',
    );
  }
  if (asOf !== undefined) {
    if (options.replace !== undefined || options.sample === true) {
      throw new OperatorError(
        '--as-of cannot be combined with --replace: data of a past day cannot replace the current data. Nothing was written.',
      );
    }
    await checkDay(client, asOf);
  }
  const fields =
    options.replace === undefined || options.fields.own.length === 0
      ? options.fields
      : withoutChoices(options.fields);
  const staging = await openStaging(client, kind, fields, options.runLength);
  try {
    if (kind === 'server') {
      await enterServer(client, options.isOnly === true);
    }
    const inPart = options.update === true && {
      findLacking: (from: number, to: number) => findLacking(client, staging, from, to, asOf),
      complete: (from: number) => completeRecords(client, staging, from, asOf),
    };
    const task = { ...options, ...inPart, fields };
    const intake = await takeIn(staging, task);
    rejectInvalid(intake, options);
    const planned = await planChanges(client, staging, intake, task);
    checkRemoval(planned, options);
    if (options.dryRun === true) {
      return summarise(planned, intake);
    }
    const done = await applyChanges(client, staging, planned, intake, task, async (plan, applied) => {
      if (intake.rejected > 0) {
        await skipInvalid?.publish?.();
      }
      await options.beforeCommit?.(summarise(plan, intake), applied);
    });
    if (countChanges(done) > 0) {
      // The embedded database never does it by itself, a server only later. The import is done by then.
      await client.query('VACUUM (ANALYZE, SKIP_LOCKED) startups, startup_points').catch(() => {});
    }
    return summarise(done, intake);
  } catch (error) {
    // For a statement that was cancelled for it, the server reports a different error.
    signal?.throwIfAborted();
    throw isDatabaseFull(error) ? new DatabaseFullError() : error;
  } finally {
    // On a lost connection the tables are gone with it, and the relevant error is already being thrown.
    await staging.close().catch(() => {});
  }
}

/** The number of the lock that imports of a server share. */
const IMPORT_LOCK = 7_262_113;

/**
 * Holds a lock until the end of the transaction, together with imports that wait for each other.
 *
 * @throws ImportRunningError if it is to be the only import, and is not.
 */
async function enterServer(client: ImportClient, isOnly: boolean): Promise<void> {
  const mode = isOnly ? '' : '_shared';
  const { rows } = await client.query(
    // Of these startups: another revgate may have its own in another schema of the database.
    `SELECT pg_try_advisory_xact_lock${mode}($1, 'startups'::regclass::oid::integer) AS "isEntered"`,
    [IMPORT_LOCK],
  );
  if (isOnly && rows[0]?.isEntered !== true) {
    throw new ImportRunningError();
  }
}

function rejectInvalid(intake: Intake, options: ImportOptions): void {
  const { log, records } = intake;
  const obstacle = findObstacle(intake, options);
  if (log.count === 0 || (options.skipInvalid !== undefined && obstacle === undefined)) {
    return;
  }
  const what =
    options.skipInvalid === undefined || obstacle === undefined
      ? `${amount(log.count, 'error')} in ${amount(records, 'record')}`
      : obstacle;
  const fix = obstacle === undefined ? ' To import the valid records, add --skip-invalid.' : '';
  throw new InvalidInputError(summarise(undefined, intake), {
    command: `${inCommand(what)}: nothing was written.${fix}`,
    page: `${onPage(what)}: nothing was written.`,
  });
}

/** Why invalid records cannot be skipped; undefined if they can. */
function findObstacle(
  { records, rejected, nameless, isBroken }: Intake,
  { replace }: ImportOptions,
): Wording | undefined {
  if (isBroken) {
    return withOptions(
      (option) => `An input could not be read to its end, which ${option('skip-invalid')} does not allow`,
    );
  }
  if (rejected === records) {
    return records === 1 ? 'The only record is invalid' : `All ${amount(records, 'record')} are invalid`;
  }
  if (replace !== undefined && nameless > 0) {
    const have = nameless === 1 ? 'has' : 'have';
    const which = `${amount(nameless, 'rejected record')} ${have} no valid slug`;
    return withOptions((option) => `${option('replace')} needs all slugs, but ${which}`);
  }
  return undefined;
}
