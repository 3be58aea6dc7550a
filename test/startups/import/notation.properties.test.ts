import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactText } from '../../../src/lib/text/figures.ts';
import { createFieldNames } from '../../../src/startups/import/columns/field-names.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { errorMessage, type InputError } from '../../../src/startups/import/rows/errors.ts';
import { createValidator } from '../../../src/startups/import/values/validate.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { record } from './inputs.ts';

const PRICE = storedStartupFields.findIndex(({ path }) => path === 'askingPrice');

/** The stored asking price, or the error of it. */
function price(askingPrice: unknown, notation: string): unknown {
  const errors: InputError[] = [];
  const { row } = createValidator(createFieldNames(standardFields, { notation }))(
    record({ askingPrice }),
    1,
    errors,
  );
  return row === undefined ? errors.map((error) => errorMessage('a', error)).join() : row[PRICE];
}

describe('an amount in dollars', () => {
  test.each<[cents: number, texts: unknown[]]>([
    // What the property below does not write; what tables of spreadsheets have is in tables.txt.
    [125_000, ['1.250,00 USD', '1\u202f250,00\u00a0$', 1250]],
    [125_050, ['US$ 1 250,5', '1250.5000']],
    [125_010, [1250.1]],
    [0, ['0', '$-']],
    [12_500_000, ['1,25,000']],
    [1_830_000_000, ['18.3 MM']],
    [12_000_000, ['1.2E+05']],
  ])('is read as %d cents in any usual notation', (cents, texts) => {
    expect(texts.map((text) => price(text, 'dollars'))).toEqual(texts.map(() => cents));
  });

  const allowed = 'an amount in US dollars from $0.00 to $90,071,992,547,409.91, exact to the cent, or null';
  const two = (point: string, comma: string) =>
    `; it is ${point} with --decimal point, and ${comma} with --decimal comma`;
  test.each<[what: string, values: unknown[], fix: string]>([
    ['ambiguous', ['1.250'], two('$1.25', '$1,250.00')],
    ['ambiguous with a sign', ['$1,250'], two('$1,250.00', '$1.25')],
    ['inexact', ['12345.255', 0.001], '; it has a fraction of a cent'],
    ['none', ['90071992547409.92', '-5', '(5.00)', '5 €', '1.250.00', '$', 'five', 1e21, -1, true], ''],
    ['endless', ['1'.repeat(100_000)], ''],
  ])('is an error where it is %s', (_what, values, fix) => {
    for (const value of values) {
      expect(price(value, 'dollars')).toMatch(/^a: line 1: askingPrice: got /);
      expect(price(value, 'dollars')).toContain(`allowed ${allowed}${fix}`);
    }
  });

  test('is read with the decimal mark that the operator names, and with no other', () => {
    expect(price('1.250,00', 'dollars,point')).toContain('got "1.250,00", allowed');
    expect(price(1250.5, 'dollars,comma')).toBe(125_050);
  });
});

describe('a figure of a column', () => {
  const marks = { point: '.', comma: ',' } as const;
  const groups = {
    point: [',', ' ', "'", '’', '\u00a0', '\u202f', ''],
    comma: ['.', ' ', '\u00a0', '\u202f', ''],
  };
  const places = { cents: 0, dollars: 2, thousands: 5, millions: 8 } as const;
  const short = { '': 0, k: 3, M: 6 } as const;
  const names = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as Key[];
  /** A number as digits with a decimal point somewhere, and as people write it: the oracle knows the first alone. */
  const written = fc.record({
    digits: fc.oneof(fc.bigInt(0n, 10n ** 17n), fc.bigInt(0n, 99_999n)),
    decimals: fc.nat(6),
    mark: fc.constantFrom(...names(marks)),
    group: fc.nat(6),
    sign: fc.constantFrom('', '', '', '-', '−'),
  });
  const textOf = ({
    digits,
    decimals,
    mark,
    group,
    sign,
  }: typeof written extends fc.Arbitrary<infer T> ? T : never) => {
    const padded = digits.toString().padStart(decimals + 1, '0');
    const at = padded.length - decimals;
    const separator = groups[mark][group % groups[mark].length] ?? '';
    const whole = padded.slice(0, at).replace(/\B(?=(\d{3})+$)/g, separator);
    return { sign, body: decimals === 0 ? whole : `${whole}${marks[mark]}${padded.slice(at)}` };
  };

  test('is stored as exactly what its cell says by the answer of its column, or not at all', () => {
    fc.assert(
      fc.property(
        written,
        fc.constantFrom(...names(places)),
        fc.constantFrom(...names(short)),
        fc.constantFrom('$', 'US$ ', 'USD ', ''),
        fc.boolean(),
        fc.boolean(),
        (number, unit, suffix, before, isMarked, isRound) => {
          // Cents are whole: a comma groups them, unless the mapping says otherwise.
          const isNamed = isMarked || (unit === 'cents' && number.mark === 'comma');
          const { sign, body } = textOf(number);
          const isDollars = unit === 'dollars';
          const text = `${sign}${unit === 'cents' ? '' : before}${body}${isDollars ? suffix : ''}`;
          const power = BigInt(places[unit] + (isDollars ? short[suffix] : 0));
          // In ten-millionths of a cent, which no cell has fractions of.
          const exact = number.digits * 10n ** power * 10n ** BigInt(7 - number.decimals);
          const [cents, rest] = [exact / 10n ** 7n, exact % 10n ** 7n];
          const half = 5n * 10n ** 6n;
          const isUp = rest > half || (rest === half && cents % 2n === 1n);
          const right = cents + (isRound && isUp ? 1n : 0n);
          const notation = [unit, isNamed && number.mark, isRound && 'round'].filter(Boolean).join();
          const stored = price(text, notation);
          const isStorable =
            (rest === 0n || isRound) &&
            right <= BigInt(Number.MAX_SAFE_INTEGER) &&
            (sign === '' || exact === 0n) &&
            text.length <= 40;
          if (typeof stored === 'number') {
            expect([text, BigInt(stored), isStorable]).toEqual([text, right, true]);
            expect(BigInt(exactText(stored).replace(/\D/g, ''))).toBe(right);
          } else {
            // Where its mark is named, whatever can be stored is.
            const isWrong = isStorable && isNamed && unit !== 'cents';
            expect([text, stored, isWrong]).toEqual([text, expect.any(String), false]);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('of percent or a count is the same number, exactly', () => {
    const indexOf = (name: string) => storedStartupFields.findIndex(({ path }) => path === name);
    fc.assert(
      fc.property(written, fc.constantFrom('percent', 'fraction'), (number, unit) => {
        const { sign, body } = textOf(number);
        const validate = createValidator(
          createFieldNames(standardFields, { notation: `${unit},number,${number.mark}` }),
        );
        const { row } = validate(record({ growth30d: sign + body, customers: sign + body }), 1, []);
        const shifted = number.decimals - (unit === 'fraction' ? 2 : 0);
        const growth = Number(`${sign && '-'}${number.digits}e${-shifted}`);
        const count = number.digits / 10n ** BigInt(number.decimals);
        const isCount = number.digits % 10n ** BigInt(number.decimals) === 0n && count < 2n ** 31n;
        const isValid = isCount && (sign === '' || count === 0n);
        expect([body, row?.[indexOf('growth30d')], Number(row?.[indexOf('customers')]) + 0]).toEqual(
          isValid ? [body, expect.closeTo(growth, 9), Number(count)] : [body, undefined, Number.NaN],
        );
      }),
    );
  });
});
