import type { MarketComparison } from '../../startups/history/history.ts';
import { shortLabelOf } from '../../startups/model/field-labels.ts';
import { figureLabel, figureUnit } from '../../startups/model/figure-labels.ts';
import { labelOf } from '../../startups/model/vocabulary.ts';
import { cellOf, startupsText } from '../dashboard/explorer/columns.tsx';
import { type ShownStartup, selectionOf } from '../dashboard/explorer/documents.ts';
import { EMBED_PATH, EXPLORER_PATH } from '../dashboard/explorer/query.ts';
import { seriesChart } from '../shared/charts.tsx';
import { Samples } from '../shared/code-blocks.tsx';
import { compactJson } from '../shared/code-samples.ts';
import { Badge, buttonLink, ListTable, Tabs } from '../shared/components.tsx';
import { count, money } from '../shared/figures.tsx';
import { highlight } from '../shared/highlight.tsx';
import type { Html } from '../shared/jsx.ts';
import { sinceText } from '../shared/time.tsx';

/** The request of the page, whose response it shows. */
export const SAMPLE = `{
  startups(sort: MRR_DESC, limit: 3) {
    page { name revenue { mrr } }
    meta { total }
  }
}`;

export const TITLE = 'Query startups with verified revenue';

/** The orders in which the page lists startups, by their names in its address. */
const orders = {
  deals: {
    label: 'Best deals',
    args: 'filter: { onSale: true }, sort: BEST_DEAL',
    meaning:
      'For sale, lowest price ÷ yearly profit first, adjusted for growth. Where the margin is unknown, 50% is assumed.',
  },
  largest: {
    label: 'Largest',
    args: 'sort: REVENUE_DESC',
    meaning: 'Highest revenue of the last 30 days first.',
  },
  newest: { label: 'Newest', args: 'sort: CREATED_DESC', meaning: 'Most recently added first.' },
} as const;
type RowOrder = keyof typeof orders;

/** The order that the address of the page names, or the first one. */
export const rowOrderOf = (text: string | undefined): RowOrder =>
  text !== undefined && Object.hasOwn(orders, text) ? (text as RowOrder) : 'deals';

const shownFields = ['category', 'revenue.last30Days', 'growth30d', 'askingPrice', 'multiple'] as const;

/** What the list reads: ten startups. */
export const rowsDocument = (order: RowOrder): string =>
  `{ startups(${orders[order].args}) { page { ${selectionOf(['name', 'slug', 'previousAskingPrice', ...shownFields])} } } }`;

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

interface Landing {
  readonly facts: Facts;
  /** The data of the response to the sample request, and ten startups in an order; undefined where no startups are shown. */
  readonly shown: { readonly response: object; readonly rows: readonly ShownStartup[] } | undefined;
  readonly order: RowOrder;
  readonly isSignedIn: boolean;
  readonly days: readonly MarketDay[];
  /** How those startups have grown that are in the data on the first of the days and now. */
  readonly comparison: MarketComparison | undefined;
  readonly origin: string;
  /** Free requests a minute. */
  readonly limit: number;
  /** ms since 1970. */
  readonly now: number;
}

