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

// Enough changes to be prepared beside the table, of which some rows stay as they are.
const lines = [...sampleNdjson({ count: 350, seed: 1 })].join('').trimEnd().split('\n');
const old = `${lines.slice(0, 250).join('\n')}\n`;
const changed = `${[
  ...lines.slice(0, 10),
  ...lines.slice(50).map((line) => line.replace('"customers":', '"customers":1')),
].join('\n')}\n`;

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
  await run(old, { sharedSession: false });
});

function run(
  content: string,
  options: Omit<ImportOptions, 'client' | 'inputs'> = {},
): Promise<ImportSummary> {
  return importStartups({
    client,
    inputs: [input('a.ndjson', content)],
    sharedSession: true,
    runLength: 20,
    besideFrom: 100,
    ...options,
  });
}

/** The number by which the database knows the table; another after an exchange. */
async function identity(): Promise<unknown> {
  const { rows } = await other.query("SELECT 'startups'::regclass::oid AS oid");
  return rows[0]?.oid;
}

async function rows(): Promise<unknown[]> {
  return (await other.query('SELECT * FROM startups ORDER BY id')).rows;
}

async function revision(): Promise<number> {
  const { rows } = await other.query("SELECT value::float8 FROM revisions WHERE name = 'dataset'");
  return rows[0]?.value;
}

/** Everything that belongs to the table but its rows. */
async function shape(): Promise<unknown> {
  const parts = [
    'SELECT conname, contype, convalidated, pg_get_constraintdef(oid) AS def FROM pg_constraint WHERE conrelid = $1::regclass',
    'SELECT pg_get_indexdef(indexrelid) AS def, indisprimary, indisunique, indisvalid FROM pg_index WHERE indrelid = $1::regclass',
    'SELECT pg_get_triggerdef(oid) AS def, tgenabled FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal',
    `SELECT attname, atttypid, atttypmod, attnotnull, pg_get_expr(adbin, adrelid) AS value FROM pg_attribute
     LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attrelid = $1::regclass AND attnum > 0`,
    `SELECT pg_get_serial_sequence($1, 'id') AS def`,
    `SELECT nspname AS def FROM pg_namespace WHERE nspname LIKE 'revgate%' AND $1 <> '' AND nspname <> 'revgate_before'`,
  ];
  const found: unknown[] = [];
  for (const sql of parts) {
    const { rows } = await other.query(sql, ['startups']);
    found.push(rows.map((row) => JSON.stringify(row)).sort());
  }
  return found;
}

describe('a large import in a shared session', () => {
  test.each([false, true])('does what one transaction does (replace: %s)', async (replace) => {
    const options = replace ? { replace: { yes: true } } : {};
    const inOne = await run(changed, { ...options, sharedSession: false });
    const expected = await rows();
    await other.query('TRUNCATE startups RESTART IDENTITY');
    await run(old, { sharedSession: false });
    const before = await identity();

    expect(await run(changed, options)).toEqual(inOne);

    expect(inOne).toMatchObject({ created: 100, updated: 200, unchanged: 10, removed: replace ? 40 : 0 });
    expect(await identity()).not.toBe(before);
    const anyRevision = (all: unknown[]) => all.map((row) => ({ ...(row as object), revision: 0 }));
    expect(anyRevision(await rows())).toEqual(anyRevision(expected));
  });

  test('raises the revision, and stamps it on what changed alone', async () => {
    const [before, kept] = [await revision(), (await rows()).slice(0, 50)];
    await run(changed);
    expect(await revision()).toBeGreaterThan(before);
    expect((await rows()).slice(0, 50)).toEqual(kept);
    const { rows: stamps } = await other.query(
      `SELECT count(*)::int AS count, revision::float8 FROM startups WHERE revision > ${before} GROUP BY revision`,
    );
    expect(stamps).toEqual([{ count: 300, revision: await revision() }]);
  });

  test('leaves a table with everything that belonged to it', async () => {
    const before = await shape();
    await run(changed);
    expect(await shape()).toEqual(before);
    const at = await revision();
    await other.query("UPDATE startups SET name = 'Changed' WHERE id = 1");
    const { rows: stamped } = await other.query('SELECT revision::float8 FROM startups WHERE id = 1');
    expect([await revision(), stamped[0]?.revision]).toEqual([at + 1, at + 1]);
    await run(ndjson(record({ slug: 'one-more' })));
    const { rows: added } = await other.query("SELECT id FROM startups WHERE slug = 'one-more'");
    expect(added).toEqual([{ id: 351 }]);
  });

  test('shows nothing of it before its end, and then all of it', async () => {
    const before = await rows();
    const seen: unknown[][] = [];
    let looking: Promise<unknown> | undefined;
    await run(changed, {
      progress: ({ phase }) => {
        if (phase === 'applying') {
          looking ??= rows().then((found) => {
            seen.push(found);
            looking = undefined;
          });
        }
      },
    });
    await looking;
    const after = await rows();
    expect(seen.length).toBeGreaterThan(2);
    const isAfter = seen.map((found) => found.length === after.length);
    expect(isAfter).toEqual(isAfter.toSorted());
    expect(seen).toEqual(isAfter.map((is) => (is ? after : before)));
  });

  test('takes in what others changed while it was prepared', async () => {
    let change: Promise<unknown> | undefined;
    await run(changed, {
      progress: ({ phase, records }) => {
        if (phase === 'applying' && records > 0) {
          change ??= other.query("UPDATE startups SET name = 'Theirs', customers = 7 WHERE id IN (20, 60)");
        }
      },
    });
    await change;
    const { rows: found } = await other.query('SELECT name FROM startups WHERE id IN (20, 60) ORDER BY id');
    // What the input has is the input's, and what it lacks is theirs.
    expect(found).toEqual([{ name: 'Theirs' }, { name: JSON.parse(lines[59] as string).name }]);
    expect(await shape()).toMatchObject({ 5: [] });
  });

  test('does not take the table from under a view', async () => {
    const before = await identity();
    await other.query('CREATE VIEW mine AS SELECT slug FROM startups');
    expect(await run(changed)).toMatchObject({ created: 100, updated: 200 });
    expect(await identity()).toBe(before);
    const { rows: seen } = await other.query('SELECT count(*)::int AS count FROM mine');
    expect(seen).toEqual([{ count: 350 }]);
    await other.query('DROP VIEW mine');
  });

  test('that breaks a rule of the table leaves the data as it was, and nothing beside it', async () => {
    await other.query("ALTER TABLE startups ADD CONSTRAINT boom CHECK (slug <> 'boom')");
    const before = [await rows(), await revision(), await shape(), await identity()];
    await expect(run(changed + ndjson(record({ slug: 'boom' })))).rejects.toThrow('boom');
    expect([await rows(), await revision(), await shape(), await identity()]).toEqual(before);
    await other.query('ALTER TABLE startups DROP CONSTRAINT boom');
  });

  test('removes the sample, also where the input has its slugs', async () => {
    await other.query('TRUNCATE startups RESTART IDENTITY');
    await run(old, { sample: true });
    expect(await run(changed)).toMatchObject({ created: 310, updated: 0, removedSample: 250 });
    const { rows: found } = await other.query(
      'SELECT count(*)::int AS count, min(id) AS first FROM startups',
    );
    expect(found).toEqual([{ count: 310, first: 251 }]);
  });
});
