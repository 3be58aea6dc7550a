import { selectionOf } from '../../api/rest/endpoint-documents.ts';
import { categories, constantName, labelOf, type StartupSort } from '../../startups/model/vocabulary.ts';
import { SelectField } from '../page/forms.tsx';
import {
  bestDealsText,
  columnOf,
  fieldsOf,
  nameOf,
  type StartupColumn,
  startupsText,
} from '../parts/startups/columns.tsx';
import type { ShownStartup } from '../parts/startups/documents.ts';
import { choiceLabel } from '../parts/startups/filters.ts';
import { buttonLink, ListTable, Tabs } from '../shared/components.tsx';
import { count } from '../shared/figures.tsx';
import type { Html } from '../shared/jsx.ts';
import { EXPLORER_PATH } from '../shared/paths.ts';
import { time } from '../shared/time.tsx';
import type { CategoryCounts, Facts } from './landing-view.tsx';

/** The orders in which the page lists startups, by their names in its address. */
const orders = {
  deals: {
    label: 'Best deals',
    sort: 'best-deal',
    columns: ['category', 'last30Days', 'growth30d', 'askingPrice'],
    meaning: bestDealsText,
  },
  largest: {
    label: 'Largest',
    sort: 'revenue-desc',
    columns: ['category', 'mrr', 'customers', 'growth30d'],
    meaning: 'Highest revenue of the last 30 days first.',
  },
  newest: {
    label: 'Newest',
    sort: 'created-desc',
    columns: ['category', 'last30Days', 'mrr', 'growth30d'],
    meaning: 'Most recently added first.',
  },
} as const satisfies Readonly<
  Record<string, { label: string; sort: StartupSort; columns: readonly string[]; meaning: string }>
>;
type RowOrder = keyof typeof orders;

/** The last column of each order: what it is by. Payback is known for few, the multiple of all. */
const sortedBy: Readonly<Record<RowOrder, Pick<StartupColumn, 'heading' | 'fields' | 'cell' | 'isText'>>> = {
  deals: columnOf('multiple'),
  largest: { ...columnOf('last30Days'), heading: 'Revenue 30d ↓' },
  newest: { heading: 'Added ↓', fields: [], cell: ({ createdAt }) => time(new Date(String(createdAt))) },
};

const columnsOf = (order: RowOrder) => [...orders[order].columns.map(columnOf), sortedBy[order]];

/** Who sees the page. */
export interface Visitors {
  readonly isSignedIn: boolean;
  /** Whether only invited people get an account. */
  readonly isInvitedOnly: boolean;
}

/** The values of the filter by sale status. */
const saleStatuses = ['true', 'false', 'any'] as const;
type SaleStatus = (typeof saleStatuses)[number];
const saleLabel = (status: SaleStatus): string =>
  status === 'any' ? 'All startups' : choiceLabel('onSale', status);

/** Which startups the page lists, in which order: one of a few hundred, whatever its address says. */
export interface ListRequest {
  readonly order: RowOrder;
  readonly onSale: SaleStatus;
  /** A value of the vocabulary; empty: all. */
  readonly category: string;
}

/**
 * What the address of the page asks for. What it does not say, or no page has said, is as on the page without a query: the best
 * deals, which are for sale. Where nothing is, or others were chosen, the largest take their place.
 */
export function listRequestOf(query: (name: string) => string | undefined, { sale }: Facts): ListRequest {
  const [category = '', order = ''] = [query('category'), query('order')];
  const onSale =
    saleStatuses.find((one) => one === query('onSale')) ?? (sale.meta.total > 0 ? 'true' : 'any');
  const known = Object.hasOwn(orders, order) ? (order as RowOrder) : 'deals';
  return {
    order: known === 'deals' && onSale !== 'true' ? 'largest' : known,
    onSale,
    category: (categories as readonly string[]).includes(category) ? category : '',
  };
}

/** What the list reads: ten startups, and how many match. */
export const listDocument = (order: RowOrder): string =>
  `query FirstPage($filter: StartupFilter!, $sort: StartupSort!) {
    startups(filter: $filter, sort: $sort) {
      meta { total }
      page { createdAt ${selectionOf(fieldsOf(columnsOf(order)))} }
    }
  }`;
export interface ListData {
  readonly startups: { readonly meta: { readonly total: number }; readonly page: readonly ShownStartup[] };
}

/** The variables of its document. */
export const listVariables = ({ order, onSale, category }: ListRequest) => ({
  filter: {
    ...(onSale !== 'any' && { onSale: onSale === 'true' }),
    ...(category !== '' && { category: constantName(category) }),
  },
  sort: constantName(orders[order].sort),
});

