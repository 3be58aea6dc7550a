import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const slugs = ['one', 'two', 'three'];
const gateway = await openTestGateway({
  records: slugs.map((slug, i) => record(slug, { revenue: { last30Days: i, mrr: 0, total: i } })),
  limits: 1_000,
});
const { key } = await gateway.key();
beforeEach(() => {
  gateway.queries.length = 0;
});

const headers = { accept: 'application/graphql-response+json' };
const ask = (query: string, variables: object = {}): Promise<Answer> =>
  gateway.graphql(query, variables, { key, headers });
const { json } = await ask('{ startupsBySlug(slugs: ["one", "two", "three"]) { id } }');
const ids: string[] = json.data.startupsBySlug.map(({ id }: { id: string }) => id);

const badIds = [
  '',
  'x',
  'Startup:1',
  '\u0000',
  'x'.repeat(90_000),
  // Another spelling of one that is known.
  `${ids[0]}=`,
  ...['Startup:0', 'Startup:01', 'Startup:-1', 'Startup:1 ', 'User:1'].map(btoa),
  ...['Startup:99999999999', 'Startup:2147483648', 'Startup:2147483647'].map(btoa),
];

it('node finds a startup by its global identifier', async () => {
  const query = 'query ($id: ID!) { node(id: $id) { id ... on Startup { slug rank } } }';
  const { json } = await ask(query, { id: ids[1] });
  expect(json.data).toEqual({ node: { id: ids[1], slug: 'two', rank: 2 } });
});

it.each(badIds)('node is null for "%.50s"', async (id) => {
  const answer = await ask('query ($id: ID!) { node(id: $id) { id } }', { id });
  expect([answer.status, answer.json.data]).toEqual([200, { node: null }]);
});

it('several keep their order and repetitions, with null for unknown ones, without a query', async () => {
  const slugs = ['three', 'no-such', 'one', 'three', 'NOT A SLUG', '\u0000'];
  const both = `query ($slugs: [String!]!, $ids: [ID!]!) {
    startupsBySlug(slugs: $slugs) { slug rank } nodes(ids: $ids) { ... on Startup { slug rank } }
  }`;
  const [one, three] = [{ slug: 'one', rank: 3 } as const, { slug: 'three', rank: 1 } as const];
  const expected = [three, null, one, three, null, null];
  const { json } = await ask(both, { slugs, ids: [ids[2], 'x', ids[0], ids[2], '\u0000', ''] });
  expect(json.data).toEqual({ startupsBySlug: expected, nodes: expected });
  expect(gateway.rowQueries()).toEqual([]);
});

describe.each([
  ['nodes', 'ids', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'],
  ['startupsBySlug', 'slugs', 'query ($slugs: [String!]!) { startupsBySlug(slugs: $slugs) { slug } }'],
])('%s', (_field, parameter, query) => {
  it.each([0, 11, 500])('refuses %i values before anything is read', async (count) => {
    const answer = await ask(query, { [parameter]: Array(count).fill('one') });
    expect([answer.status, answer.json.data]).toEqual([400, undefined]);
    expect(answer.json.errors).toHaveLength(1);
    expect(answer.json.errors[0].extensions).toEqual({
      code: 'BAD_USER_INPUT',
      details: [{ parameter, message: `got "${count} values", allowed: 1 to 10` }],
    });
    expect(gateway.rowQueries()).toEqual([]);
  });

  it('takes ten', async () => {
    expect((await ask(query, { [parameter]: Array(10).fill('one') })).json).not.toHaveProperty('errors');
  });
});
