import { readFileSync } from 'node:fs';
import { documentId, hashDocument } from '../../access/keys/documents/list.ts';
import { formatted } from '../../api/rest/endpoint-documents.ts';
import { REST_BASE } from '../../api/rest/find-endpoint.ts';
import type { RecordedBodies } from '../../api/rest/openapi-examples.ts';
import type { Day } from '../../lib/text/days.ts';
import type { SampleRequest } from '../shared/code-samples.ts';

/** A sample request of the reference. Its response was recorded with the sample data. */
export interface Sample {
  readonly title: string;
  /** What a reader has to change in it. */
  readonly note?: string;
  /** The GET of REST: path and query below its base. Undefined if only GraphQL supports this. */
  readonly rest?: string;
  /** The same in GraphQL; undefined if only REST supports this. */
  readonly graphql?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Whether the document is requested by its id, having been published for the key. */
  readonly isPublished?: true;
  /** Whether no key is sent. */
  readonly isAnonymous?: true;
  /** Whether nothing is left of the limit of the key. */
  readonly isExhausted?: true;
  /** The sample whose ETag is sent in If-None-Match. */
  readonly known?: string;
  /** The status where it is not 200. */
  readonly status?: number;
  /** Whether its response headers matter. */
  readonly showsHeaders?: true;
}

/** One of the bundled sample. */
const SLUG = 'revolo-labs';
const SLUG_NOTE = 'Take a slug from a list.';

/** Each sample by its name in the page and among the recorded responses. */
export const samples = {
  first: {
    title: 'A first request',
    rest: '/startups?onSale=true&limit=1',
    graphql: formatted(
      '{ startups(filter: { onSale: true }, limit: 1) { page { name askingPrice revenue { mrr } } } }',
    ),
  },
  unauthenticated: {
    title: 'A request without a key',
    rest: '/startups?limit=1',
    graphql: formatted('{ dataset { total } }'),
    isAnonymous: true,
    status: 401,
  },
  list: {
    title: 'Growing developer tools',
    rest: '/startups?category=developer-tools&sort=growth-desc&limit=2',
    graphql: formatted(`
      query Growing { startups(filter: { category: DEVELOPER_TOOLS }, sort: GROWTH_DESC, limit: 2) {
      page { name slug growth30d revenue { last30Days mrr } } meta { total page limit hasMore } } }`),
  },
  detail: {
    title: 'A startup by its slug',
    note: SLUG_NOTE,
    rest: `/startups/${SLUG}`,
    graphql: formatted(`
      query Detail($slug: String!) { startup(slug: $slug) { id name category teamSize fundingStatus
      onSale askingPrice multiple rank revenue { last30Days mrr total } } }`),
    variables: { slug: SLUG },
  },
  search: {
    title: 'Startups that sell itineraries',
    rest: '/startups?search=itinararies&limit=1',
    graphql: formatted(`
      query Search { startups(filter: { search: "itinararies" }, limit: 1) { page { name description }
      meta { total corrected } } }`),
  },
  summaries: {
    title: 'Prices of startups for sale',
    rest: '/summary?onSale=true&minRevenue=100000',
    graphql: formatted(`
      query Market { startups(filter: { onSale: true, minRevenue: 100000 }) { meta { total } facets {
      fundingStatus { value count } paymentProvider { value count } } stats { price { count min median
      p90 max } multiple { median } } } }`),
    showsHeaders: true,
  },
  history: {
    title: 'The last two points of a startup',
    note: SLUG_NOTE,
    rest: `/startups/${SLUG}/history?last=2`,
    graphql: formatted(`
      query History($slug: String!) { startup(slug: $slug) { history(last: 2) { day revenue {
      last30Days mrr } customers } } }`),
    variables: { slug: SLUG },
  },
  changes: {
    title: 'The first change, and where to continue',
    rest: '/changes?limit=1',
    graphql: formatted(
      '{ changes(first: 1) { edges { node { slug kind at } } next pageInfo { hasNextPage } } }',
    ),
  },
  market: {
    title: 'The market of two days',
    rest: '/market?from=2026-01-14&to=2026-01-15',
    graphql: formatted(
      '{ market(from: "2026-01-14", to: "2026-01-15") { day count onSale revenue { sum median } mrr { sum } } }',
    ),
  },
  rateLimit: {
    title: 'What is left of the limit',
    rest: '/limits',
    graphql: formatted('{ rateLimit { limit remaining resetAt tier } }'),
  },
  invalid: {
    title: 'Two invalid parameters',
    rest: '/startups?limit=50&sort=fast',
    graphql: formatted('{ startups(limit: 50, page: 0) { meta { total } } }'),
    status: 400,
  },
  limited: {
    title: 'A request over the limit',
    rest: '/startups?limit=1',
    graphql: formatted('{ startups(limit: 1) { page { name } } }'),
    isExhausted: true,
    status: 429,
    showsHeaders: true,
  },
  unchanged: {
    title: 'A response that the client already has',
    note: 'Slug and ETag are examples: send the ETag of your last response.',
    rest: `/startups/${SLUG}`,
    known: 'detail',
    status: 304,
    showsHeaders: true,
  },
  published: {
    title: 'A published document by its id',
    note: 'The id is an example: publish the document for your key first.',
    graphql: formatted('{ startups(first: 1) { nodes { name slug } } }'),
    isPublished: true,
  },
} as const satisfies Record<string, Sample>;

