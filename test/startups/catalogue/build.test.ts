import { describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import { tableFields } from '../../../src/startups/model/fields.ts';
import { startupSorts } from '../../../src/startups/model/vocabulary.ts';
import { seededRandom } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { contentOf, expectEqual } from './content.ts';
import { Editions, editionOf, find } from './editions.ts';
import { expectedList } from './oracle.ts';
import { manyRows } from './rows.ts';

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

  it('shares what did not change', () => {
    const list = manyRows(1_200, 30);
    const editions = new Editions();
    editions.rebuild(list);
    const set = (revenueMrr: bigint) => editions.update([{ ...(list[5] as Startup), revenueMrr }]);
    const before = set(1n);
    const data = set(123_456n);
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
