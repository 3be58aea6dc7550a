import type { ErrorGroup } from '../../../startups/import/errors.ts';
import type { InvalidRecord, ShownRecord } from '../../../startups/import/values/preview.ts';
import { storedStartupFields } from '../../../startups/model/fields.ts';
import { type Column, ScrollTable, Table } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { nameOfField } from './mapping-form.ts';
import { inForm } from './upload-views.tsx';

// The records of a preview, invalid and valid ones.

/** Finds the column of a file that a field is read from. */
type ColumnOf = (path: string) => string | undefined;

/**
 * Records with errors: each error in its cell, and below the first one of its kind what is allowed there, and where the
 * others are.
 */
export function InvalidRecords({
  records,
  rejected,
  groups,
  columnOf,
}: {
  readonly records: readonly InvalidRecord[];
  /** How many there are. */
  readonly rejected: number;
  readonly groups: readonly ErrorGroup[];
  readonly columnOf: ColumnOf;
}): Html | null {
  const fields = [...new Set(records.flatMap(({ errors }) => errors.map(({ field }) => field)))];
  /** The shown records that have an error of a kind. */
  const having = ({ field, allowed }: ErrorGroup): InvalidRecord[] =>
    records.filter(({ errors }) => errors.some((one) => one.field === field && one.allowed === allowed));
  const cell = (record: InvalidRecord, path: string): Content => {
    const wrong = record.errors.filter(({ field }) => field === path);
    const first = groups.filter((group) => group.field === path && having(group)[0] === record);
    return wrong.length === 0 ? (
      textOf(record.values, path)
    ) : (
      <span class="two-lines invalid">
        <span>
          {wrong.map(({ got }) => (
            <code class="long">{got}</code>
          ))}
        </span>
        {first.map((group) => (
          <span class="soft">{describe(group, having(group))}</span>
        ))}
      </span>
    );
  };
  return records.length === 0 ? null : (
    <section class="card records">
      <h2>
        {rejected > records.length ? `${count(records.length)} of ${count(rejected)} invalid` : 'Invalid'}{' '}
        records
      </h2>
      <div class="scroll" tabindex="0" role="group" aria-label="Invalid records">
        <Table
          caption="Records with errors"
          isCaptionHidden
          kind="collapse"
          rows={records}
          columns={[
            ['Record', ({ line, values }) => twoNames(textOf(values, 'name'), `line ${count(line)}`)],
            ...fields.map(
              (path): Column<InvalidRecord> => [
                columnOf(path) ?? nameOfField(path),
                (record) => cell(record, path),
                'wrap',
              ],
            ),
          ]}
        />
      </div>
    </section>
  );
}

/** Texts of what is allowed that are longer are folded: a vocabulary would fill the window. */
const FOLDED_LENGTH = 200;

/** What is allowed, and how many more errors of the kind there are, with their first lines. */
function describe({ allowed, fix, lines, count: all }: ErrorGroup, shown: readonly InvalidRecord[]): Content {
  const more = all - shown.length;
  const others = lines.filter((line) => shown.every((one) => one.line !== line));
  const where =
    others.length > 0 && `on lines ${others.map(count).join(', ')}${more > others.length ? ' …' : ''}`;
  const isFolded = allowed.length > FOLDED_LENGTH;
  const text = [!isFolded && `allowed: ${allowed}`, fix, more > 0 && `${count(more)} more`, where]
    .flatMap((part) => (part === null || part === false ? [] : inForm(part)))
    .join('; ');
  return isFolded ? (
    <>
      <details>
        <summary>what is allowed</summary>
        {allowed}
      </details>
      {text}
    </>
  ) : (
    text
  );
}

const SHOWN_TEXT = 60;

const shortened = (text: string): string =>
  text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT - 1)}…` : text;

const textOf = (record: ShownRecord, path: string): string =>
  shortened(record.find((field) => field.path === path)?.text ?? '–');

const numbers: ReadonlySet<string> = new Set(['cents', 'percent', 'count']);

const isNumber = (path: string): boolean =>
  storedStartupFields.some((field) => field.path === path && numbers.has(field.kind)) || path === 'multiple';

/** The first records as customers will see them, and where each field is from. */
export function Records({
  records,
  columnOf,
}: {
  readonly records: readonly ShownRecord[];
  readonly columnOf: ColumnOf;
}): Html | null {
  const shown = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  const sourceOf = (path: string): string => columnOf(path) ?? sources.get(path) ?? 'the same for all';
  return records.length === 0 ? null : (
    <section class="card records">
      <h2>
        {records.length === 1
          ? 'The first record as customers will see it'
          : `The first ${records.length} records as customers will see them`}
      </h2>
      <ScrollTable
        label="The first records"
        kinds={shown.map((path) => (isNumber(path) ? 'number' : undefined))}
        head={shown.map((path) => twoNames(nameOfField(path), sourceOf(path)))}
        rows={records.map((record) => shown.map((path) => textOf(record, path)))}
      />
    </section>
  );
}

/** Where fields are from that neither a column nor a setting of the form has. */
const sources: ReadonlyMap<string, string> = new Map([
  ['slug', 'from the name'],
  ['active', 'by default'],
  ['multiple', 'computed'],
]);

/** A name with another one below it, if that differs. */
const twoNames = (name: string, other: string): Content =>
  name === other ? (
    name
  ) : (
    <span class="two-lines">
      <span>{name}</span>
      <span class="soft">{other}</span>
    </span>
  );
