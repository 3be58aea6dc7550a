import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCatalogue } from '../../../src/startups/catalogue/build.ts';
import type { CatalogueColumns } from '../../../src/startups/catalogue/columns.ts';
import { readCatalogue } from '../../../src/startups/catalogue/read.ts';
import type { CatalogueRow } from '../../../src/startups/catalogue/row.ts';
import { columnsOf } from '../../../src/startups/catalogue/row.ts';
import { MAX_CENTS } from '../../../src/startups/vocabulary.ts';
import { openTestDatabase } from '../../support/database.ts';
import { contentOf, expectEqual } from './content.ts';
import { insertRows } from './database-rows.ts';
import { manyRows } from './rows.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let client: Client;
const notices: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  client = await database.connect();
  client.on('notice', ({ message }) => notices.push(message ?? ''));
});

afterAll(async () => {
  await client.end();
  await database.close();
});

beforeEach(async () => {
  await client.query('TRUNCATE startups');
});

async function revision(): Promise<number> {
  const { rows } = await client.query("SELECT value FROM revisions WHERE name = 'dataset'");
  return Number(rows[0].value);
}

/** Checks that columns build the same catalogue as a whole read does. */
async function expectCurrent(columns: CatalogueColumns): Promise<void> {
  const whole = await readCatalogue(client);
  expectEqual(contentOf(buildCatalogue(columns, 0)), contentOf(buildCatalogue(whole.columns, 0)));
}

describe('a whole read', () => {
  it('builds the same catalogue as the rows themselves', async () => {
    const [template] = manyRows(1, 1) as [CatalogueRow];
    const rows = [
      ...manyRows(500, 8),
      {
        ...template,
        id: 10_001,
        revenueTotal: MAX_CENTS,
        askingPrice: MAX_CENTS,
        country: 'ZZ',
        xHandle: 'A_9z',
      },
      {
        ...template,
        id: 10_002,
        growth30d: -0,
        profitMarginLast30Days: 0,
        firstListedForSaleAt: new Date(-1),
      },
      { ...template, id: 10_003, growth30d: 5e-324, teamSize: '51+', xHandle: 'a'.repeat(30) },
      {
        ...template,
        id: 10_004,
        growth30d: -1.5e308,
        firstListedForSaleAt: new Date(Date.UTC(9999, 11, 31)),
      },
    ];
    await insertRows(client, rows);
    const data = buildCatalogue((await readCatalogue(client)).columns, 5);
    const { rows: stamps } = await client.query<{ id: number; revision: string }>(
      'SELECT id, revision FROM startups',
    );
    const revisions = new Map(stamps.map((stamp) => [stamp.id, Number(stamp.revision)]));
    const stamped = rows.map((row) => ({ ...row, revision: revisions.get(row.id) ?? 0 }));
    expectEqual(data, buildCatalogue(columnsOf(stamped, await revision()), 5));
  });

  it('reads an empty table', async () => {
    expect((await readCatalogue(client)).columns.length).toBe(0);
  });

  it('leaves no transaction behind, also when it fails', async () => {
    await client.query('ALTER TABLE startups RENAME TO elsewhere');
    try {
      await expect(readCatalogue(client)).rejects.toThrow('startups');
    } finally {
      await client.query('ALTER TABLE elsewhere RENAME TO startups');
    }
    await readCatalogue(client);
    notices.length = 0;
    await client.query('BEGIN');
    await client.query('ROLLBACK');
    expect(notices).toEqual([]);
  });
});

describe('a read in a shared session', () => {
  const shared = { sharedSession: true, pieceRows: 200 };
  const COUNT = 450;

  beforeEach(async () => {
    await insertRows(client, manyRows(COUNT, 4));
  });

  /** The client, and what others do before its nth COPY. */
  function interrupted(nth: number, work: () => Promise<unknown>): Client {
    let copies = 0;
    return new Proxy(client, {
      get: (target, name) =>
        name !== 'query'
          ? Reflect.get(target, name)
          : (query: string | object) => {
              copies += typeof query === 'object' ? 1 : 0;
              if (typeof query === 'object' && copies === nth) {
                void work().then(() => target.query(query as never));
                return undefined;
              }
              return target.query(query as never);
            },
    });
  }

  it('comes in pieces, and finds the same', async () => {
    let copies = 0;
    const { columns, changed } = await readCatalogue(
      interrupted(3, async () => {
        copies += 1;
      }),
      undefined,
      shared,
    );
    expect(copies).toBe(1);
    expect(changed).toBeUndefined();
    expect(columns).toMatchObject({ length: COUNT, revision: await revision() });
    await expectCurrent(columns);
  });

  it.each([
    ['changes', "UPDATE startups SET revenue_mrr = 7, x_handle = 'changed' WHERE id < 30 OR id > 890"],
    [
      'is added',
      'INSERT INTO startups SELECT (jsonb_populate_record(s, \'{"id": 99999, "slug": "new"}\')).* FROM startups AS s WHERE id = 1',
    ],
    ['goes', 'DELETE FROM startups WHERE id < 30 OR id > 890'],
    ['changes its id', 'UPDATE startups SET id = 99999 WHERE id = 1'],
  ])('notices what %s between the pieces', async (_, sql) => {
    const other = await database.connect();
    const { columns } = await readCatalogue(
      interrupted(2, () => other.query(sql)),
      undefined,
      shared,
    );
    await other.end();
    expect(columns.revision).toBe(await revision());
    await expectCurrent(columns);
  });

  it('reads only what changed where that is little, and else everything', async () => {
    const { columns: earlier } = await readCatalogue(client, undefined, shared);
    await client.query('UPDATE startups SET revenue_mrr = 7 WHERE id IN (1, 51)');
    const little = await readCatalogue(client, earlier, shared);
    expect(little.columns).toBe(earlier);
    expect(little.changed).toHaveLength(2);
    await client.query('UPDATE startups SET revenue_mrr = 8');
    const much = await readCatalogue(client, earlier, shared);
    expect(much.columns).not.toBe(earlier);
    expect(much.changed).toBeUndefined();
    await expectCurrent(much.columns);
  });
});

