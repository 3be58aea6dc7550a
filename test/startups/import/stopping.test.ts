import { Readable } from 'node:stream';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import {
  type ImportOptions,
  type ImportSummary,
  importStartups,
} from '../../../src/startups/import/import.ts';
import { sampleNdjson } from '../../../src/startups/sample.ts';
import { openTestDatabase } from '../../support/database.ts';
import { input, ndjson, record } from './inputs.ts';

let database: Database;
let client: pg.Client;
let other: pg.Client;

beforeAll(async () => {
  database = await openTestDatabase();
  client = await database.connect();
  other = await database.connect();
});
afterAll(async () => {
  await other.end();
  await client.end();
  await database.close();
});
beforeEach(async () => {
  await other.query('TRUNCATE startups RESTART IDENTITY');
  await importStartups({ client, inputs: [input('a.ndjson', old)] });
});

const isServer = process.env.TEST_DATABASE_URL !== undefined;

const old = [...sampleNdjson({ count: 2500, seed: 1 })].join('');
// Half of it new, and all that is old changed.
const changed = [...sampleNdjson({ count: 3500, seed: 1 })]
  .join('')
  .replaceAll('"customers":', '"customers":1');

function run(
  content: string,
  options: Omit<ImportOptions, 'client' | 'inputs'> = {},
): Promise<ImportSummary> {
  return importStartups({
    client,
    sharedSession: !isServer,
    inputs: [input('a.ndjson', content)],
    ...options,
  });
}

async function everything(): Promise<unknown> {
  const { rows } = await other.query(
    "SELECT count(*), md5(string_agg(s::text, ',' ORDER BY id)) AS content FROM startups AS s",
  );
  const { rows: tables } = await other.query("SELECT relname FROM pg_class WHERE relname LIKE 'import\\_%'");
  const { rows: beside } = await other.query("SELECT FROM pg_namespace WHERE nspname = 'revgate_next'");
  return [rows, tables, beside];
}

