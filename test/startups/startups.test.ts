import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Catalogue } from '../../src/startups/catalogue/catalogue.ts';
import { type LiveCatalogue, openCatalogue } from '../../src/startups/catalogue/live.ts';
import type { ListRequest } from '../../src/startups/list-request.ts';
import { createStartupRows } from '../../src/startups/rows.ts';
import { createStartups, type Startups } from '../../src/startups/startups.ts';
import { openTestDatabase } from '../support/database.ts';
import { NO_CACHES, openTestGateway, type TestGateway } from '../support/gateway.ts';
import { onPostgres } from '../support/only.ts';
import { insertRecords, record } from '../support/records.ts';

const revenue = (last30Days: number) => ({ revenue: { last30Days, mrr: 0, total: last30Days } });

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('a list from a catalogue that is older than the rows', () => {
  /** Never told of a change: it is stale until a read asks for a fresh one. */
  let catalogue: LiveCatalogue;
  let startups: Startups;
  let freshened = 0;
  /** What happens after a fresh catalogue was built and before its rows are read. */
  let meanwhile: string | undefined;
  const queries: string[] = [];

  beforeAll(async () => {
    catalogue = await openCatalogue({
      connect: () => database.threadConnection(),
      now: Date.now,
      onFault: (error) => {
        throw error;
      },
    });
  });
  afterAll(() => catalogue.close());

  /** The database's pool, whose queries are noted. */
  const watched = {
    query: (config: { text: string }) => {
      queries.push(config.text);
      return database.pool.query(config);
    },
  } as unknown as typeof database.pool;

  const run = async (sql: string): Promise<void> => {
    await database.pool.query(sql);
    queries.length = 0;
  };
  beforeEach(async () => {
    await run('TRUNCATE startups');
    await insertRecords(database, [
      record('a', { category: 'ai', ...revenue(400) }),
      record('b', { category: 'ai', ...revenue(300) }),
      record('c', { category: 'ai', ...revenue(200) }),
      record('d', { category: 'saas', ...revenue(100) }),
    ]);
    await catalogue.fresh();
    freshened = 0;
    meanwhile = undefined;
    const source = {
      current: (): Catalogue => catalogue.current(),
      use: <T>(work: () => Promise<T>): Promise<T> => catalogue.use(work),
      fresh: async (): Promise<Catalogue> => {
        freshened += 1;
        const fresh = await catalogue.fresh();
        if (meanwhile !== undefined) {
          await database.pool.query(meanwhile);
        }
        queries.length = 0;
        return fresh;
      },
    };
    startups = createStartups({
      reader: createStartupRows({ pool: watched, capacity: 0 }),
      catalogue: source,
    });
    queries.length = 0;
  });

  const AI: ListRequest = {
    filter: { category: 'ai' },
    sort: 'revenue-desc',
    page: 1,
    limit: 10,
    after: null,
  };
  const list = async (more: Partial<ListRequest> = {}) => {
    const found = await startups.list({ ...AI, ...more }, { records: true, total: true });
    const records = found.entries.flatMap(({ record }) => (record === undefined ? [] : [record]));
    return { slugs: records.map(({ slug }) => slug), total: found.total, hasMore: found.hasMore, records };
  };

  it('is read at once, by one query, where nothing changed', async () => {
    expect(await list()).toMatchObject({ slugs: ['a', 'b', 'c'], total: 3, hasMore: false });
    expect([freshened, queries.length]).toEqual([0, 1]);
  });

  it('that another row changed for is read at once', async () => {
    await run(`UPDATE startups SET name = 'new' WHERE slug = 'd'`);
    expect(await list()).toMatchObject({ slugs: ['a', 'b', 'c'] });
    expect(freshened).toBe(0);
  });

  it('never shows a row that left its filter', async () => {
    await run(`UPDATE startups SET category = 'saas' WHERE slug = 'b'`);
    expect(await list()).toMatchObject({ slugs: ['a', 'c'], total: 2, hasMore: false });
    expect([freshened, queries.length]).toEqual([1, 1]);
  });

  it('is filled up to its limit after that', async () => {
    await run(`UPDATE startups SET category = 'saas' WHERE slug = 'a'`);
    expect(await list({ limit: 2 })).toMatchObject({ slugs: ['b', 'c'], total: 2, hasMore: false });
  });

  it('shows a row that still passes as it now is, in the order that it now has', async () => {
    await run(`UPDATE startups SET revenue_last_30_days = 1, name = 'new' WHERE slug = 'a'`);
    const { slugs, records } = await list();
    expect(slugs).toEqual(['b', 'c', 'a']);
    expect(records[2]).toMatchObject({ name: 'new', revenueLast30Days: 1n });
    expect(freshened).toBe(1);
  });

  it('takes a deleted row for no error, and counts it no more', async () => {
    await run(`DELETE FROM startups WHERE slug = 'a'`);
    expect(await list()).toMatchObject({ slugs: ['b', 'c'], total: 2 });
    expect([freshened, queries.length]).toEqual([1, 1]);
    await run('TRUNCATE startups');
    expect(await list()).toMatchObject({ slugs: [], total: 0, hasMore: false });
  });

  it('ranks by the catalogue that it was found in', async () => {
    await run(`UPDATE startups SET revenue_total = 0 WHERE slug = 'a'`);
    const { records } = await list();
    expect(records.map(({ slug, rank }) => [slug, rank])).toEqual([
      ['a', 4],
      ['b', 1],
      ['c', 2],
    ]);
  });

  it('is read again only once: what changed even then is left out where it contradicts the filter', async () => {
    await run(`UPDATE startups SET name = 'new' WHERE slug = 'a'`);
    meanwhile = `WITH gone AS (DELETE FROM startups WHERE slug = 'c')
      UPDATE startups SET category = CASE slug WHEN 'a' THEN 'saas' ELSE category END, name = 'newer' WHERE slug IN ('a', 'b')`;
    const { slugs, records } = await list();
    expect(slugs).toEqual(['b']);
    expect(records[0]).toMatchObject({ name: 'newer' });
    expect([freshened, queries.length]).toEqual([1, 1]);
  });

  it.each([
    [{ onSale: false }, `on_sale = true`],
    [{ maxRevenue: 400 }, `revenue_last_30_days = 401`],
    [{ minRevenue: 100 }, `revenue_last_30_days = 99`],
    [{ minMrr: 0, maxMrr: 0 }, `revenue_mrr = 1`],
    [{ minGrowth: 0.1 }, `growth_30d = NULL`],
    [{ maxPrice: 100 }, `asking_price = 101`],
    [{ xHandle: '@Some' }, `x_handle = 'other'`],
    [{ teamSize: '1' }, `team_size = NULL`],
    [{ fundingStatus: 'bootstrapped' }, `funding_status = 'vc-funded'`],
  ] as const)('holds what it was filtered by: %j', async (filter, change) => {
    await run(`UPDATE startups SET growth_30d = 10, asking_price = 100, x_handle = 'some', team_size = '1',
      funding_status = 'bootstrapped'`);
    await catalogue.fresh();
    expect((await list({ filter })).slugs).toHaveLength(4);
    await run(`UPDATE startups SET name = 'new'`);
    meanwhile = `UPDATE startups SET ${change} WHERE slug = 'b'`;
    expect((await list({ filter })).slugs).toEqual(['a', 'c', 'd']);
  });

  it('reads no row where none is wanted or found', async () => {
    const { entries, total } = await startups.list(AI, { records: false, total: true });
    expect([entries.filter(({ record }) => record !== undefined), total]).toEqual([[], 3]);
    const { total: unasked, hasMore } = await startups.list(AI, { records: false, total: false });
    expect([unasked, hasMore]).toEqual([undefined, false]);
    expect(await list({ page: 2 ** 31 - 1 })).toMatchObject({ slugs: [], total: 3, hasMore: false });
    expect(await list({ filter: { category: 'legal' } })).toMatchObject({ slugs: [], total: 0 });
    expect([freshened, queries]).toEqual([0, []]);
  });

  it('one startup newer than the catalogue is ranked by a fresh one', async () => {
    expect(await startups.get('b')).toMatchObject({ slug: 'b', rank: 2 });
    expect(freshened).toBe(0);
    await run(`UPDATE startups SET revenue_total = 1000 WHERE slug = 'b'`);
    expect(await startups.get('b')).toMatchObject({ rank: 1 });
    expect(freshened).toBe(1);
    await run(`DELETE FROM startups WHERE slug = 'b'`);
    expect(await startups.get('b')).toBeNull();
    expect(await startups.get('B')).toBeNull();
    expect(await startups.get('')).toBeNull();
  });
});

