import { describe, expect, it } from 'vitest';
import { setKeyLimit } from '../../src/access/keys/change.ts';
import { ApiError } from '../../src/lib/errors.ts';
import { type Answer, type CallOptions, openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const LIMIT = 1_000;
const LIST = '/api/v1/startups';

const gateway = await openTestGateway({ records: [record('one'), record('two')], limits: LIMIT });

/** What a request with a new key costs, by its headers. */
async function costOf(send: (key: string) => Promise<Answer>): Promise<{ cost: number; answer: Answer }> {
  const { key } = await gateway.key();
  const answer = await send(key);
  return { cost: LIMIT - Number(answer.headers['x-ratelimit-remaining']), answer };
}

/** Checks that an answer to POST states a cost, and the budget as its headers do. */
function expectExtension({ headers, json }: Answer, cost: number): void {
  const resetAt = new Date(Number(headers['x-ratelimit-reset']) * 1000).toISOString();
  expect(json.extensions).toEqual({ rateLimit: { limit: LIMIT, remaining: LIMIT - cost, resetAt, cost } });
}

describe('an operation costs', () => {
  const valid = `
    1 { __typename }
    1 { dataset { version total } }
    1 { rateLimit { limit remaining resetAt tier } }
    2 { rateLimit { remaining } again: rateLimit { tier } startup(slug: "one") { name } b: startup(slug: "two") { name } }
    1 { startups { meta { total } } }
    1 { nodes(ids: ["a", "b", "c"]) { id } }
    2 { a: node(id: "a") { id } b: node(id: "a") { id } dataset { total } }
    3 { a: startup(slug: "one") { name } b: startup(slug: "two") { name } c: startups { meta { total } } }
    4 { node(id: "a") { id } nodes(ids: ["a"]) { id } startupsBySlug(slugs: ["a"]) { id } startups { nodes { id } } }
    1 { startups { meta { total } } startups { page { name } } ...F } fragment F on Query { startups { meta { page } } }
    2 { ...F ... on Query { b: startups { meta { page } } } } fragment F on Query { a: startups { meta { page } } }
    2 { startups { facets { onSale { count } } } }
    3 { startups { facets { onSale { count } } stats { mrr { sum } } nodes { slug } } }
    3 { startups { groups(by: CATEGORY) { count } b: groups(by: COUNTRY) { count stats { mrr { sum } } } } }
    4 query ($yes: Boolean = true) {
        startups { ...F f: facets { onSale { count } } stats @skip(if: $yes) { mrr { sum } } ... { stats { price { sum } } } }
      } fragment F on StartupConnection { facets { onSale { value } } facets { category { count } } }
    2 { startups { meta { total } } startups { facets { onSale { count } } } }
    2 { startups { nodes { slug } nodes { history { day } } } }
    2 { startup(slug: "one") { history { day } } }
    4 { startups { nodes { history { day } } facets { onSale { count } } stats { mrr { sum } } } }
    2 { startups { nodes { history { day } history { customers } } } }
    3 { startups { nodes { a: history { day } b: history(last: 3) { day } } } }
    1 { startups { nodes { history @skip(if: true) { day } name } } }
    3 { a: startup(slug: "one") { history { day } } b: startup(slug: "one") { name } }
    1 { market { day } }
    3 { market { day } a: market(category: AI) { day } startups { nodes { name } } }
    1 { changes(first: 100) { next } }
    1 { changes(first: 100) { edges { cursor node { slug kind at } } pageInfo { hasNextPage } } }
    1 { changes(first: 1) { edges { node { startup { slug } } } } }
    10 { changes(first: 100) { edges { node { startup { slug } } } } }
    10 { changes(first: 100) { ...C } }
      fragment C on ChangeConnection { edges { ... { node { ...N } } } } fragment N on Change { startup { slug } }
    1 { changes(first: 100) { edges { node { slug startup @skip(if: true) { slug } } } } }
    1 { changes(first: 100) { edges @include(if: false) { node { startup { slug } } } next } }
    3 { changes(first: 30) { edges { node { slug } } } ... { changes(first: 30) { edges { node { startup { slug } } } } } }
    3 { changes(first: 30) { edges { node { startup { slug } } } more: edges { node { startup { name } } } } }
    5 { changes(first: 30) { edges { node { startup { slug } } } } more: changes { next } startups { nodes { slug } } }
    2 { changes { edges { node { startup { history { day } } } } } }
    9 { changes(first: 21) { edges { node { startup { a: history { day } b: history(last: 1) { day } } } } } }`
    .split(/\n +(?=\d)/)
    .slice(1)
    .map((line) => /^(\d+) (.+)$/s.exec(line) as unknown as [string, string, string]);
  it.each(valid)('%s', async (_, expected, query) => {
    const { cost, answer } = await costOf((key) => gateway.graphql(query, {}, { key }));
    expect(answer.json.errors).toBeUndefined();
    expect(cost).toBe(Number(expected));
    expectExtension(answer, cost);
  });

  it.each([
    '{',
    '{ nothing }',
    '{ a: startups(page: 0) { meta { page } } b: startups { meta { page } } }',
    '{ changes(first: 101) { edges { node { startup { slug } } } } }',
    // Valid, it would cost more than any operation may.
    '{ changes(first: 1000) { edges { node { startup { slug } } } } }',
    '{ changes(since: "x", first: 100) { edges { node { startup { slug } } } } }',
  ])('1 if it is refused: %s', async (query) => {
    const { cost, answer } = await costOf((key) => gateway.graphql(query, {}, { key }));
    expect(answer.json.data).toBeUndefined();
    expect(cost).toBe(1);
    expectExtension(answer, 1);
  });

  it('nothing for reads that its variables skip, and for other operations of its document', async () => {
    const skipped = `query A($no: Boolean!) { a: startups { meta { page } } b: startups @skip(if: true) { meta { page } }
      c: startups @include(if: $no) { meta { page } } } query B { a: market { day } b: market { day } }`;
    const sent = (key: string) => gateway.graphql(skipped, { no: false }, { key, operationName: 'A' });
    expect((await costOf(sent)).cost).toBe(1);
  });
});

describe('a request costs', () => {
  it.each<[number, string, CallOptions?]>([
    [1, LIST],
    [1, LIST, { method: 'HEAD' }],
    [1, LIST, { headers: { 'if-none-match': '*' } }],
    [1, LIST, { method: 'PUT' }],
    [1, LIST, { method: 'OPTIONS' }],
    [1, `${LIST}?page=x`],
    [1, '/api/v1/x'],
    [2, `${LIST}/one/history`],
    [1, `${LIST}/one/history?from=x`],
    [1, '/api/v1/market'],
    [3, '/api/v1/summary'],
    [4, '/api/v1/summary?by=category'],
    [1, '/api/v1/changes'],
    [1, '/api/v1/changes?limit=10'],
    [10, '/api/v1/changes?limit=100'],
    [1, '/api/v1/changes?limit=1000'],
  ])('%i: %s %j', async (cost, target, options) => {
    expect((await costOf((key) => gateway.call(target, { key, ...options }))).cost).toBe(cost);
  });

  it.each<[string, CallOptions]>([
    ['that ended before its body', { body: new ApiError('BAD_USER_INPUT', 'The request ended') }],
    ['of malformed JSON', { body: '{' }],
    ['of another media type', { body: '{ __typename }', headers: { 'content-type': 'text/plain' } }],
  ])('1 if it is one %s', async (_what, options) => {
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, ...options };
    expect((await costOf((key) => gateway.call('/graphql', { key, ...sent }))).cost).toBe(1);
  });
});

it('a key with a limit of its own has that limit in all headers, costs and errors', async () => {
  const { id, key } = await gateway.key({ tier: 'premium' });
  await setKeyLimit(gateway.acting, id, '2');
  const rest = await gateway.call('/api/v1/summary', { key });
  expect(rest.status).toBe(400);
  expect(rest.json.error).toMatchObject({ code: 'OPERATION_TOO_COMPLEX' });
  expect(rest.json.error.message).toContain('at most 2, the limit of this key');
  const headers = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' };
  expect(rest.headers).toMatchObject({ ...headers, 'ratelimit-policy': '"default";q=2;w=60' });
  const graphql = await gateway.graphql('{ startups { meta { total } } }', {}, { key });
  expect(graphql.json.extensions.rateLimit).toMatchObject({ limit: 2, remaining: 0, cost: 1 });
  const refused = await gateway.graphql('{ startups { facets { onSale { count } } } }', {}, { key });
  expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([429, '2']);
});
