import type { TierLimits } from '../../access/limits/tiers.ts';
import type { Day } from '../../lib/text/days.ts';
import type { MarketComparison } from '../../startups/history/market.ts';
import { statisticLabel } from '../../startups/model/figure-labels.ts';
import { labelOf } from '../../startups/model/vocabulary.ts';
import { EMBED_PATH } from '../dashboard/explorer/query.ts';
import { sparkline } from '../shared/charts.tsx';
import { Samples } from '../shared/code-blocks.tsx';
import { compactJson } from '../shared/code-samples.ts';
import {
  buttonLink,
  type Figure,
  Figures,
  type LinkCard,
  LinkCards,
  monogram,
} from '../shared/components.tsx';
import { count, money, moneyText, percent } from '../shared/figures.tsx';
import { highlight } from '../shared/highlight.tsx';
import type { Html } from '../shared/jsx.ts';
import { type Series, seriesChart } from '../shared/series-chart.tsx';
import { sinceText } from '../shared/time.tsx';

/** The request of the page, whose response it shows. */
export const SAMPLE = `{
  startups(sort: MRR_DESC, limit: 3) {
    page { name revenue { mrr } }
    meta { total }
  }
}`;

/** A startup as the page shows it. */
export interface Row {
  readonly name: string;
  readonly paymentProvider: string;
  readonly growthMRR30d: number | null;
  readonly revenue: { readonly mrr: number };
  readonly history: readonly { readonly revenue: { readonly mrr: number } }[];
}

/** Amounts are cents. */
export interface MarketDay {
  readonly day: string;
  readonly onSale: number;
  readonly revenue: { readonly sum: number };
  readonly mrr: { readonly sum: number; readonly median: number | null };
}

export const TITLE = 'Query startups with verified revenue';

interface Landing {
  readonly dataset: { readonly total: number; readonly importedAt: string | null };
  readonly providers: number;
  /** Undefined: they cannot be read now. */
  readonly rows: readonly Row[] | undefined;
  /** The data of the response to the sample request; undefined: the startups are invented. */
  readonly response: object | undefined;
  /** Ten startups; undefined where they are not shown. */
  readonly listed: Html | undefined;
  readonly days: readonly MarketDay[];
  /** How those startups have grown that are in the data on the first of the days and now. */
  readonly comparison: MarketComparison | undefined;
  readonly origin: string;
  readonly limits: TierLimits;
  readonly day: Day;
}

/** The main part of the first page. */
export function landingView({
  dataset,
  providers,
  rows,
  response,
  listed,
  days,
  comparison,
  origin,
  limits,
  day,
}: Landing): Html {
  const { total, importedAt } = dataset;
  // Before the first import, startups are those of the sample.
  const isReal = response !== undefined && importedAt !== null;
  const hasHistory = rows?.some(({ history }) => history.length > 1);
  const figures: readonly Figure[] = [
    ['Startups', count(total)],
    ['Payment providers', count(providers)],
    importedAt !== null
      ? ['Updated', sinceText(new Date(importedAt), Date.parse(day))]
      : ['Data', total > 0 ? 'invented' : 'none yet'],
    ['Free requests a minute', count(limits.standard)],
  ];
  return (
    <>
      <div class="hero">
        <section>
          <h1>{TITLE}</h1>
          <p class="lead">
            One API for startups whose revenue is verified by their payment providers. Filter and sort them by
            revenue, growth and asking price, in GraphQL or REST.
          </p>
          <p class="actions">
            {buttonLink('/dashboard/sign-up', 'Get an API key')}
            <a href="/docs">Read the docs</a>
          </p>
        </section>
        {rows !== undefined && (
          <section class="card rows" aria-labelledby="rows">
            <div class="heading sub">
              <h2 id="rows">{isReal ? 'Highest MRR' : 'Sample data'}</h2>
              <p class="soft small">{isReal ? hasHistory && 'MRR by day' : 'invented startups'}</p>
            </div>
            <ul class="bare">{rows.map(startupRow)}</ul>
            <p class="small">
              <a href="/dashboard/explorer">Explore all {count(total)}</a>
            </p>
          </section>
        )}
        <section class="request-and-response" aria-label="A request and its response">
          <Samples
            origin={origin}
            request={{ path: '/graphql', body: { query: SAMPLE }, isGet: true }}
            graphql={SAMPLE}
          />
          <div class="response">
            <p class="hint">{isReal ? 'Response' : 'Response, with sample data'}</p>
            <pre tabindex="0" role="region" aria-label="Response">
              <code>
                {highlight('json', compactJson({ data: response ?? responseOf(rows ?? [], total) }))}
              </code>
            </pre>
          </div>
          <p class="hidden" id="copied" role="status" />
        </section>
      </div>
      <Figures figures={figures} />
      {listed}
      {days.length > 1 &&
        seriesChart({
          heading: <h2>The market, day by day{!isReal && ' (invented startups)'}</h2>,
          series: marketSeries.map(({ of, compares, ...series }) => ({
            ...series,
            compared: comparison?.[compares] ?? null,
            points: days.map((one) => ({ day: one.day, value: of(one) })),
          })),
          isClose: true,
          embed: (value) => `${EMBED_PATH}?${new URLSearchParams({ show: 'chart', value })}`,
        })}
      <section aria-labelledby="features">
        <h2 id="features">What one key gives you</h2>
        <LinkCards links={features(limits)} />
      </section>
    </>
  );
}

