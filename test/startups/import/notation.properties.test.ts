import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactText } from '../../../src/lib/text/figures.ts';
import { errorMessage, type InputError } from '../../../src/startups/import/errors.ts';
import { readDollars, readNumbers } from '../../../src/startups/import/values/numbers.ts';
import { createValidator } from '../../../src/startups/import/values/validate.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { record } from './inputs.ts';

const PRICE = storedStartupFields.findIndex(({ path }) => path === 'askingPrice');

/** The stored asking price, or the error of it. */
function price(askingPrice: unknown, notation: string): unknown {
  const errors: InputError[] = [];
  const row = createValidator({ notation })(record({ askingPrice }), 1, errors);
  return row === undefined ? errors.map((error) => errorMessage('a', error)).join() : row[PRICE];
}

describe('an amount in dollars', () => {
  const dollars = 'dollars';
  test.each<[unknown, number]>([
    ['$1,250.00', 125_000],
    ['1.250,00 USD', 125_000],
    ['US$ 1 250,5', 125_050],
    ["1'250.00", 125_000],
    ['1\u202f250,00\u00a0$', 125_000],
    ['1,250,000', 125_000_000],
    ['0.250', 25],
    ['0', 0],
    ['12', 1_200],
    ['1250.5000', 125_050],
    ['1,25,000', 12_500_000],
    ['12.5k', 1_250_000],
    ['$1.2M', 120_000_000],
    ['18.3 MM', 1_830_000_000],
    ['1.2E+05', 12_000_000],
    ['$-', 0],
    [1250, 125_000],
    [1250.1, 125_010],
    [1.25, 125],
    ['90,071,992,547,409.91', Number.MAX_SAFE_INTEGER],
  ])('is read in any usual notation: %j', (text, cents) => {
    expect(price(text, dollars)).toBe(cents);
  });

  const allowed = 'an amount in US dollars from $0.00 to $90,071,992,547,409.91, exact to the cent, or null';
  test.each<[unknown, string?]>([
    ['1.250', 'it is $1.25 with --decimal point, and $1,250.00 with --decimal comma'],
    ['$1,250', 'it is $1,250.00 with --decimal point, and $1.25 with --decimal comma'],
    ['12345.255'],
    ['90071992547409.92'],
    ['-5'],
    ['(5.00)'],
    ['5 €'],
    ['1.250.00'],
    ['$'],
    ['five'],
    [0.001],
    [1e21],
    [-1],
    [true],
    ['1'.repeat(100_000)],
  ])('is an error where it is ambiguous, inexact or none: %j', (text, fix) => {
    expect(price(text, dollars)).toMatch(/^a: line 1: askingPrice: got /);
    expect(price(text, dollars)).toContain(`allowed ${allowed}${fix === undefined ? '' : `; ${fix}`}`);
  });

  test('is read with the decimal mark that the operator names, and with no other', () => {
    expect(price('1.250', 'dollars,comma')).toBe(125_000);
    expect(price('1.250', 'dollars,point')).toBe(125);
    expect(price('$1,250', 'dollars,point')).toBe(125_000);
    expect(price('1.250,00', 'dollars,point')).toContain('got "1.250,00", allowed');
    expect(price(1250.5, 'dollars,comma')).toBe(125_050);
  });

  const cents = fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) });
  const digits = { point: '.', comma: ',' } as const;
  const groups = {
    point: [',', ' ', "'", '’', '\u00a0', '\u202f', ''],
    comma: ['.', ' ', '\u00a0', '\u202f', ''],
  };

  test('is the same exact number of cents in every notation', () => {
    fc.assert(
      fc.property(
        cents,
        fc.constantFrom('point', 'comma'),
        fc.nat(6),
        fc.constantFrom('$', 'US$', '$ ', 'USD ', ''),
        fc.constantFrom('', ' USD', ' $', '$'),
        fc.nat(2),
        fc.constantFrom('', '1', '5', '50', '500001'),
        (amount, decimal, group, before, after, zeros, part) => {
          const separator = groups[decimal][group % groups[decimal].length] ?? '';
          const whole = (amount / 100n).toString().replace(/\B(?=(\d{3})+$)/g, separator);
          const fraction = (amount % 100n).toString().padStart(2, '0') + '0'.repeat(zeros);
          const text = `${before}${whole}${digits[decimal]}${fraction}${before === '' ? after : ''}`;
          expect(readDollars(text, decimal)).toEqual([Number(amount)]);
          // Without a named decimal mark it is the same amount, or an error that names the option.
          const read = price(text, dollars);
          if (read !== Number(amount)) {
            expect(read).toMatch(/; it is .+ with --decimal point, and .+ with --decimal comma$/);
          }
          const longer = `${before}${whole}${digits[decimal]}${(amount % 100n).toString().padStart(2, '0')}${part}`;
          const isUp = part === '500001' || (part.startsWith('5') && amount % 2n === 1n);
          const rounded = amount + (isUp ? 1n : 0n);
          if (part !== '' && rounded <= BigInt(Number.MAX_SAFE_INTEGER)) {
            const rounding = 'dollars,round';
            expect(price(longer, `${rounding},${decimal}`)).toBe(Number(rounded));
            expect(price(longer, `dollars,${decimal}`)).toMatch(/; it has a fraction of a cent: .+--round$/);
            expect([Number(rounded), expect.stringContaining('--decimal')]).toContainEqual(
              price(longer, rounding),
            );
          }
          expect(BigInt(exactText(Number(amount)).replace(/\D/g, ''))).toBe(amount);
        },
      ),
    );
  });

  test('never becomes another amount than one of the exact readings of its digits', () => {
    const text = fc.string({
      unit: fc.constantFrom('0', '1', '2', '5', '.', ',', ' ', '-', '$'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (written) => {
        for (const found of readDollars(written)) {
          const read = BigInt(found);
          const all = BigInt(written.replace(/[^\d]/g, '') || '0');
          const scales = [1n, 10n, 100n].map((scale) => all * scale);
          // The same digits, with the point in another place.
          const same = (value: bigint): string => String(value < 0n ? -value : value).replace(/0+$/, '');
          expect(scales.map(same)).toContain(same(read));
        }
      }),
    );
  });
});

describe('a number with a decimal comma', () => {
  test.each([
    ['1.234,50', ['1234.5']],
    ['12,5', ['12.5']],
    ['-1.234', ['-1234']],
    ['−0,5', ['-0.5']],
    ['1,234.5', []],
    ['12%', []],
  ])('%s is read as %j', (text, numbers) => {
    expect(readNumbers(text, 'comma')).toEqual(numbers);
  });

  test('is allowed for counts and percentages if the operator says so', () => {
    const validate = createValidator({ notation: 'comma' });
    const errors: InputError[] = [];
    const row = validate(record({ customers: '1.250', growth30d: '-12,5' }), 1, errors);
    const index = (name: string) => storedStartupFields.findIndex(({ path }) => path === name);
    expect(errors).toEqual([]);
    expect([row?.[index('customers')], row?.[index('growth30d')]]).toEqual([1250, -12.5]);
    validate(record({ customers: 'many', growth30d: '1e400' }), 1, errors);
    expect(errors.map(({ got }) => got)).toEqual(['"many"', '"1e400"']);
  });
});