describe('the work that a request causes', () => {
  let gateway: TestGateway;
  let key = '';
  beforeAll(async () => {
    await database.pool.query('TRUNCATE startups');
    gateway = await openTestGateway({
      database,
      records: Array.from({ length: 25 }, (_, i) => record(`s${i}`, revenue(1_000 - i))),
      limits: { standard: 1_000, premium: 1_000 },
      caches: NO_CACHES,
    });
    key = (await gateway.key()).key;
  });
  afterAll(() => gateway.close());

  /** The queries on startups that an operation runs. */
  async function rowQueries(send: () => Promise<{ status: number }>): Promise<number> {
    gateway.queries.length = 0;
    expect((await send()).status).toBe(200);
    return gateway.queries.filter((sql) => /\bstartups\b/.test(sql)).length;
  }
  const graphql = (query: string) => async () => {
    const answer = await gateway.graphql(query, {}, { key });
    expect(answer.json.errors).toBeUndefined();
    return answer;
  };

  it.each([
    ['a list', 1, '{ startups { page { slug name revenue { mrr } rank } meta { total } } }'],
    ['a deep page', 1, '{ startups(page: 3) { page { slug } } }'],
    ['meta alone', 0, '{ startups { meta { total page limit hasMore } } }'],
    ['meta without a total', 0, '{ startups { meta { hasMore } } }'],
    ['a page past the end', 0, '{ startups(page: 2147483647) { page { slug } meta { total } } }'],
    ['a filter that nothing passes', 0, '{ startups(filter: { category: LEGAL }) { page { slug } } }'],
    ['a typename alone', 0, '{ startups { __typename } }'],
    ['two aliases of one page', 1, '{ startups { a: page { slug } b: page { name } } }'],
    [
      'two aliases of the list',
      1,
      '{ a: startups { page { slug } } b: startups(page: 2) { page { slug } } }',
    ],
    ['a page that is skipped', 0, '{ startups { page @skip(if: true) { slug } meta { total } } }'],
    [
      'a page that is not included',
      0,
      '{ startups { ... @include(if: false) { page { slug } } meta { total } } }',
    ],
    ['a page in a fragment', 1, '{ startups { ...F } } fragment F on StartupConnection { page { slug } }'],
    [
      'nodes in fragments of fragments, each spread twice',
      1,
      '{ startups { ...F ...F } } fragment F on StartupConnection { edges { ...G ...G } } fragment G on StartupEdge { n: node { slug } }',
    ],
    [
      'cursors in a fragment, and a node that is skipped',
      0,
      '{ startups { ...F } } fragment F on StartupConnection { edges { cursor node @skip(if: true) { slug } } }',
    ],
    ['a startup', 1, '{ startup(slug: "s1") { slug } }'],
    ['a startup that is skipped', 0, '{ startup(slug: "s1") @skip(if: true) { slug } __typename }'],
  ])('%s causes %i row queries', async (_name, count, query) => {
    expect(await rowQueries(graphql(query))).toBe(count);
  });

  it('in REST is the same', async () => {
    expect(await rowQueries(() => gateway.call('/api/v1/startups', { key }))).toBe(1);
    expect(await rowQueries(() => gateway.call('/api/v1/startups?page=1000', { key }))).toBe(0);
    expect(await rowQueries(() => gateway.call('/api/v1/startups/s1', { key }))).toBe(1);
  });
});

