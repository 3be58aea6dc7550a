import { amount } from '../../../lib/text/amount.ts';
import { KNOWN_FIELDS, type ReportedError } from '../../../startups/import/errors.ts';
import { type ImportSummary, leftOutText } from '../../../startups/import/summary.ts';
import { showAmounts } from '../../../startups/import/values/preview.ts';
import { seconds } from '../../command-line/progress.ts';

export function summaryLines(
  summary: ImportSummary,
  { dryRun, asOf }: { dryRun?: true; asOf?: string },
  ms: number,
): string[] {
  const {
    records,
    created,
    updated,
    unchanged,
    rejected,
    removed,
    removedSample,
    points,
    examples: [example],
    ignored = [],
    notes = [],
  } = summary;
  const count = (number: number): string => number.toLocaleString('en');
  const verb = dryRun === true ? 'Would import' : 'Imported';
  const lines = [
    `${verb} ${amount(records - rejected, 'startup')} in ${seconds(ms)}: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(rejected)} rejected, ${count(removed)} removed.`,
  ];
  if (example !== undefined) {
    lines.push(`The first record, in dollars: ${showAmounts(example)}.`);
  }
  if (ignored.length > 0) {
    lines.push(`Columns left out: ${ignored.map(leftOutText).join(', ')}.`);
  }
  lines.push(...notes);
  if (asOf !== undefined) {
    const which = `${amount(points, 'point')} of the history of ${asOf}`;
    lines.push(dryRun === true ? `Would write ${which}.` : `Wrote ${which}.`);
  }
  if (removedSample > 0) {
    const which = `the ${amount(removedSample, 'sample startup')}`;
    lines.push(dryRun === true ? `Would remove ${which}.` : `Removed ${which}.`);
  }
  return lines;
}

/** What to do about a table with other columns than fields; nothing if it has none. */
export function adviseMapping(errors: readonly ReportedError[], files: readonly string[]): string {
  const isUnknown = errors.some(({ allowed }) => allowed.startsWith(KNOWN_FIELDS));
  return isUnknown
    ? ` If the table has columns of its own, propose a mapping: revgate import --suggest ${files[0] ?? 'FILE'}`
    : '';
}
