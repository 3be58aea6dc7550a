import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { listen, type NodeServer } from '../../src/lib/http/node-server.ts';
import { startupSorts } from '../../src/startups/model/vocabulary.ts';
import { loadSample } from '../../src/startups/sample/load-sample.ts';
import { expectCheap } from '../support/cost.ts';
import { LOCAL_SERVER, openTestGateway, type TestGateway } from '../support/gateway.ts';
import { testSeed } from '../support/runs.ts';

// The whole way through every order of a large catalogue.

const COUNT = Number(process.env.TEST_SCALE_ROWS ?? 100_000);
const PAGES = Math.ceil(COUNT / 10);

let gateway: TestGateway;
let server: NodeServer;
let key: string;
beforeAll(async () => {
  gateway = await openTestGateway({ limits: { standard: 1_000_000_000, premium: 1_000_000_000 } });
  const client = await gateway.database.connect();
  await loadSample({ client, kind: gateway.database.kind, count: COUNT, seed: testSeed() });
  await client.end();
  key = (await gateway.key()).key;
  server = await listen(gateway.handle, LOCAL_SERVER);
  await vi.waitFor(
    async () => {
      const { json } = await gateway.call('/api/v1/startups?limit=1', { key });
      expect(json.meta.total).toBe(COUNT);
    },
    { timeout: 120_000 },
  );
}, 120_000);
afterAll(async () => {
  await server.close();
  await gateway.close();
});

async function restPage(sort: string, page: number): Promise<string[]> {
  const { json } = await gateway.call(`/api/v1/startups?sort=${sort}&page=${page}`, { key });
  return json.data.map(({ slug }: { slug: string }) => slug);
}

const DOCUMENT =
  'query ($sort: StartupSort, $page: Int) { startups(sort: $sort, page: $page) { page { slug } } }';

async function graphqlPage(sort: string, page: number): Promise<string[]> {
  const variables = { sort: sort.toUpperCase().replaceAll('-', '_'), page };
  const { json } = await gateway.graphql(DOCUMENT, variables, { key });
  return json.data.startups.page.map(({ slug }: { slug: string }) => slug);
}

/** All pages of an order, several in flight at a time. */
async function walk(
  read: (sort: string, page: number) => Promise<string[]>,
  sort: string,
): Promise<string[]> {
  const pages: string[][] = [];
  let next = 1;
  const walkers = Array.from({ length: 8 }, async () => {
    for (let page = next++; page <= PAGES; page = next++) {
      pages[page] = await read(sort, page);
    }
  });
  await Promise.all(walkers);
  return pages.flat();
}

it.each(startupSorts)(
  'walks %s to the end on both surfaces: each record once, in the same order',
  { timeout: 300_000 },
  async (sort) => {
    const rest = await walk(restPage, sort);
    const graphql = await walk(graphqlPage, sort);
    expect(new Set(rest).size).toBe(COUNT);
    expect(rest.length).toBe(COUNT);
    // Compared as text: a difference of two arrays this long would not be readable anyway.
    expect(graphql.join() === rest.join()).toBe(true);
    for (const page of [1, 2, Math.ceil(PAGES / 2), PAGES]) {
      const answer = await fetch(`${server.url}/api/v1/startups?sort=${sort}&page=${page}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { data, meta } = (await answer.json()) as {
        data: { slug: string }[];
        meta: { hasMore: boolean };
      };
      expect(data.map(({ slug }) => slug)).toEqual(rest.slice(page * 10 - 10, page * 10));
      expect(meta.hasMore).toBe(page < PAGES);
    }
  },
);

it('a list at 90 % depth costs at most three times the first page', async () => {
  const readPages = (page: number) => async () => {
    for (let i = 0; i < 50; i++) {
      await gateway.call(`/api/v1/startups?category=saas&minRevenue=${i}&page=${page}`, { key });
    }
  };
  const { json } = await gateway.call('/api/v1/startups?category=saas', { key });
  const deep = Math.floor(json.meta.total * 0.09);
  await expectCheap(readPages(deep), readPages(1), 3);
});
