import { describe, expect, it } from 'vitest';
import { sampleStartups } from '../../src/startups/sample/sample.ts';
import { createTestClock } from '../support/clock.ts';
import { type Answer, openTestGateway } from '../support/gateway.ts';
import { expectedAnswer, type ListCase } from '../support/model/rest-list.ts';
import { insertRecords, record } from '../support/records.ts';
import { errorsOf, variablesOf } from './surfaces.ts';

const records = [...sampleStartups({ count: 60, seed: 3 })];
const gateway = await openTestGateway({ records, limits: 1_000_000 });
const { key } = await gateway.key();

const document = `query ($filter: StartupFilter, $sort: StartupSort, $page: Int, $limit: Int, $first: Int, $after: String) {
startups(filter: $filter, sort: $sort, page: $page, limit: $limit, first: $first, after: $after) {
  page { slug }
  nodes { slug }
  edges { cursor node { slug rank } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  meta { total page limit hasMore }
}
}`;
const headers = { accept: 'application/graphql-response+json' };

async function ask(list: ListCase, more: object = {}, query = document): Promise<Answer> {
  return gateway.graphql(query, { ...variablesOf(list), ...more }, { key, headers });
}

it('a walk by cursors may begin on a page', async () => {
  const page = (await ask({ page: 2, limit: 5 })).json.data.startups;
  const next = (await ask({}, { after: page.edges[2].cursor })).json.data.startups;
  const { slugs } = expectedAnswer(records, { page: 1, limit: 18 });
  expect(next.nodes.map(({ slug }: { slug: string }) => slug)).toEqual(slugs.slice(8));
  expect(next.meta).toEqual({ total: records.length, page: null, limit: 10, hasMore: true });
});

it('a walk through a corrected search finds each startup once, until the word matches as it is', async () => {
  const clock = createTestClock();
  const trackers = Array.from({ length: 7 }, (_, index) =>
    record(`tracker-${index}`, {
      name: 'Tracker',
      customers: index % 3,
      description: index > 3 ? 'A tracker' : null,
    }),
  );
  const other = await openTestGateway({ clock, records: [...trackers, record('unrelated')], limits: 1_000 });
  const own = await other.key();
  const find = (list: ListCase, more: object = {}) =>
    other.graphql(
      document,
      { ...variablesOf({ search: 'trackr', ...list }), ...more },
      { key: own.key, headers },
    );
  let last = '';
  for (const sort of ['relevance', 'revenue-desc', 'name-asc'] as const) {
    const all = (await find({ sort, limit: 10 })).json.data.startups;
    expect(all.meta.total, sort).toBe(7);
    const walked: unknown[] = [];
    for (let after: string | undefined, hasNextPage = true; hasNextPage; ) {
      const { nodes, pageInfo } = (await find({ sort }, { first: 3, after })).json.data.startups;
      walked.push(...nodes);
      ({ endCursor: after, hasNextPage } = pageInfo);
      last = after ?? '';
    }
    expect(walked, sort).toEqual(all.nodes);
  }
  await insertRecords(other.database, [record('trackr')]);
  await expect
    .poll(async () => {
      await clock.advance(1_000);
      return (await find({})).json.data.startups.meta.total;
    })
    .toBe(1);
  const answer = await find({ sort: 'name-asc' }, { after: last });
  expect(answer.json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  expect(errorsOf(answer)).toEqual([
    { parameter: 'after', message: expect.stringContaining('start again without a cursor') },
  ]);
});

describe('a connection', () => {
  it('reports the position of a page, also with cursors', async () => {
    const { page, nodes, edges, pageInfo, meta } = (await ask({ page: 2, limit: 4 })).json.data.startups;
    expect(nodes).toEqual(page);
    expect(edges.map(({ node }: { node: { slug: string } }) => ({ slug: node.slug }))).toEqual(page);
    const cursors = { startCursor: edges[0].cursor, endCursor: edges[3].cursor };
    expect(pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: true, ...cursors });
    expect(meta).toEqual({ total: records.length, page: 2, limit: 4, hasMore: true });
    expect((await ask({})).json.data.startups.pageInfo.hasPreviousPage).toBe(false);
  });

  it('is empty past its end', async () => {
    const { pageInfo } = (await ask({ page: 2_147_483_647 })).json.data.startups;
    const cursors = { startCursor: null, endCursor: null };
    expect(pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true, ...cursors });
    const nothing = (await ask({ maxRevenue: -1, page: 3 })).json.data.startups;
    expect(nothing.pageInfo.hasPreviousPage).toBe(false);
  });

  it('queries no row, however often and by whatever name its records are selected', async () => {
    gateway.queries.length = 0;
    const query = `{ startups(first: 2) {
    page { slug } again: page { name } nodes { slug } edges { cursor node { slug } } more: edges { node { name } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } meta { total }
    facets { onSale { count } } stats { mrr { max } }
  } dataset { total } }`;
    const { startups } = (await ask({}, {}, query)).json.data;
    expect(startups.edges[1].cursor).toBe(startups.pageInfo.endCursor);
    expect(gateway.rowQueries()).toEqual([]);
  });

  it('takes an explicit null as an absent argument', async () => {
    const answer = await ask({}, { page: null, limit: null, first: 3, after: null });
    expect(answer.json.data.startups.meta).toMatchObject({ page: null, limit: 3 });
  });
});

