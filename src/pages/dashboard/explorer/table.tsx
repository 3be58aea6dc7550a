import type { RateLimitState } from '../../../rate-limit/limiter.ts';
import type { StartupFieldPath } from '../../../startups/fields.ts';
import { RECORDS_PER_READ } from '../../../startups/requests/list-parameters.ts';
import type { StartupSort } from '../../../startups/vocabulary.ts';
import { Badge, monogram, Pager } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { fieldsOf, hasCell, nameColumn, type ShownColumn } from './columns.tsx';
import { csvLink, recordsCsv } from './csv.tsx';
import {
  CSV_PATH,
  EMBED_PATH,
  EXPLORER_PATH,
  explorerPath,
  listParametersOf,
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
  /** The budget of the account after this page. */
  readonly budget: RateLimitState;
  /** ms since 1970. */
  readonly now: number;
  /** The button that puts a startup aside. */
  readonly starOf: (startup: ShownStartup) => Html;
}

/** The table of a page, with its downloads and the links to the other pages. */
export function startupTable({ list, sort, query, columns, budget, now, starOf }: ShownTable): Content {
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
        {downloads(records, total, fieldsOf(columns), query, budget)}
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

/** The rows of this page, and all of the list if that is affordable, as CSV. */
function downloads(
  records: readonly ShownStartup[],
  total: number,
  fields: readonly StartupFieldPath[],
  query: URLSearchParams,
  { limit, remaining }: RateLimitState,
): Html {
  const cost = 1 + Math.ceil(total / RECORDS_PER_READ);
  const path = withQuery(CSV_PATH, listParametersOf(withoutParameters(query, 'page', 'limit')));
  return (
    <div class="actions downloads">
      {csvLink('startups.csv', recordsCsv(records, fields), records.length, 'row')}
      {total > records.length &&
        (cost <= remaining ? (
          <a class="button second" href={path}>
            Download all {count(total)} <span class="soft">costs {cost}</span>
          </a>
        ) : (
          <span class="soft small">
            All {count(total)} cost {count(cost)}:{' '}
            {cost <= limit
              ? `${remaining} of ${limit} are left in this minute.`
              : `more than your limit of ${limit} a minute. Filter for at most ${count((limit - 1) * RECORDS_PER_READ)}.`}
          </span>
        ))}
    </div>
  );
}

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
