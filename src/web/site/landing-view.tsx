import { selectionOf } from '../../api/rest/endpoint-documents.ts';
import type { MarketComparison } from '../../startups/history/history.ts';
import { figureLabel, figureUnit } from '../../startups/model/figure-labels.ts';
import { labelOf } from '../../startups/model/vocabulary.ts';
import { field, SelectField } from '../page/forms.tsx';
import {
  columnOf,
  fieldsOf,
  nameOf,
  readField,
  type StartupColumn,
  startupsText,
} from '../parts/startups/columns.tsx';
import type { ShownStartup } from '../parts/startups/documents.ts';
import { seriesChart } from '../shared/charts.tsx';
import { Badge, ListTable, Tabs } from '../shared/components.tsx';
import { count, money } from '../shared/figures.tsx';
import type { Html } from '../shared/jsx.ts';
import { EMBED_PATH, EXPLORER_PATH } from '../shared/paths.ts';
import { sinceText, time } from '../shared/time.tsx';

/** The orders in which the page lists startups, by their names in its address. */
const orders = {
  deals: {
    label: 'Best deals',
    args: 'filter: { onSale: true }, sort: BEST_DEAL',
    columns: ['category', 'last30Days', 'growth30d', 'askingPrice'],
    meaning:
      'For sale, lowest price for its yearly profit first, adjusted for growth. An unknown margin counts as 50%.',
  },
  largest: {
    label: 'Largest',
    args: 'sort: REVENUE_DESC',
    columns: ['category', 'mrr', 'customers', 'growth30d'],
    meaning: 'Highest revenue of the last 30 days first.',
  },
  newest: {
    label: 'Newest',
    args: 'sort: CREATED_DESC',
    columns: ['category', 'last30Days', 'mrr', 'growth30d'],
    meaning: 'Most recently added first.',
  },
} as const;
type RowOrder = keyof typeof orders;

/** The order that the address of the page names, or the first one. */
export const rowOrderOf = (text: string | undefined): RowOrder =>
  text !== undefined && Object.hasOwn(orders, text) ? (text as RowOrder) : 'deals';

/** The last column of each order: what it is by. Payback is known for few, the multiple of all. */
const sortedBy: Readonly<Record<RowOrder, Pick<StartupColumn, 'heading' | 'fields' | 'cell' | 'isText'>>> = {
  deals: columnOf('multiple'),
  largest: { ...columnOf('last30Days'), heading: 'Revenue 30d ↓' },
  newest: { heading: 'Added ↓', fields: [], cell: ({ createdAt }) => time(new Date(String(createdAt))) },
};

const columnsOf = (order: RowOrder) => [...orders[order].columns.map(columnOf), sortedBy[order]];

/** What the list reads: ten startups. */
export const rowsDocument = (order: RowOrder): string =>
  `{ startups(${orders[order].args}) { page { createdAt ${selectionOf(fieldsOf(columnsOf(order)))} } } }`;

/** What the page says of all startups. */
export const FACTS = `{
  dataset { total importedAt }
  startups { facets { paymentProvider { value } } }
  sale: startups(filter: { onSale: true }) {
    meta { total } stats { price { median } } facets { category { value count } }
  }
}`;
export interface Facts {
  readonly dataset: { readonly total: number; readonly importedAt: string | null };
  readonly startups: { readonly facets: { readonly paymentProvider: readonly unknown[] } };
  readonly sale: {
    readonly meta: { readonly total: number };
    readonly stats: { readonly price: { readonly median: number | null } };
    readonly facets: {
      readonly category: readonly { readonly value: string | null; readonly count: number }[];
    };
  };
}

/** Amounts are cents. */
export interface MarketDay {
  readonly day: string;
  readonly onSale: number;
  readonly revenue: { readonly sum: number };
  readonly mrr: { readonly sum: number; readonly median: number | null };
}

