import type { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { EditionData } from '../../../src/startups/catalogue/edition-data.ts';
import { EditionMaker } from '../../../src/startups/catalogue/load/edition-maker.ts';
import { type Reading, type ReadSettings, readRows } from '../../../src/startups/catalogue/load/read-rows.ts';
import type { StoredRows } from '../../../src/startups/catalogue/store/row-writer.ts';
import { tableFields } from '../../../src/startups/model/fields.ts';
import { MAX_CENTS } from '../../../src/startups/model/vocabulary.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { openTestDatabase } from '../../support/database.ts';
import { expectedRecord } from '../../support/model/rules.ts';
import { insertRecords } from '../../support/records.ts';
import { insertRows } from './database-rows.ts';
import { contentOf, expectEqual } from './editions.ts';
import { manyRows, named } from './rows.ts';

const notices: string[] = [];

const database = await openTestDatabase();
const client = await database.openClient();
client.on('notice', ({ message }) => notices.push(message ?? ''));

beforeEach(async () => {
  await client.query('TRUNCATE startups');
});

async function revision(): Promise<number> {
  const { rows } = await client.query("SELECT value FROM revisions WHERE name = 'dataset'");
  return Number(rows[0].value);
}

/** Reads, upon an earlier read where one is given. */
function read(earlier?: StoredRows, settings: ReadSettings = {}, from: Client = client): Promise<Reading> {
  return readRows(from, earlier, settings);
}

function makeEdition(rows: StoredRows): EditionData {
  return new EditionMaker().make(rows, 0);
}

/** Checks that rows make the same edition as a whole read does. */
async function expectCurrent(rows: StoredRows): Promise<void> {
  const whole = await read();
  expectEqual(contentOf(makeEdition(rows)), contentOf(makeEdition(whole.rows)));
}

/** Adds a row like the first one. */
const addRow = (values: object) =>
  `INSERT INTO startups SELECT (jsonb_populate_record(s, '${JSON.stringify(values)}')).* FROM startups AS s WHERE id = 1`;
const takeSlug = "UPDATE startups SET slug = 'startup-7' WHERE id = 9";
const rename = "UPDATE startups SET slug = 'x' WHERE id = 7";

describe('a whole read', () => {
  it('returns every field of every record as Prisma reads it', async () => {
    await insertRecords(database, [...sampleStartups({ count: 200, seed: 3 })]);
    const [template] = manyRows(1, 1) as [Startup];
    const extremes: Partial<Startup>[] = [
      { revenueTotal: BigInt(MAX_CENTS), askingPrice: BigInt(MAX_CENTS), country: 'ZZ', xHandle: 'A_9z' },
      { growth30d: -0, profitMarginLast30Days: 0, firstListedForSaleAt: new Date(-1) },
      { growth30d: 5e-324, teamSize: '51+', xHandle: 'a'.repeat(30) },
      { growth30d: -1.5e308, firstListedForSaleAt: new Date(Date.UTC(9999, 11, 31)) },
    ];
    const rowsOf = extremes.map((values, at) => ({ ...template, ...named(10_001 + at), ...values }));
    await insertRows(client, rowsOf);
    const { rows } = await read();
    const catalogue = new Catalogue(makeEdition(rows));
    const records = Array.from(rows.columns.id.subarray(0, rows.length), (id) => catalogue.getById(id));
    const startups = await database.prisma.startup.findMany({ orderBy: { id: 'asc' } });
    expect(Object.keys(startups[0] ?? {})).toHaveLength(
      tableFields.length + ['id', 'sample', 'revision', 'createdAt', 'updatedAt'].length,
    );
    const expected = startups.map(expectedRecord);
    const names = Object.keys(expected[0] ?? {}) as (keyof ReturnType<typeof expectedRecord>)[];
    // Growth of -0 equals 0, and the catalogue stores 0.
    const plain = (record: ReturnType<typeof expectedRecord> | null) =>
      names.map((name) => [name, record?.[name] === 0 ? 0 : record?.[name]]);
    expectEqual(records.map(plain), expected.map(plain));
  });

  it('leaves no transaction behind, also when it fails', async () => {
    await client.query('ALTER TABLE startups RENAME TO elsewhere');
    try {
      await expect(read()).rejects.toThrow('startups');
    } finally {
      await client.query('ALTER TABLE elsewhere RENAME TO startups');
    }
    await read();
    notices.length = 0;
    await client.query('BEGIN');
    await client.query('ROLLBACK');
    expect(notices).toEqual([]);
  });
});

describe('a read in a shared session', () => {
  const shared = { sharedSession: true };
  /** More rows than one piece has. */
  const COUNT = 2_500;

  beforeEach(async () => {
    await insertRows(client, manyRows(COUNT, 4));
  });

  type Query = string | object;
  const isCopy = (query: Query): boolean => typeof query === 'object';

  /** The client, and what others do before the nth of some of its queries, by default a COPY. */
  function interrupted(nth: number, work: () => Promise<unknown>, isCounted = isCopy): Client {
    let count = 0;
    return new Proxy(client, {
      get: (target, name) =>
        name !== 'query'
          ? Reflect.get(target, name)
          : (query: Query) => {
              count += isCounted(query) ? 1 : 0;
              return isCounted(query) && count === nth
                ? work().then(() => target.query(query as never))
                : target.query(query as never);
            },
    });
  }

  it.each([
    ['changes', "UPDATE startups SET revenue_mrr = 7, x_handle = 'changed' WHERE id < 30 OR id > 4990"],
    ['is added', addRow({ id: 99999, slug: 'new' })],
    ['goes', 'DELETE FROM startups WHERE id < 30 OR id > 4990'],
    ['changes its id', 'UPDATE startups SET id = 99999 WHERE id = 1'],
  ])('notices what %s between the pieces', async (_, sql) => {
    const other = await database.openClient();
    const before = await revision();
    const { rows, changes } = await read(
      undefined,
      shared,
      interrupted(2, () => other.query(sql)),
    );
    expect(changes).toBeUndefined();
    expect(await revision()).toBeGreaterThan(before);
    expect(rows.revision).toBe(await revision());
    await expectCurrent(rows);
  });

  it('notices a restore that fills an empty database between the pieces and what follows them', async () => {
    await client.query('CREATE TABLE backup AS SELECT * FROM startups');
    await client.query('TRUNCATE startups');
    const other = await database.openClient();
    const restore = () =>
      other.query(`BEGIN; UPDATE revisions SET value = value + 1 WHERE name = 'epoch'; SET LOCAL revgate.restore = 'on';
        INSERT INTO startups SELECT * FROM backup; COMMIT`);
    const begins = (query: Query): boolean => String(query).startsWith('BEGIN');
    const { rows } = await read(undefined, shared, interrupted(1, restore, begins));
    await other.query('DROP TABLE backup');
    expect(rows.length).toBe(COUNT);
    await expectCurrent(rows);
  });

  it('reads only the changes if they are few, otherwise everything', async () => {
    const { rows: earlier } = await read(undefined, shared);
    await client.query('UPDATE startups SET revenue_mrr = 7 WHERE id IN (1, 51)');
    const little = await read(earlier, shared);
    expect(little.changes).toBe(2);
    await client.query('UPDATE startups SET revenue_mrr = 8');
    const much = await read(little.rows, shared);
    expect(much.changes).toBeUndefined();
    await expectCurrent(much.rows);
  });
});

describe('a read on top of an earlier one', () => {
  let earlier: StoredRows;

  beforeEach(async () => {
    await insertRows(client, manyRows(100, 4));
    ({ rows: earlier } = await read());
  });

  it('reads only what changed or was added, and leaves the earlier one as it is', async () => {
    const before = contentOf(makeEdition(earlier));
    await client.query(`UPDATE startups SET revenue_mrr = 7, x_handle = 'A_longer_handle_than_before' WHERE id IN (1, 51);
      UPDATE startups SET category = NULL, x_handle = NULL, slug = 'new' WHERE id = 3`);
    await insertRows(client, manyRows(160, 4).slice(100));
    const { rows, changes } = await read(earlier);
    // With the removal of the slug that was changed.
    expect(changes).toBe(64);
    expect(rows).toMatchObject({ length: 160, revision: await revision() });
    await expectCurrent(rows);
    expectEqual(contentOf(makeEdition(earlier)), before);
  });

  it.each<[string, string, number | undefined]>([
    ['the table is emptied', 'TRUNCATE startups', undefined],
    [
      'one startup after another had a slug and was removed',
      `DELETE FROM startups WHERE id = 7; ${takeSlug}; DELETE FROM startups WHERE id = 9`,
      undefined,
    ],
    ['a row changes its id', 'UPDATE startups SET id = 1000 WHERE id = 7', undefined],
    ['a row changes its id to one between others', 'UPDATE startups SET id = 2 WHERE id = 7', undefined],
    [
      'a row is replaced',
      'WITH gone AS (DELETE FROM startups WHERE id = 199 RETURNING *) UPDATE startups SET id = 500 WHERE id = 1',
      undefined,
    ],
    ['a row comes between others', addRow({ id: 2, slug: 'new' }), 1],
    ['one is deleted', 'DELETE FROM startups WHERE id = 7', 1],
    ['many are deleted', 'DELETE FROM startups WHERE id > 150', 25],
    ['all are deleted', 'DELETE FROM startups', 100],
    ['one changes its slug and is deleted', `${rename}; DELETE FROM startups WHERE id = 7`, 2],
    ['one is deleted and another gets its slug', `DELETE FROM startups WHERE id = 7; ${takeSlug}`, 3],
    [
      'one is deleted and is there again',
      'CREATE TEMPORARY TABLE gone AS SELECT * FROM startups WHERE id = 7; DELETE FROM startups WHERE id = 7; INSERT INTO startups TABLE gone; DROP TABLE gone',
      2,
    ],
  ])('reads what it must, and no more, when %s', async (_, sql, expected) => {
    await client.query(sql);
    const { rows, changes } = await read(earlier);
    expect(changes).toBe(expected);
    await expectCurrent(rows);
    expect((await read(rows)).changes).toBe(0);
  });

  it('reads a startup that returns, and no other', async () => {
    await client.query(
      'CREATE TEMPORARY TABLE gone AS SELECT * FROM startups WHERE id IN (3, 7, 9); DELETE FROM startups WHERE id IN (3, 7, 9)',
    );
    const without = await read(earlier);
    expect(without.changes).toBe(3);
    await client.query(
      "INSERT INTO startups SELECT * FROM gone WHERE id <> 9; UPDATE startups SET name = 'x' WHERE id = 1",
    );
    const { rows, changes } = await read(without.rows);
    await client.query('DROP TABLE gone');
    expect(changes).toBe(3);
    await expectCurrent(rows);
  });

  it('leaves texts that did not change where they are, also when it reads everything again', async () => {
    await client.query(`UPDATE startups SET id = 2 WHERE id = 3; UPDATE startups SET id = 3 WHERE id = 2;
      DELETE FROM startups WHERE id = 7; UPDATE startups SET description = 'new' WHERE id = 3`);
    const { rows } = await read(earlier);
    const kept = [...earlier.columns.texts.subarray(0, 100)].filter((_, index) => index !== 1 && index !== 3);
    const now = [...rows.columns.texts.subarray(0, 99)];
    expect(now.filter((_, index) => index !== 1)).toEqual(kept);
    expect(rows.texts.chunks).toEqual(earlier.texts.chunks);
  });

  it('reads everything again while it cannot know whether rows were removed', async () => {
    await client.query("UPDATE revisions SET name = 'hidden' WHERE name = 'removals'");
    try {
      const { rows, changes } = await read(earlier);
      expect(changes).toBeUndefined();
      await expectCurrent(rows);
    } finally {
      await client.query("UPDATE revisions SET name = 'removals' WHERE name = 'hidden'");
    }
  });

  it('reads everything again when the revision went back', async () => {
    const ahead = { ...earlier, revision: earlier.revision + 1_000 };
    expect((await read(ahead)).changes).toBeUndefined();
  });
});
