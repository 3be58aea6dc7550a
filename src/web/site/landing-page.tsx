import type { Handler } from 'hono';
import type { TierLimits } from '../../access/limits/tiers.ts';
import type { WaitingRequest } from '../../api/graphql/execution/context.ts';
import { type Engine, runDocument } from '../../api/graphql/execution/engine.ts';
import { type Day, dayOf } from '../../lib/text/days.ts';
import type { LiveCatalogue } from '../../startups/catalogue/live-catalogue.ts';
import { compareMarket, type HistorySource, type MarketComparison } from '../../startups/history/history.ts';
import { inPlace } from '../page/page.ts';
import { Samples } from '../shared/code-blocks.tsx';
import { compactJson } from '../shared/code-samples.ts';
import { buttonLink } from '../shared/components.tsx';
import { count } from '../shared/figures.tsx';
import { highlight } from '../shared/highlight.tsx';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Html } from '../shared/jsx.ts';
import { EXPLORER_PATH, KEYS_PATH, SIGN_UP_FOR_KEY_PATH } from '../shared/paths.ts';
import { hasSessionCookie, type Look } from '../shared/shell.tsx';
import {
  exploreLabel,
  type ListData,
  listDocument,
  listRequestOf,
  listVariables,
  startupList,
  type Visitors,
} from './landing-list.tsx';
import { FACTS, type Facts, factFigures, type MarketDay, marketChart } from './landing-view.tsx';
import { publicPage } from './public-page.tsx';

const TITLE = 'Startups with verified revenue, for buyers and investors';

/** What the page is about, for search engines. */
const DESCRIPTION =
  'Compare startups by revenue that payment providers verified: which are for sale, at which price, and how they grow.';

/** The request of the page, whose response it shows. */
const SAMPLE = `{
  startups(sort: MRR_DESC, limit: 2) {
    page {
      name
      revenue { mrr }
    }
  }
}`;

/** The chart of the page. */
const MARKET = '{ market { day onSale revenue { sum } mrr { sum median } } }';

/** Clients of the page share its result. */
const OWNER = { ownerId: 'page:/' };

/** In place of the request of one client: others wait for the same part, when it disconnects. */
const EVERYONE: WaitingRequest = {
  id: '',
  isDisconnected: false,
  disconnected: () => new AbortController().signal,
};

/** For how long a comparison of the market is shown: it reads a point of each startup. */
const COMPARED_MS = 600_000;

interface LandingOptions extends Look, Pick<Visitors, 'isInvitedOnly'> {
  readonly prisma: HistorySource['prisma'];
  readonly engine: Engine;
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  /** ms since 1970. */
  readonly now: () => number;
  /** Where the gateway is reached; called at the first request, when it is known. */
  readonly origin: () => string;
  readonly limits: TierLimits;
  /** Whether it shows no startup. */
  readonly hidesRows: boolean;
}

/** What is shown of one edition of the data on one day. */
interface Edition {
  readonly readAt: number;
  readonly day: Day;
  /**
   * What was made of it, by name: the facts, the other parts of the page, and each list that its filters can ask for, which are
   * a few hundred. So what requests can cause ends there, whatever their addresses say.
   */
  readonly parts: Map<string, Promise<unknown>>;
}

/** A part of an edition, which is made once: requests that come meanwhile wait for it. A failure is not kept. */
function partOf<T>({ parts }: Edition, name: string, make: () => Promise<T>): Promise<T> {
  const known = parts.get(name) as Promise<T> | undefined;
  if (known !== undefined) {
    return known;
  }
  const made = make();
  parts.set(name, made);
  made.catch(() => parts.delete(name));
  return made;
}

