import type { StartupSort } from '../../../startups/vocabulary.ts';
import { buttonLink, EmptyState, Figures, Pager } from '../../shared/components.tsx';
import { count, money, percent } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { columns, nameColumn, type ShownColumn } from './columns.ts';
import { recordsCsv } from './csv.ts';
import { hasValue, showField } from './fields.tsx';
import { choiceLabel } from './labels.tsx';
import { EXPLORER_PATH, explorerPath, withoutParameters, withParameter } from './query.ts';
import type { ShownList, ShownStartup } from './requests.ts';

/**
 * A page of startups: the table, the links to its other pages, and figures of all that match.
 *
 * @param sort the order in force.
 * @param query the parameters of the list.
 */
export function results(
  { page: records, meta, stats }: ShownList,
  sort: StartupSort,
  query: URLSearchParams,
): Content {
  const { total, page, hasMore } = meta;
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
  return (
    <>
      {growthHint(query)}
      {meta.corrected && (
        <p>
          No startup matches “{query.get('search')}” exactly; these match with one typing error in a word.
        </p>
      )}
      {summary(total, stats)}
      <div class="table results">
        <table class="collapse">
          <caption class="hidden">
            {rangeText({ page: records, meta })}. Amounts are US dollars; growth is in percent.
          </caption>
          <thead>
            <tr>
              {columnHead(nameColumn, sort, query)}
              <th scope="col">Category</th>
              <th scope="col">
                <span class="hidden">Sale status</span>
              </th>
              {columns.map((column) => columnHead(column, sort, query))}
            </tr>
          </thead>
          <tbody>{records.map(row)}</tbody>
        </table>
      </div>
      <p>
        <a
          class="button second"
          download="startups.csv"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(recordsCsv(records))}`}
        >
          Download CSV
        </a>
      </p>
      <Pager
        page={page}
        hasMore={hasMore}
        link={(to) => explorerPath(withParameter(query, 'page', String(to)))}
      />
    </>
  );
}

/** Which startups a page shows, of how many. */
export function rangeText({ page: records, meta }: Pick<ShownList, 'page' | 'meta'>): string {
  const { total, page, limit } = meta;
  if (records.length === 0) {
    return `${count(total)} startups`;
  }
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

function row(record: ShownStartup): Html {
  return (
    <tr>
      <th scope="row">
        <a href={`${EXPLORER_PATH}/${record.slug}`}>{record.name}</a>
      </th>
      <td class="text soft">{record.category !== null && choiceLabel('category', record.category)}</td>
      <td class="sale">{record.onSale && <span class="badge good">For sale</span>}</td>
      {columns.map(({ field, heading }) => (
        <td class={hasValue(record, field.path) ? 'number' : 'number none'} data-label={heading}>
          {showField(record, field)}
        </td>
      ))}
    </tr>
  );
}

/**
 * A heading that sorts the list by its column, and reverses the order if it already does. Numbers begin with the highest,
 * names with A.
 */
function columnHead(column: ShownColumn, sort: StartupSort, query: URLSearchParams): Html {
  const {
    heading,
    sorts: { descending, ascending },
    field,
  } = column;
  const kind = column === nameColumn ? undefined : 'number';
  const state = sort === descending ? 'descending' : sort === ascending ? 'ascending' : undefined;
  const [first, second] = field.kind === 'string' ? [ascending, descending] : [descending, ascending];
  const path = explorerPath(
    withParameter(withoutParameters(query, 'page'), 'sort', sort === first ? second : first),
  );
  return (
    <th scope="col" class={kind} aria-sort={state}>
      <a href={path}>
        {heading}
        {state !== undefined && <span aria-hidden="true"> {state === 'descending' ? '↓' : '↑'}</span>}
      </a>
    </th>
  );
}

function summary(total: number, { revenue, mrr, growth, price }: ShownList['stats']): Html {
  const amount = (cents: number | null): Content => (cents === null ? '–' : money(cents));
  return (
    <Figures
      figures={[
        ['Startups', count(total)],
        ['Median revenue', amount(revenue.median)],
        ['Total revenue', amount(revenue.sum)],
        ['Median MRR', amount(mrr.median)],
        ['Median growth', growth.median === null ? '–' : percent(growth.median, 'change')],
        ['Median price', amount(price.median)],
      ]}
    />
  );
}
