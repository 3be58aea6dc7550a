import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildCatalogue, CatalogueMaker } from '../../../src/startups/catalogue/build.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { CatalogueData } from '../../../src/startups/catalogue/data.ts';
import { ownMemory, SharedMemory } from '../../../src/startups/catalogue/memory.ts';
import { type CatalogueRow, columnsOf } from '../../../src/startups/catalogue/row.ts';
import type { StartupFilter } from '../../../src/startups/filter.ts';
import { startupSorts } from '../../../src/startups/vocabulary.ts';
import { contentOf, expectEqual } from './content.ts';
import { expectedList, expectedRank } from './oracle.ts';
import { manyRows, randomNumbers } from './rows.ts';

/** A catalogue of many rows, and ways to change it. */
function changingCatalogue(memory: SharedMemory | typeof ownMemory) {
  const random = randomNumbers(12);
  const pool = manyRows(4_000, 31);
  const list: CatalogueRow[] = manyRows(3_000, 30);
  const columns = columnsOf(list, 0, memory);
  const maker = new CatalogueMaker(memory);
  return {
    list,
    random,
    columns,
    maker,
    first: maker.make(columns, undefined, 0),
    /** Gives so many rows the values of others, so that ties come about and go, and adds two at the end. */
    change(count: number) {
      const ids = new Set(Array.from({ length: count }, () => 2 * Math.floor(random() * list.length) + 1));
      const changed = [...ids, 2 * list.length + 1, 2 * list.length + 3]
        .toSorted((a, b) => a - b)
        .map((id) => ({ ...(pool[Math.floor(random() * pool.length)] as CatalogueRow), id }));
      for (const row of changed) {
        list[(row.id - 1) / 2] = row;
      }
      return maker.make(columns, columns.merge(columnsOf(changed)), 0);
    },
    /** Sets one column of one row. */
    set(index: number, values: Partial<CatalogueRow>) {
      const row = { ...(list[index] as CatalogueRow), ...values };
      list[index] = row;
      return maker.make(columns, columns.merge(columnsOf([row])), 0);
    },
  };
}

/** Of every array. */
function digestOf({ ids, revisions, ranks, numbers, codes, handles, orders }: CatalogueData): string {
  const hash = createHash('sha256');
  for (const group of [{ ids, revisions, ranks }, numbers, codes, handles, orders]) {
    for (const array of Object.values(group as Record<string, ArrayBufferView>)) {
      hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    }
  }
  return hash.digest('hex');
}