/** The figures of the chart; the builder of embeds has them by the same paths. */
const marketSeries: readonly (Series & {
  readonly of: (day: MarketDay) => number;
  readonly compares: keyof MarketComparison;
})[] = [
  {
    name: 'mrr',
    path: 'mrr.sum',
    label: statisticLabel('mrr', 'sum'),
    unit: 'cents',
    of: ({ mrr }) => mrr.sum,
    compares: 'mrrSum',
  },
  {
    name: 'revenue',
    path: 'revenue.sum',
    label: statisticLabel('revenue', 'sum'),
    unit: 'cents',
    of: ({ revenue }) => revenue.sum,
    compares: 'revenueSum',
  },
  {
    name: 'median',
    path: 'mrr.median',
    label: statisticLabel('mrr', 'median'),
    unit: 'cents',
    of: ({ mrr }) => mrr.median ?? 0,
    compares: 'mrrMedian',
  },
  {
    name: 'sale',
    path: 'onSale',
    label: 'For sale',
    unit: 'count',
    of: ({ onSale }) => onSale,
    compares: 'onSale',
  },
];

/** The data of the response to the sample request, if these were its startups. */
function responseOf(rows: readonly Row[], total: number): object {
  return { startups: { page: rows.map(({ name, revenue }) => ({ name, revenue })), meta: { total } } };
}

function startupRow({ name, paymentProvider, growthMRR30d, revenue, history }: Row): Html {
  const values = history.map((point) => point.revenue.mrr);
  const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
  return (
    <li>
      {monogram(name)}
      <div class="named">
        <strong>{name}</strong>
        <span class="soft small">Verified via {labelOf(paymentProvider)}</span>
      </div>
      {values.length > 1 && sparkline(values, `from ${moneyText(first)} to ${moneyText(last)}`)}
      <div class="mrr">
        <strong>{money(revenue.mrr)}</strong>
        {growthMRR30d !== null && (
          <span class={growthMRR30d < 0 ? 'small down' : 'small up'}>{percent(growthMRR30d, 'change')}</span>
        )}
      </div>
    </li>
  );
}

const features = ({ standard, premium }: TierLimits): LinkCard[] => [
  {
    title: 'GraphQL and REST',
    text: 'Both return the same data under the same rules, with one key and one rate limit.',
    path: '/docs/introduction',
  },
  {
    title: 'Facets and statistics',
    text: 'Every list has its exact total, counts by value and medians, and you can read all of its pages.',
    path: '/docs/summaries',
  },
  {
    title: 'History',
    text: 'See the figures of a startup, and those of the whole market, day by day.',
    path: '/docs/history',
  },
  {
    title: 'Changes',
    text: 'Keep a copy up to date: read only what has changed since your last request.',
    path: '/docs/changes',
  },
  {
    title: 'Show data on your page',
    text: 'Put a list, figures or a chart on your own web pages, with a key that can be public.',
    path: '/docs/embedding',
  },
  {
    title: 'Rate limits',
    text: `${count(standard)} requests a minute with a standard key, ${count(premium)} with a premium key. Every response says how many are left.`,
    path: '/docs/rate-limits',
  },
];
