import { inDollars } from '../../../lib/text/figures.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { FieldUnit } from '../../../startups/model/field-labels.ts';
import { labelOf, Pager, type Place } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { textFormats } from './filters.ts';

/** A column of a table of results, which is one of its CSV too. */
export interface ResultColumn<Row> {
  readonly id: string;
  readonly heading: string;
  readonly cell: (row: Row) => Content;
  /** What a CSV has of it; null and undefined: the cell says nothing. */
  readonly value: (row: Row) => unknown;
  /** Of its values in a CSV, amounts of cents as dollars. */
  readonly unit?: FieldUnit | undefined;
  /** Its heading in a CSV, where that says more. */
  readonly inCsv?: string;
  /** Whether it is a drawing, which a CSV leaves out. */
  readonly isDrawn?: boolean;
  readonly isText?: boolean;
  /** Where it stands on a phone; by default, a number is a figure, and a text a short one. */
  readonly place?: Place;
  /** The orders by it. */
  readonly sorts?: { readonly descending: string; readonly ascending: string };
}

interface ResultsTable<Row> {
  readonly label: string;
  /** The first one names the row. */
  readonly columns: readonly ResultColumn<Row>[];
  readonly rows: readonly Row[];
  /** The order in force, and the URL of the list in another one, if the headings sort it. */
  readonly sort?: string;
  readonly link?: (sort: string) => string;
  /** Below it, a button that saves it as CSV: all rows, if they are more than those that it shows. */
  readonly file?: { readonly name: string; readonly label: string; readonly rows?: readonly Row[] };
  readonly pager?: Parameters<typeof Pager>[0];
}

const isNone = (value: unknown): boolean => value === null || value === undefined;

/** A table whose headings can sort it. A column that is empty in all rows is left out. */
export function resultsTable<Row>(table: ResultsTable<Row>): Content {
  const { label, rows, file, pager } = table;
  const [names, ...others] = table.columns as [ResultColumn<Row>, ...ResultColumn<Row>[]];
  const columns = others.filter(({ value }) => rows.some((row) => !isNone(value(row))));
  return [
    <div class="table results scroll" tabindex="0" role="region" aria-label={label}>
      <table class="entries">
        <caption class="hidden">{label}. Amounts are US dollars; growth is in percent.</caption>
        <thead>
          <tr>{[names, ...columns].map((column) => columnHead(column, table))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">{names.cell(row)}</th>
              {columns.map(({ heading, isText, place = isText ? undefined : 'number', cell, value }) => (
                <td
                  class={[place, isNone(value(row)) && 'none'].filter(Boolean).join(' ') || undefined}
                  data-label={labelOf(heading, place)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    (file ?? pager) && (
      <div class="heading sub below">
        {file && (
          // Saves what the page shows, without a request.
          <a
            class="button second"
            download={file.name}
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(table.columns, file.rows ?? rows))}`}
          >
            {file.label}
          </a>
        )}
        {pager && <Pager {...pager} />}
      </div>
    ),
  ];
}

/**
 * A heading that sorts the table by its column, and reverses the order if it already does. Numbers begin with the highest,
 * names with A.
 */
function columnHead<Row>(
  { id, heading, sorts, isText }: ResultColumn<Row>,
  { sort, link }: ResultsTable<Row>,
): Html {
  const { descending, ascending } = sorts ?? {};
  const [first, second] = isText ? [ascending, descending] : [descending, ascending];
  const isSorted = sort !== undefined && (sort === ascending || sort === descending);
  const state = isSorted ? (sort === descending ? 'descending' : 'ascending') : undefined;
  return (
    <th scope="col" class={isText ? undefined : 'number'} aria-sort={state}>
      {first === undefined || second === undefined || link === undefined ? (
        heading
      ) : (
        <a id={`sort-${id}`} href={link(sort === first ? second : first)}>
          {heading}
          {isSorted && <span aria-hidden="true">&nbsp;{state === 'descending' ? '↓' : '↑'}</span>}
        </a>
      )}
    </th>
  );
}

const isMoney = (unit: FieldUnit | undefined): boolean => unit === 'cents' || unit === 'price';
const isPercentage = (unit: FieldUnit | undefined): boolean => unit === 'percent' || unit === 'change';

/**
 * What a table shows as CSV (RFC 4180) for spreadsheets: its columns under their headings, amounts in dollars, texts in one
 * line. Texts that a spreadsheet would run begin with an apostrophe, so this is not a format to import.
 */
export function csvOf<Row>(columns: readonly ResultColumn<Row>[], rows: readonly Row[]): string {
  const shown = columns.filter(({ isDrawn }) => !isDrawn);
  return [
    shown.map(
      ({ heading, unit, inCsv }) =>
        inCsv ?? `${heading}${isMoney(unit) ? ' (USD)' : isPercentage(unit) ? ' (%)' : ''}`,
    ),
    ...rows.map((row) => shown.map(({ unit, value }) => asShown(value(row), unit))),
  ]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');
}

/**
 * A value with the label that the page shows for it, an amount in dollars, a date without its time. Ratios are rounded, but no
 * number whose unit is unknown.
 */
const asShown = (value: unknown, unit: FieldUnit | undefined): unknown =>
  typeof value === 'number'
    ? isMoney(unit)
      ? inDollars(value)
      : unit === 'number'
        ? value
        : Math.round(value * 100) / 100
    : typeof value === 'string' && (unit === 'date' || unit === 'age')
      ? value.slice(0, 10)
      : typeof value === 'string'
        ? (textFormats[unit ?? '']?.(value) ?? value)
        : value;

/** A spreadsheet runs a text that begins like this as a formula, some also with full-width forms. */
const FORMULA = /^[=+\-@＝＋－＠]/;

function csvCell(cell: unknown): string {
  const line = oneLine(String(cell ?? ''));
  const text = typeof cell === 'string' && FORMULA.test(line) ? `'${line}` : line;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
