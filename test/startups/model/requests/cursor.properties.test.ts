import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Place, readCursor, writeCursor } from '../../../../src/startups/model/requests/cursor.ts';
import { startupSorts } from '../../../../src/startups/model/vocabulary.ts';

const place: fc.Arbitrary<Place> = fc.record(
  {
    known: fc.boolean(),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }),
    id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => !name.includes('\0')),
  },
  { requiredKeys: ['known', 'value', 'id'] },
);
const sort = fc.constantFrom(...startupSorts);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

it('returns the place that it was created from', () => {
  fc.assert(
    fc.property(place, sort, fc.double({ noNaN: true }), (at, by, minRevenue) => {
      const cursor = writeCursor(at, { minRevenue }, by);
      expect(cursor).toMatch(at.name === undefined ? /^[\w-]{28}$/ : /^[\w-]{32,}$/);
      expect(readCursor(cursor, { minRevenue }, by)).toEqual(at);
    }),
  );
});

it('is refused when any character of it is another one', () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 1, max: 63 }), (at, nat, shift) => {
      const cursor = writeCursor(at, {}, 'revenue-desc');
      const index = nat % cursor.length;
      const other = alphabet[(alphabet.indexOf(cursor[index] as string) + shift) % 64];
      const tampered = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(readCursor(tampered, {}, 'revenue-desc')).toBeUndefined();
    }),
  );
});

it('belongs to its sort and filter, however that is spelled', () => {
  const at: Place = { known: true, value: 1, id: 1 };
  const cursor = writeCursor(at, { xHandle: 'maker', categories: ['ai', 'saas'] }, 'growth-asc');
  const spelled = { categories: ['saas', 'ai', 'ai'], xHandle: '@Maker' } as const;
  expect(readCursor(cursor, spelled, 'growth-asc')).toEqual(at);
  expect(readCursor(cursor, { xHandle: 'maker', categories: ['ai', 'saas'] }, 'growth-desc')).toBeUndefined();
  expect(readCursor(cursor, { xHandle: 'maker', categories: ['ai'] }, 'growth-asc')).toBeUndefined();
  expect(readCursor(cursor, {}, 'growth-asc')).toBeUndefined();
});

it.each<Place>([
  { known: true, value: Number.NaN, id: 1 },
  { known: true, value: Number.POSITIVE_INFINITY, id: 1 },
  { known: true, value: 1, id: 0 },
  { known: true, value: 1, id: -1 },
  // Of a search, which there is none of.
  { known: true, value: 1, id: 1, isCorrected: true },
  { known: 2 as unknown as boolean, value: 1, id: 1 },
])('is refused when it holds the impossible place %o, though sealed', (at) => {
  expect(readCursor(writeCursor(at, {}, 'revenue-desc'), {}, 'revenue-desc')).toBeUndefined();
});
