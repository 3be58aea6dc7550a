import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Catalogue } from '../../src/startups/catalogue/catalogue.ts';
import { createStartupRows, type StartupRows } from '../../src/startups/rows.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRecords, record } from '../support/records.ts';

describe('rows', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let rows: StartupRows;
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
    rows = open(100_000);
    queries = 0;
  });
  const id = (slug: string): number => ids.get(slug) as number;
  const names = async (wanted: readonly string[], of = catalogue) =>
    (await rows.bySlugs(wanted, of)).map((row) => row?.name);

  it('are as Prisma reads them, with their ranks, whether kept or not', async () => {
    await database.pool.query('TRUNCATE startups');
    const full = {
      ...record('full', {
        askingPrice: 2 ** 53 - 1,
        growth30d: -12.345678901234567,
        profitMarginLast30Days: 0,
      }),
      ...{ name: 'Zürich 🚀 \u001f"\\', description: 'x'.repeat(5_000), website: '', country: 'CH' },
      ...{ foundedDate: '0001-01-01T00:00:00.001Z', firstListedForSaleAt: '2262-04-11T23:47:16.999Z' },
      ...{ category: 'iot-hardware', targetAudience: 'both', teamSize: '51+', fundingStatus: 'vc-funded' },
      ...{ customers: 2 ** 31 - 1, visitorsLast30Days: 0, xHandle: 'x', onSale: true, active: false },
    } as ReturnType<typeof record>;
    await insertRecords(database, [full, record('empty')]);
    const now = await catalogueOfNow();
    for (let i = 0; i < 3; i += 1) {
      for (const slug of ['full', 'empty']) {
        const [row] = await rows.bySlugs([slug], now);
        const stored = {
          ...(await database.prisma.startup.findUniqueOrThrow({ where: { slug } })),
          rank: id(slug),
        };
        const properties = Object.keys(stored) as (keyof typeof stored)[];
        expect(Object.fromEntries(properties.map((property) => [property, row?.[property]]))).toEqual(stored);
      }
    }
    expect(queries).toBe(4);
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

  it('that are read at the same time find out together that no statement is prepared', async () => {
    const pool = {
      query: async ({ name }: { name?: string }) => {
        await new Promise(setImmediate);
        if (name !== undefined) {
          throw Object.assign(new Error('no such statement'), { code: '26000' });
        }
        return { rows: [['0', null, null]] };
      },
    } as unknown as typeof database.pool;
    const reader = createStartupRows({ pool, capacity: 100_000, ownSessions: true });
    const all = [1, 2, 3].map((one) => reader.readAhead([one], catalogue));
    expect(await Promise.all(all)).toEqual([true, true, true]);
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

  it('are kept, and found by either name, while the catalogue knows no newer one', async () => {
    await rows.byIds([id('a')], catalogue);
    await rows.byIds([id('a')], catalogue);
    expect(await names(['a'])).toEqual(['A']);
    expect(queries).toBe(1);
    await database.pool.query(`UPDATE startups SET name = 'new' WHERE slug = 'a'`);
    expect(await names(['a'])).toEqual(['A']);
    expect(await names(['a'], await catalogueOfNow())).toEqual(['new']);
    expect(queries).toBe(2);
  });

  it('that are kept have the rank of the catalogue', async () => {
    await names(['a']);
    await names(['a']);
    const ranked = (rank: number) => ({ ...catalogue, rank: () => rank }) as unknown as Catalogue;
    for (const rank of [7, 8]) {
      expect((await rows.bySlugs(['a'], ranked(rank)))[0]?.rank).toBe(rank);
    }
    expect(queries).toBe(1);
  });

  it('that are kept are not found under a slug that they had', async () => {
    await names(['a']);
    await names(['a']);
    await database.pool.query(`UPDATE startups SET slug = 'other' WHERE slug = 'a'`);
    const later = await catalogueOfNow();
    expect(await names(['other', 'other'], later)).toEqual(['A', 'A']);
    expect(await names(['a'], later)).toEqual([undefined]);
  });

  it('are found under the slug that they have, whatever part of the memory knew the ones before', async () => {
    const rename = async (to: string) => {
      await database.pool.query(`UPDATE startups SET slug = '${to}' WHERE name = 'A'`);
      catalogue = await catalogueOfNow();
    };
    const [a] = [id('a')];
    await rows.byIds([a], catalogue);
    for (const [slug, before] of [
      ['x', 'a'],
      ['y', 'x'],
      ['a', 'y'],
    ] as const) {
      await rename(slug);
      await rows.byIds([a], catalogue);
      await rows.byIds([a], catalogue);
      expect(await names([slug, before])).toEqual(['A', undefined]);
    }
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
    expect(queries).toBe(3);
  });

  it('that a query found which began before the catalogue are not taken for it', async () => {
    const before = rows.byIds([id('a')], catalogue);
    await new Promise(setImmediate);
    const later = { ...catalogue } as Catalogue;
    await Promise.all([before, rows.byIds([id('a')], later)]);
    expect(queries).toBe(2);
  });

  /** Startups of these slugs, more than a small memory holds. */
  async function insertMany(): Promise<string[]> {
    const slugs = Array.from({ length: 300 }, (_, index) => `s${index}`);
    await insertRecords(
      database,
      slugs.map((slug) => record(slug)),
    );
    catalogue = await catalogueOfNow();
    rows = open(SMALL);
    queries = 0;
    return slugs;
  }
  const SMALL = 80_000;

  it('that were read again stay when others come that are read once', async () => {
    const slugs = await insertMany();
    await names(slugs.slice(0, 1));
    await names(slugs.slice(0, 1));
    expect(queries).toBe(1);
    for (const slug of slugs.slice(1)) {
      await names([slug]);
    }
    expect(queries).toBe(300);
    await names([slugs[0] as string, ...slugs.slice(-5)]);
    expect(queries).toBe(300);
    await names(slugs.slice(1, 2));
    expect(queries).toBe(301);
  });

  it('that stay give way too, oldest first', async () => {
    const slugs = await insertMany();
    for (const slug of slugs) {
      await names([slug]);
      await names([slug]);
    }
    expect(queries).toBe(300);
    await names(slugs.slice(-50));
    expect(queries).toBe(300);
    await names(slugs.slice(0, 1));
    expect(queries).toBe(301);
  });

  it('are not kept without room', async () => {
    rows = open(0);
    for (let i = 0; i < 3; i += 1) {
      await names(['a']);
    }
    expect(queries).toBe(3);
  });

  it('that are read ahead need no query, until there is no more room', async () => {
    expect(await rows.readAhead([id('a'), id('b')], catalogue)).toBe(true);
    expect(await rows.readAhead([id('b')], catalogue)).toBe(true);
    expect(queries).toBe(1);
    expect(await names(['a', 'b'])).toEqual(['A', 'B']);
    expect(queries).toBe(1);
    const slugs = await insertMany();
    expect(await rows.readAhead(slugs.map(id), catalogue)).toBe(false);
    queries = 0;
    await names(slugs.slice(0, 60));
    expect(queries).toBe(0);
    await names(slugs.slice(-1));
    expect(queries).toBe(1);
  });

  it('that are read ahead push nothing out, also where they were asked for once', async () => {
    const slugs = await insertMany();
    expect(await rows.readAhead(slugs.map(id), catalogue)).toBe(false);
    // Asked for once, they pass through.
    const last = slugs.slice(-10);
    for (const slug of last) {
      await names([slug]);
    }
    for (let i = 0; i < 3; i += 1) {
      expect(await rows.readAhead(last.map(id), catalogue)).toBe(true);
    }
    queries = 0;
    await names(slugs.slice(0, 20));
    expect(queries).toBe(0);
  });

  it('have another rank where they lie', async () => {
    const [row] = await rows.bySlugs(['a'], catalogue);
    const other = row && rows.rankedAs(row, null);
    expect([row?.rank, other?.rank, other?.name]).toEqual([id('a'), null, 'A']);
  });
});
