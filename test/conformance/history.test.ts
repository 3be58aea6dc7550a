import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { addDays } from '../../src/lib/text/days.ts';
import { backUp, restore } from '../db/backup/backup-file.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestDatabase, REQUEST_WAITS } from '../support/database.ts';
import { type Answer, openTestGateway, type TestGateway } from '../support/gateway.ts';
import { onPostgres } from '../support/only.ts';
import { insertRecords, record } from '../support/records.ts';
import { openProxy } from '../support/servers/proxy.ts';
import { errorsOf } from './surfaces.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const day = (text: string): Date => new Date(`${text}T00:00:00Z`);

const database = await openTestDatabase(REQUEST_WAITS);
await insertRecords(database, [record('one', { category: 'ai' }), record('two')]);
const { id } = await database.prisma.startup.findUniqueOrThrow({ where: { slug: 'one' } });
const { prisma } = database;
await prisma.startupPoint.deleteMany();
await prisma.startupPoint.createMany({
  data: ['2026-08-01', '2026-08-25', '2026-11-01', '2026-11-20', '2026-11-22'].map((text, index) => ({
    startupId: id,
    day: day(text),
    customers: index,
    activeSubscriptions: index,
    onSale: index > 2,
    revenueLast30Days: BigInt(index),
    revenueMrr: 7n,
    revenueTotal: BigInt(2 ** 53 - 1),
    askingPrice: index > 2 ? 5n : null,
  })),
});
await prisma.marketDay.createMany({
  data: ['', 'ai', 'developer-tools'].flatMap((category, index) =>
    ['2026-08-01', '2026-11-01', '2026-11-20'].slice(index).map((text, place) => ({
      category,
      day: day(text),
      count: 2 + place,
      onSale: place,
      revenueSum: 10.5,
      revenueMedian: BigInt(place),
      mrrSum: 1,
      mrrMedian: null,
    })),
  ),
});
const gateway = await openTestGateway({ database, now: () => NOW, limits: 100_000 });
const { key } = await gateway.key();

type Case = Readonly<Record<string, string | number | boolean>>;

const queryOf = (parameters: Case) => String(new URLSearchParams(parameters as Record<string, string>));
const spelled = ({ category, ...rest }: Case) =>
  category === undefined ? rest : { ...rest, category: String(category).toUpperCase().replaceAll('-', '_') };

/** The two resources, each asked alike on both surfaces. */
const resources = {
  history: {
    path: '/api/v1/startups/one/history',
    document: `query ($from: Date, $to: Date, $last: Int, $fill: Boolean) {
      startup(slug: "one") {
        history(from: $from, to: $to, last: $last, fill: $fill) {
          day revenue { last30Days mrr total } customers activeSubscriptions askingPrice onSale
        }
      }
    }`,
    dataOf: (data: { startup: { history: unknown } }): unknown => data.startup.history,
  },
  market: {
    path: '/api/v1/market',
    document: `query ($category: Category, $from: Date, $to: Date) {
      market(category: $category, from: $from, to: $to) {
        day count onSale revenue { sum median } mrr { sum median }
      }
    }`,
    dataOf: (data: { market: unknown }): unknown => data.market,
  },
} as const;
type Name = keyof typeof resources;

async function ask(name: Name, parameters: Case): Promise<{ rest: Answer; graphql: Answer }> {
  const { path, document } = resources[name];
  const headers = { accept: 'application/graphql-response+json' };
  return {
    rest: await gateway.call(`${path}?${queryOf(parameters)}`, { key }),
    graphql: await gateway.graphql(document, spelled(parameters), { key, headers }),
  };
}

