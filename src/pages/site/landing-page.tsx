import type { Handler } from 'hono';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { type Engine, runDocument } from '../../graphql/execution/engine.ts';
import type { TierLimits } from '../../rate-limit/tiers.ts';
import { type Day, dayOf } from '../../startups/days.ts';
import type { Brand } from '../shared/brand.ts';
import { lineChart } from '../shared/charts.tsx';
import { FIRST_REQUEST, writeSample } from '../shared/code-samples.ts';
import { buttonLink } from '../shared/components.tsx';
import { shortMoney } from '../shared/figures.tsx';
import { highlight } from '../shared/highlight.tsx';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Content, Html } from '../shared/jsx.ts';
import type { AssetUrl } from '../shared/shell.tsx';
import { publicPage } from './public-page.tsx';

/** Statistics only: records require a key. */
const QUERY = `{
  dataset { total importedAt }
  startups(filter: { onSale: true }) {
    meta { total }
    stats {
      revenue { median sum }
      price { median }
    }
  }
}`;

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
}

/** Creates the page at /, which shows a query and its current result. */
export function createLandingPage(options: LandingOptions): Handler<PageEnv> {
  const { engine, catalogue, now, origin, limits, brand, assetUrl } = options;
  /** The main part of the page, with the edition and the day that it shows. */
  let shown: { readonly readAt: number; readonly day: Day; readonly main: Html } | undefined;

  return async (c) => {
    const { readAt } = catalogue.current();
    const day = dayOf(now());
    let main = shown?.main;
    if (main === undefined || shown?.readAt !== readAt || shown.day !== day) {
      const response = await runDocument<object>(engine, QUERY, {}, c.env.request, OWNER);
      // Undefined while the database does not answer.
      const days = await runDocument<MarketData>(engine, MARKET, {}, c.env.request, OWNER).catch(
        () => undefined,
      );
      main = mainOf(JSON.stringify(response, null, 2), days?.market ?? [], origin(), limits);
      if (days !== undefined) {
        shown = { readAt, day, main };
      }
    }
    return publicPage(c, { title: TITLE, brand, assetUrl, styles: ['site.css'], main });
  };
}

interface MarketDay {
  readonly day: string;
  readonly mrr: { readonly sum: number };
}

interface MarketData {
  readonly market: readonly MarketDay[];
}

const TITLE = 'Query startups with verified revenue';

function mainOf(response: string, days: readonly MarketDay[], origin: string, limits: TierLimits): Html {
  return (
    <>
      <section class="hero">
        <h1>{TITLE}</h1>
        <p class="lead">
          One API for startups whose revenue is verified by their payment providers. Filter and sort them by
          revenue, growth and asking price, in GraphQL or REST.
        </p>
        <p class="actions">
          {buttonLink('/dashboard/sign-up', 'Get an API key')}
          {buttonLink('/docs', 'Read the docs', 'second')}
        </p>
      </section>
      <div class="columns wide pair">
        <section>
          <h2>A query</h2>
          {codePanel('A query', highlight('graphql', QUERY))}
        </section>
        <section>
          <h2>Live response</h2>
          {codePanel('Live response', response.split('\n').map(responseLine))}
        </section>
      </div>
      {days.length > 0 &&
        lineChart({
          id: 'market',
          title: 'The market',
          legend: 'monthly recurring revenue of all startups',
          points: days.map(({ day, mrr }) => ({ day, value: mrr.sum })),
        })}
      <section class="card">
        <h2>Your first request</h2>
        <p>
          <a href="/dashboard/sign-up">Sign up</a>, create a key, and put it into the environment variable{' '}
          <code>REVGATE_KEY</code>. Then run:
        </p>
        {codePanel('First request', highlight('curl', writeSample.curl({ origin, request: FIRST_REQUEST })))}
      </section>
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

/** Code without a button to copy it: the page has no script. */
function codePanel(label: string, code: Content): Html {
  return (
    <div class="request">
      <pre tabindex="0" role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
    </div>
  );
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

/** A line of the response; after an amount in cents, what it is in dollars. */
function responseLine(line: string): Html {
  const [, cents] = /"(?:median|sum)": (\d+)/.exec(line) ?? [];
  return (
    <>
      {highlight('json', line)}
      {cents !== undefined && <span class="comment">{`  # ${shortMoney(Number(cents))}`}</span>}
      {'\n'}
    </>
  );
}
