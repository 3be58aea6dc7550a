import { randomBytes } from 'node:crypto';
import type { CreatedKey } from '../../../src/access/keys/create.ts';
import { generateToken } from '../../../src/access/keys/token.ts';
import { categories, startupSorts } from '../../../src/startups/model/vocabulary.ts';
import type { SampleRandom } from '../../../src/startups/sample/sample-random.ts';
import type { Answer } from '../../support/gateway.ts';
import { expectedAnswer, type ListCase } from '../../support/model/rest-list.ts';
import type { ImportRecord } from '../../support/records.ts';
import type { Dataset } from './model.ts';

/** A key as its holder has it. */
export type HeldKey = Pick<CreatedKey, 'id' | 'key'>;

/** What no action changes. */
export interface Fixed {
  /** Of the premium tier. */
  readonly main: HeldKey;
  /** Of the document that is published for the main key. */
  readonly documentId: string;
}

/** A request, and what is right as its answer. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The key of an operator's actions that it uses: its state decides the status. */
  readonly keyId?: string;
  /** Why an answer cannot be from a dataset; undefined: it can. Not asked for a 503 or no answer. */
  judge(answer: Answer, dataset: Dataset): string | undefined;
}

/** Those by values of records. The times at which they were stored are in no model. */
const sorts = startupSorts.filter((sort) => !/^(created|updated)-/.test(sort));

const WALK = `query Walk($sort: StartupSort, $after: String) {
  startups(sort: $sort, first: 10, after: $after) {
    nodes { slug customers revenue { last30Days } } meta { total } pageInfo { endCursor hasNextPage } stats { mrr { max } }
  }
}`;

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

function graphql(key: string, query: string, variables: object): Omit<Ask, 'judge'> {
  const types = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
  const body = JSON.stringify({ query, variables });
  return { method: 'POST', path: '/graphql', headers: { ...bearer(key), ...types }, body };
}

function differ(got: unknown, wanted: unknown): string | undefined {
  const [is, be] = [JSON.stringify(got), JSON.stringify(wanted)];
  return is === be ? undefined : `got ${is?.slice(0, 600)}, wanted ${be?.slice(0, 600)}`;
}

/** What is compared of a record: its values of one version. */
const pick = ({ slug, customers, revenue }: ImportRecord) => [slug, customers, revenue.last30Days];
export const hasSlug = (slug: string) => (record: ImportRecord) => record.slug === slug;
const pickSlugs = ({ records }: Dataset, slugs: readonly string[]) =>
  slugs.flatMap((slug) => records.find(hasSlug(slug)) ?? []).map(pick);

/** A random list over REST. */
export function restList(random: SampleRandom, { key }: HeldKey): Ask {
  const minRevenue = random.below(300_000);
  const list: ListCase = {
    ...(random.chance(0.3) ? { category: random.pick(categories) } : {}),
    ...(random.chance(0.2) ? { onSale: random.chance(0.5) } : {}),
    ...(random.chance(0.4) ? { minRevenue } : {}),
    ...(random.chance(0.2) ? { maxRevenue: minRevenue + random.below(3_000_000) } : {}),
    ...(random.chance(0.7) ? { sort: random.pick(sorts) } : {}),
    ...(random.chance(0.5) ? { page: 1 + random.below(6) } : {}),
  };
  const query = new URLSearchParams(Object.entries(list).map(([name, value]) => [name, String(value)]));
  return {
    path: `/api/v1/startups?${query}`,
    headers: bearer(key),
    judge({ status, json }, dataset) {
      const { meta, slugs } = expectedAnswer(dataset.records, list);
      return differ([status, json.meta, json.data?.map(pick)], [200, meta, pickSlugs(dataset, slugs)]);
    },
  };
}

/** The part of a list behind a cursor. The values that it is sorted by never change, so its order does not either. */
export function walkPage({ key }: HeldKey, sort: string, after: string | null): Ask {
  return {
    ...graphql(key, WALK, { sort, after }),
    judge({ status, json }, dataset) {
      const { nodes, meta } = json.data.startups;
      const order = { sort: sort.toLowerCase().replace('_', '-'), limit: 1e9 };
      const { slugs } = expectedAnswer(dataset.records, order);
      const start = after === null ? 0 : slugs.indexOf(nodes[0]?.slug ?? '');
      const isEnd = nodes.length === 0 && after !== null;
      const wanted = isEnd ? [] : pickSlugs(dataset, slugs.slice(start, start + 10));
      return differ([status, meta.total, nodes.map(pick)], [200, slugs.length, wanted]);
    },
  };
}

/** A key that nobody has, for which a node has to read the database. */
export function unknownKey(): Ask {
  const headers = bearer(generateToken(randomBytes));
  return { path: '/api/v1/startups', headers, judge: ({ status }) => differ(status, 401) };
}

/** Requests whose answers are judged by their status alone. */
export function other(random: SampleRandom, { main, documentId }: Fixed): Ask {
  const headers = bearer(main.key);
  const [wanted, ask] = random.pick<[number, Omit<Ask, 'judge'>]>([
    [200, { path: `/graphql?documentId=${documentId}`, headers }],
    [200, { path: '/health' }],
    [200, { path: '/ready' }],
    [200, { path: '/dashboard/sign-in' }],
    [303, { path: '/dashboard/keys' }],
    [404, { path: '/nothing' }],
    [401, { path: '/api/v1/startups', headers: bearer('rvg_nothing') }],
    [401, unknownKey()],
    [400, { path: '/api/v1/startups?limit=11&page=0', headers }],
    [404, { path: '/api/v1/nothing', headers }],
    [405, { path: '/api/v1/startups', method: 'DELETE', headers }],
    [415, { path: '/graphql', method: 'POST', headers, body: 'x' }],
    [400, graphql(main.key, '{ startups( }', {})],
  ]);
  return { ...ask, judge: ({ status }) => differ(status, wanted) };
}
