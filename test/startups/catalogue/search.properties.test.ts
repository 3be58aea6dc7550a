import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { wordsOf } from '../../../src/lib/text/words.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import type { StartupSort } from '../../../src/startups/model/vocabulary.ts';
import { matching } from '../../support/model/rules.ts';
import { record, rowsOf } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { catalogueOf, expectWalk } from './editions.ts';

const words =
  'strip stripe stripes Strîpe strap pay payments ab abcde b 東京都庁前 42 12345 Łódź straße'.split(' ');
const [base] = rowsOf([record('base')]) as [Startup];

const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 });
const slug = fc.array(fc.constantFrom('strip', 'pay', 'abcde', 'x', '42'), { minLength: 1, maxLength: 2 });
const startup = fc.record({
  name: text.map((list) => list.join(' ')),
  slug: slug.map((list) => list.join('-')),
  xHandle: fc.option(fc.constantFrom('Strip_pay', 'PAYME', 'ab_42'), { nil: null }),
  description: fc.oneof(
    fc.constant(null),
    text.map((list) => list.join(', ')),
  ),
  website: fc.constantFrom(
    'https://www.pay.strip.io/stripes',
    'https://stripe.com',
    'https://www.com',
    'https://łódź.pl',
    null,
  ),
  category: fc.constantFrom('ai', 'saas'),
  revenueLast30Days: fc.integer({ min: 0, max: 3 }).map(BigInt),
});
type Texts = typeof startup extends fc.Arbitrary<infer T> ? T : never;
const OTHER: Texts = {
  name: 'other',
  slug: 'other',
  xHandle: null,
  description: null,
  website: null,
  category: 'ai',
  revenueLast30Days: 0n,
};
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

/** What is asked of a search beside its text. */
const asked = fc.record({
  text: query,
  bounds: fc.constantFrom<StartupFilter>(
    {},
    { category: 'ai' },
    { minRevenue: 1 },
    { category: 'saas', minRevenue: 1, maxRevenue: 2 },
    { category: 'ai', minCustomers: 0 },
  ),
  sort: fc.constantFrom<StartupSort>('relevance', 'relevance', 'revenue-asc', 'created-desc', 'name-asc'),
  limit: fc.integer({ min: 1, max: 10 }),
  total: fc.boolean(),
});
const ONE_WORD = { text: 'strip', bounds: {}, sort: 'relevance', limit: 1, total: true } as const;

it('a search finds what a plain reading of the rules does, by cursors forward and back, in any sequence', () => {
  const searches = fc.array(asked, { minLength: 1, maxLength: 6 });
  const of = (maxLength: number) => fc.array(startup, { maxLength });
  // Rare words are looked up in another way.
  const among = (list: Texts[]) => [...list, ...Array<Texts>(400).fill(OTHER)];
  const lists = fc.oneof(of(25), of(150), of(6).map(among));
  fc.assert(
    fc.property(lists, searches, (list, texts) => {
      const rows = list.map(rowOf);
      const catalogue = catalogueOf(rows);
      for (const { text, bounds, ...list } of texts) {
        const filter = { ...bounds, search: wordsOf(text).join(' ') };
        expectWalk(catalogue, rows, { ...list, filter });
        const { onSale } = finish(catalogue.facets(filter));
        expect(onSale.reduce((sum, { count }) => sum + count, 0)).toBe(matching(rows, filter).length);
      }
    }),
    { ...runs(40), examples: [[among([{ ...OTHER, name: 'strip stripes' }]), [ONE_WORD]]] },
  );
});
