import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dollarText, exactText, inDollars, moneyText } from '../../../src/lib/text/figures.ts';
import { dollars } from '../../../src/startups/model/words.ts';
import { csvOf } from '../../../src/web/parts/startups/results-table.tsx';
import { runs } from '../../support/runs.ts';

const MOST = 2 ** 53 - 1;

it.each([
  [0, '$0.00', '$0', '0'],
  [425, '$4.25', '$4.25', '4.25'],
  [-123_450, '−$1,234.50', '−$1,235', '-1234.5'],
  [MOST, '$90,071,992,547,409.91', '$90,071,992,547,410', '90071992547409.91'],
  // Sums of amounts: what JSON has of them, which is rounded.
  [359_537_532_222_816_130, '$3,595,375,322,228,161.00', '$3,595,375,322,228,161', '3595375322228161'],
  [9e21, '$90,000,000,000,000,000,000.00', '$90,000,000,000,000,000,000', '90000000000000000000'],
])('writes %d cents with all of its digits', (cents, exact, whole, decimal) => {
  expect([exactText(cents), dollarText(cents), inDollars(cents)]).toEqual([exact, whole, decimal]);
  expect(dollars(cents)).toBe(exact.replace('−', '-').replace('.00', ''));
});

it('writes every amount to the cent, in texts and in CSV', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (cents) => {
      expect(BigInt(exactText(cents).replace(/\D/g, ''))).toBe(BigInt(cents));
      const csv = csvOf(
        [{ id: 'a', heading: 'A', cell: String, value: (row) => row, unit: 'cents' }],
        [cents],
      );
      const [whole = '', fraction = ''] = (csv.split('\r\n')[1] ?? '').split('.');
      expect(BigInt(whole + fraction.padEnd(2, '0'))).toBe(BigInt(cents));
    }),
    runs(500),
  );
});

it('shortens sums of any size', () => {
  expect(moneyText(359_537_532_222_816_130)).toBe('$3595.4T');
});