/** What is for sale, and a filter that leads to it in the explorer: through signing in, which says why. */
export function saleFilter({ dataset, startups, sale }: Facts, now: number): Html {
  const { total, importedAt } = dataset;
  const { meta, stats, facets } = sale;
  const isOnSale = meta.total > 0;
  const categories = facets.category.flatMap(({ value, count: startups }) =>
    value === null || startups === 0
      ? []
      : [[value, `${labelOf(value) ?? value} (${count(startups)})`] as const],
  );
  const providers = startups.facets.paymentProvider.length;
  return (
    <section class="card for-sale" aria-labelledby="sale">
      <div class="heading sub">
        <h2 id="sale">
          {startupsText(total)}
          {isOnSale && `, ${count(meta.total)} for sale`}
        </h2>
        {/* Before the first import, startups are those of the sample. */}
        {importedAt === null && total > 0 && <Badge>Invented sample data</Badge>}
      </div>
      <p class="soft">
        {stats.price.median !== null && <>Median price {money(stats.price.median)}. </>}
        Verified by {count(providers)} payment {providers === 1 ? 'provider' : 'providers'}.
        {importedAt !== null && ` Updated ${sinceText(new Date(importedAt), now)}.`}
      </p>
      <form action={EXPLORER_PATH} method="get" class="stack">
        {isOnSale && <input type="hidden" name="onSale" value="true" />}
        <div class="pair">
          {categories.length > 0 && (
            <SelectField
              name="category"
              label="Category"
              value=""
              options={[['', 'All categories'], ...categories]}
            />
          )}
          {field({
            name: 'maxPriceDollars',
            label: 'Price up to',
            placeholder: '$50k',
            autocomplete: 'off',
            maxLength: 40,
            isRequired: false,
          })}
        </div>
        <div class="actions">
          <button class="second">Show startups</button>
          <a href={EXPLORER_PATH}>Explore all {count(total)}</a>
        </div>
      </form>
    </section>
  );
}

/** Ten startups to read without an account. A name leads to its page, after signing in. */
export function startupRows(
  { dataset: { total } }: Facts,
  rows: readonly ShownStartup[],
  order: RowOrder,
  now: number,
  isSignedIn: boolean,
): Html {
  return (
    <section id="startups" aria-labelledby="ten">
      <h2 id="ten">Browse startups</h2>
      {!isSignedIn && (
        <p class="soft">
          No account needed to look. Sign in to open a startup, or to filter and compare all {count(total)}.
        </p>
      )}
      <Tabs
        label="Order"
        tabs={Object.entries(orders).map(([name, { label }]) => ({
          path: `/?order=${name}#startups`,
          label,
          isCurrent: name === order,
        }))}
      />
      {rows.length === 0 ? (
        <p class="soft">No startup is for sale.</p>
      ) : (
        <ListTable
          layout="compact"
          caption={orders[order].meaning}
          columns={[
            ['Startup', (row) => <a href={`${EXPLORER_PATH}/${row.slug}`}>{nameOf(row)}</a>],
            ...columnsOf(order).map(
              ({ heading, cell, isText }) =>
                [heading, (row: ShownStartup) => cell(row, now), isText ? 'text' : 'number'] as const,
            ),
          ]}
          rows={rows}
        />
      )}
    </section>
  );
}

/** The figures of the chart, by their paths in a day of the market; the builder of embeds has them by the same. */
const marketSeries = [
  ['mrr', 'mrr.sum', 'mrrSum'],
  ['revenue', 'revenue.sum', 'revenueSum'],
  ['median', 'mrr.median', 'mrrMedian'],
  ['sale', 'onSale', 'onSale'],
] as const;

/**
 * The market day by day.
 *
 * @param comparison how those startups have grown that are in the data on the first of the days and now.
 */
export const marketChart = (
  heading: Html,
  days: readonly MarketDay[],
  comparison: MarketComparison | undefined,
): Html =>
  seriesChart({
    heading,
    series: marketSeries.map(([name, path, compares]) => ({
      name,
      path,
      label: figureLabel(path) ?? 'For sale',
      unit: figureUnit(path) === 'cents' ? 'cents' : 'count',
      compared: comparison?.[compares] ?? null,
      // A median of none is 0.
      points: days.map((one) => ({ day: one.day, value: Number(readField(one, path)) })),
    })),
    isClose: true,
    embed: (value) => `${EMBED_PATH}?${new URLSearchParams({ show: 'chart', value })}`,
  });