/** The main part of the first page. */
export function landingView(landing: Landing): Html {
  const { facts, shown, order, isSignedIn, days, comparison, origin, limit, now } = landing;
  // Before the first import, startups are those of the sample.
  const isInvented = facts.dataset.importedAt === null;
  return (
    <>
      <div class="hero">
        <section>
          <h1>{TITLE}</h1>
          <p class="lead">
            For buyers, investors and developers: compare startups whose revenue is verified by their payment
            providers, and read the same data in GraphQL or REST.
          </p>
          <p class="actions">
            {isSignedIn ? (
              <>
                {buttonLink(EXPLORER_PATH, 'Explore')}
                {buttonLink('/dashboard/keys', 'API keys', 'second')}
              </>
            ) : (
              <>
                {buttonLink('/dashboard/sign-up', 'Get an API key')}
                {buttonLink('/docs', 'Read the docs', 'second')}
              </>
            )}
          </p>
          <p class="soft small">Free: {count(limit)} requests a minute, in REST, GraphQL and for agents.</p>
        </section>
        {saleFilter(facts, now)}
        <section class="request-and-response" aria-label="A request and its response">
          <Samples origin={origin} request={{ path: '/graphql', body: { query: SAMPLE } }} graphql={SAMPLE} />
          <p class="hidden" id="copied" role="status" />
          {shown !== undefined && (
            <div class="response">
              <p class="hint">Response, amounts in US cents{isInvented && ', invented startups'}</p>
              <pre tabindex="0" role="region" aria-label="Response">
                <code>{highlight('json', compactJson({ data: shown.response }))}</code>
              </pre>
            </div>
          )}
        </section>
      </div>
      {shown !== undefined && startupRows(shown.rows, order, now)}
      {days.length > 1 &&
        seriesChart({
          heading: <h2>The market, day by day{isInvented && ' (invented startups)'}</h2>,
          series: marketSeries.map(({ compares, ...series }) => ({
            ...series,
            compared: comparison?.[compares] ?? null,
            points: days.map((one) => ({ day: one.day, value: valueAt(one, series.path) })),
          })),
          isClose: true,
          embed: (value) => `${EMBED_PATH}?${new URLSearchParams({ show: 'chart', value })}`,
        })}
    </>
  );
}

/** What is for sale, and a filter that leads to it in the explorer: through signing in, which says why. */
function saleFilter({ dataset, startups, sale }: Facts, now: number): Html {
  const { total, importedAt } = dataset;
  const { meta, stats, facets } = sale;
  const isOnSale = meta.total > 0;
  const providers = startups.facets.paymentProvider.length;
  return (
    <section class="card for-sale" aria-labelledby="sale">
      <div class="heading sub">
        <h2 id="sale">
          {startupsText(total)}
          {isOnSale && `, ${count(meta.total)} for sale`}
        </h2>
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
          <div class="field">
            <label for="category">Category</label>
            <select id="category" name="category">
              <option value="">All categories</option>
              {facets.category
                .filter(({ value, count }) => value !== null && count > 0)
                .map(({ value, count: startups }) => (
                  <option value={value ?? ''}>
                    {labelOf(value ?? '') ?? value} ({count(startups)})
                  </option>
                ))}
            </select>
          </div>
          <div class="field">
            <label for="price">Price up to</label>
            <input id="price" name="maxPriceDollars" autocomplete="off" maxlength="40" placeholder="$50k" />
          </div>
        </div>
        <div class="actions">
          <button>Show startups</button>
          <a href={EXPLORER_PATH}>Explore all {count(total)}</a>
        </div>
      </form>
    </section>
  );
}

/** Ten startups to read without an account. A name leads to signing in, and then to its page. */
function startupRows(rows: readonly ShownStartup[], order: RowOrder, now: number): Html {
  return (
    <section id="startups" aria-labelledby="ten">
      <h2 id="ten">Ten startups, no account needed</h2>
      <p class="soft">Sign in to filter, compare and follow them all.</p>
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
          isCompact
          caption={orders[order].meaning}
          columns={[
            ['Startup', ({ name, slug }) => <a href={`${EXPLORER_PATH}/${slug}`}>{name}</a>],
            ...shownFields.map(
              (path) =>
                [
                  shortLabelOf(path),
                  (row: ShownStartup) => cellOf(path)(row, now),
                  path === 'category' ? 'text' : 'number',
                ] as const,
            ),
          ]}
          rows={rows}
        />
      )}
    </section>
  );
}

/** The figures of the chart, by their paths in a day of the market; the builder of embeds has them by the same. */
const marketSeries = (
  [
    ['mrr', 'mrr.sum', 'mrrSum'],
    ['revenue', 'revenue.sum', 'revenueSum'],
    ['median', 'mrr.median', 'mrrMedian'],
    ['sale', 'onSale', 'onSale'],
  ] as const
).map(([name, path, compares]) => ({
  ...{ name, path, compares, label: figureLabel(path) ?? 'For sale' },
  unit: figureUnit(path) === 'cents' ? ('cents' as const) : ('count' as const),
}));

/** The value at the path of a figure; a median of none is 0. */
const valueAt = (day: MarketDay, path: string): number =>
  Number(path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], day));
