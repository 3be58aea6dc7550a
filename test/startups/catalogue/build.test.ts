import { describe, expect, it } from 'vitest';
import { buildCatalogue, CatalogueMaker } from '../../../src/startups/catalogue/build.ts';
import { type CatalogueRow, columnsOf } from '../../../src/startups/catalogue/columns.ts';
import { contentOf } from './content.ts';
import { manyRows, randomNumbers } from './rows.ts';

describe('a catalogue built upon an earlier one', () => {
  it('is the same as one built anew, whatever changed', () => {
    const random = randomNumbers(12);
    const pool = manyRows(4_000, 31);
    const list: CatalogueRow[] = manyRows(3_000, 30);
    const columns = columnsOf(list);
    const maker = new CatalogueMaker();
    maker.make(columns, undefined, 0);
    for (const changes of [1, 0, 20, 59, 300, 5]) {
      const ids = new Set(Array.from({ length: changes }, () => 2 * Math.floor(random() * list.length) + 1));
      // Values of other rows, so that ties come about and go; and rows at the end.
      const changed = [...ids, 2 * list.length + 1, 2 * list.length + 3]
        .toSorted((a, b) => a - b)
        .map((id) => ({ ...(pool[Math.floor(random() * pool.length)] as CatalogueRow), id }));
      for (const row of changed) {
        list[(row.id - 1) / 2] = row;
      }
      const data = maker.make(columns, columns.merge(columnsOf(changed)), 0);
      expect(contentOf(data)).toEqual(contentOf(buildCatalogue(columnsOf(list), 0)));
    }
  });

  it('shares nothing with what it was built from', () => {
    const columns = columnsOf(manyRows(300, 1));
    const maker = new CatalogueMaker();
    const first = maker.make(columns, undefined, 0);
    const before = structuredClone(first);
    const [row] = manyRows(1, 2) as [CatalogueRow];
    maker.make(columns, columns.merge(columnsOf([row])), 0);
    expect(first).toEqual(before);
  });
});
