import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import { Badge, monogram, Pager } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { hasCell, nameColumn, type ShownColumn } from './columns.tsx';
import { csvLink, recordsCsv } from './csv.tsx';
import {
  EMBED_PATH,
  EXPLORER_PATH,
  explorerPath,
  withoutParameters,
  withParameter,
  withQuery,
} from './query.ts';
import type { ShownList, ShownStartup } from './requests.ts';
import { type ResultColumn, resultsTable } from './results-table.tsx';

/** A page of a list. */
export interface ShownTable {
  readonly list: ShownList;
  /** The order in force. */
  readonly sort: StartupSort;
  /** The parameters of the list. */
  readonly query: URLSearchParams;
  /** After that of the names. */
  readonly columns: readonly ShownColumn[];
  /** ms since 1970. */
  readonly now: number;
  /** The button that puts a startup aside. */
  readonly starOf: (startup: ShownStartup) => Html;
}

/** The table of a page, with its downloads and the links to the other pages. */
export function startupTable({ list, sort, query, columns, now, starOf }: ShownTable): Content {
  const { page: records = [], meta } = list;
  const { total, page, limit, hasMore } = meta;
  return (
    <>
      {resultsTable({
        label: 'Startups',
        kind: 'cards',
        caption: `${rangeText(records, meta)}.`,
        columns: startupColumns(
          (record) => nameCell(record, query.get('onSale') !== 'true', starOf),
          columns,
          now,
        ),
        rows: records,
        sort,
        link: (to) => explorerPath(withParameter(withoutParameters(query, 'page'), 'sort', to)),
      })}
      <div class="heading sub below">
        {csvLink('startups.csv', recordsCsv(records, columns))}
        <a class="small" href={withQuery(EMBED_PATH, withParameter(query, 'show', 'figures'))}>
          Embed the figures
        </a>
        <Pager
          page={page}
          hasMore={hasMore}
          pages={Math.ceil(total / limit)}
          link={(to) => explorerPath(withParameter(query, 'page', String(to)))}
        />
      </div>
    </>
  );
}

/** The columns of a table of startups. @param named what stands in the first one. */
export const startupColumns = (
  named: (record: ShownStartup) => Content,
  columns: readonly ShownColumn[],
  now: number,
): readonly ResultColumn<ShownStartup, StartupSort>[] => [
  { ...nameColumn, cell: named },
  ...columns.map((column) => ({
    ...column,
    cell: (record: ShownStartup) => column.cell(record, now),
    hasCell: (record: ShownStartup) => hasCell(column, record, now),
  })),
];

export const startupsText = (total: number): string =>
  `${count(total)} ${total === 1 ? 'startup' : 'startups'}`;

/** Which startups a page shows, of how many. */
export function rangeText(
  records: readonly ShownStartup[],
  { total, page, limit }: ShownList['meta'],
): string {
  const from = (page - 1) * limit + 1;
  return `${count(from)}–${count(from + records.length - 1)} of ${startupsText(total)}`;
}

export function nameCell(record: ShownStartup, marksSale: boolean, starOf: ShownTable['starOf']): Content {
  return (
    <>
      {starOf(record)}
      {monogram(record.name)}
      <a href={`${EXPLORER_PATH}/${record.slug}`}>{record.name}</a>
      {marksSale && record.onSale && <Badge tone="good">For sale</Badge>}
    </>
  );
}
