import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { EditionData } from '../../src/catalogue/edition-data.ts';
import type { Startup } from '../../src/db/generated/client/client.ts';
import { tableFields } from '../../src/startups/fields.ts';
import type { StartupFilter } from '../../src/startups/filter.ts';
import { startupSorts } from '../../src/startups/vocabulary.ts';
import { seededRandom } from '../support/runs.ts';
import { finish } from '../support/steps.ts';
import { contentOf, expectEqual } from './content.ts';
import { Editions, editionOf, find } from './editions.ts';
import { expectedList, expectedRank } from './oracle.ts';
import { manyRows, named } from './rows.ts';

/** Editions of many rows, and ways to change them. */
function changingEditions() {
  const random = seededRandom(12);
  const pool = manyRows(1_500, 31);
  const list: Startup[] = manyRows(1_200, 30);
  const editions = new Editions();
  return {
    list,
    random,
    editions,
    first: editions.rebuild(list),
    /** Gives so many rows the values of others, so that ties come about and go, and adds two at the end. */
    change(count: number) {
      const ids = new Set(Array.from({ length: count }, () => 2 * Math.floor(random() * list.length) + 1));
      const changed = [...ids, 2 * list.length + 1, 2 * list.length + 3]
        .toSorted((a, b) => a - b)
        .map((id) => ({ ...(pool[Math.floor(random() * pool.length)] as Startup), ...named(id) }));
      for (const row of changed) {
        list[(row.id - 1) / 2] = row;
      }
      return editions.update(changed);
    },
    /** Sets one column of one row. */
    set(index: number, values: Partial<Startup>) {
      const row = { ...(list[index] as Startup), ...values };
      list[index] = row;
      return editions.update([row]);
    },
  };
}

/** Texts of which many begin alike. */
function textsOf(random: () => number) {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return {
    name: `${pick(['Acme Analytics', 'ACME ANALYTICS', 'Acmé Analytics', 'Straße', 'Zebra'])} ${Math.floor(99 * random())}`,
    icon: pick([null, 'https://icon.example/1', 'https://icon.example/2']),
    description: pick([null, 'analytics for zebras', 'Straßenkarten', 'acme']),
    website: pick([null, 'https://a.example', 'https://b.example']),
  };
}

/** Of every array, as far as the edition reads it. */
function digestOf({ columns, ranks, orders }: EditionData): string {
  const hash = createHash('sha256');
  for (const group of [columns, orders, { ranks }]) {
    for (const array of Object.values(group as Record<string, ArrayBufferView>)) {
      hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    }
  }
  return hash.digest('hex');
}