export type SampleId = keyof typeof samples;

/** What a sample sends over REST and over GraphQL. */
export function requestsOf(
  { rest, known, graphql = '', variables, isPublished }: Sample,
  etagOf: (id: string) => string,
): { readonly rest?: SampleRequest; readonly graphql?: SampleRequest } {
  const headers: Record<string, string> = known === undefined ? {} : { 'If-None-Match': etagOf(known) };
  return {
    ...(rest !== undefined && { rest: { path: REST_BASE + rest, headers } }),
    ...(graphql !== '' && {
      graphql: isPublished
        ? { path: `/graphql?documentId=${documentId(hashDocument(graphql))}` }
        : { path: '/graphql', body: { query: graphql, ...(variables && { variables }) } },
    }),
  };
}

/** The recorded response to a sample. */
export interface RecordedResponse {
  readonly status: number;
  /** Those of the OpenAPI document. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is none. */
  readonly body?: unknown;
}

/** The responses to each sample, over REST and over GraphQL. */
export type RecordedResponses = Readonly<
  Record<SampleId, { readonly rest?: RecordedResponse; readonly graphql?: RecordedResponse }>
>;

/** The recorded bodies that OpenAPI has as examples. */
export function recordedBodies(responses: RecordedResponses, today: Day): RecordedBodies {
  const bodyOf = (id: SampleId) => responses[id].rest?.body as never;
  return {
    today,
    responses: {
      startups: bodyOf('list'),
      summary: bodyOf('summaries'),
      startup: bodyOf('detail'),
      changes: bodyOf('changes'),
      history: bodyOf('history'),
      market: bodyOf('market'),
      rateLimit: bodyOf('rateLimit'),
    },
    errors: {
      UNAUTHENTICATED: bodyOf('unauthenticated'),
      BAD_USER_INPUT: bodyOf('invalid'),
      RATE_LIMITED: bodyOf('limited'),
    },
  };
}

/** Where the recorded responses say that the gateway is reached. */
export const SAMPLE_ORIGIN = 'https://api.example.com';

/**
 * Reads what `test/web/docs/responses.test.ts` recorded: at start, as later there may be no file descriptor left.
 *
 * @returns the responses as a gateway with some origin gives them.
 */
export function readRecordedResponses(): (origin: string) => RecordedResponses {
  const text = readFileSync(new URL('../../../assets/recorded/responses.json', import.meta.url), 'utf8');
  return (origin) => JSON.parse(text.replaceAll(SAMPLE_ORIGIN, origin));
}
