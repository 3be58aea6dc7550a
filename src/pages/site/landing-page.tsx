import type { Handler } from 'hono';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { type Engine, runDocument } from '../../graphql/execution/engine.ts';
import type { TierLimits } from '../../rate-limit/tiers.ts';
import { type Day, dayOf } from '../../startups/days.ts';
import { sampleStartups } from '../../startups/import/sample.ts';
import { labelOf } from '../../startups/vocabulary.ts';
import type { Brand } from '../shared/brand.ts';
import { lineChart, sparkline } from '../shared/charts.tsx';
import { FIRST_REQUEST } from '../shared/code-samples.ts';
import { buttonLink, CopyStatus, monogram, Samples } from '../shared/components.tsx';
import { count, money, moneyText, percent } from '../shared/figures.tsx';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Html } from '../shared/jsx.ts';
import type { AssetUrl } from '../shared/shell.tsx';
import { sinceText } from '../shared/time.tsx';
import { publicPage } from './public-page.tsx';

/** How many days the small charts show. */
const TREND_DAYS = 60;

/** What the page says of all startups. */
const FACTS = '{ dataset { total importedAt } startups { facets { paymentProvider { value } } } }';

/** The startups that it shows. */
const ROWS = `{ startups(sort: MRR_DESC, limit: 3) { page {
  name paymentProvider growth30d revenue { mrr } history(last: ${TREND_DAYS}, fill: true) { revenue { mrr } }
} } }`;

/** The chart of the page. */
const MARKET = '{ market { day mrr { sum } } }';

/** Clients of the page share its result. */
const OWNER = { ownerId: 'page:/' };

interface LandingOptions {
  readonly engine: Engine;
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  /** ms since 1970. */
  readonly now: () => number;
  /** Where the gateway is reached; called at the first request, when it is known. */
  readonly origin: () => string;
  readonly limits: TierLimits;
  readonly brand: Brand;
  readonly assetUrl: AssetUrl;
  /** Whether it shows invented startups in place of those of the data. */
  readonly hidesRows: boolean;
}

/** Creates the page at /, which shows a request and three startups. */
export function createLandingPage(options: LandingOptions): Handler<PageEnv> {
  const { engine, catalogue, now, origin, limits, brand, assetUrl, hidesRows } = options;
  /** The main part of the page, with the edition and the day that it shows. */
  let shown: { readonly readAt: number; readonly day: Day; readonly main: Html } | undefined;

  return async (c) => {
    const { readAt } = catalogue.current();
    const day = dayOf(now());
    let main = shown?.main;
    if (main === undefined || shown?.readAt !== readAt || shown.day !== day) {
      const read = <Data extends object>(document: string) =>
        runDocument<Data>(engine, document, {}, c.env.request, OWNER);
      const facts = await read<Facts>(FACTS);
      // Undefined while the database does not answer.
      const [rows, days] = await Promise.all([
        hidesRows || facts.dataset.total === 0
          ? { startups: { page: [] } }
          : read<RowsData>(ROWS).catch(() => undefined),
        read<MarketData>(MARKET).catch(() => undefined),
      ]);
      main = mainOf({
        facts,
        rows: rows?.startups.page,
        days: days?.market ?? [],
        origin: origin(),
        limits,
        day,
      });
      if (rows !== undefined && days !== undefined) {
        shown = { readAt, day, main };
      }
    }
    const scripts = ['dashboard.js', 'chart.js'];
    return publicPage(c, { title: TITLE, brand, assetUrl, styles: ['site.css'], scripts, main });
  };
}

interface Facts {
  readonly dataset: { readonly total: number; readonly importedAt: string | null };
  readonly startups: { readonly facets: { readonly paymentProvider: readonly unknown[] } };
}

/** A startup as the page shows it. */
interface Row {
  readonly name: string;
  readonly paymentProvider: string;
  readonly growth30d: number | null;
  readonly revenue: { readonly mrr: number };
  readonly history: readonly { readonly revenue: { readonly mrr: number } }[];
}

interface RowsData {
  readonly startups: { readonly page: readonly Row[] };
}

interface MarketData {
  readonly market: readonly { readonly day: string; readonly mrr: { readonly sum: number } }[];
}

const TITLE = 'Query startups with verified revenue';

interface Main {
  readonly facts: Facts;
  /** Empty: invented ones; undefined: none, as they cannot be read now. */
  readonly rows: readonly Row[] | undefined;
  readonly days: MarketData['market'];
  readonly origin: string;
  readonly limits: TierLimits;
  readonly day: Day;
}

