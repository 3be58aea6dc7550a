import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { type ImportOptions, importStartups } from '../../../src/startups/import/import.ts';
import type { ImportClient, ImportProgress } from '../../../src/startups/import/staging.ts';
import { createImporter } from '../../../src/startups/import/thread/importer.ts';
import type { ImportSummary } from '../../../src/startups/import/values/summary.ts';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { openTestDatabase } from '../../support/database.ts';
import { onPostgres } from '../../support/only.ts';
import { input, ndjson, record, recordsOf } from './inputs.ts';

const database = await openTestDatabase();
const client = await database.openClient();
const other = await database.openClient();
beforeEach(async () => {
  await other.query('TRUNCATE startups RESTART IDENTITY');
  await run(old);
});

const ABORTED = 'This operation was aborted';
const old = [...sampleNdjson({ count: 250, seed: 1 })].join('');
// Half of it new, and all that is old changed.
const changed = [...sampleNdjson({ count: 350, seed: 1 })]
  .join('')
  .replaceAll('"customers":', '"customers":1');

function run(content: string, options: Partial<ImportOptions> = {}): Promise<ImportSummary> {
  return importStartups({
    client,
    kind: database.kind,
    fields: standardFields,
    // Several pieces to read and statements to run.
    inputs: [input('a.ndjson', content, 32 * 1024)],
    runLength: 50,
    ...options,
  });
}

const rowsOf = async (sql: string): Promise<unknown[]> => (await other.query(sql)).rows;
const contents = () =>
  rowsOf("SELECT count(*), md5(string_agg(s::text, ',' ORDER BY id)) AS content FROM startups AS s");
const everything = async (): Promise<unknown[]> => [
  await contents(),
  await rowsOf("SELECT relname FROM pg_class WHERE relname LIKE 'import\\_%'"),
];

