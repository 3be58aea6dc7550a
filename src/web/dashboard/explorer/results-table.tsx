import type { Content, Html } from '../../shared/jsx.ts';

/** A column of a table of results. */
export interface ResultColumn<Row, Sort extends string> {
  readonly id: string;
  readonly heading: string;
  /** The orders by it. */
  readonly sorts?: { readonly descending?: Sort; readonly ascending?: Sort };
  readonly isText?: boolean;
  readonly cell: (row: Row) => Content;
  /** Whether its cell says something; by default it does. */
  readonly hasCell?: (row: Row) => boolean;
}

interface ResultsTable<Row, Sort extends string> {
  readonly label: string;
  readonly caption: string;
  /** What a row is on a phone: a card, or a row of a table that scrolls sideways. */
  readonly kind: 'cards' | 'rows';
  /** The first one names the row. */
  readonly columns: readonly ResultColumn<Row, Sort>[];
  readonly rows: readonly Row[];
  /** The order in force, if the headings sort it. */
  readonly sort?: Sort;
  /** The URL of the list in another order. */
  readonly link?: (sort: Sort) => string;
}

/** A table whose headings can sort it. */
export function resultsTable<Row, Sort extends string>(table: ResultsTable<Row, Sort>): Html {
  const { label, caption, kind, columns, rows } = table;
  return (
    <div class={`table results ${kind}`} tabindex="0" role="region" aria-label={label}>
      <table class={kind === 'cards' ? 'collapse' : undefined}>
        <caption class="hidden">{caption} Amounts are US dollars; growth is in percent.</caption>
        <thead>
          <tr>{columns.map((column) => columnHead(column, table))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ id, heading, isText, cell, hasCell }, index) =>
                index === 0 ? (
                  <th scope="row">{cell(row)}</th>
                ) : (
                  <td
                    class={`${isText ? 'text' : 'number'} ${id}${hasCell?.(row) === false ? ' none' : ''}`}
                    data-label={heading}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * A heading that sorts the table by its column, and reverses the order if it already does. Numbers begin with the highest,
 * names with A.
 */
function columnHead<Row, Sort extends string>(
  { id, heading, sorts = {}, isText }: ResultColumn<Row, Sort>,
  { sort, link }: ResultsTable<Row, Sort>,
): Html {
  const { descending, ascending } = sorts;
  const [first, second = first] =
    isText || descending === undefined ? [ascending, descending] : [descending, ascending];
  const isBy = (one: Sort | undefined): boolean => one !== undefined && one === sort;
  const state = isBy(descending) ? 'descending' : isBy(ascending) ? 'ascending' : undefined;
  return (
    <th scope="col" class={isText ? undefined : 'number'} aria-sort={state}>
      {first === undefined || link === undefined ? (
        heading
      ) : (
        <a id={`sort-${id}`} href={link((sort === first ? second : first) ?? first)}>
          {heading}
          {state !== undefined && <span aria-hidden="true"> {state === 'descending' ? '↓' : '↑'}</span>}
        </a>
      )}
    </th>
  );
}
