import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sampleStartups } from '../../src/startups/sample/sample.ts';
import { createTestClock } from '../support/clock.ts';
import { type Answer, openTestGateway } from '../support/gateway.ts';
import { expectedAnswer, type ListCase, matchingRows } from '../support/model/rest-list.ts';
import { type ImportRecord, record } from '../support/records.ts';
import { errorsOf, variablesOf } from './surfaces.ts';

// Few distinct values, so that ties and nulls are met on every boundary.
const ties = Array.from({ length: 25 }, (_, i) =>
  record(`tie-${i}`, {
    revenue: { last30Days: (i % 3) * 1000, mrr: 0, total: 0 },
    askingPrice: i % 4 === 0 ? null : (i % 2) * 5000,
    growth30d: i % 5 === 0 ? null : -10,
    onSale: i % 2 === 0,
    firstListedForSaleAt: i % 3 === 0 ? null : '2024-05-01T00:00:00.000Z',
  }),
);

const records: ImportRecord[] = [...sampleStartups({ count: 60, seed: 3 }), ...ties];

const clock = createTestClock();
async function open() {
  const limits = 1_000_000;
  const gateway = await openTestGateway({ clock, records, limits });
  const { key } = await gateway.key();
  return { gateway, key };
}
const shared = await open();
let { gateway, key } = shared;

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

/** All slugs of a list, in order. */
function expected(list: ListCase): string[] {
  return expectedAnswer(records, { ...list, page: 1, limit: records.length }).slugs;
}

describe('a walk by cursors', () => {
  it('may begin on a page', async () => {
    const page = (await ask({ page: 2, limit: 5 })).json.data.startups;
    const next = (await ask({}, { after: page.edges[2].cursor })).json.data.startups;
    expect(next.nodes.map(({ slug }: { slug: string }) => slug)).toEqual(expected({}).slice(8, 18));
    expect(next.meta).toEqual({ total: records.length, page: null, limit: 10, hasMore: true });
  });
});

describe('a connection', () => {
  it('reports the position of a page, also with cursors', async () => {
    const { page, nodes, edges, pageInfo, meta } = (await ask({ page: 2, limit: 4 })).json.data.startups;
    expect(nodes).toEqual(page);
    expect(edges.map(({ node }: { node: { slug: string } }) => ({ slug: node.slug }))).toEqual(page);
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: edges[0].cursor,
      endCursor: edges[3].cursor,
    });
    expect(meta).toEqual({ total: records.length, page: 2, limit: 4, hasMore: true });
    expect((await ask({})).json.data.startups.pageInfo.hasPreviousPage).toBe(false);
  });

  it('is empty past its end', async () => {
    const { pageInfo } = (await ask({ page: 2_147_483_647 })).json.data.startups;
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: null,
      endCursor: null,
    });
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

  const lengths = [27, 28, 29, 50_000].map((length) => 'A'.repeat(length));
  const wrong = ['', 'x', 'Zm9v', 'ä', '\n', '+'.repeat(28), `${'A'.repeat(27)}=`, ...lengths];
  it.each(wrong.map((after) => [after.slice(0, 50), after]))('is the cursor %j', async (_shown, after) => {
    await expectRefusal(
      await ask({}, { after }),
      'after',
      /allowed: a cursor returned by a list with the same/,
    );
  });

  it('is a cursor of another filter or sort', async () => {
    const after = await cursor({ category: 'ai' });
    for (const list of [
      {},
      { category: 'saas' },
      { category: 'ai', onSale: true },
      { category: 'ai', minMrr: 0 },
    ]) {
      await expectRefusal(await ask(list, { after }), 'after', /same filter and sort/);
    }
    await expectRefusal(
      await ask({ category: 'ai', sort: 'revenue-asc' }, { after }),
      'after',
      /same filter/,
    );
    expect((await ask({ category: 'ai', sort: 'revenue-desc' }, { after })).status).toBe(200);
  });

  it.each([
    [{ countries: ['XX'] }, 'countries', /got "XX", allowed: at most 249 ISO 3166-1 alpha-2 codes.+DE$/],
    [{ countries: ['US', 'fr'] }, 'countries', /got "fr", allowed: .+; did you mean "FR"\?$/],
    [{ countries: ['de'] }, 'countries', /got "de"/],
    [{ countries: Array(250).fill('DE') }, 'countries', /at most 249/],
    [{ categories: Array(32).fill('ai') }, 'categories', /at most 31 of ai, saas/],
    [{ paymentProviders: Array(12).fill('stripe') }, 'paymentProviders', /at most 11 of stripe/],
    [{ targetAudiences: Array(4).fill('b2b') }, 'targetAudiences', /at most 3 of b2b, b2c, both/],
  ] as [ListCase, string, RegExp][])('is the filter %j', async (list, parameter, message) => {
    await expectRefusal(await ask(list), parameter, message);
  });
});

describe('any of several values', () => {
  it('an empty list matches nothing', async () => {
    expect((await ask({ countries: [] })).json.data.startups.meta.total).toBe(0);
  });

  it('combines with the single value', async () => {
    const list: ListCase = { category: 'ai', categories: ['saas', 'fintech'] };
    expect((await ask(list)).json.data.startups.meta.total).toBe(0);
    const both: ListCase = { category: 'ai', categories: ['ai', 'fintech'] };
    expect((await ask(both)).json.data.startups.meta.total).toBe(matchingRows(records, both).length);
  });

  it('is refused by REST, which keeps to the interface', async () => {
    const answer = await gateway.call('/api/v1/startups?countries=DE', { key });
    expect([answer.status, answer.json.error.details[0].parameter]).toEqual([400, 'countries']);
  });
});

describe('when data changes', () => {
  // Each test changes startups of its own.
  beforeEach(async () => {
    onTestFinished(() => {
      ({ gateway, key } = shared);
    });
    ({ gateway, key } = await open());
    // Changes after a quiet time are noticed at once.
    await clock.advance(1_000);
  });

  it('shows a record whose sort value is constant exactly once, while others are added, removed and moved', async () => {
    const { prisma } = gateway.database;
    const before = expected({ sort: 'revenue-asc' });
    const moving = before[1] as string;
    const seen: string[] = [];
    let step = 0;
    for (let after: string | null = null, more = true; more; step++) {
      const answer: Answer = await ask({ sort: 'revenue-asc' }, { first: 10, after });
      const { startups } = answer.json.data;
      seen.push(...startups.nodes.map(({ slug }: { slug: string }) => slug));
      ({ hasNextPage: more, endCursor: after } = startups.pageInfo);
      await prisma.startup.update({
        where: { slug: moving },
        data: { revenueLast30Days: BigInt(step * 100_000) },
      });
      await clock.advance(1_000);
    }
    expect(step).toBeGreaterThan(5);
    const still = (slugs: string[]): string[] => slugs.filter((slug) => slug !== moving);
    expect(still(seen)).toEqual(still(before));
  });
});