describe('an import that is stopped', () => {
  test.each<[name: string, phase: string, from: number]>([
    ['while its input is read', 'validating', 0],
    ['when its input is staged', 'validating', 350],
    ['when it begins to write', 'applying', 0],
    ['while it writes', 'applying', 201],
    ['when all is written and only the commit is left', 'applying', 350],
  ])('leaves the data as it was when it is stopped %s, and can be repeated', async (_name, phase, from) => {
    const before = await everything();
    const stop = new AbortController();
    const progress = (report: ImportProgress) => {
      if (report.phase === phase && report.records >= from) {
        stop.abort();
      }
    };
    const running = run(changed, { signal: stop.signal, replace: { yes: true }, progress });
    await expect(running).rejects.toThrow(ABORTED);
    expect(await everything()).toEqual(before);
    expect(await run(changed)).toMatchObject({ created: 100, updated: 250 });
  });

  test('compares no further part with what is stored', async () => {
    const stop = new AbortController();
    let compared = 0;
    const query: ImportClient['query'] = (text, values) => {
      if (text.startsWith('WITH pairs')) {
        compared += 1;
        stop.abort();
      }
      return client.query(text, values);
    };
    await expect(run(changed, { client: { query }, signal: stop.signal })).rejects.toThrow(ABORTED);
    expect(compared).toBe(1);
  });

  onPostgres.it('stops at once while it waits for its turn to write', async () => {
    const before = await everything();
    await other.query('BEGIN');
    await other.query('LOCK TABLE startups IN ROW EXCLUSIVE MODE');
    const stop = new AbortController();
    const waiting = await database.connect(stop.signal);
    onTestFinished(() => waiting.end());
    const statements: string[] = [];
    const query: ImportClient['query'] = (text, values) => {
      statements.push(text);
      return waiting.query(text, values);
    };
    const running = run(changed, { client: { query }, signal: stop.signal });
    await expect
      .poll(async () => (await other.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
      .toBeGreaterThan(0);
    stop.abort();
    await expect(running).rejects.toThrow(ABORTED);
    // It did not wait for the end of this try, which takes two seconds.
    expect(statements).not.toContain('ROLLBACK TO before_lock');
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

  onPostgres.it('because its connection is lost leaves the data as it was', async () => {
    const before = await everything();
    const lost = await database.connect();
    lost.removeAllListeners('error').on('error', () => {});
    // events.once() would reject with the error that comes before the end.
    const ended = new Promise((resolve) => lost.once('end', resolve));
    const { rows } = await lost.query('SELECT pg_backend_pid() AS pid');
    const running = run(changed, {
      client: lost,
      progress: ({ phase, records }) => {
        if (phase === 'applying' && records === 200) {
          void other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
        }
      },
      beforeCommit: async () => void (await ended),
    });
    await expect(running).rejects.toThrow();
    await expect.poll(everything).toEqual(before);
  });
});

describe('an import with concurrent writers', () => {
  /** Options of an import that another writer anticipates: between its plan and its first change. */
  function anticipatedBy(slug: string): Partial<ImportOptions> {
    let isPlanned = false;
    return {
      replace: { yes: false },
      progress: ({ phase, records }) => {
        isPlanned ||= phase === 'applying' && records === 0;
      },
      client: {
        async query(text, values) {
          if (isPlanned) {
            isPlanned = false;
            await other.query(`INSERT INTO startups (slug, name, payment_provider, revenue_last_30_days, revenue_mrr,
              revenue_total, customers, active_subscriptions, on_sale)
              VALUES ('${slug}', 'Theirs', 'stripe', 1, 1, 1, 1, 1, false)`);
          }
          return client.query(text, values);
        },
      },
    };
  }

  test('plans again if they changed something before it applies', async () => {
    const mine = record({ slug: 'mine', name: 'Mine' });
    const summary = await run(old.slice(old.indexOf('\n') + 1) + ndjson(mine), anticipatedBy('mine'));
    expect(summary).toMatchObject({ created: 0, updated: 1, unchanged: 249, removed: 1 });
    expect(await rowsOf("SELECT name FROM startups WHERE slug = 'mine'")).toEqual([{ name: 'Mine' }]);
  });

  test('never removes more than was planned', async () => {
    const running = run(old.slice(old.indexOf('\n') + 1), anticipatedBy('late'));
    await expect(running).rejects.toThrow(
      'The startups changed during the import, which would now remove more of them',
    );
    expect(await rowsOf('SELECT count(*)::int AS count FROM startups')).toEqual([{ count: 251 }]);
  });

  test('may run beside another import: each is whole, the later one wins', async () => {
    const second = await database.openClient();
    await Promise.all([run(changed), run(old, { client: second })]);
    const customers = (text: string): number[] => recordsOf(text).map((one) => one.customers);
    const { rows } = await other.query('SELECT customers FROM startups ORDER BY id');
    const stored = rows.map((row) => row.customers);
    const oldLast = [...customers(old), ...customers(changed).slice(250)];
    expect([customers(changed), oldLast]).toContainEqual(stored);
  });

  onPostgres.it('shows nothing to readers before it is done', async () => {
    const before = await everything();
    const seen: unknown[] = [];
    await run(changed, { beforeCommit: async () => void seen.push(await contents()) });
    expect(seen).toEqual(before.slice(0, 1));
  });
});

test('an examination of a file ends when nobody waits for it', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'revgate-')), 'a.csv');
  onTestFinished(() => rmSync(dirname(path), { recursive: true }));
  writeFileSync(path, `name,revenue\n${'Acme,1\n'.repeat(200_000)}`);
  const file = await open(path);
  onTestFinished(() => file.close());
  const stop = new AbortController();
  const importer = createImporter(() => database.threadConnection('import'));
  const running = importer.examine({ name: 'a.csv', fd: file.fd, mapping: {} }, stop.signal);
  setImmediate(() => stop.abort());
  await expect(running).rejects.toThrow(ABORTED);
});