describe('refused', () => {
  const cursor = async (list: ListCase): Promise<string> =>
    (await ask(list, { first: 1 })).json.data.startups.pageInfo.endCursor;

  async function expectRefusal(answer: Answer, parameter: string, message: RegExp): Promise<void> {
    expect([answer.status, answer.json.data]).toEqual([400, undefined]);
    expect(answer.json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect(errorsOf(answer)).toEqual([{ parameter, message: expect.stringMatching(message) }]);
    expect(answer.headers['x-ratelimit-limit']).toBe('1000000');
  }

  it.each(['first', 'after'])('is %s beside page or limit', async (name) => {
    const value = name === 'first' ? 1 : await cursor({});
    for (const page of [{ page: 1 }, { limit: 10 }]) {
      const answer = await ask(page, { [name]: value });
      await expectRefusal(answer, name, /together with page or limit/);
    }
  });

  it.each([0, -1, 11])('is first: %i', async (first) => {
    await expectRefusal(await ask({}, { first }), 'first', /got -?\d+, allowed: an integer from 1 to 10/);
  });

  const wrong = ['', 'x', 'ä', '\n', `${'A'.repeat(27)}=`, 'A'.repeat(28), 'A'.repeat(50_000)];
  it.each(wrong.map((after) => [after.slice(0, 50), after]))('is the cursor %j', async (_shown, after) => {
    const allowed = /allowed: a cursor returned by a list with the same/;
    await expectRefusal(await ask({}, { after }), 'after', allowed);
  });

  it('is a cursor of another filter or sort', async () => {
    const after = await cursor({ category: 'ai' });
    for (const list of [{}, { category: 'ai', sort: 'revenue-asc' }]) {
      await expectRefusal(await ask(list, { after }), 'after', /same filter and sort/);
    }
    expect((await ask({ category: 'ai', sort: 'revenue-desc' }, { after })).status).toBe(200);
  });

  it.each([
    [{ countries: ['XX'] }, 'countries', /got "XX", allowed: at most 249 ISO 3166-1 alpha-2 codes.+DE$/],
    [{ countries: ['US', 'fr'] }, 'countries', /got "fr" \(did you mean "FR"\?\), allowed: /],
    [{ countries: ['de'] }, 'countries', /got "de"/],
    [{ countries: Array(250).fill('DE') }, 'countries', /at most 249/],
    [
      { categories: Array(32).fill('ai') },
      'categories',
      /got \["AI",.+ at most 31 of AI, SAAS, DEVELOPER_TOOLS/,
    ],
    [{ paymentProviders: Array(12).fill('stripe') }, 'paymentProviders', /at most 11 of STRIPE/],
    [{ targetAudiences: Array(4).fill('b2b') }, 'targetAudiences', /at most 3 of B2B, B2C, BOTH/],
  ] as [ListCase, string, RegExp][])('is the filter %j', async (list, parameter, message) => {
    await expectRefusal(await ask(list), parameter, message);
  });
});
