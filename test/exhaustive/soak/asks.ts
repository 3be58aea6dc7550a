import { randomBytes } from 'node:crypto';
import { generateToken } from '../../../src/keys/token.ts';
import type { SampleRandom } from '../../../src/startups/import/sample-random.ts';
import { categories, startupSorts } from '../../../src/startups/vocabulary.ts';
import { expectedList, type ListCase, matchingRecords } from '../../support/oracle.ts';
import type { ImportRecord } from '../../support/records.ts';
import type { Dataset, Model } from './model.ts';

/** A key as its holder has it. */
export interface HeldKey {
  readonly id: string;
  readonly key: string;
}

/** An answer of a node. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is read is compared, not typed.
  readonly json: any;
}

/** A request, and what is right as its answer. */
export interface Ask {
  readonly kind: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Its key has a limit that requests reach. */
  readonly isMetered?: boolean;
  /** Of a key for acts: its state decides what is answered. */
  readonly keyId?: string;
  /** Nothing that it needs is in the database alone, once a node has answered such a request. */
  readonly isFromMemory?: boolean;
  /** Why a response cannot be of a dataset; undefined: it can. Not asked for a 429 or 503. */
  judge(answer: Answer, dataset: Dataset): string | undefined;
}

/** Keys that no act changes. */
export interface SteadyKeys {
  readonly main: HeldKey;
  /** Of the standard tier, with its small limit. */
  readonly metered: readonly HeldKey[];
  readonly embed: HeldKey;
}

export const EMBED_ORIGIN = 'https://soak.example';

const LIST = `query List($filter: StartupFilter, $sort: StartupSort, $page: Int, $first: Int, $after: String) {
  startups(filter: $filter, sort: $sort, page: $page, first: $first, after: $after) {
    nodes { slug customers revenue { last30Days } }
    meta { total hasMore }
    pageInfo { endCursor hasNextPage }
    facets { category { value count } }
    stats { revenue { count sum } }
  }
}`;
const DETAILS = `query Details($slugs: [String!]!, $slug: String!) {
  startupsBySlug(slugs: $slugs) { id slug customers }
  startup(slug: $slug) { slug customers }
  dataset { total }
}`;
const NODES = 'query Nodes($ids: [ID!]!) { nodes(ids: $ids) { ... on Startup { slug customers } } }';
/** What is published for the main and the embed key. */
export const DOCUMENT = 'query Top { startups(limit: 5) { nodes { slug customers } meta { total } } }';

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const enumValue = (text: string): string => text.toUpperCase().replaceAll('-', '_');

function graphql(
  key: string,
  query: string,
  variables: object,
): Pick<Ask, 'method' | 'path' | 'headers' | 'body'> {
  const headers = { ...bearer(key), 'content-type': 'application/json' };
  return { method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query, variables }) };
}

/** The first difference of two values that JSON can hold. */
function differ(name: string, got: unknown, wanted: unknown): string | undefined {
  const [is, be] = [JSON.stringify(got), JSON.stringify(wanted)];
  return is === be ? undefined : `${name} is ${is?.slice(0, 600)} instead of ${be?.slice(0, 600)}`;
}

const pick = ({ slug, customers, revenue }: ImportRecord) => [slug, customers, revenue.last30Days];
const pickAll = (records: readonly ImportRecord[] | undefined): unknown[] => (records ?? []).map(pick);

/** Records that a list should show. */
function wantedRecords(dataset: Dataset, list: ListCase): unknown[] {
  return pickAll(
    expectedList(dataset.records, list).slugs.flatMap((slug) => dataset.bySlug.get(slug)?.record ?? []),
  );
}

function randomList(random: SampleRandom): ListCase {
  const minRevenue = random.below(300_000);
  return {
    ...(random.chance(0.3) ? { category: random.pick(categories) } : {}),
    ...(random.chance(0.2) ? { onSale: random.chance(0.5) } : {}),
    ...(random.chance(0.4) ? { minRevenue } : {}),
    ...(random.chance(0.2) ? { maxRevenue: minRevenue + random.below(3_000_000) } : {}),
    ...(random.chance(0.7) ? { sort: random.pick(startupSorts) } : {}),
    ...(random.chance(0.5) ? { page: 1 + random.below(6) } : {}),
  };
}

/** The list over REST. */
export function restList(random: SampleRandom, { key }: HeldKey): Ask {
  const list = randomList(random);
  const query = new URLSearchParams(Object.entries(list).map(([name, value]) => [name, String(value)]));
  return {
    ...{ kind: 'REST list', path: `/api/v1/startups?${query}`, headers: bearer(key), isFromMemory: true },
    judge: ({ status, json }, dataset) =>
      differ('status', status, 200) ??
      differ('meta', json.meta, expectedList(dataset.records, list).meta) ??
      differ('data', pickAll(json.data), wantedRecords(dataset, list)),
  };
}

