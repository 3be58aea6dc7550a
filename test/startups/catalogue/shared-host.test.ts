import { expect, it } from 'vitest';
import type { Steps } from '../../../src/lib/loop/time-slices.ts';
import type { ListRequest } from '../../../src/startups/model/requests/list-request.ts';
import { catalogueOf } from './editions.ts';
import { manyRows } from './rows.ts';

/** The result of work, and in how many steps it was done. */
function count<T>(steps: Steps<T>): { readonly result: T; readonly steps: number } {
  for (let taken = 1; ; taken += 1) {
    const { done, value } = steps.next();
    if (done === true) {
      return { result: value, steps: taken };
    }
  }
}

const requestOf = (website: string): ListRequest => ({
  filter: { website },
  sort: 'revenue-desc',
  limit: 10,
  page: 1,
  after: null,
});

it('the startups of a host that thousands share are checked in steps, and once for each edition', () => {
  const rows = manyRows(5_000, 4).map((row, at) => ({ ...row, website: `https://apps.example/id${at}` }));
  const catalogue = catalogueOf(rows);
  const request = requestOf('apps.example');
  const first = count(catalogue.list(request, { total: true }));
  expect(first.result.meta.total).toBe(5_000);
  expect(first.steps).toBeGreaterThan(5_000 / 1_024);
  const facets = count(catalogue.facets(request.filter));
  expect(facets.result.onSale.reduce((sum, one) => sum + one.count, 0)).toBe(5_000);
  const again = count(catalogue.list({ ...request, page: 2 }, { total: true }));
  expect(again.result.meta.total).toBe(5_000);
  expect(first.steps - again.steps).toBe(Math.floor(5_000 / 1_024));
});

it('a page is found by its own path and by those below it, of which the first 32 names are looked up', () => {
  const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
  const pathOf = (depth: number): string => `https://apps.example/${names.slice(0, depth).join('/')}`;
  const rows = manyRows(4, 4).map((row, at) => ({ ...row, website: pathOf([2, 35, 40, 1][at] as number) }));
  const catalogue = catalogueOf(rows);
  const found = (website: string) =>
    count(catalogue.list(requestOf(website), { total: true })).result.meta.total;
  // Of 2, 40 and 1 names: that of 35 is too deep to be looked for above another.
  expect(found(pathOf(40))).toBe(3);
  expect(found(pathOf(35))).toBe(3);
  expect(found(pathOf(2))).toBe(2);
  expect(found(`apps.example${'/'.repeat(2_000)}x`)).toBe(0);
});
