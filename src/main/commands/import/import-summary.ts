import { amount } from '../../../lib/errors.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import { standardFields } from '../../../startups/import/columns/import-fields.ts';
import { isOwnPath } from '../../../startups/import/columns/own-import-fields.ts';
import { nameStartups } from '../../../startups/import/plan.ts';
import { KNOWN_FIELDS, type ReportedError } from '../../../startups/import/rows/errors.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import { type ImportSummary, leftOutTexts } from '../../../startups/import/values/summary.ts';
import { type CommandEnvironment, line } from '../../command-line/command.ts';
import { seconds } from '../../command-line/progress.ts';

/** What people read of a summary. */
type Shown = Omit<ImportSummary, 'messages' | 'errorCount' | 'errors' | 'notes'> & {
  /** A sentence each. */
  readonly notes: readonly string[];
};

/** Prints what an import did, or under --dry-run would do. */
export function printSummary(
  { stdout }: CommandEnvironment,
  {
    records,
    rejected,
    removedSample,
    points,
    examples,
    sets,
    leftOut,
    leftOutCount,
    notes,
    ...changes
  }: Shown,
  { dryRun, asOf }: { dryRun?: true; asOf?: string },
  ms: number,
): void {
  const [example] = examples;
  const { created, updated, unchanged, removed, returned, firstReturned, firstRemoved } = changes;
  const counts = Object.entries({ created, updated, unchanged, rejected, removed }).map(
    ([name, number]) => `${number.toLocaleString('en')} ${name}`,
  );
  const tell = (would: string, did: string, what: string): string =>
    `${dryRun ? `Would ${would}` : did} ${what}`;
  for (const text of [
    `${tell('import', 'Imported', amount(records - rejected, 'startup'))} in ${seconds(ms)}: ${counts.join(', ')}.`,
    example !== undefined &&
      (sets === null
        ? `The first record, in dollars: ${showAmounts(example)}.`
        : `The first record sets: ${showSet(example)}.`),
    sets !== null && `${tell('set', 'Set', setsText(sets))}.`,
    leftOut.length > 0 && `Columns left out: ${leftOutTexts({ leftOut, leftOutCount }).join(', ')}.`,
    ...notes,
    asOf !== undefined && `${tell('write', 'Wrote', amount(points, 'point'))} of the history of ${asOf}.`,
    returned > 0 &&
      `${dryRun ? 'Would return' : 'Returned'}, with their history: ${nameStartups(firstReturned, returned)}.`,
    removed > 0 && `${dryRun ? 'Would be removed' : 'Removed'}: ${nameStartups(firstRemoved, removed)}.`,
    removedSample > 0 && tell('remove', 'Removed', `the ${amount(removedSample, 'sample startup')}.`),
  ]) {
    if (text !== false) {
      line(stdout, text);
    }
  }
}

/** What a record of an update in part sets, in one line: its slug, then its values. */
function showSet(record: ImportSummary['examples'][number]): string {
  const values = record
    .filter(({ path }) => path !== 'slug')
    .map(({ path, text }) => `${path} ${oneLine(text)}`);
  return `${record.find(({ path }) => path === 'slug')?.text}: ${values.join(', ') || 'nothing'}`;
}

/** What an update in part sets, such as `revenue.mrr (500), askingPrice (20 and 3 cleared)`. */
function setsText(sets: NonNullable<ImportSummary['sets']>): string {
  const shown = sets.map(({ field, values, cleared }) => {
    const clears = cleared > 0 ? [`${cleared.toLocaleString('en')} cleared`] : [];
    const counts = [...(values > 0 ? [values.toLocaleString('en')] : []), ...clears];
    return `${field} (${counts.join(' and ')})`;
  });
  return shown.length === 0 ? 'nothing' : shown.join(', ');
}

/** A valid record in one line: its slug, its amounts in dollars, and what it has of declared fields. */
export function showAmounts(record: ImportSummary['examples'][number]): string {
  const amounts = record.filter(
    ({ path }) => isOwnPath(path) || standardFields.byPath.get(path)?.kind === 'cents',
  );
  return `${record.find(({ path }) => path === 'slug')?.text}: ${amounts.map(({ path, text }) => `${path} ${oneLine(text)}`).join(', ')}`;
}

/** What to do about a table with other columns than fields; nothing if it has none. */
export function adviseMapping(
  errors: readonly Pick<ReportedError, 'allowed'>[],
  [input]: readonly ImportInput[],
  { update }: { readonly update?: true },
): string {
  const isUnknown = errors.some(({ allowed }) => allowed.startsWith(KNOWN_FIELDS));
  return isUnknown
    ? ` If the table has columns of its own, propose a mapping: revgate import${update ? ' --update' : ''} --suggest ${input?.name ?? 'FILE'}`
    : '';
}