/** One startup over REST, which may not be there. */
export function restDetail(random: SampleRandom, { key }: HeldKey, { slugs }: Model): Ask {
  const slug = random.pick(slugs);
  return {
    ...{ kind: 'REST detail', path: `/api/v1/startups/${slug}`, headers: bearer(key), isFromMemory: true },
    judge(answer, { bySlug }) {
      const stored = bySlug.get(slug);
      return stored === undefined
        ? wrongError(answer, 404, 'NOT_FOUND')
        : (differ('status', answer.status, 200) ??
            differ('data', pick(answer.json.data), pick(stored.record)));
    },
  };
}

/** A list with its counts and figures. */
export function graphqlList(random: SampleRandom, { key }: HeldKey): Ask {
  const { category, sort, page = 1, ...rest } = randomList(random);
  const filter = { ...rest, ...(category === undefined ? {} : { category: enumValue(String(category)) }) };
  const variables = { filter, page, ...(sort === undefined ? {} : { sort: enumValue(String(sort)) }) };
  const list: ListCase = { ...rest, page, ...(sort && { sort }), ...(category && { category }) };
  return {
    ...{ kind: 'GraphQL list', ...graphql(key, LIST, variables), isFromMemory: true },
    judge: ({ status, json }, dataset) =>
      differ('status', status, 200) ??
      differ('errors', json.errors, undefined) ??
      wrongSummary(json.data.startups, dataset, list) ??
      differ('nodes', pickAll(json.data.startups.nodes), wantedRecords(dataset, list)),
  };
}

