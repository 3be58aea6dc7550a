import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listKeys } from '../../../src/access/keys/key.ts';
import { percentile, readDurations } from '../../../src/access/usage/read.ts';
import { createUsageStore, USAGE_KEPT_DAYS, type UsageCount } from '../../../src/access/usage/store.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { createTestKey } from '../../support/keys.ts';

const HOUR = Date.parse('2026-11-20T12:00:00.000Z');

const database = await openTestDatabase();

const count = (keyId: string, more: Partial<UsageCount> = {}): UsageCount => ({
  keyId,
  hour: HOUR,
  surface: 'rest',
  status: 200,
  upTo: 1,
  requests: 1,
  lastUsedAt: HOUR + 1_000,
  ...more,
});
const usageOf = async (keyId: string) => {
  const rows = await database.prisma.keyUsage.findMany({
    where: { keyId },
    orderBy: [{ hour: 'asc' }, { surface: 'asc' }, { status: 'asc' }],
  });
  return rows.map(({ surface, status, requests }) => [surface, status, Number(requests)]);
};
const open = () => createUsageStore(database.pool, () => HOUR);

describe('storing the use of keys', () => {
  it('adds up what several nodes counted, and keeps the last use', async () => {
    const [one, two] = [open(), open()];
    await one([
      count('key_a', { requests: 3, lastUsedAt: HOUR + 9_000 }),
      count('key_a', { status: 429, requests: 5 }),
    ]);
    await two([count('key_a', { requests: 4 }), count('key_a', { surface: 'graphql' })]);
    expect(await usageOf('key_a')).toEqual([
      ['graphql', 200, 1],
      ['rest', 200, 7],
      ['rest', 429, 5],
    ]);
    const use = await database.prisma.keyLastUse.findUnique({ where: { keyId: 'key_a' } });
    expect(use?.lastUsedAt).toEqual(new Date(HOUR + 9_000));
  });

  it('adds up how long they took, but for those over the limit', async () => {
    const add = open();
    const ends = [0.5, 1, Number.POSITIVE_INFINITY];
    await add(ends.map((upTo, index) => count('key_t', { upTo, requests: 10 ** index })));
    await add([
      count('key_t', { surface: 'graphql', requests: 3 }),
      count('key_t', { requests: 4 }),
      count('key_t', { status: 429, requests: 9 }),
    ]);
    const since = (ms: number) => ({ since: new Date(ms), until: new Date(2 * HOUR), step: HOUR });
    const rows = await readDurations(database.prisma, ['key_t', 'key_u'], since(HOUR));
    expect(rows).toEqual([
      { upTo: 0.5, requests: 1 },
      { upTo: 1, requests: 17 },
      { upTo: Number.POSITIVE_INFINITY, requests: 100 },
    ]);
    expect(await readDurations(database.prisma, ['key_t'], since(HOUR + 1))).toEqual([]);
  });

  it('lets nodes store the same keys at once, in any order, and makes them look no key up again', async () => {
    const revisions = () => database.prisma.revision.findMany({ orderBy: { name: 'asc' } });
    const before = await revisions();
    const counts = Array.from({ length: 500 }, (_, i) => count(`key_b${i}`));
    const stores = Array.from({ length: 6 }, open);
    await Promise.all(stores.map((add, i) => add(i % 2 === 0 ? counts : counts.toReversed())));
    expect(await usageOf('key_b7')).toEqual([['rest', 200, 6]]);
    expect(await revisions()).toEqual(before);
  });

  it('removes what is very old in parts, if it is much', async () => {
    const old = new Date(HOUR - (USAGE_KEPT_DAYS + 1) * 86_400_000);
    for (const table of ['key_usage', 'key_durations']) {
      await database.pool.query(
        `INSERT INTO ${table} SELECT 'key_many' || n, $1, ${table === 'key_usage' ? "'rest', 200" : '1'}, 1
         FROM generate_series(1, 4500) AS n`,
        [old],
      );
    }
    const add = open();
    const left: number[][] = [];
    for (const _ of Array(4)) {
      await add([count('key_e')]);
      const where = { hour: old };
      left.push([
        await database.prisma.keyUsage.count({ where }),
        await database.prisma.keyDuration.count({ where }),
      ]);
    }
    expect(left).toEqual([
      [2500, 2500],
      [500, 500],
      [0, 0],
      [0, 0],
    ]);
  });

  it('shows the last use in the list of keys', async () => {
    const context = { prisma: database.prisma, now: () => HOUR, actor: 'op', randomBytes };
    const [used, unused] = [await createTestKey(context), await createTestKey(context)];
    await open()([count(used.id)]);
    const keys = new Map((await listKeys(context)).map(({ id, lastUsedAt }) => [id, lastUsedAt]));
    expect([keys.get(used.id), keys.get(unused.id)]).toEqual([new Date(HOUR + 1_000), null]);
  });
});

describe('the use of keys at a gateway', () => {
  it('is stored when it is closed: answered and refused, by surface and status', async () => {
    const gateway = await openTestGateway({ database, now: () => HOUR });
    const { id, key } = await gateway.key();
    await Promise.all(Array.from({ length: 12 }, () => gateway.call('/api/v1/startups', { key })));
    await gateway.graphql('{ __typename }', {}, { key });
    await gateway.call('/api/v1/startups', { key: undefined });
    const queries = gateway.queries.filter((sql) => /INSERT|UPDATE/.test(sql));
    await gateway.close();
    expect(await usageOf(id)).toEqual([
      ['graphql', 429, 1],
      ['rest', 200, 10],
      ['rest', 429, 2],
    ]);
    // No request wrote anything; making the key did.
    expect(queries.filter((sql) => !/api_keys|audit_log/.test(sql))).toEqual([]);
  });
});

describe('a percentile of durations', () => {
  const rows = (...requests: number[]) =>
    requests.map((count, index) => ({ upTo: 10 ** index, requests: count }));

  it.each([
    [rows(), undefined, undefined],
    [rows(1), 1, 1],
    [rows(50, 50), 1, 10],
    [rows(49, 51), 10, 10],
    [rows(95, 5), 1, 1],
    [rows(1, 93, 6), 10, 100],
  ])('is the end of the range that it is in: %j', (counts, p50, p95) => {
    expect([percentile(counts, 0.5), percentile(counts, 0.95)]).toEqual([p50, p95]);
  });
});
