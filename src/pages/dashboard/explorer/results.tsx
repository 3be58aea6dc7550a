import type { StartupFieldPath } from '../../../startups/fields.ts';
import type { StartupSort } from '../../../startups/vocabulary.ts';
import { sparkline } from '../../shared/charts.tsx';
import {
  Badge,
  buttonLink,
  EmptyState,
  type Figure,
  Figures,
  monogram,
  Pager,
} from '../../shared/components.tsx';
import { count, money, percent, shortMoney } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { fieldsOf, hasCell, nameColumn, type ShownColumn } from './columns.tsx';
import { recordsCsv } from './csv.ts';
import { sortLabel } from './form.tsx';
import {
  EMBED_PATH,
  EXPLORER_PATH,
  explorerPath,
  withoutParameters,
  withParameter,
  withQuery,
} from './query.ts';
import { type ShownList, type ShownStartup, TREND_DAYS } from './requests.ts';

interface Results {
  readonly list: ShownList;
  /** The order in force. */
  readonly sort: StartupSort;
  /** The parameters of the list. */
  readonly query: URLSearchParams;
  /** After that of the names. */
  readonly columns: readonly ShownColumn[];
  /** ms since 1970. */
  readonly now: number;
}

/** A page of startups: figures of all that match, the table, and the links to its other pages. */
export function results({ list, sort, query, columns, now }: Results): Content {
  const { page: records, meta } = list;
  const { total, page, limit, hasMore } = meta;
  if (records.length === 0) {
    return total === 0
      ? [
          empty('No startup matches all of these filters', EXPLORER_PATH, 'Show all startups'),
          growthHint(query),
        ]
      : empty(
          `There is no page ${count(page)}`,
          explorerPath(withoutParameters(query, 'page')),
          'First page',
        );
  }
  const fields: readonly StartupFieldPath[] = fieldsOf(columns);
  return (
    <>
      {growthHint(query)}
      {meta.corrected && (
        <p>
          No startup matches “{query.get('search')}” exactly; these match with one typing error in a word.
        </p>
      )}
      <div class="heading sub">
        <h2>{headingOf(sort)}</h2>
        <p class="shown">{rangeText(list)}</p>
      </div>
      {summary(list)}
      <div class="table results" tabindex="0" role="region" aria-label="Startups">
        <table class="collapse">
          <caption class="hidden">{rangeText(list)}. Amounts are US dollars; growth is in percent.</caption>
          <thead>
            <tr>{[nameColumn, ...columns].map((column) => columnHead(column, sort, query))}</tr>
          </thead>
          <tbody>{records.map((record) => row(record, columns, query.get('onSale') !== 'true', now))}</tbody>
        </table>
      </div>
      <div class="heading sub below">
        <a
          class="button second"
          download="startups.csv"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(recordsCsv(records, fields))}`}
        >
          Download {records.length === 1 ? 'this row' : `these ${records.length} rows`}
        </a>
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

/** What an order puts first. */
function headingOf(sort: StartupSort): string {
  return sort === 'best-deal'
    ? 'Best deals first: price ÷ yearly profit, adjusted for growth'
    : sortLabel(sort);
}

/** Which startups a page shows, of how many. */
function rangeText({ page: records, meta }: Pick<ShownList, 'page' | 'meta'>): string {
  const { total, page, limit } = meta;
  const from = (page - 1) * limit + 1;
  return `${count(from)}–${count(from + records.length - 1)} of ${count(total)} ${total === 1 ? 'startup' : 'startups'}`;
}

/** Growth of more than 300 % is rare: somebody has probably sent a percentage to a parameter that takes a fraction. */
const UNLIKELY_GROWTH = 3;

function growthHint(query: URLSearchParams): Content {
  const growth = Number(query.get('minGrowth'));
  return (
    growth > UNLIKELY_GROWTH && (
      <p class="hint">
        The filter asks for growth of {count(growth * 100)} % or more. In the API, <code>minGrowth</code> is a
        fraction: write 0.24, not 24, for 24 %.
      </p>
    )
  );
}

function empty(text: string, path: string, label: string): Html {
  return (
    <EmptyState title={text}>
      <p>{buttonLink(path, label, 'second')}</p>
    </EmptyState>
  );
}

function row(record: ShownStartup, columns: readonly ShownColumn[], marksSale: boolean, now: number): Html {
  return (
    <tr>
      <th scope="row">
        {monogram(record.name)}
        <a href={`${EXPLORER_PATH}/${record.slug}`}>{record.name}</a>
        {marksSale && record.onSale && <Badge tone="good">For sale</Badge>}
      </th>
      {columns.map((column) => (
        <td
          class={`${column.isText ? 'text' : 'number'} ${column.id}${hasCell(column, record, now) ? '' : ' none'}`}
          data-label={column.heading}
        >
          {column.cell(record, now)}
        </td>
      ))}
    </tr>
  );
}

/**
 * A heading that sorts the list by its column, and reverses the order if it already does. Numbers begin with the highest,
 * names with A.
 */
function columnHead(
  { id, heading, sorts = {}, isText }: ShownColumn,
  sort: StartupSort,
  query: URLSearchParams,
): Html {
  const { descending, ascending } = sorts;
  const [first, second = first] =
    isText || descending === undefined ? [ascending, descending] : [descending, ascending];
  const state = sort === descending ? 'descending' : sort === ascending ? 'ascending' : undefined;
  return (
    <th scope="col" class={isText ? undefined : 'number'} aria-sort={state}>
      {first === undefined ? (
        heading
      ) : (
        <a
          id={`sort-${id}`}
          href={explorerPath(
            withParameter(
              withoutParameters(query, 'page'),
              'sort',
              (sort === first ? second : first) ?? first,
            ),
          )}
        >
          {heading}
          {state !== undefined && <span aria-hidden="true"> {state === 'descending' ? '↓' : '↑'}</span>}
        </a>
      )}
    </th>
  );
}

function summary({ stats: { revenue, mrr, growth, price }, page: records }: ShownList): Html {
  const amount = (cents: number | null): Content => (cents === null ? '–' : money(cents));
  const figures: readonly Figure[] = [
    ['Total revenue 30d', amount(revenue.sum)],
    ['Median revenue', amount(revenue.median)],
    ['Median MRR', amount(mrr.median)],
    ['Median growth', growth.median === null ? '–' : percent(growth.median, 'change')],
    ['Median price', amount(price.median)],
    [
      `MRR of ${records.length === 1 ? 'this one' : `these ${records.length}`}, ${TREND_DAYS} days`,
      trendOf(records),
    ],
  ];
  return <Figures className="line-of-figures" figures={figures} />;
}

/** The sum of the MRR of startups on each day from the first on which one is known. */
function trendOf(records: readonly ShownStartup[]): Content {
  const sums = new Map<string, number>();
  for (const { day, revenue } of records.flatMap(({ history = [] }) => history)) {
    sums.set(day, (sums.get(day) ?? 0) + revenue.mrr);
  }
  const days = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
  return (
    <>
      {money(last)} {days.length > 1 && sparkline(days, `from ${shortMoney(first)} to ${shortMoney(last)}`)}
    </>
  );
}