function mainOf({ facts: { dataset, startups }, rows, days, origin, limits, day }: Main): Html {
  const providers = startups.facets.paymentProvider.length;
  const facts = [
    `${count(dataset.total)} ${dataset.total === 1 ? 'startup' : 'startups'}`,
    `${providers} payment ${providers === 1 ? 'provider' : 'providers'}`,
    ...(dataset.importedAt === null
      ? []
      : [`updated ${sinceText(new Date(dataset.importedAt), Date.parse(day))}`]),
    `free for ${limits.standard} requests a minute`,
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
          <Samples origin={origin} request={FIRST_REQUEST} graphql={FIRST_QUERY} />
          <CopyStatus />
        </section>
        {rows !== undefined && (
          <section class="card rows" aria-labelledby="rows">
            <div class="heading sub">
              <h2 id="rows">{rows.length > 0 ? 'Highest MRR' : 'Sample data'}</h2>
              <p class="soft small">
                {rows.length > 0 ? `MRR, ${TREND_DAYS} days` : 'three invented startups'}
              </p>
            </div>
            <ul class="bare">{(rows.length > 0 ? rows : inventedRows()).map(startupRow)}</ul>
            <p class="small">
              <a href="/dashboard/explorer">Explore all {count(dataset.total)}</a>
            </p>
          </section>
        )}
      </div>
      <ul class="bare facts-line">
        {facts.map((fact) => (
          <li>{fact}</li>
        ))}
      </ul>
      {days.length > 1 &&
        lineChart({
          id: 'market',
          title: 'The market',
          legend: 'monthly recurring revenue of all startups',
          points: days.map((one) => ({ day: one.day, value: one.mrr.sum })),
        })}
      <div class="columns wide">
        {features(limits).map(({ title, text, path, link }) => (
          <section class="card">
            <h2>{title}</h2>
            <p>{text}</p>
            <p>
              <a href={path}>{link}</a>
            </p>
          </section>
        ))}
      </div>
    </>
  );
}

/** The same as the first request. */
const FIRST_QUERY = `{
  startups(limit: 3) {
    page { name revenue { mrr } growth30d }
    meta { total }
  }
}`;

function startupRow({ name, paymentProvider, growth30d, revenue, history }: Row): Html {
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
        {growth30d !== null && (
          <span class={growth30d < 0 ? 'small down' : 'small up'}>{percent(growth30d, 'change')}</span>
        )}
      </div>
    </li>
  );
}

/** Three startups of the sample, with a curve that ends where they are. */
function inventedRows(): Row[] {
  return [...sampleStartups({ count: 60, seed: 1 })]
    .filter(({ growth30d, revenue }) => growth30d !== null && growth30d > 5 && revenue.mrr > 0)
    .slice(0, 3)
    .map(({ name, paymentProvider, growth30d, revenue: { mrr } }) => ({
      name,
      paymentProvider,
      growth30d,
      revenue: { mrr },
      history: Array.from({ length: TREND_DAYS }, (_, day) => ({
        revenue: { mrr: mrr * (1 + (growth30d ?? 0) / 100) ** ((day - TREND_DAYS + 1) / 30) },
      })),
    }));
}

function features({ standard, premium }: TierLimits) {
  return [
    {
      title: 'GraphQL and REST',
      text: 'Both return the same data under the same rules, with one key and one rate limit.',
      path: '/docs/schema',
      link: 'GraphQL schema',
    },
    {
      title: 'Exact totals',
      text: 'Every list has its exact total, counts by value and medians, and you can read all of its pages.',
      path: '/docs/summaries',
      link: 'Facets and statistics',
    },
    {
      title: 'History',
      text: 'See the figures of a startup, and those of the whole market, day by day.',
      path: '/docs/history',
      link: 'History',
    },
    {
      title: 'Changes',
      text: 'Keep a copy up to date: read only what has changed since your last request.',
      path: '/docs/changes',
      link: 'Changes',
    },
    {
      title: 'Embedding',
      text: 'Show a list on your own web pages, with a key that can be public.',
      path: '/docs/embedding',
      link: 'Show data on your page',
    },
    {
      title: 'Clear limits',
      text: `${standard} requests a minute with a standard key, ${premium} with a premium key. Every response says how many are left.`,
      path: '/docs/rate-limits',
      link: 'Rate limits',
    },
  ];
}
