import { describe, expect, it } from 'vitest';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const gateway = await openTestGateway({ records: [record('one')], limits: 10_000 });
const { key } = await gateway.key();
const headers = { accept: 'application/graphql-response+json' };

interface ShownError {
  readonly message: string;
  readonly path?: readonly string[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions: { readonly code: string; readonly details: unknown };
}
async function errorsOf(query: string, variables: object = {}): Promise<readonly ShownError[]> {
  const { status, json } = await gateway.graphql(query, variables, { key, headers });
  expect([status, json.data]).toEqual([400, undefined]);
  for (const { extensions } of json.errors) {
    expect(extensions.code).toBe('BAD_USER_INPUT');
  }
  return json.errors;
}
const detailsOf = async (query: string, variables: object): Promise<unknown[]> =>
  (await errorsOf(query, variables)).map(({ extensions }) => extensions.details);

describe('a variable that its type does not allow has details', () => {
  const list =
    'query ($filter: StartupFilter, $sort: StartupSort, $limit: Int, $slug: String!) { startups(filter: $filter, sort: $sort, limit: $limit) { meta { total } } startup(slug: $slug) { slug } }';
  const market =
    'query ($from: Date, $last: Boolean!) { market(from: $from) { day } dataset @include(if: $last) { total } }';
  const slug = 'one';

  it.each<[string, object, string, string | RegExp]>([
    [
      list,
      { sort: 'REVENU_DESC', slug },
      '$sort',
      /^got "REVENU_DESC" \(did you mean "REVENUE_DESC"\?\), allowed: one of BEST_DEAL, /,
    ],
    [
      list,
      { filter: { category: 'sas' }, slug },
      'category',
      /^got "sas" \(did you mean "SAAS"\?\), allowed: one of AI, ANALYTICS, /,
    ],
    [
      list,
      { filter: { categories: ['AI', 'x'] }, slug },
      'categories',
      /^got "x", allowed: one of AI, ANALYTICS, /,
    ],
    [
      list,
      { filter: { catgory: 'AI' }, slug },
      'catgory',
      'unknown field of StartupFilter (did you mean "category"?)',
    ],
    [list, { filter: 'AI', slug }, '$filter', 'got "AI", allowed: an object of the type StartupFilter'],
    [list, { limit: '5', slug }, '$limit', 'got "5", allowed: an integer from -2147483648 to 2147483647'],
    [list, { limit: 1.5, slug }, '$limit', 'got 1.5, allowed: an integer from -2147483648 to 2147483647'],
    [list, { filter: { minRevenue: '1' }, slug }, 'minRevenue', 'got "1", allowed: a number'],
    [list, { filter: { onSale: 'true' }, slug }, 'onSale', 'got "true", allowed: true or false'],
    [
      list,
      { filter: { foundedAfter: 'monday' }, slug },
      'foundedAfter',
      /^got "monday", allowed: a date of the years/,
    ],
    [list, { slug: 5 }, '$slug', 'got 5, allowed: a text'],
    [list, { slug: null }, '$slug', 'got null, allowed: a text'],
    [list, {}, '$slug', 'got null, allowed: a text'],
    [market, { from: '2026-02-30', last: true }, '$from', /^got "2026-02-30", allowed: /],
    [market, {}, '$last', 'got null, allowed: true or false'],
  ])('%#', async (query, variables, parameter, message) => {
    const shown = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await detailsOf(query, variables)).toEqual([[{ parameter, message: shown }]]);
  });

  it('one for each, in their order', async () => {
    const variables = { filter: { category: 'sas', minMrr: 'x' }, limit: 'x' };
    const details = (await detailsOf(list, variables)).map(
      (one) => (one as { parameter: string }[])[0]?.parameter,
    );
    expect(details).toEqual(['category', 'minMrr', '$limit', '$slug']);
  });
});

describe('messages are in the words of GraphQL', () => {
  it.each([
    [
      'filter: { country: "XX" }',
      'country: got "XX", allowed: an ISO 3166-1 alpha-2 code in capitals, such as DE',
    ],
    [
      'filter: { techStack: [","] }',
      'techStack: got [","], allowed: at most 50 technologies of 1 to 100 characters without commas',
    ],
    ['sort: RELEVANCE', 'sort: got "RELEVANCE", allowed: RELEVANCE only together with search'],
    ['filter: { minMrr: 1e999 }', 'minMrr: got Infinity, allowed: a finite number'],
    [
      'filter: { targetAudiences: [B2B, B2B, B2C, BOTH] }',
      'targetAudiences: got ["B2B","B2B","B2C","BOTH"], allowed: at most 3 of B2B, B2C, BOTH',
    ],
  ])('%s', async (argument, message) => {
    const [error, other] = await errorsOf(`{ startups(${argument}) { meta { total } } }`);
    expect([error?.message, other]).toEqual([message, undefined]);
  });
});

describe('an error of an argument has the path of its field', () => {
  const found = async (query: string, variables?: object) =>
    (await errorsOf(query, variables)).map(({ message, path, locations }) => [
      message,
      path,
      locations?.length,
    ]);

  it('by which two aliases with the same fault differ', async () => {
    const upTo = 'limit: got 99, allowed: an integer from 1 to 10';
    expect(
      await found(
        'query ($n: Int) { a: startups(limit: $n) { meta { page } } b: startups(limit: $n) { meta { page } } }',
        { n: 99 },
      ),
    ).toEqual([
      [upTo, ['a'], 1],
      [upTo, ['b'], 1],
    ]);
  });

  it('also below another field, and in a fragment', async () => {
    const query = `{ one: startup(slug: "one") { ...F } startups { page { h: history(last: 0) { day } } } }
      fragment F on Startup { g: history(last: -1) { day } }`;
    const [first, second] = await found(query);
    expect(first).toEqual([expect.stringMatching(/^last: got -1, /), ['one', 'g'], 1]);
    expect(second).toEqual([expect.stringMatching(/^last: got 0, /), ['startups', 'page', 'h'], 1]);
  });

  it('where a variable is null in place of its default', async () => {
    const query = 'query ($s: String = "a") { a: startup(slug: $s) { name } b: startup(slug: $s) { name } }';
    const errors = await errorsOf(query, { s: null });
    const details = [{ parameter: 'slug', message: 'got null, allowed: a value of the type String!' }];
    expect(errors.map(({ path, extensions }) => [path, extensions.details])).toEqual([
      [['a'], details],
      [['b'], details],
    ]);
  });
});