describe('an edition made upon an earlier one', () => {
  it('is the same as one made anew, whatever changed', () => {
    const random = seededRandom(8);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const pool = manyRows(300, 31).map((row) => ({
      ...row,
      ...textsOf(random),
      activeSubscriptions: Math.floor(9 * random()),
      growthMRR30d: random(),
      googleSearchImpressionsLast30Days: Math.floor(9 * random()),
      createdAt: new Date(Math.floor(9 * random())),
      updatedAt: new Date(Math.floor(9 * random())),
    }));
    let list: Startup[] = pool.slice(0, 280);
    const fields = (Object.keys(pool[0] as Startup) as (keyof Startup)[]).filter((name) => name !== 'id');
    expect(fields).toEqual(expect.arrayContaining(tableFields.map(({ property }) => property)));
    const editions = new Editions();
    editions.rebuild(list);
    let revision = 1n;
    /** Checks an edition with some rows changed or added, and others removed. */
    const expectSame = (changed: readonly Startup[], removed: readonly number[] = []): void => {
      revision += 1n;
      const rows = changed.map((row) => ({ ...row, revision }));
      const byId = new Map([...list, ...rows].map((row) => [row.id, row]));
      list = [...byId.values()].filter(({ id }) => !removed.includes(id)).toSorted((a, b) => a.id - b.id);
      const updated = editions.update(rows, Number(revision), removed);
      const anew = editionOf(list, Number(revision));
      expectEqual(contentOf(updated), contentOf(anew));
      const [catalogue, expected] = [new Catalogue(updated), new Catalogue(anew)];
      for (const sort of startupSorts) {
        const query = { filter: {}, sort, limit: list.length, total: true } as const;
        expectEqual(
          find(catalogue, query).ids,
          expectedList(list, {}, sort).map(({ id }) => id),
        );
      }
      const facetsOf = (of: Catalogue) => {
        const facets = finish(of.facets({}));
        return { ...facets, techStack: finish(facets.techStack()) };
      };
      expectEqual(facetsOf(catalogue), facetsOf(expected));
      expectEqual(finish(catalogue.stats({})), finish(expected.stats({})));
      for (const search of ['acme', 'analytics 99', 'zed', 'acmee', 'strasse']) {
        const query = { filter: { search }, sort: 'relevance', limit: 300, total: true } as const;
        expectEqual(find(catalogue, query), find(expected, query));
      }
    };
    const someRow = (): Startup => pick(list);
    for (const field of fields) {
      // A slug is unique.
      const value = (row: Startup) =>
        field === 'slug' ? `${row.slug}x` : (pool[Math.floor(random() * pool.length)] as Startup)[field];
      const row = someRow();
      expectSame([{ ...row, [field]: value(row) }]);
    }
    // What the beginning of a name omits, and what folding does.
    for (const change of [
      (name: string) => `${name} 99`,
      (name: string) => name.toUpperCase(),
      () => 'Zed',
    ]) {
      const row = someRow();
      expectSame([{ ...row, name: change(row.name) }]);
    }
    for (const count of [0, 2, 22, 150]) {
      const removed = Array.from({ length: count / 2 }, () => someRow().id);
      const ids = new Set(Array.from({ length: count }, () => someRow().id));
      const last = (list.at(-1) as Startup).id;
      const changed = [...ids]
        .filter((id) => !removed.includes(id))
        .concat(last + 3, last + 4)
        .toSorted((a, b) => a - b)
        .map((id) => ({ ...pick(pool), id, slug: `new-${id}` }));
      expectSame(changed, removed);
    }
  });

  it.each([
    [40, 'Acme Analytics 99'],
    [2_000, 'Zed'],
  ])('has %i startups in the order of their names after one was renamed to %j', (count, name) => {
    const [template] = manyRows(1, 1) as [Startup];
    const list = Array.from({ length: count }, (_, index) => ({
      ...template,
      ...named(index + 1),
      name: `Acme Analytics ${String(index).padStart(2, '0')}`,
    }));
    const editions = new Editions();
    editions.rebuild(list);
    const renamed = { ...(list[0] as Startup), name };
    const catalogue = new Catalogue(editions.update([renamed]));
    const now = [renamed, ...list.slice(1)];
    for (const sort of ['name-asc', 'name-desc'] as const) {
      const { ids } = find(catalogue, { filter: {}, sort, limit: count, total: true });
      expectEqual(
        ids,
        expectedList(now, {}, sort).map(({ id }) => id),
      );
    }
  });

  it('ranks as one made anew does, with many ties and rows that are not active', () => {
    const random = seededRandom(5);
    const some = (limit: number): number => Math.floor(random() * limit);
    const toRow = (id: number): Startup => ({
      ...(template as Startup),
      ...named(id),
      active: random() < 0.6,
      revenueTotal: BigInt(some(random() < 0.5 ? 4 : 400)),
    });
    const [template] = manyRows(1, 1);
    const list = Array.from({ length: 200 }, (_, index) => toRow(index + 1));
    const editions = new Editions();
    editions.rebuild(list);
    for (let round = 0; round < 120; round += 1) {
      const ids = new Set(Array.from({ length: some(5) }, () => 1 + some(list.length)));
      const added = some(3) === 0 ? [list.length + 1, list.length + 2] : [];
      // Some change in all of it, others only in one.
      const toChanged = (id: number): Startup => {
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
      const data = editions.update(changed);
      expect(data.ranks).toEqual(Int32Array.from(list, (row) => expectedRank(list, row) ?? 0));
    }
  });

  it('ranks anew all that follow a tie whose first is not active any more', () => {
    const [template] = manyRows(1, 1);
    const list = Array.from({ length: 60 }, (_, index) => ({
      ...(template as Startup),
      ...named(index + 1),
      active: index === 0 || index > 2,
      revenueTotal: BigInt(index < 4 ? 100 : 99 - index),
    }));
    const editions = new Editions();
    editions.rebuild(list);
    const data = editions.update([{ ...(list[0] as Startup), active: false }]);
    expect([...data.ranks.subarray(0, 6)]).toEqual([0, 0, 0, 1, 2, 3]);
  });

  it('leaves every earlier one as it is', () => {
    const changing = changingEditions();
    const editions = [changing.first];
    const digests = [digestOf(changing.first)];
    for (let round = 0; round < 40; round += 1) {
      const data =
        round % 5 === 4 ? changing.change(3) : changing.set(round, { revenueMrr: BigInt(7_000 + round) });
      editions.push(data);
      digests.push(digestOf(data));
    }
    editions.push(changing.editions.rebuild(changing.list));
    expect(editions.slice(0, -1).map(digestOf)).toEqual(digests);
    expectEqual(contentOf(editions.at(-1) as EditionData), contentOf(editionOf(changing.list)));
  });

  it('shares what did not change', () => {
    const changing = changingEditions();
    const before = changing.set(5, { revenueMrr: 1n });
    const data = changing.set(5, { revenueMrr: 123_456n });
    const changedNames = (
      group: Readonly<Record<string, ArrayBufferView>>,
      earlier: Readonly<Record<string, ArrayBufferView>>,
    ): string[] => Object.keys(group).filter((name) => group[name]?.buffer !== earlier[name]?.buffer);
    expect(changedNames(data.columns, before.columns)).toEqual(['revenueMrr']);
    expect(changedNames(data.orders, before.orders)).toEqual(['mrr-desc', 'mrr-asc']);
    expect(data.search).toBe(before.search);
    const { columns, orders, ranks } = data;
    expect(data.replacedBytes).toBe(
      columns.revenueMrr.buffer.byteLength +
        2 * orders['mrr-asc'].buffer.byteLength +
        ranks.buffer.byteLength,
    );
    expect(data.bytes).toBe(before.bytes);
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
    const changing = changingEditions();
    const { random } = changing;
    let catalogue = new Catalogue(changing.first);
    const known = [{ catalogue, list: [...changing.list] }];
    for (const changes of [1, 2, 0, 15, 1, 22, 22, 1, 80, 1, 3]) {
      catalogue = new Catalogue(changing.change(changes));
      known.push({ catalogue, list: [...changing.list] });
      for (let asked = 0; asked < 25; asked += 1) {
        // Mostly the newest; sometimes one that somebody still has.
        const from = known.at(random() < 0.7 ? -1 : Math.floor(random() * known.length)) as (typeof known)[0];
        const filter = filters[Math.floor(random() * filters.length)] as StartupFilter;
        const sort = startupSorts[Math.floor(random() * 3)] as (typeof startupSorts)[number];
        const page = 1 + Math.floor(random() * 5);
        const expected = expectedList(from.list, filter, sort);
        const query = { filter, sort, page, limit: 10 };
        const ids = expected.slice((page - 1) * 10, page * 10).map(({ id }) => id);
        expect(find(from.catalogue, { ...query, total: true })).toMatchObject({
          ids,
          total: expected.length,
        });
        expect(find(from.catalogue, { ...query, total: false }).ids).toEqual(ids);
      }
    }
  });
});
