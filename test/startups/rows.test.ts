import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Catalogue } from '../../src/startups/catalogue/catalogue.ts';
import { createStartupRows, type RecordReader } from '../../src/startups/rows.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRecords, record } from '../support/records.ts';

describe('rows', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let rows: RecordReader;
  let queries = 0;
  const ids = new Map<string, number>();

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  /** Stands for a catalogue of what the table holds now. */
  async function catalogueOfNow(): Promise<Catalogue> {
    const stored = await database.pool.query('SELECT id, slug, revision FROM startups');
    const revisions = new Map<number, number>();
    for (const { id, slug, revision } of stored.rows) {
      revisions.set(id, Number(revision));
      ids.set(slug, id);
    }
    return { revisionOf: (id: number) => revisions.get(id), rank: (id: number) => id } as Catalogue;
  }
  const open = (capacity: number) =>
    createStartupRows({
      pool: {
        query: (...args: unknown[]) => {
          queries += 1;
          return (database.pool.query as (...all: unknown[]) => unknown)(...args);
        },
      } as typeof database.pool,
      capacity,
    });

  let catalogue: Catalogue;
  beforeEach(async () => {
    await database.pool.query('TRUNCATE startups');
    await insertRecords(database, [record('a'), record('b', { askingPrice: 2 ** 53 - 1 }), record('c')]);
    ids.clear();
    catalogue = await catalogueOfNow();
    rows = open(100);
    queries = 0;
  });
  const id = (slug: string): number => ids.get(slug) as number;
  const names = async (wanted: readonly string[], of = catalogue) =>
    (await rows.bySlugs(wanted, of)).map((row) => row?.name);

  it('are as Prisma reads them, with their ranks', async () => {
    const [row] = await rows.bySlugs(['b'], catalogue);
    const stored = await database.prisma.startup.findUnique({ where: { slug: 'b' } });
    expect(row).toEqual({ ...stored, rank: id('b') });
  });

  it('are read without a prepared statement once the session turns out to have lost it', async () => {
    const names: unknown[] = [];
    const pool = {
      query: (config: { name?: string }) => {
        names.push(config.name);
        return database.pool.query(config as never);
      },
    } as unknown as typeof database.pool;
    const reader = createStartupRows({ pool, capacity: 0, ownSessions: true });
    const read = async () => (await reader.bySlugs(['b'], catalogue))[0]?.slug;
    expect([await read(), await read()]).toEqual(['b', 'b']);
    await database.pool.query('DEALLOCATE ALL');
    expect([await read(), await read()]).toEqual(['b', 'b']);
    const [name] = names;
    expect(name).toMatch(/^revgate /);
    expect(names).toEqual([name, name, name, undefined, undefined]);
  });

  it('come in the order asked for, without those that there are not', async () => {
    const found = await rows.byIds([id('c'), 2 ** 31 - 1, id('a')], catalogue);
    expect(found.map((row) => row?.slug)).toEqual(['c', undefined, 'a']);
  });

  it('are read together by requests that come together, each once', async () => {
    const [first, second] = await Promise.all([
      rows.byIds([id('a'), id('b')], catalogue),
      rows.byIds([id('b'), id('c')], catalogue),
    ]);
    expect([...first, ...second].map((row) => row?.slug)).toEqual(['a', 'b', 'b', 'c']);
    expect(queries).toBe(1);
  });

  it('are kept when read a second time, by either name, while the catalogue knows no newer one', async () => {
    await rows.byIds([id('a')], catalogue);
    await rows.byIds([id('a')], catalogue);
    expect(queries).toBe(2);
    await rows.byIds([id('a')], catalogue);
    expect(await names(['a'])).toEqual(['A']);
    expect(queries).toBe(2);
    await database.pool.query(`UPDATE startups SET name = 'new' WHERE slug = 'a'`);
    expect(await names(['a'])).toEqual(['A']);
    expect(await names(['a'], await catalogueOfNow())).toEqual(['new']);
    expect(queries).toBe(3);
  });

  it('that are kept have the rank of the catalogue', async () => {
    await names(['a']);
    await names(['a']);
    const ranked = (rank: number) => ({ ...catalogue, rank: () => rank }) as unknown as Catalogue;
    for (const rank of [7, 8]) {
      expect((await rows.bySlugs(['a'], ranked(rank)))[0]?.rank).toBe(rank);
    }
    expect(queries).toBe(2);
  });

  it('that are kept are not found under a slug that they had', async () => {
    await names(['a']);
    await names(['a']);
    await database.pool.query(`UPDATE startups SET slug = 'other' WHERE slug = 'a'`);
    const later = await catalogueOfNow();
    expect(await names(['other', 'other'], later)).toEqual(['A', 'A']);
    expect(await names(['a'], later)).toEqual([undefined]);
  });

  it('are gone with their startup, and come anew under its slug', async () => {
    await names(['a']);
    await names(['a']);
    await database.pool.query(`DELETE FROM startups WHERE slug = 'a'`);
    expect(await names(['a'], await catalogueOfNow())).toEqual([undefined]);
    await insertRecords(database, [record('a', { name: 'another' })]);
    const later = await catalogueOfNow();
    for (let i = 0; i < 3; i += 1) {
      expect(await names(['a'], later)).toEqual(['another']);
    }
    expect(queries).toBe(5);
  });

  it('that a query found which began before the catalogue are not taken for it', async () => {
    const before = rows.byIds([id('a')], catalogue);
    await new Promise(setImmediate);
    const later = { ...catalogue } as Catalogue;
    await Promise.all([before, rows.byIds([id('a')], later)]);
    expect(queries).toBe(2);
  });

  it('are kept only as many as there is room for, and none without room', async () => {
    rows = open(2);
    for (const slug of ['a', 'a', 'b', 'b', 'c', 'c']) {
      await names([slug]);
    }
    expect(queries).toBe(6);
    await names(['b', 'c']);
    expect(queries).toBe(6);
    await names(['a']);
    expect(queries).toBe(7);
    rows = open(0);
    for (let i = 0; i < 3; i += 1) {
      await names(['a']);
    }
    expect(queries).toBe(10);
  });
});