describe('a read on top of an earlier one', () => {
  let earlier: CatalogueColumns;

  beforeEach(async () => {
    await insertRows(client, manyRows(100, 4));
    ({ columns: earlier } = await readCatalogue(client));
  });

  it('reads only what changed or was added', async () => {
    await client.query(
      "UPDATE startups SET revenue_mrr = 7, x_handle = 'A_longer_handle_than_before' WHERE id IN (1, 51)",
    );
    await client.query('UPDATE startups SET category = NULL, x_handle = NULL WHERE id = 3');
    await insertRows(client, manyRows(160, 4).slice(100));
    const { columns, changed } = await readCatalogue(client, earlier);
    expect(columns).toBe(earlier);
    expect([...(changed ?? [])]).toEqual([
      0,
      1,
      25,
      ...Array.from({ length: 60 }, (_, index) => 100 + index),
    ]);
    expect(columns).toMatchObject({ length: 160, revision: await revision() });
    await expectCurrent(columns);
  });

  it('changes nothing where nothing changed', async () => {
    const before = buildCatalogue(earlier, 0);
    const { columns, changed } = await readCatalogue(client, earlier);
    expect(columns).toBe(earlier);
    expect(changed).toHaveLength(0);
    expect(buildCatalogue(columns, 0)).toEqual(before);
  });

  it.each([
    ['rows are deleted', 'DELETE FROM startups WHERE id > 150'],
    ['all are deleted', 'TRUNCATE startups'],
    ['a row changes its id', 'UPDATE startups SET id = 1000 WHERE id = 7'],
    ['a row changes its id to one between others', 'UPDATE startups SET id = 2 WHERE id = 7'],
    [
      'a row is replaced',
      'WITH gone AS (DELETE FROM startups WHERE id = 199 RETURNING *) UPDATE startups SET id = 500 WHERE id = 1',
    ],
  ])('reads everything again when %s', async (_, sql) => {
    await client.query(sql);
    const { columns, changed } = await readCatalogue(client, earlier);
    expect(columns).not.toBe(earlier);
    expect(changed).toBeUndefined();
    await expectCurrent(columns);
  });

  it('reads everything again when it counts and rows are gone of which no trigger told', async () => {
    await client.query('ALTER TABLE startups DISABLE TRIGGER USER');
    await client.query('DELETE FROM startups WHERE id = 7');
    await client.query('ALTER TABLE startups ENABLE TRIGGER USER');
    const uncounted = await readCatalogue(client, earlier);
    expect([uncounted.columns, uncounted.columns.length]).toEqual([earlier, 100]);
    const { columns, changed } = await readCatalogue(client, earlier, { isCounted: true });
    expect([columns.length, changed]).toEqual([99, undefined]);
    await expectCurrent(columns);
    const again = await readCatalogue(client, columns, { isCounted: true });
    expect([again.columns, again.changed]).toEqual([columns, new Uint32Array(0)]);
  });

  it('reads everything again while it cannot know whether rows are gone', async () => {
    await client.query("UPDATE revisions SET name = 'hidden' WHERE name = 'removals'");
    try {
      const { columns, changed } = await readCatalogue(client, earlier);
      expect(changed).toBeUndefined();
      await expectCurrent(columns);
    } finally {
      await client.query("UPDATE revisions SET name = 'removals' WHERE name = 'hidden'");
    }
  });

  it('reads everything again when the revision went back', async () => {
    earlier.revision += 1_000;
    expect((await readCatalogue(client, earlier)).columns).not.toBe(earlier);
  });

  it('does not gather handles that rows no longer have', async () => {
    let columns = earlier;
    const sizes: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await client.query(`UPDATE startups SET x_handle = '${'h'.repeat(20)}${round}'`);
      ({ columns } = await readCatalogue(client, columns));
      sizes.push(columns.handleBytes);
    }
    await expectCurrent(columns);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3 * 100 * 21);
  });
});
