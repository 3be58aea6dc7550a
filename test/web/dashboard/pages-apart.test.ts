import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pagesApart } from '../../../src/web/dashboard/explorer/documents.ts';
import { runs } from '../../support/runs.ts';

it('a chart reads pages from the first to the last, at equal distances', () => {
  const numbers = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 20 }), (pages, wanted) => {
      const read = pagesApart(pages, wanted);
      expect(read).toHaveLength(Math.min(pages, wanted));
      expect(read[0]).toBe(1);
      expect(read.at(-1)).toBe(read.length > 1 ? pages : 1);
      const distances = read.slice(1).map((page, index) => page - (read[index] ?? 0));
      expect(Math.min(1, ...distances)).toBe(1);
      expect(Math.max(0, ...distances) - Math.min(pages, ...distances)).toBeLessThanOrEqual(1);
    }),
    runs(200),
  );
  expect(pagesApart(10, 0)).toEqual([]);
});