/** The part of the page that its filters change. */
const LIST_ID = 'startups';

/** The address of the page with a list. */
function pathOf({ category, onSale, order }: ListRequest): string {
  const query = new URLSearchParams({ ...(category !== '' && { category }), onSale, order });
  return `/?${query}#${LIST_ID}`;
}

/** The same list in the explorer, with all startups. */
function pathInExplorer({ category, onSale, order }: ListRequest): string {
  const query = new URLSearchParams({
    ...(category !== '' && { category }),
    ...(onSale !== 'any' && { onSale }),
    sort: orders[order].sort,
  });
  return `${EXPLORER_PATH}?${query}`;
}

/** What a link to the explorer is called, which says whether it needs an account. */
export function exploreLabel(total: number, { isSignedIn, isInvitedOnly }: Visitors): string {
  const all = total === 0 ? 'startups' : `all ${count(total)}`;
  return isSignedIn
    ? `Explore ${all}`
    : isInvitedOnly
      ? `Sign in to explore ${all}`
      : `Explore ${all} with a free account`;
}

/** Ten startups to read and to filter without an account. A name leads to its page, which needs one. */
export function startupList(
  facts: Facts,
  request: ListRequest,
  { startups: { meta, page: rows } }: ListData,
  visitors: Visitors,
  now: number,
): Html {
  const { order, onSale, category } = request;
  const { total } = facts.dataset;
  const hasMore = meta.total > rows.length;
  return (
    <section id={LIST_ID} aria-labelledby="ten">
      <h2 id="ten">Browse startups</h2>
      {!visitors.isSignedIn && (
        <p class="soft">No account needed to look and filter. Opening a startup needs one.</p>
      )}
      <Tabs
        label="Order"
        tabs={(Object.keys(orders) as RowOrder[]).map((name) => ({
          path: pathOf({ ...request, order: name, ...(name === 'deals' && { onSale: 'true' }) }),
          label: orders[name].label,
          isCurrent: name === order,
        }))}
      />
      <div class="heading sub">
        <form class="actions find" action={`/#${LIST_ID}`} method="get" data-apply={LIST_ID}>
          <SelectField
            name="category"
            label="Category"
            isHidden
            value={category}
            options={[['', 'All categories'], ...categoryOptions(facts, request)]}
          />
          <SelectField
            name="onSale"
            label="Sale status"
            isHidden
            value={onSale}
            options={saleStatuses.map((status) => [status, saleLabel(status)])}
          />
          <input type="hidden" name="order" value={order} />
          <noscript>
            <button class="second">Apply</button>
          </noscript>
        </form>
        <p class="shown soft">
          {hasMore && `The first ${rows.length} of `}
          {startupsText(meta.total)}
          {onSale !== 'any' && ` ${saleLabel(onSale).toLowerCase()}`}
          {category !== '' && ` in ${labelOf(category)}`}
        </p>
      </div>
      {rows.length === 0 ? (
        <p class="soft">No startup matches. Choose another category or sale status.</p>
      ) : (
        <ListTable
          layout="entries"
          caption={orders[order].meaning}
          columns={[
            ['Startup', (row) => <a href={`${EXPLORER_PATH}/${row.slug}`}>{nameOf(row)}</a>],
            ...columnsOf(order).map(
              ({ heading, cell, isText }) =>
                [heading, (row: ShownStartup) => cell(row, now), isText ? 'line' : 'number'] as const,
            ),
          ]}
          rows={rows}
        />
      )}
      <p>
        {hasMore
          ? buttonLink(pathInExplorer(request), exploreLabel(meta.total, visitors))
          : buttonLink(EXPLORER_PATH, exploreLabel(total, visitors))}
      </p>
    </section>
  );
}

/** The categories that startups with the sale status have, and the chosen one, each with how many. */
function categoryOptions({ startups, sale }: Facts, { onSale, category }: ListRequest) {
  const counted = (counts: CategoryCounts) => new Map(counts.map((one) => [one.value, one.count]));
  const [every, forSale] = [counted(startups.facets.category), counted(sale.facets.category)];
  return categories
    .map((value) => {
      const name = constantName(value);
      const [all, listed] = [every.get(name) ?? 0, forSale.get(name) ?? 0];
      return { value, shown: onSale === 'any' ? all : onSale === 'true' ? listed : all - listed };
    })
    .filter(({ value, shown }) => shown > 0 || value === category)
    .map(({ value, shown }) => [value, `${labelOf(value)} (${count(shown)})`] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'));
}