/** Compares what is told of all that a filter matches. */
function wrongSummary(
  { meta, facets, stats }: Answer['json'],
  dataset: Dataset,
  list: ListCase,
): string | undefined {
  const matching = matchingRecords(dataset.records, list);
  const counts = new Map<string | null, number>();
  for (const { category } of matching) {
    const value = category === null ? null : enumValue(category);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const count = (facet: { value: string | null; count: number }) => `${facet.value} ${facet.count}`;
  const facet = [...counts].map(([value, count]) => `${value} ${count}`).sort();
  const sum = matching.reduce((total, { revenue }) => total + revenue.last30Days, 0);
  return (
    differ('total', meta.total, matching.length) ??
    differ('facets', facets.category.map(count).sort(), facet) ??
    differ('stats', stats.revenue, { count: matching.length, sum })
  );
}

/** Some startups by their slugs. */
export function graphqlDetails(random: SampleRandom, { key }: HeldKey, model: Model): Ask {
  const slugs = [...new Set(Array.from({ length: 5 }, () => random.pick(model.slugs)))];
  const [slug = ''] = slugs;
  return {
    ...{ kind: 'GraphQL details', ...graphql(key, DETAILS, { slugs, slug }), isFromMemory: true },
    judge({ status, json: { data } }, dataset) {
      const wanted = slugs.map((one) => dataset.bySlug.get(one)?.record);
      const brief = (record: ImportRecord | null | undefined) => record && [record.slug, record.customers];
      return (
        differ('status', status, 200) ??
        differ('dataset.total', data.dataset.total, dataset.records.length) ??
        differ('startupsBySlug', data.startupsBySlug.map(brief), wanted.map(brief)) ??
        differ('startup', brief(data.startup) ?? null, brief(wanted[0]) ?? null)
      );
    },
  };
}

/** Startups by the global ids that a node gave for them before; births tell what became of them. */
export function graphqlNodes({ key }: HeldKey, known: readonly { id: string; birth: number }[]): Ask {
  return {
    ...{ kind: 'GraphQL nodes', isFromMemory: true },
    ...graphql(key, NODES, { ids: known.map(({ id }) => id) }),
    judge({ status, json }, { stored }) {
      const records = known.map(({ birth }) => stored.find((one) => one.birth === birth)?.record ?? null);
      const wanted = records.map((record) => record && { slug: record.slug, customers: record.customers });
      return differ('status', status, 200) ?? differ('nodes', json.data.nodes, wanted);
    },
  };
}

/** The part of a list behind a cursor. Its values never change, so that its order does not either. */
export function walkPage({ key }: HeldKey, sort: 'listed-desc' | 'growth-asc', after: string | null): Ask {
  return {
    ...{ kind: 'GraphQL walk', isFromMemory: true },
    ...graphql(key, LIST, { sort: enumValue(sort), first: 10, after }),
    judge({ status, json }, dataset) {
      const nodes: ImportRecord[] = json?.data?.startups?.nodes ?? [];
      const { slugs } = expectedList(dataset.records, { sort, limit: 1e9 });
      const start = after === null ? 0 : slugs.indexOf(nodes[0]?.slug ?? '');
      const wanted = slugs.slice(start, start + 10).flatMap((slug) => dataset.bySlug.get(slug)?.record ?? []);
      return (
        differ('status', status, 200) ??
        wrongSummary(json.data.startups, dataset, {}) ??
        (nodes.length === 0 && after !== null ? undefined : differ('nodes', pickAll(nodes), pickAll(wanted)))
      );
    },
  };
}

/** A published document, as a program or as a page asks for it. */
export function document(kind: 'document' | 'embed', { key }: HeldKey, id: string): Ask {
  const list = { limit: 5 };
  return {
    ...{ kind, path: `/graphql?documentId=${id}`, isFromMemory: true },
    headers: { ...bearer(key), ...(kind === 'embed' ? { origin: EMBED_ORIGIN } : {}) },
    judge: ({ status, headers, json }, dataset) =>
      differ('status', status, 200) ??
      differ(
        'Cache-Control',
        headers['cache-control'],
        kind === 'embed' ? 'public, max-age=60' : 'private, no-cache',
      ) ??
      differ('total', json.data.startups.meta.total, dataset.records.length) ??
      differ(
        'nodes',
        json.data.startups.nodes.map(({ slug, customers }: ImportRecord) => [slug, customers]),
        expectedList(dataset.records, list).slugs.map((slug) => [slug, dataset.version]),
      ),
  };
}

/** A request that is wrong in one of many ways. */
export function invalid(random: SampleRandom, { main, embed }: SteadyKeys): Ask {
  const headers = bearer(main.key);
  const query = (text: string, variables = {}) => ({
    ...graphql(main.key, text, variables),
    headers: { ...graphql(main.key, text, variables).headers, accept: 'application/graphql-response+json' },
  });
  const many = Array.from({ length: 61 }, (_, i) => `s${i}: startup(slug: "a") { slug }`).join(' ');
  const [ask, status, code] = random.pick<[Omit<Ask, 'kind' | 'judge'>, number, string]>([
    [{ path: '/api/v1/startups?limit=11&page=0', headers }, 400, 'BAD_USER_INPUT'],
    [{ path: '/api/v1/startups?unknown=1', headers }, 400, 'BAD_USER_INPUT'],
    [{ path: '/api/v1/nothing', headers }, 404, 'NOT_FOUND'],
    [{ path: '/api/v1/startups', method: 'DELETE', headers }, 405, 'METHOD_NOT_ALLOWED'],
    [{ path: '/graphql', method: 'POST', headers, body: 'x' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [query('{ startups( }'), 400, 'GRAPHQL_PARSE_FAILED'],
    [query('{ nothing }'), 400, 'GRAPHQL_VALIDATION_FAILED'],
    [query(`{ ${many} }`), 400, 'OPERATION_TOO_COMPLEX'],
    [query('{ startups(limit: 11) { meta { total } } }'), 400, 'BAD_USER_INPUT'],
    [{ path: `/graphql?documentId=sha256:${'0'.repeat(64)}`, headers }, 404, 'DOCUMENT_NOT_FOUND'],
    [{ path: '/api/v1/startups', headers: bearer(embed.key) }, 403, 'ORIGIN_NOT_ALLOWED'],
    [
      { path: '/api/v1/startups', headers: { ...bearer(embed.key), origin: EMBED_ORIGIN } },
      403,
      'DOCUMENT_NOT_TRUSTED',
    ],
  ]);
  return { ...ask, kind: 'invalid', judge: (answer) => wrongError(answer, status, code) };
}

/** A key that nobody has: only the database knows that. */
export function unknownKey(): Pick<Ask, 'path' | 'headers'> {
  return { path: '/api/v1/startups', headers: bearer(generateToken(randomBytes)) };
}

/** No key, half a key, or one that nobody has. */
export function unauthorized(random: SampleRandom): Ask {
  const { path, headers = {} } = unknownKey();
  return {
    ...{ kind: 'wrong key', path, headers: random.pick([{}, bearer('rvg_nothing'), headers]) },
    judge: (answer) => wrongError(answer, 401, 'UNAUTHENTICATED'),
  };
}

/** A key that acts create, disable, rotate and revoke. */
export function changingKey(random: SampleRandom, { id, key }: HeldKey): Ask {
  return { ...restList(random, { id, key }), kind: 'changing key', keyId: id, isFromMemory: false };
}

/** A key whose limit is reached. It costs 1, or 3. */
export function metered(random: SampleRandom, key: HeldKey): Ask {
  return {
    ...(random.chance(0.6) ? restList(random, key) : graphqlList(random, key)),
    kind: 'metered',
    isMetered: true,
  };
}

/** What needs no key. */
export function page(random: SampleRandom): Ask {
  const [path, status] = random.pick<[string, number]>([
    ['/health', 200],
    ['/ready', 200],
    ['/ready', 200],
    ['/dashboard/sign-in', 200],
    ['/dashboard/keys', 303],
    ['/policy', 200],
    ['/openapi.json', 200],
    ['/nothing', 404],
  ]);
  return {
    kind: 'page',
    path,
    isFromMemory: true,
    judge: (answer) => differ('status', answer.status, status),
  };
}

/** Why an answer is not this error. */
export function wrongError({ status, json }: Answer, wanted: number, code: string): string | undefined {
  const error = json?.error ?? { ...json?.errors?.[0], ...json?.errors?.[0]?.extensions };
  return differ('status', status, wanted) ?? differ('code', error.code, code);
}