/** Creates the page at /, which shows ten startups to filter, a request, and the market by day. */
export function createLandingPage(options: LandingOptions): Handler<PageEnv> {
  const { prisma, engine, catalogue, now, origin, limits, brand, assetUrl, hidesRows, isInvitedOnly } =
    options;
  let kept: Edition | undefined;
  let compared:
    | { readonly from: Day; readonly until: number; readonly found: MarketComparison | undefined }
    | undefined;

  const current = (): Edition => {
    const { readAt } = catalogue.current();
    const day = dayOf(now());
    if (kept?.readAt !== readAt || kept.day !== day) {
      kept = { readAt, day, parts: new Map() };
    }
    return kept;
  };

  const read = <Data extends object>(document: string, variables = {}) =>
    runDocument<Data>(engine, document, variables, EVERYONE, OWNER);

  /** How the market has grown since the first of its days; undefined while the database does not answer. */
  const compare = async (from: Day): Promise<MarketComparison | undefined> => {
    if (compared?.from !== from || compared.until <= now()) {
      compared = { from, until: now() + COMPARED_MS, found: await compareMarket(prisma, from) };
    }
    return compared.found;
  };

  const market = async (): Promise<Html | false> => {
    const { market: days } = await read<{ market: MarketDay[] }>(MARKET);
    const [first] = days;
    const comparison = first && (await compare(first.day as Day).catch(() => undefined));
    return days.length > 1 && marketChart(<h2>The market, day by day</h2>, days, comparison);
  };

  const hero = (facts: Facts, visitors: Visitors): Html => (
    <div class="hero">
      <h1>{TITLE}</h1>
      <section>
        <p class="lead">
          See what startups earn, how they grow, and what those for sale cost. Payment providers verified the
          revenue. Developers read the same data in GraphQL or REST.
        </p>
        <p class="actions">
          {buttonLink(EXPLORER_PATH, exploreLabel(facts.dataset.total, visitors))}
          {visitors.isSignedIn
            ? buttonLink(KEYS_PATH, 'API keys', 'second')
            : buttonLink(SIGN_UP_FOR_KEY_PATH, 'Get an API key', 'second')}
        </p>
        <p class="soft small">API keys are free: {count(limits.standard)} requests a minute.</p>
      </section>
      {factFigures(facts, now())}
    </div>
  );

  const sample = async (showsResponse: boolean): Promise<Html> => {
    const response = showsResponse ? await read<object>(SAMPLE) : undefined;
    return (
      <section aria-labelledby="query">
        <h2 id="query">The same data as an API</h2>
        <p class="soft">GraphQL, REST or MCP. This request finds the two with the highest MRR.</p>
        <div class="request-and-response">
          <Samples
            origin={origin()}
            request={{ path: '/graphql', body: { query: SAMPLE } }}
            graphql={SAMPLE}
          />
          <p class="hidden" id="copied" role="status" />
          {response !== undefined && (
            <div class="response">
              <p class="hint">Response (amounts in US cents)</p>
              <pre tabindex="0" role="region" aria-label="Response">
                <code>{highlight('json', compactJson({ data: response }, '', 48))}</code>
              </pre>
            </div>
          )}
        </div>
      </section>
    );
  };

  return async (c) => {
    const edition = current();
    const part = <T,>(name: string, make: () => Promise<T>) => partOf(edition, name, make);
    const visitors = { isInvitedOnly, isSignedIn: hasSessionCookie(c.env.request.header('cookie')) };
    const facts = await part('facts', () => read<Facts>(FACTS));
    const isShown = !hidesRows && facts.dataset.total > 0;
    const request = listRequestOf((name) => c.req.query(name), facts);
    const { category, onSale, order } = request;
    const list = () =>
      part(`list ${visitors.isSignedIn} ${category} ${onSale} ${order}`, async () => {
        const found = await read<ListData>(listDocument(order), listVariables(request));
        return startupList(facts, request, found, visitors, now());
      });
    const main = [
      hero(facts, visitors),
      isShown && (await list()),
      await part('sample', () => sample(isShown)),
      // Not there while the database does not answer.
      await part('market', market).catch(() => undefined),
    ];
    if (c.env.request.query !== '') {
      // The page itself is in search engines, and not a few hundred lists.
      c.header('X-Robots-Tag', 'noindex');
    }
    return publicPage(c, {
      title: TITLE,
      description: DESCRIPTION,
      brand,
      assetUrl,
      main,
      styles: ['site.css', 'series.css'],
      scripts: ['dashboard.js', 'chart.js', ...(isShown ? inPlace : [])],
      connects: isShown,
    });
  };
}