describe('an import that is stopped', () => {
  test('leaves the data as it was, whichever step it had reached', async () => {
    const before = await everything();
    let steps = Number.POSITIVE_INFINITY;
    let stopped = 0;
    for (let step = 1; step <= steps; step += step < 3 ? 1 : 9) {
      const stop = new AbortController();
      let reached = 0;
      const running = run(changed, {
        signal: stop.signal,
        replace: { yes: true },
        progress: ({ phase, records, totalRecords }) => {
          reached += 1;
          // The last report comes when all is written and only the commit is left.
          const isLast = phase === 'applying' && records === totalRecords;
          if (reached === step || isLast) {
            stop.abort();
            steps = isLast ? reached : steps;
          }
        },
      });
      await expect(running).rejects.toThrow('This operation was aborted');
      stopped += 1;
      expect(await everything()).toEqual(before);
    }
    expect(stopped).toBeGreaterThan(5);
    expect(await run(changed)).toMatchObject({ created: 1000, updated: 2500 });
  });

  test('before it began does nothing', async () => {
    await expect(run(changed, { signal: AbortSignal.abort() })).rejects.toThrow('This operation was aborted');
  });

  test('does not wait for an input that is silent', async () => {
    const before = await everything();
    const stop = new AbortController();
    const silent = new Readable({ read() {} });
    silent.push(changed);
    const running = importStartups({
      client,
      inputs: [{ name: '-', open: () => silent }],
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(), 50);
    await expect(running).rejects.toThrow('This operation was aborted');
    expect(await everything()).toEqual(before);
  });

  test('stops while it waits for its turn to write', { skip: !isServer }, async () => {
    const before = await everything();
    await other.query('BEGIN');
    await other.query('LOCK TABLE startups IN ROW EXCLUSIVE MODE');
    const stop = new AbortController();
    const running = run(changed, {
      signal: stop.signal,
      progress: ({ phase }) => phase === 'applying' && setTimeout(() => stop.abort(), 100),
    });
    await expect(running).rejects.toThrow('This operation was aborted');
    await other.query('ROLLBACK');
    expect(await everything()).toEqual(before);
  });
});

describe('an import that fails', () => {
  test('while applying leaves the data as it was', async () => {
    await other.query("ALTER TABLE startups ADD CONSTRAINT boom CHECK (slug <> 'boom')");
    const before = await everything();
    await expect(run(changed + ndjson(record({ slug: 'boom' })))).rejects.toThrow('boom');
    expect(await everything()).toEqual(before);
    await other.query('ALTER TABLE startups DROP CONSTRAINT boom');
  });

  test('because its connection is lost leaves the data as it was', { skip: !isServer }, async () => {
    const before = await everything();
    const lost = await database.connect();
    lost.removeAllListeners('error').on('error', () => {});
    const { rows } = await lost.query('SELECT pg_backend_pid() AS pid');
    const running = importStartups({
      client: lost,
      inputs: [input('a.ndjson', changed)],
      progress: ({ phase, records }) => {
        if (phase === 'applying' && records === 2000) {
          void other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
        }
      },
      beforeCommit: () => new Promise((resolve) => setTimeout(resolve, 200)),
    });
    await expect(running).rejects.toThrow();
    await expect.poll(everything).toEqual(before);
  });
});

describe('an import beside other writers', () => {
  test('takes in what they changed between its plan and its turn', async () => {
    const mine = record({ slug: 'mine', name: 'Mine' });
    const confirm = async (): Promise<boolean> => {
      await other.query(`INSERT INTO startups (slug, name, payment_provider, revenue_last_30_days, revenue_mrr,
        revenue_total, customers, active_subscriptions, on_sale) VALUES ('mine', 'Theirs', 'stripe', 1, 1, 1, 1, 1, false)`);
      return true;
    };
    const summary = await run(old.slice(old.indexOf('\n') + 1) + ndjson(mine), {
      replace: { yes: false, confirm },
    });
    expect(summary).toMatchObject({ created: 0, updated: 1, unchanged: 2499, removed: 1 });
    const { rows } = await other.query("SELECT name FROM startups WHERE slug = 'mine'");
    expect(rows).toEqual([{ name: 'Mine' }]);
  });

  test('never removes more than was confirmed', async () => {
    const confirm = async (): Promise<boolean> => {
      await other.query(`INSERT INTO startups (slug, name, payment_provider, revenue_last_30_days, revenue_mrr,
        revenue_total, customers, active_subscriptions, on_sale) VALUES ('late', 'Late', 'stripe', 1, 1, 1, 1, 1, false)`);
      return true;
    };
    const running = run(old.slice(old.indexOf('\n') + 1), { replace: { yes: false, confirm } });
    await expect(running).rejects.toThrow('The startups changed meanwhile, and more would be removed');
    const { rows } = await other.query('SELECT count(*)::int AS count FROM startups');
    expect(rows).toEqual([{ count: 2501 }]);
  });

  test('may run beside another import: each is whole, the later one wins', async () => {
    const second = await database.connect();
    await Promise.all([
      run(changed),
      importStartups({ client: second, sharedSession: !isServer, inputs: [input('b.ndjson', old)] }),
    ]);
    await second.end();
    const customers = (text: string): number[] =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).customers);
    const { rows } = await other.query('SELECT customers FROM startups ORDER BY id');
    const stored = rows.map((row) => row.customers);
    const oldLast = [...customers(old), ...customers(changed).slice(2500)];
    expect([customers(changed), oldLast]).toContainEqual(stored);
  });

  test('shows nothing to readers before it is done', { skip: !isServer }, async () => {
    const before = await everything();
    let during: unknown;
    await run(changed, {
      beforeCommit: async () => {
        const { rows } = await other.query(
          "SELECT count(*), md5(string_agg(s::text, ',' ORDER BY id)) AS content FROM startups AS s",
        );
        during = rows;
      },
    });
    expect(during).toEqual((before as unknown[])[0]);
  });
});
