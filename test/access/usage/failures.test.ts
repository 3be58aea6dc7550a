import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFailureStore,
  FAILURES_KEPT_DAYS,
  type FailureGroup,
  readFailures,
} from '../../../src/access/usage/failures.ts';
import { openTestDatabase } from '../../support/database.ts';
import { runs } from '../../support/runs.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;

const database = await openTestDatabase();
const add = createFailureStore(database.pool, () => NOW);

const group = (keyId: string, more: Partial<FailureGroup> = {}): FailureGroup => ({
  keyId,
  code: 'BAD_USER_INPUT',
  target: '/api/v1/startups',
  parameters: 'limit',
  requests: 1,
  firstAt: NOW,
  lastAt: NOW,
  status: 400,
  requestId: 'one',
  ...more,
});
const read = (keyId: string, now = NOW) => readFailures(database.prisma, keyId, now);

describe('storing failed requests', () => {
  it('adds up what several nodes counted, and keeps what is known of the last', async () => {
    const other = createFailureStore(database.pool, () => NOW);
    const last = { status: 200, requestId: 'two', traceId: 'a'.repeat(32) };
    await add([group('key_a', { requests: 3, firstAt: NOW - 2_000, lastAt: NOW - 1_000 })]);
    await other([group('key_a', { requests: 4, firstAt: NOW - 500, lastAt: NOW, ...last }), group('key_b')]);
    await add([group('key_a', { firstAt: NOW - 9_000, lastAt: NOW - 9_000 })]);
    await add([group('key_a', { parameters: '1 unknown', firstAt: NOW - 9_500, lastAt: NOW - 9_500 })]);
    expect(await read('key_a')).toEqual([
      {
        code: 'BAD_USER_INPUT',
        target: '/api/v1/startups',
        parameters: 'limit',
        requests: 8,
        firstAt: new Date(NOW - 9_000),
        lastAt: new Date(NOW),
        ...last,
      },
      expect.objectContaining({ parameters: '1 unknown', requests: 1 }),
    ]);
  });

  it('keeps the 50 groups of a key that failed last, whatever the batches', async () => {
    const groups = Array.from({ length: 80 }, (_, place) =>
      group('key_many', { target: `/${place}`, firstAt: NOW + place, lastAt: NOW + place }),
    );
    for (const start of [0, 20, 40, 60]) {
      await add(groups.slice(start, start + 20));
    }
    expect((await read('key_many')).map(({ target }) => target)).toEqual(
      Array.from({ length: 50 }, (_, index) => `/${79 - index}`),
    );
    expect(await database.prisma.keyFailure.count({ where: { keyId: 'key_many' } })).toBe(50);
  });

  it('forgets a group after 7 days, and counts no request for longer', async () => {
    const at = (daysAgo: number, target: string, requests = 1) =>
      group('key_old', {
        target,
        requests,
        firstAt: NOW - daysAgo * DAY_MS,
        lastAt: NOW - daysAgo * DAY_MS,
      });
    await createFailureStore(
      database.pool,
      () => NOW - 6 * DAY_MS,
    )([
      at(FAILURES_KEPT_DAYS + 1, '/gone'),
      at(FAILURES_KEPT_DAYS - 0.5, '/kept', 10),
      at(FAILURES_KEPT_DAYS + 0.5, '/again', 10),
    ]);
    expect((await read('key_old')).map(({ target }) => target)).toEqual(['/kept']);
    await createFailureStore(database.pool, () => NOW)([at(0, '/kept'), at(0, '/again')]);
    expect((await read('key_old')).map(({ target, requests }) => [target, requests]).sort()).toEqual([
      ['/again', 1],
      ['/kept', 11],
    ]);
    expect(await database.prisma.keyFailure.count({ where: { keyId: 'key_old' } })).toBe(2);
  });

  it('keeps a bounded number of groups of all keys: those that failed last', async () => {
    await database.pool.query('DELETE FROM key_failures');
    const bounded = createFailureStore(database.pool, () => NOW, 10);
    await bounded(Array.from({ length: 30 }, (_, index) => group(`key_${index}`, { lastAt: NOW + index })));
    const rows = await database.prisma.keyFailure.findMany({ orderBy: { lastAt: 'asc' } });
    expect(rows.map(({ keyId }) => keyId)).toEqual(
      Array.from({ length: 10 }, (_, index) => `key_${20 + index}`),
    );
  });

  it('counts each failed request once, however many nodes store at the same time', async () => {
    const batch = fc.uniqueArray(fc.tuple(fc.nat(2), fc.nat(3)), { selector: String });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), batch), { maxLength: 20 }), async (batches) => {
        round += 1;
        const nodes = [0, 1, 2].map(() => createFailureStore(database.pool, () => NOW));
        const expected = new Map<string, number>();
        const groups = batches.map(([, names]) =>
          names.map(([key, place]) => group(`key_r${round}_${key}`, { target: `/${place}` })),
        );
        for (const { keyId, target } of groups.flat()) {
          expected.set(`${keyId} ${target}`, (expected.get(`${keyId} ${target}`) ?? 0) + 1);
        }
        await Promise.all(batches.map(([node], index) => nodes[node]?.(groups[index] ?? [])));
        const rows = await database.prisma.keyFailure.findMany({
          where: { keyId: { startsWith: `key_r${round}_` } },
        });
        expect(
          new Map(rows.map(({ keyId, target, requests }) => [`${keyId} ${target}`, Number(requests)])),
        ).toEqual(expected);
      }),
      runs(20),
    );
  });
});
