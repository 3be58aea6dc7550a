import { amount } from '../../lib/text/amount.ts';
import type { Rounding } from './amount-check.ts';
import { type ErrorGroup, type ErrorLog, errorMessages, type ReportedError } from './errors.ts';
import type { Intake } from './intake.ts';
import type { ChangePlan } from './plan.ts';
import { type InvalidRecord, type ShownRecord, showRecord } from './preview.ts';

/** The result of an import, or under `dryRun` the expected one. */
export interface ImportSummary {
  /** Records read, rejected ones included. */
  records: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Records with errors: skipped under `skipInvalid`, else the reason why nothing was imported. */
  rejected: number;
  /** Records that were missing from the input and removed; 0 unless `replace`. */
  removed: number;
  /** Records of the sample, which the first import of other data removes. */
  removedSample: number;
  /** Points of the history: one for each startup created or updated, and those of a past day alone. */
  points: number;
  /** The first valid records, as people see them. */
  examples: readonly ShownRecord[];
  /** The first records with errors, and at least one with each kind of error. */
  invalid: readonly InvalidRecord[];
  /** The first names of columns that were left out. */
  ignored?: readonly string[] | undefined;
  /** What of the inputs was skipped or rounded, a sentence each. */
  notes: readonly string[];
  /** The messages about the errors, a line each, and the number of errors. */
  messages: readonly string[];
  errorCount: number;
  /** The errors by their kinds, the most frequent first. */
  groups: readonly ErrorGroup[];
  /** The first errors. */
  errors: readonly ReportedError[];
}

/** Where nothing was imported. */
export const NO_CHANGES = {
  created: 0,
  updated: 0,
  unchanged: 0,
  pointsOnly: 0,
  removed: 0,
  removedSample: 0,
} as const;

export function summarise(
  plan: Pick<ChangePlan, keyof typeof NO_CHANGES>,
  { records, rejected, examples, invalid, ignored, notes, rounding, log }: Intake,
): ImportSummary {
  const { created, updated, unchanged, pointsOnly, removed, removedSample } = plan;
  return {
    records,
    created,
    updated,
    unchanged,
    rejected,
    removed,
    removedSample,
    points: created + updated + pointsOnly,
    examples: examples.map(showRecord),
    invalid,
    ignored: [...ignored],
    notes: [...notes, ...describeRounding(rounding)],
    messages: describeErrors(log),
    errorCount: log.count,
    groups: log.groups(),
    errors: log.first,
  };
}

function describeRounding({ count, largest }: Rounding): string[] {
  const difference = Number(largest.toPrecision(3));
  return count === 0
    ? []
    : [`${amount(count, 'amount')} rounded to whole cents, by at most ${difference} of a cent.`];
}

/** A line for each kind of error if any occurs repeatedly, then one for each of the first errors. */
function describeErrors(log: ErrorLog): string[] {
  const kinds = log.kinds();
  const more = log.count - log.first.length;
  const shown = kinds.length < log.count ? kinds : [];
  return [
    ...shown,
    ...errorMessages(shown, log.first),
    ...(more > 0 ? [`… and ${amount(more, 'more error', 'more errors')}.`] : []),
  ];
}
