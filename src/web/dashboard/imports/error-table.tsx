import { onPage } from '../../../lib/text/wording.ts';
import type { ImportFields } from '../../../startups/import/columns/import-fields.ts';
import { nameOfField } from '../../../startups/import/columns/words.ts';
import { FIGURES } from '../../../startups/import/notation/checks.ts';
import { readWrittenDates } from '../../../startups/import/notation/dates.ts';
import { type FoundError, KNOWN_FIELDS } from '../../../startups/import/rows/errors.ts';
import type { ImportSummary } from '../../../startups/import/values/summary.ts';
import type { StartupFieldKind } from '../../../startups/model/field-kinds.ts';
import { capitalized, Table } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { quoted } from './mapping-form.ts';

/** What a value of a kind of field has to be; those of other kinds are described in full. */
const expected: Partial<Record<StartupFieldKind, string>> = {
  boolean: 'yes or no',
  cents: 'an amount as its column has them',
  choice: 'an allowed value',
  count: 'a whole number',
  country: 'a country',
  date: 'a date',
  percent: 'a number',
  url: 'a web address',
};

/** A number below zero, as JSON or text: `-5`, `"-$5"`, `"(5)"`. */
const NEGATIVE = /^"?[$\s]*[-−(][$\s]*\d/;

/** What was found, without the quotes of a text. */
const foundIn = ({ got }: FoundError): string => (got.startsWith('"') ? got.slice(1, -1) : got);

/** What is wrong with the value of an error, in plain words. */
function problemOf(fields: ImportFields, error: FoundError): string {
  const { field: path, got, allowed, fix } = error;
  const { kind, minimum, maximum, past } = fields.byPath.get(path) ?? {};
  const advice = fix === null ? '' : capitalized(onPage(fix));
  if (kind === undefined) {
    const problem = allowed === KNOWN_FIELDS ? 'No field has this name' : `Allowed: ${allowed}`;
    return advice === '' ? problem : `${problem}. ${advice}`;
  }
  if (got === 'nothing' || got === '""') {
    return 'Missing';
  }
  if (minimum === 0 && NEGATIVE.test(got)) {
    return 'Less than 0';
  }
  if (maximum !== undefined && Number(got) > maximum) {
    return `More than ${count(maximum)}`;
  }
  const dates = past === true ? readWrittenDates(foundIn(error)) : [];
  const later = dates.filter((iso) => Date.parse(iso) > Date.now());
  // Advice says that it may be another date.
  if (later.length > 0 && (later.length === dates.length || fix === null)) {
    return 'In the future';
  }
  const problem = expected[kind] === undefined ? `Allowed: ${allowed}` : `Not ${expected[kind]}`;
  // How a figure or date is to be written says what is wrong with it.
  return advice === '' ? problem : kind === 'date' || FIGURES.has(kind) ? advice : `${problem}. ${advice}`;
}

/** Errors that are the same but for their lines and values: one row. */
interface ErrorGroup {
  readonly field: string;
  readonly problem: string;
  readonly places: Set<string>;
  readonly values: Set<string>;
}

function groupErrors(fields: ImportFields, errors: readonly FoundError[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const error of errors) {
    const field = nameOfField(fields, error.field);
    const problem = quoted(problemOf(fields, error)).replace(/(?<![.?])$/, '.');
    const key = `${field}\0${problem}`;
    const group = groups.get(key) ?? { field, problem, places: new Set(), values: new Set() };
    // Records of a list in JSON may be on one line.
    group.places.add(error.record === null ? count(error.line) : `record ${count(error.record)}`);
    group.values.add(error.got === 'nothing' ? '–' : foundIn(error));
    groups.set(key, group);
  }
  return [...groups.values()];
}

const SHOWN = 3;
const firstOf = (texts: ReadonlySet<string>): string => {
  const more = texts.size - SHOWN;
  return [...texts].slice(0, SHOWN).join(', ') + (more > 0 ? `, and ${count(more)} more` : '');
};

/** The first errors of a file: where they are, and what is wrong, once for all that are alike. */
export const ErrorTable = ({
  fields,
  errors,
  errorCount,
}: Pick<ImportSummary, 'errors' | 'errorCount'> & { readonly fields: ImportFields }): Html => (
  <section class="card">
    <h2>
      {errorCount > errors.length ? `The first ${errors.length} of ${count(errorCount)} errors` : 'Errors'}
    </h2>
    <Table
      layout="entries"
      caption="Errors"
      isCaptionHidden
      columns={[
        ['Field', ({ field }) => field],
        ['Line', ({ places }) => firstOf(places)],
        ['Value', ({ values }) => firstOf(values), 'wrap'],
        ['Problem', ({ problem }) => problem, 'line'],
      ]}
      rows={groupErrors(fields, errors)}
    />
  </section>
);
