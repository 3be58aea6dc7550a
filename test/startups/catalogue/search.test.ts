import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { wordsOf } from '../../../src/lib/text/words.ts';
import type { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import { type Place, readCursor } from '../../../src/startups/model/requests/cursor.ts';
import type { StartupSort } from '../../../src/startups/model/vocabulary.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { expectedList } from '../../support/model/rules.ts';
import { searched } from '../../support/model/search.ts';
import { runs } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { catalogueOf, find } from './editions.ts';
import { manyRows } from './rows.ts';

const words =
  'strip stripe stripes Strîpe strap pay payments ab abcde b 東京都庁前 42 12345 Łódź straße'.split(' ');
const [base] = manyRows(1, 1) as [Startup];

const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 });
const slug = fc.array(fc.constantFrom('strip', 'pay', 'abcde', 'x', '42'), { minLength: 1, maxLength: 2 });
const startup = fc.record({
  name: text.map((list) => list.join(' ')),
  slug: slug.map((list) => list.join('-')),
  xHandle: fc.option(fc.constantFrom('Strip_pay', 'PAYME', 'ab_42'), { nil: null }),
  description: fc.option(
    text.map((list) => list.join(', ')),
    { nil: null },
  ),
  website: fc.option(
    fc.constantFrom(
      'https://www.pay.strip.io/stripes',
      'https://stripe.com',
      'https://www.com',
      'https://łódź.pl',
    ),
    { nil: null },
  ),
  category: fc.constantFrom('ai', 'saas'),
  revenueLast30Days: fc.integer({ min: 0, max: 3 }).map(BigInt),
});
type Texts = typeof startup extends fc.Arbitrary<infer T> ? T : never;
const rowOf = (texts: Texts, index: number): Startup => ({
  ...base,
  ...texts,
  slug: `${texts.slug}-${index}`,
  id: index + 1,
});

const otherWords =
  'st stirpe tripe stripex paymants abc xbcde pya 東京都庁 zzzzz 12346 lodz STRASSE strase'.split(' ');
const query = fc
  .array(fc.constantFrom(...words, ...otherWords), { minLength: 1, maxLength: 3 })
  .map((list) => list.join(' '));

function expectSearch(catalogue: Catalogue, rows: readonly Startup[], text: string): void {
  const folded = wordsOf(text).join(' ');
  const expected = searched(rows, folded);
  const ofAi = expected.rows.filter(({ category }) => category === 'ai');
  for (const [filter, wanted] of [
    [{ search: folded }, expected.rows],
    [{ search: folded, category: 'ai' }, ofAi],
  ] as const) {
    const ids = wanted.map(({ id }) => id);
    const asked = { filter, sort: 'relevance', limit: 7 } as const;
    expect(find(catalogue, { ...asked, total: true })).toEqual({
      ids: ids.slice(0, 7),
      total: ids.length,
      hasMore: ids.length > 7,
    });
    const byId = find(catalogue, { ...asked, sort: 'created-asc', limit: 1_000, total: false });
    expect(byId.ids).toEqual(ids.toSorted((a, b) => a - b));
    const facets = finish(catalogue.facets(filter));
    expect(facets.onSale.reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
    const page = finish(catalogue.list({ ...asked, page: 1, after: null, limit: 1 }, { total: false }));
    expect(page.isCorrected).toBe(expected.isCorrected);
  }
}

describe('a search', () => {
  it('finds what a plain reading of the rules does, in its order', () => {
    fc.assert(
      fc.property(
        fc.array(startup, { maxLength: 25 }),
        fc.array(query, { minLength: 1, maxLength: 6 }),
        (list, texts) => {
          const rows = list.map(rowOf);
          const catalogue = catalogueOf(rows);
          for (const text of texts) {
            expectSearch(catalogue, rows, text);
          }
        },
      ),
      runs(30),
    );
  });

  it('pages by cursors, forward and back, as a plain reading of the rules does', () => {
    const bounds = fc.constantFrom<StartupFilter>(
      {},
      { category: 'ai' },
      { minRevenue: 1 },
      { category: 'saas', minRevenue: 1, maxRevenue: 2 },
      { category: 'ai', minCustomers: 0 },
    );
    const sorts = fc.constantFrom<StartupSort>(
      'relevance',
      'relevance',
      'revenue-asc',
      'created-desc',
      'name-asc',
    );
    fc.assert(
      fc.property(
        fc.array(startup, { maxLength: 150 }),
        query,
        bounds,
        sorts,
        fc.integer({ min: 1, max: 10 }),
        fc.boolean(),
        (list, text, others, sort, limit, total) => {
          const rows = list.map(rowOf);
          const catalogue = catalogueOf(rows);
          const filter = { ...others, search: wordsOf(text).join(' ') };
          const expected = expectedList(rows, filter, sort);
          const pageAfter = (cursor: string | null) => {
            const after = cursor === null ? null : (readCursor(cursor, filter, sort) as Place);
            return finish(catalogue.list({ filter, sort, limit, page: null, after }, { total }));
          };
          const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id);
          const cursors: (string | null)[] = [null];
          const pages: number[][] = [];
          for (let more = true; more; ) {
            const page = pageAfter(cursors.at(-1) ?? null);
            pages.push(idsOf(page.records));
            expect(page.total ?? expected.length).toBe(expected.length);
            more = page.hasMore;
            cursors.push(...(more ? [page.endCursor()] : []));
          }
          expect(pages.flat()).toEqual(idsOf(expected));
          for (const [at, cursor] of [...cursors.entries()].toReversed()) {
            const page = pageAfter(cursor);
            expect(idsOf(page.records)).toEqual(pages[at]);
            expect(finish(page.hasPrevious())).toBe(at > 0);
          }
        },
      ),
      runs(40),
    );
  });
});

const twelveLanguages = 'Fubifo Didupu Zalati Nidiko Buravu Pizira Veroro Kokeka Melido';
const campaigns = 'Zalati Bomipa Zenode Dizeku';

// Written from a list of the sample data, before the search was run.
describe('a search of the sample data', () => {
  const rows = [...sampleStartups({ count: 40, seed: 1 })].map(
    ({ name, slug, xHandle, description, revenue }, index): Startup => ({
      ...base,
      id: index + 1,
      name,
      slug,
      xHandle,
      description,
      revenueLast30Days: BigInt(revenue.last30Days),
    }),
  );
  const catalogue = catalogueOf(rows);

  it.each([
    ['feteri', 'Feteri'],
    ['melido works', 'Melido'],
    ['labs', 'Tabomu Toguzu Kizare Gupuge'],
    ['itin', 'Feteri Vizebi'],
    ['ÅLAND', twelveLanguages],
    ['日', twelveLanguages],
    ['quiz nights spreadsheet', 'Fenolo'],
    ['second-hand', 'Lenita Faladu'],
    ['labs zz', ''],
    ['itinararies', 'Feteri Vizebi'],
    ['fetrei', 'Feteri'],
    ['campains', campaigns],
  ])('for %j begins with %s', (text, names) => {
    const filter = { search: wordsOf(text).join(' ') };
    const list = finish(
      catalogue.list({ filter, sort: 'relevance', limit: 10, page: 1, after: null }, { total: true }),
    );
    const found = list.records.map(({ name }) => name.split(' ')[0]);
    const expected = names.split(' ').filter((name) => name !== '');
    expect(found.slice(0, Math.max(1, expected.length))).toEqual(expected);
  });
});