describe('history and market', () => {
  it.each<[Name, Case, string[] | number]>([
    ['market', { from: '2026-08-25', to: '2026-11-22' }, 90],
    ['market', { to: '0001-01-01' }, []],
    ['history', { from: '2024-02-29', to: '2024-02-29' }, []],
    ['history', {}, ['2026-08-25', '2026-11-01', '2026-11-20', '2026-11-22']],
    ['history', { last: 2 }, ['2026-11-20', '2026-11-22']],
    ['history', { last: 2, fill: true }, ['2026-11-21', '2026-11-22']],
    ['history', { to: '2026-11-19', last: 1 }, ['2026-11-01']],
    ['history', { from: '2026-11-02', to: '2026-11-03', fill: true }, ['2026-11-02', '2026-11-03']],
    ['history', { from: '2026-11-02', to: '2026-11-03', fill: false }, []],
    ['history', { fill: true }, 90],
    ['market', { category: 'developer-tools' }, ['2026-11-20', '2026-11-21', '2026-11-22']],
    ['market', { category: 'games' }, []],
    ['market', {}, 90],
  ])('both surfaces give %s of %j alike', async (name, parameters, expected) => {
    const { rest, graphql } = await ask(name, parameters);
    expect([rest.status, graphql.status]).toEqual([200, 200]);
    const { data, meta } = rest.json as { data: { day: string }[]; meta: Record<string, unknown> };
    expect(resources[name].dataOf(graphql.json.data)).toEqual(data);
    const days = data.map((row) => row.day);
    expect(days).toEqual([...days].sort());
    expect(typeof expected === 'number' ? days.length : days).toEqual(expected);
    const to = String(parameters.to ?? '2026-11-22');
    const from = parameters.from ?? (to === '0001-01-01' ? to : addDays(to, -89));
    expect(meta).toEqual({ from, to, count: data.length });
  });

  const today = 'a day until today, which is 2026-11-22 in UTC';
  it.each<[Case, string]>([
    [{ from: '2026-11-21', to: '2026-11-20' }, 'at most to (2026-11-20)'],
    [{ to: '2026-11-23' }, today],
    [{ from: '9999-12-31' }, today],
    [{ from: '2026-08-24', to: '2026-11-22' }, '2026-08-25 or later: at most 90 days until to (2026-11-22)'],
  ])('both surfaces refuse the days of %j before they read', async (range, allowed) => {
    const [[parameter, got] = []] = Object.entries(range);
    for (const name of ['history', 'market'] as const) {
      gateway.queries.length = 0;
      const { rest, graphql } = await ask(name, range);
      expect([rest.status, graphql.status]).toEqual([400, 400]);
      expect(rest.json.error.code).toBe('BAD_USER_INPUT');
      expect(graphql.json.data).toBeUndefined();
      for (const answer of [rest, graphql]) {
        expect(errorsOf(answer)).toEqual([{ parameter, message: `got "${got}", allowed: ${allowed}` }]);
      }
      expect(gateway.rowQueries()).toEqual([]);
    }
  });

  it.each<[Name, Case]>([
    ...[0, 91, 1.5].map((last): [Name, Case] => ['history', { last }]),
    ...['2026-02-30', '2026-2-3'].map((from): [Name, Case] => ['history', { from }]),
    ...['2025-02-29', '0000-01-01', '2026-11-20T00:00:00Z'].map((to): [Name, Case] => ['market', { to }]),
    ['market', { category: 'nonsense' }],
  ])('both surfaces refuse %s of %j', async (name, parameters) => {
    const { rest, graphql } = await ask(name, parameters);
    const [[parameter, value] = []] = Object.entries(parameters);
    expect([rest.status, graphql.status]).toEqual([400, 400]);
    expect(errorsOf(rest).map((error) => error.parameter)).toEqual([parameter]);
    expect(graphql.json.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    for (const { text } of [rest, graphql]) {
      expect(text).toContain(String(parameter));
      expect(text).toContain(parameter === 'category' ? '' : String(value));
    }
  });

  it('names an argument in a fragment once, however often that is spread', async () => {
    const fragment = 'fragment F on Startup { history(last: 0) { day } }';
    const query = `{ startups { page { ...F } nodes { ...F } } } ${fragment}`;
    const { json } = await gateway.graphql(query, {}, { key });
    expect(json.errors).toMatchObject([{ message: 'last: got 0, allowed: an integer from 1 to 90' }]);
  });

  it.each([
    ['/market?catgory=ai', 'catgory', 'did you mean "category"?'],
    ['/market?last=3', 'last', 'unknown parameter, allowed: category, from, to'],
    ['/market?category=devloper-tools', 'category', 'did you mean "developer-tools"?'],
    ['/startups/one/history?category=ai', 'category', 'unknown parameter, allowed: from, to, last, fill'],
    ['/startups/one/history?last=1&last=2', 'last', 'one value, given once'],
    ['/startups/one/history?from=', 'from', 'got "", allowed: a valid date as YYYY-MM-DD'],
    ['/startups/one/history?fill=yes', 'fill', 'got "yes", allowed: true or false'],
  ])('REST refuses %s', async (path, parameter, message) => {
    const answer = await gateway.call(`/api/v1${path}`, { key });
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([{ parameter, message: expect.stringContaining(message) }]);
  });

  it('REST gives the history of a startup with the rest of its interface', async () => {
    const path = '/api/v1/startups/one/history?last=1';
    const answer = await gateway.call(path, { key });
    const revenue = { last30Days: 4, mrr: 7, total: 2 ** 53 - 1 };
    const point = { revenue, customers: 4, activeSubscriptions: 4, askingPrice: 5, onSale: true };
    expect(answer.json.data).toEqual([{ day: '2026-11-22', ...point }]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Authorization' });
    const headers = { 'if-none-match': answer.headers.etag ?? '' };
    expect((await gateway.call(path, { key, headers })).status).toBe(304);
    expect((await gateway.call(path, { key, method: 'HEAD' })).status).toBe(200);
    expect((await gateway.call('/api/v1/startups/two/history', { key })).json.data).toEqual([]);
    const unknown = await gateway.call('/api/v1/startups/unknown/history', { key });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

/** What both surfaces answer while history cannot be read: everything that it is not needed for. */
async function expectUnavailable(gateway: TestGateway, key: string, reason: string): Promise<void> {
  const query = `{ market { day } dataset { total } startup(slug: "one") { name history { day } }
    startups { nodes { slug history { day } } } }`;
  const paths = ['/startups/one/history', '/startups/one/history?fill=true', '/market'];
  const [graphql, ...answers] = await Promise.all([
    gateway.graphql(query, {}, { key }),
    ...paths.map((path) => gateway.call(`/api/v1${path}`, { key })),
  ]);
  // On a busy machine the operation's deadline may come first.
  const message = expect.stringMatching(
    `^(${reason}|The operation took too long on a busy server. Retry in 5 seconds.)$`,
  );
  const code = 'SERVICE_UNAVAILABLE';
  for (const answer of answers) {
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
    expect(answer.json.error).toMatchObject({ code, message });
  }
  expect(graphql.status).toBe(200);
  expect(graphql.json.data).toEqual({
    market: null,
    dataset: { total: 2 },
    startup: { name: 'ONE', history: null },
    startups: { nodes: ['one', 'two'].map((slug) => ({ slug, history: null })) },
  });
  const failed = ['market', 'startup.history', 'startups.nodes.0.history', 'startups.nodes.1.history'];
  const errors = new Map(graphql.json.errors.map((one: { path: string[] }) => [one.path.join('.'), one]));
  expect([...errors.keys()].sort()).toEqual(failed);
  expect([...errors.values()]).toMatchObject(failed.map(() => ({ message, extensions: { code } })));
}

const SILENT = 'The database does not answer at the moment. Retry in 5 seconds.';

describe('while the database does not answer', () => {
  /** Keeps everybody from the tables that are read, and the embedded engine's one session, until the test is over. */
  async function lock(): Promise<void> {
    const client = await database.openClient();
    await client.query('BEGIN');
    await client.query('LOCK TABLE startup_points, market_days');
    onTestFinished(async () => {
      await client.query('ROLLBACK');
    });
  }

  it('history and market are unavailable, and nothing else is', async () => {
    await gateway.call('/api/v1/startups', { key });
    await lock();
    await expectUnavailable(gateway, key, SILENT);
  });

  onPostgres.it('which is so too where no connection can be made', async () => {
    const address = new URL(database.url ?? '');
    const proxy = await openProxy({ host: address.hostname, port: Number(address.port || 5432) });
    address.host = `127.0.0.1:${proxy.port}`;
    const distant = await openDatabase({ kind: 'server', url: address.href }, () => {});
    const other = await openTestGateway({ database: distant });
    onTestFinished(async () => {
      await proxy.turn('open');
      await other.close();
      await distant.close();
    });
    const { key } = await other.key({ tier: 'premium' });
    await other.call('/api/v1/startups', { key });
    await proxy.turn('frozen');
    proxy.disconnect();
    await expectUnavailable(other, key, SILENT);
  });
});

it('after the restore of another database, history is unavailable until the next edition has its records', async () => {
  const other = await openTestDatabase();
  await insertRecords(other, [record('of-other', { customers: 77 })]);
  // The poll runs when the clock advances.
  const clock = createTestClock();
  const restored = await openTestGateway({ records: [record('one'), record('two')], limits: 1_000, clock });
  const { key } = await restored.key();
  // The key must be known, as the restore removes it.
  expect((await restored.call('/api/v1/startups/one/history', { key })).status).toBe(200);
  await restore(restored.database, await backUp(other));
  await expectUnavailable(restored, key, 'The database was replaced. Its new data is being read.');
  const { key: newKey } = await restored.key();
  const read = async () => {
    await clock.advance(1_000);
    const { status, json } = await restored.call('/api/v1/startups/of-other/history', { key: newKey });
    return [status, json.data?.map(({ customers }: { customers: number }) => customers)];
  };
  await expect.poll(read).toEqual([200, [77]]);
  expect((await restored.call('/api/v1/startups/one/history', { key: newKey })).status).toBe(404);
});