describe('while the database does not answer', () => {
  let gateway: TestGateway;
  let key = '';
  let clock = Date.now();
  beforeAll(async () => {
    const own = await openTestDatabase();
    // Its connections, which are made later, give a query up sooner.
    own.pool.options.query_timeout = 1_000;
    gateway = await openTestGateway({
      ...{ database: own, now: () => clock },
      records: [record('one'), record('two')],
      limits: { standard: 1_000, premium: 1_000 },
      caches: NO_CACHES,
    });
    key = (await gateway.key()).key;
    // A key is known for a while once it was seen.
    expect((await gateway.call('/api/v1/startups', { key })).status).toBe(200);
  });
  afterAll(async () => {
    await gateway.close();
    await gateway.database.close();
  });

  const meta = () => gateway.graphql('{ startups { meta { total } } }', {}, { key });

  /** Rows are a fault that tells nothing, lists that need none are answered. */
  async function expectOutage(): Promise<void> {
    const rows = [
      gateway.call('/api/v1/startups', { key }),
      gateway.call('/api/v1/startups/one', { key }),
      gateway.graphql(
        '{ startups { page { slug } } }',
        {},
        { key, headers: { accept: 'application/graphql-response+json' } },
      ),
    ];
    const answered = await meta();
    expect(answered.json.data).toEqual({ startups: { meta: { total: 2 } } });
    const [list, detail, graphql] = await Promise.all(rows);
    for (const rest of [list, detail]) {
      expect(rest?.status).toBe(500);
      expect(rest?.json).toEqual({
        error: {
          code: 'INTERNAL_SERVER_ERROR',
          message: 'Internal server error',
          requestId: rest?.headers['x-request-id'],
        },
      });
    }
    expect(graphql?.json.errors).toMatchObject([
      { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ]);
    for (const answer of [list, detail, graphql]) {
      expect(answer?.headers['x-ratelimit-limit']).toBe('1000');
      expect(answer?.text).not.toMatch(/select|timeout|prisma|connection|pool/i);
      const id = answer?.headers['x-request-id'];
      const logged = gateway.logs.map((text) => JSON.parse(text)).filter(({ requestId }) => requestId === id);
      expect(logged.map(({ msg }) => msg)).toContain('a request failed');
    }
  }

  it('a hang of it is a fault within the time-out, and over when it is over', async () => {
    const client = await gateway.database.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE startups IN ACCESS EXCLUSIVE MODE');
    let isOver = false;
    const outage = expectOutage().then(() => {
      isOver = true;
    });
    expect((await meta()).status).toBe(200);
    expect(isOver).toBe(false);
    await outage;
    await client.query('ROLLBACK');
    await client.end();
    await expect
      .poll(async () => (await gateway.call('/api/v1/startups', { key })).status, {
        timeout: 5_000,
        interval: 200,
      })
      .toBe(200);
  });

  onPostgres.it('lost connections are made anew', async () => {
    // A test takes any fault of an idle connection for its own; here they are the point.
    gateway.database.pool.removeAllListeners('error').on('error', () => {});
    const client = await gateway.database.connect();
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
    await wait(200);
    await expect
      .poll(async () => (await gateway.call('/api/v1/startups', { key })).status, {
        timeout: 5_000,
        interval: 200,
      })
      .toBe(200);
  });

  it('its end is a fault at once', async () => {
    // As `pool.end()` begins, for as long as this test takes.
    const setEnding = (ending: boolean): unknown => Object.assign(gateway.database.pool, { ending });
    setEnding(true);
    onTestFinished(() => void setEnding(false));
    await expectOutage();
    // Whoever asks whether it can answer is told, in time.
    expect((await gateway.call('/health')).status).toBe(200);
    expect((await gateway.call('/ready')).status).toBe(200);
    clock += 6_000;
    expect((await gateway.call('/ready')).status).toBe(503);
  });
});
