import { amount } from '../../../lib/errors.ts';
import { ownPath } from '../../model/own-fields.ts';
import type { FieldNames } from '../columns/field-names.ts';
import { otherCurrencyIn } from '../columns/headings.ts';
import type { Note, Reason } from '../columns/questions.ts';
import { noteText, reasonText } from '../columns/words.ts';
import type { Rounding } from '../notation/amount-checks.ts';
import { createCheck, FIGURES, showStored } from '../notation/checks.ts';
import type { ChangePlan } from '../plan.ts';
import { reportError, showName } from '../rows/errors.ts';
import type { Intake } from './intake.ts';
import { showRecord } from './validate.ts';

/** How many of the columns that were left out are named. */
const MOST_LEFT_OUT = 100;

/** The columns that were left out, such as `Note (no field has this name)`, and how many others there are. */
export function leftOutTexts({ leftOut, leftOutCount }: Pick<ImportSummary, 'leftOut' | 'leftOutCount'>) {
  const named = leftOut.map(({ name, reason }) =>
    reason === '' ? showName(name) : `${showName(name)} (${reason})`,
  );
  const others = leftOutCount - leftOut.length;
  return others > 0 ? [...named, `and ${amount(others, 'other')}`] : named;
}

/** The result of an import, or under `dryRun` the expected one. */
export type ImportSummary = ReturnType<typeof summarise>;

/** @param plan undefined where nothing was imported. */
export function summarise(
  plan: ChangePlan | undefined,
  { records, rejected, examples, set, names, notes, rounding, log }: Intake,
) {
  const {
    created = 0,
    updated = 0,
    unchanged = 0,
    removed = 0,
    removedSample = 0,
    returned = 0,
  } = plan ?? {};
  return {
    records,
    created,
    updated,
    unchanged,
    rejected,
    removed,
    removedSample,
    /** Of the updated ones, those that had been removed, and the first ones. */
    returned,
    firstReturned: plan?.firstReturned ?? [],
    /** The first startups that are removed. */
    firstRemoved: plan?.firstRemoved ?? [],
    /** Points of the history: one for each startup created or updated, and those of a past day alone. */
    points: created + updated + (plan?.pointsOnly ?? 0),
    /** The first valid records, as people see them: of an update in part, what they set. */
    examples: examples.map(([row, given]) => showRecord(names.fields, row, { given })),
    /** What an update in part sets: of each field, in how many records it has a value, or is cleared. Null for any other import. */
    sets: names.isUpdate
      ? names.fields.list.flatMap(({ path }, index) => {
          const { values = 0, cleared = 0 } = set[index] ?? {};
          return path === 'slug' || values + cleared === 0 ? [] : [{ field: path, values, cleared }];
        })
      : null,
    /** The first columns that were left out, and why: empty if somebody chose it. */
    leftOut: [...names.ignored].slice(0, MOST_LEFT_OUT).map((name) => {
      const answer = names.answers.get(name);
      const reason: Reason | undefined = answer === undefined ? { kind: 'no field' } : answer.reason;
      return { name, reason: reason === undefined ? '' : reasonText(reason) };
    }),
    /** How many were left out: at most those that a table can have. */
    leftOutCount: names.ignored.size,
    /** What of the inputs was skipped or rounded, and what of their mapping people should know. */
    notes: [
      ...notes,
      ...roundingNotes(rounding),
      ...mappingNotes(names),
      ...(plan?.clearedOwn ?? []).map(([field, count]) => ({ kind: 'own cleared', field, count }) as const),
    ],
    /** The messages about the errors, a line each, and the number of errors. */
    messages: log.messages(),
    errorCount: log.count,
    /** The first errors. */
    errors: log.first,
  };
}

/** What people should know of a mapping: other money taken for dollars, and figures that are in no file. */
export function mappingNotes({ fields, answers, mapping, notationOf, isUpdate }: FieldNames): Note[] {
  const foreign = [...answers].flatMap(([column, { path, question }]): Note[] => {
    const isAmount = fields.byPath.get(path)?.kind === 'cents' && question === undefined;
    const currency = isAmount ? otherCurrencyIn(column) : undefined;
    return currency === undefined ? [] : [{ kind: 'foreign money', column, currency }];
  });
  const defaults = Object.entries(mapping.defaults ?? {}).flatMap(([path, value]): Note[] => {
    const field = fields.byPath.get(path);
    const stored = field && createCheck(field, notationOf(field)).readCell(value);
    if (field === undefined || !FIGURES.has(field.kind) || stored === undefined || stored === null) {
      return [];
    }
    const shown = showStored(field.kind, stored);
    return [
      { kind: 'default figure', field: path, value, shown, isRequired: field.nullable !== true, isUpdate },
    ];
  });
  const declared = fields.added.map(
    ({ name, label, kind }): Note => ({ kind: 'declared', field: ownPath(name), label, ownKind: kind }),
  );
  return [...declared, ...foreign, ...defaults];
}

const roundingNotes = ({ count, largest }: Rounding): Note[] =>
  count === 0 ? [] : [{ kind: 'rounded', count, largest }];

/** The result of an import for programs, or why nothing was imported: the same of a command and over HTTP. */
export function toReport(
  // What only people see is left out.
  { messages: _, examples: __, errorCount, errors, notes, ...counts }: ImportSummary,
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
  return {
    dryRun,
    ...counts,
    notes: notes.map(noteText),
    rejects,
    error,
    errorCount,
    errors: errors.map(reportError),
    durationMs: Math.round(durationMs),
  };
}

export type ImportReport = ReturnType<typeof toReport>;
