import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/keys/create.ts';
import {
  categories,
  fundingStatuses,
  MAX_CENTS,
  paymentProviders,
  targetAudiences,
  teamSizes,
} from '../../src/startups/model/vocabulary.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRecords, record } from '../support/records.ts';
import { readRevisions } from '../support/revisions.ts';

const database = await openTestDatabase();

const run = (sql: string) => database.pool.query(sql);
const revisions = () => readRevisions(database.pool);

const COPY = `INSERT INTO startups (slug, name, payment_provider, revenue_last_30_days, revenue_mrr, revenue_total,
    customers, active_subscriptions, on_sale)
  SELECT 'copy', 'COPY', payment_provider, 1, 0, 0, 0, 0, false FROM startups WHERE slug = 'one'`;

describe('a change of startups made directly in SQL', () => {
  beforeEach(async () => {
    await run('TRUNCATE startups');
    await insertRecords(database, [record('one'), record('two')]);
  });

  it.each([
    ['INSERT', COPY],
    ['UPDATE', `UPDATE startups SET revenue_last_30_days = 1, name = 'LAST' WHERE slug = 'one'`],
    ['DELETE', `DELETE FROM startups WHERE slug = 'one'`],
    ['TRUNCATE', 'TRUNCATE startups'],
    [
      'INSERT … ON CONFLICT',
      `${COPY.replace(`'copy', 'COPY'`, `slug, 'AGAIN'`)} ON CONFLICT (slug) DO UPDATE SET name = excluded.name`,
    ],
  ])('%s raises the dataset revision', async (_name, sql) => {
    const before = await revisions();
    await run(sql);
    const after = await revisions();
    expect(after.dataset).toBeGreaterThan(before.dataset);
    expect(after.keys).toBe(before.keys);
  });

  it('stamps each row with the revision of its last change', async () => {
    const before = await revisions();
    await run(`UPDATE startups SET name = 'X', revision = 0 WHERE slug = 'one'`);
    const { dataset } = await revisions();
    const { rows } = await database.pool.query('SELECT slug, revision FROM startups ORDER BY id');
    expect(rows[0]).toEqual({ slug: 'one', revision: String(dataset) });
    expect(BigInt(rows[1].revision)).toBeLessThanOrEqual(before.dataset);
  });

  it('that is undone raises nothing', async () => {
    const before = await revisions();
    await run('BEGIN; DELETE FROM startups; ROLLBACK');
    expect(await revisions()).toEqual(before);
  });
});

describe('a change of keys', () => {
  it('raises the revision of keys and leaves the one of startups', async () => {
    const before = await revisions();
    const context = { prisma: database.prisma, now: Date.now, actor: 'a test', randomBytes };
    await createKey(context, { name: 'test', tier: 'standard', policyVersion: '1', acceptedBy: 'a test' });
    const made = await revisions();
    await run(`UPDATE api_keys SET name = 'renamed' WHERE name = 'test'`);
    const changed = await revisions();
    expect([made.dataset, changed.dataset]).toEqual([before.dataset, before.dataset]);
    expect([made.keys > before.keys, changed.keys > made.keys]).toEqual([true, true]);
  });
});

describe('the tables', () => {
  type Row = [column: string, good: unknown[], bad: unknown[]];
  const vocabularies: [string, readonly string[]][] = [
    ['category', categories],
    ['payment_provider', paymentProviders],
    ['target_audience', targetAudiences],
    ['team_size', teamSizes],
    ['funding_status', fundingStatuses],
  ];
  beforeAll(async () => {
    await run('TRUNCATE startups');
    await insertRecords(database, [record('one')]);
  });
  const set = (column: string, value: unknown) =>
    database.pool.query(`UPDATE startups SET ${column} = $1`, [value]);

  it.each(vocabularies)('take exactly the vocabulary of %s', async (column, values) => {
    for (const value of values) {
      await set(column, value);
    }
    for (const value of ['', 'none', values[0]?.toUpperCase(), `${values[0]} `, values.join(',')]) {
      if (!values.includes(value as string)) {
        await expect(set(column, value)).rejects.toThrow(`startups_${column}_check`);
      }
    }
    const { rows } = await database.pool.query(
      'SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1',
      [`startups_${column}_check`],
    );
    const known = [...rows[0].text.matchAll(/'([^']*)'/g)].map(([, value]) => value);
    expect(known.sort()).toEqual([...values].sort());
  });

  const badCents = [-1, BigInt(MAX_CENTS) + 1n];
  const notFinite = ['NaN', 'Infinity', '-Infinity'];
  it.each<Row>([
    ['slug', ['a', 'a-1-b', '0'], ['', 'A', '-a', 'a-', 'a--b', 'a b', 'ü', 'a\n']],
    ['country', ['DE', null], ['de', 'DEU', 'D', '']],
    ['x_handle', ['a', 'A_1', 'x'.repeat(30), null], ['', '@a', 'a-b', 'x'.repeat(31)]],
    ...['revenue_last_30_days', 'revenue_mrr', 'revenue_total'].map(
      (column): Row => [column, [0, MAX_CENTS], badCents],
    ),
    ['asking_price', [0, MAX_CENTS, null], badCents],
    ['customers', [0, 2 ** 31 - 1], [-1, 2 ** 31]],
    ['active_subscriptions', [0], [-1]],
    ['visitors_last_30_days', [0, null], [-1]],
    ['google_search_impressions_last_30_days', [0, null], [-1]],
    ['profit_margin_last_30_days', [0, 100, 33.3, null], [-0.1, 100.1, 'NaN']],
    ...['growth_30d', 'growth_mrr_30d'].map((column): Row => [column, [-100, 1e9, null], notFinite]),
  ])('hold what an import promises of %s', async (column, good, bad) => {
    for (const value of bad) {
      await expect(set(column, value)).rejects.toThrow();
    }
    for (const value of good) {
      await set(column, value);
    }
  });
});
