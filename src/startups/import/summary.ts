import { amount } from '../../lib/errors.ts';
import { createFieldNames } from './columns/field-names.ts';
import { otherCurrencyIn } from './columns/headings.ts';
import { type Mapping, readAnswer } from './columns/mapping.ts';
import { type ReportedError, showName } from './errors.ts';
import type { Intake } from './intake.ts';
import type { ChangePlan } from './plan.ts';
import type { Rounding } from './values/amount-checks.ts';
import { ASKED, createCheck, FIGURES, fieldOf, showStored } from './values/checks.ts';
import { type ShownRecord, showRecord } from './values/validate.ts';

/** A column that was left out. */
interface LeftOut {
  readonly name: string;
  /** Empty if somebody chose it. */
  readonly reason: string;
}

/** Such as `Note (no field has this name)`. */
export const leftOutText = ({ name, reason }: LeftOut): string =>
  reason === '' ? showName(name) : `${showName(name)} (${reason})`;

function reasonOf({ columns = {} }: Mapping = {}, name: string): string {
  const text = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return text === undefined ? 'no field has this name' : (readAnswer(text, name).reason ?? '');
}

type PlannedCounts = Pick<ChangePlan, 'created' | 'updated' | 'unchanged' | 'removed' | 'removedSample'>;

/** The result of an import, or under `dryRun` the expected one. */
export interface ImportSummary extends PlannedCounts, Pick<Intake, 'records' | 'rejected'> {
  /** Points of the history: one for each startup created or updated, and those of a past day alone. */
  points: number;
  /** The first valid records, as people see them. */
  examples: readonly ShownRecord[];
  /** The first columns that were left out, and why. */
  ignored: readonly LeftOut[];
  /** What of the inputs was skipped or rounded, a sentence each. */
  notes: readonly string[];
  /** The messages about the errors, a line each, and the number of errors. */
  messages: readonly string[];
  errorCount: number;
  /** The first errors. */
  errors: readonly ReportedError[];
}

/** @param plan undefined where nothing was imported. */
export function summarise(
  plan: ChangePlan | undefined,
  { records, rejected, examples, ignored, notes, rounding, mapping, log }: Intake,
): ImportSummary {
  const {
    created = 0,
    updated = 0,
    unchanged = 0,
    pointsOnly = 0,
    removed = 0,
    removedSample = 0,
  } = plan ?? {};
  return {
    records,
    ...{ created, updated, unchanged, rejected, removed, removedSample },
    points: created + updated + pointsOnly,
    examples: examples.map((row) => showRecord(row)),
    ignored: [...ignored].map((name) => ({ name, reason: reasonOf(mapping, name) })),
    notes: [...notes, ...describeRounding(rounding), ...mappingNotes(mapping)],
    messages: log.messages(),
    errorCount: log.count,
    errors: log.first,
  };
}

/** What people should know of a mapping: other money taken for dollars, and figures that are in no file. */
export function mappingNotes(mapping: Mapping = {}): string[] {
  const foreign = Object.entries(mapping.columns ?? {}).flatMap(([name, text]) => {
    const currency = otherCurrencyIn(name);
    return currency !== undefined &&
      fieldOf(readAnswer(text, name).path)?.kind === 'cents' &&
      !text.startsWith(ASKED)
      ? `${showName(name)}: the heading says ${currency}, but the answer US dollars: nothing is converted.`
      : [];
  });
  const names = createFieldNames(mapping);
  const defaults = Object.entries(mapping.defaults ?? {}).flatMap(([path, value]) => {
    const field = fieldOf(path);
    const check =
      field && FIGURES.has(field.kind) ? createCheck(field, names.notationOf(field.path)) : undefined;
    const stored = check?.readCell(value) ?? undefined;
    const shown = field && stored !== undefined ? showStored(field.kind, stored) : undefined;
    const as = shown === value ? '' : ` (${shown})`;
    const rank = path === 'revenue.total' ? ' These startups have the same rank.' : '';
    return shown === undefined
      ? []
      : `${path}: ${value}${as} is shown as a ${field?.nullable ? '' : 'verified '}figure of each startup that has none in the file.${rank}`;
  });
  return [...foreign, ...defaults];
}

function describeRounding({ count, largest }: Rounding): string[] {
  const difference = Number(largest.toPrecision(3));
  return count === 0
    ? []
    : [`${amount(count, 'amount')} rounded to whole cents, by at most ${difference} of a cent.`];
}

/** The result of an import for programs, or why nothing was imported: the same of a command and over HTTP. */
export function toReport(
  // What only people see is left out.
  { messages: _, examples: __, ignored: ___, errorCount, errors, ...counts }: ImportSummary,
  details: {
    readonly dryRun: boolean;
    readonly durationMs: number;
    /** The file that has the rejected records. */
    readonly rejects?: string | undefined;
    /** Why nothing was imported. */
    readonly error?: string;
  },
) {
  const { dryRun, rejects = null, error = null, durationMs } = details;
  return { dryRun, ...counts, rejects, error, errorCount, errors, durationMs: Math.round(durationMs) };
}

export type ImportReport = ReturnType<typeof toReport>;