describe('a catalogue built upon an earlier one', () => {
  it('is the same as one built anew, whatever changed', () => {
    const changing = changingCatalogue(ownMemory);
    for (const changes of [1, 0, 20, 57, 300, 5, 1, 2, 3]) {
      const { data } = changing.change(changes);
      expect(data.changed === undefined).toBe(changes === 300);
      const anew = buildCatalogue(columnsOf(changing.list), 0);
      expectEqual(contentOf({ ...data, changed: undefined }), contentOf(anew));
    }
  });

  it('ranks as one built anew does, with many ties and rows that are not active', () => {
    const random = randomNumbers(5);
    const some = (limit: number): number => Math.floor(random() * limit);
    const toRow = (id: number): CatalogueRow => ({
      ...(template as CatalogueRow),
      id,
      active: random() < 0.6,
      revenueTotal: some(random() < 0.5 ? 4 : 400),
    });
    const [template] = manyRows(1, 1);
    const list = Array.from({ length: 200 }, (_, index) => toRow(index + 1));
    const columns = columnsOf(list);
    const maker = new CatalogueMaker(ownMemory);
    maker.make(columns, undefined, 0);
    for (let round = 0; round < 120; round += 1) {
      const ids = new Set(Array.from({ length: some(5) }, () => 1 + some(list.length)));
      const added = some(3) === 0 ? [list.length + 1, list.length + 2] : [];
      // Some change in all of it, others only in one.
      const toChanged = (id: number): CatalogueRow => {
        const [before, after] = [list[id - 1], toRow(id)];
        return before === undefined || random() < 0.4
          ? after
          : {
              ...before,
              ...(random() < 0.5 ? { active: after.active } : { revenueTotal: after.revenueTotal }),
            };
      };
      const changed = [...ids, ...added].toSorted((a, b) => a - b).map(toChanged);
      for (const row of changed) {
        list[row.id - 1] = row;
      }
      const { data } = maker.make(columns, columns.merge(columnsOf(changed)), 0);
      expect(data.ranks).toEqual(Int32Array.from(list, (row) => expectedRank(list, row) ?? 0));
    }
  });

  it('ranks anew all that follow a tie whose first is not active any more', () => {
    const [template] = manyRows(1, 1);
    const list = Array.from({ length: 60 }, (_, index) => ({
      ...(template as CatalogueRow),
      id: index + 1,
      active: index === 0 || index > 2,
      revenueTotal: index < 4 ? 100 : 99 - index,
    }));
    const columns = columnsOf(list);
    const maker = new CatalogueMaker(ownMemory);
    maker.make(columns, undefined, 0);
    const first = { ...(list[0] as CatalogueRow), active: false };
    const { data } = maker.make(columns, columns.merge(columnsOf([first])), 0);
    expect([...data.ranks.subarray(0, 6)]).toEqual([0, 0, 0, 1, 2, 3]);
  });

  it('leaves every earlier one as it is until its memory is given back, and then uses that', () => {
    const memory = new SharedMemory();
    const changing = changingCatalogue(memory);
    const inUse = [{ data: changing.first.data, digest: digestOf(changing.first.data) }];
    const replaced: ArrayBufferLike[][] = [];
    const seen = new Set<ArrayBufferLike>();
    let reused = 0;
    for (let round = 0; round < 60; round += 1) {
      const made = round % 5 === 4 ? changing.change(3) : changing.set(round, { revenueMrr: 7_000 + round });
      replaced.push(made.replaced);
      for (const { buffer } of Object.values(made.data.orders)) {
        reused += seen.has(buffer) ? 1 : 0;
      }
      for (const buffer of made.replaced) {
        seen.add(buffer);
      }
      inUse.push({ data: made.data, digest: digestOf(made.data) });
      while (inUse.length > 1 + (round % 4)) {
        inUse.shift();
        memory.give(replaced.shift() ?? [], changing.maker.bytes / 2);
      }
      for (const { data, digest } of inUse) {
        expect(digestOf(data)).toBe(digest);
      }
    }
    expect(reused).toBeGreaterThan(20);
    const { data } = changing.maker.make(changing.columns, undefined, 0);
    expectEqual(contentOf(data), contentOf(buildCatalogue(columnsOf(changing.list), 0)));
  });

  it('shares what did not change', () => {
    const changing = changingCatalogue(ownMemory);
    const before = changing.set(5, { revenueMrr: 1 }).data;
    const { data, replaced } = changing.set(5, { revenueMrr: 123_456 });
    const other = Object.entries(data.orders).filter(([, list]) =>
      Object.values(before.orders).every(({ buffer }) => buffer !== list.buffer),
    );
    expect(other.map(([name]) => name)).toEqual(['mrr-asc']);
    // The numbers themselves, and their order.
    expect(replaced).toHaveLength(2);
    expect(data.ranks.buffer).toBe(before.ranks.buffer);
    expect(changing.set(5, { revenueMrr: 123_456 }).replaced).toEqual([]);
  });
});

describe('lists that were kept', () => {
  const filters: StartupFilter[] = [
    {},
    { category: 'ai' },
    { onSale: true, minRevenue: 100 },
    { category: 'ai', minMrr: 50, maxGrowth: 50 },
    { minPrice: 1_000, minGrowth: 0 },
  ];

  it('are those of each catalogue, while it and later ones are asked in turn', () => {
    const changing = changingCatalogue(ownMemory);
    const { random } = changing;
    let catalogue = new Catalogue(changing.first.data);
    const known = [{ catalogue, list: [...changing.list] }];
    for (const changes of [1, 2, 0, 30, 1, 55, 55, 1, 200, 1, 3]) {
      catalogue = new Catalogue(changing.change(changes).data, catalogue);
      known.push({ catalogue, list: [...changing.list] });
      for (let asked = 0; asked < 25; asked += 1) {
        // Mostly the newest; sometimes one that somebody still has.
        const from = known.at(random() < 0.7 ? -1 : Math.floor(random() * known.length)) as (typeof known)[0];
        const filter = filters[Math.floor(random() * filters.length)] as StartupFilter;
        const sort = startupSorts[Math.floor(random() * 3)] as (typeof startupSorts)[number];
        const offset = Math.floor(random() * 40);
        const expected = expectedList(from.list, filter, sort);
        const query = { filter, sort, offset, limit: 10 };
        const page = expected.slice(offset, offset + 10).map(({ id }) => id);
        expect(from.catalogue.find({ ...query, total: true })).toMatchObject({
          ids: page,
          total: expected.length,
        });
        expect(from.catalogue.find({ ...query, total: false }).ids).toEqual(page);
      }
    }
  });
});

describe('a retired catalogue', () => {
  it('answers nothing any more, rather than something else', () => {
    const catalogue = new Catalogue(buildCatalogue(columnsOf(manyRows(3, 1)), 0));
    catalogue.retire();
    expect(() => catalogue.size).toThrow('out of use');
    expect(() => catalogue.rank(1)).toThrow('out of use');
    expect(() => catalogue.stats({})).toThrow('out of use');
  });
});
