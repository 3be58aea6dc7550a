import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutDescription,
  multipleOf,
  revenuePerVisitorOf,
  type StartupRecord,
} from '../../src/startups/record.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const FLAG = '🇩🇪';

describe('a description', () => {
  it('of 200 units is shown whole, of 201 cut', () => {
    expect(cutDescription('a'.repeat(200))).toBe('a'.repeat(200));
    expect(cutDescription('a'.repeat(201))).toBe('a'.repeat(200));
    expect(cutDescription('')).toBe('');
  });

  it('that an emoji ends at exactly 200 units keeps it', () => {
    const text = 'a'.repeat(200 - FAMILY.length) + FAMILY;
    expect(text).toHaveLength(200);
    expect(cutDescription(`${text}!`)).toBe(text);
  });

  it.each([
    ['a family', FAMILY],
    ['a flag', FLAG],
    ['a skin tone', '👍🏽'],
    ['a letter with combining marks', 'e\u0301\u0323'],
    ['a surrogate pair', '𝔸'],
    ['a Hangul syllable of three parts', '\u1112\u1161\u11ab'],
    ['a line break of two units', '\r\n'],
  ])('is never cut through %s', (_name, grapheme) => {
    // One unit of it would fit, and one less than all of it.
    for (const room of [1, grapheme.length - 1]) {
      const start = 'a'.repeat(200 - room);
      expect(cutDescription(`${start}${grapheme} and more`)).toBe(start);
    }
  });

  it('keeps only whole flags of a row of flags', () => {
    expect(cutDescription(FLAG.repeat(60))).toBe(FLAG.repeat(50));
    expect(cutDescription(`a${FLAG.repeat(60)}`)).toBe(`a${FLAG.repeat(49)}`);
  });

  it('is empty when not even its first grapheme fits', () => {
    expect(cutDescription(`e${'\u0301'.repeat(300)} more`)).toBe('');
    expect(cutDescription(Array(40).fill('👩').join('\u200d'))).not.toMatch(/\u200d$/);
  });

  it('is the longest run of whole graphemes that fits', () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const piece = fc.constantFrom(
      'a',
      'é',
      FAMILY,
      FLAG,
      '\u0301',
      '\u200d',
      ' ',
      '𝔸',
      '한',
      '\r\n',
      'x'.repeat(30),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const text = pieces.join('');
        const cut = cutDescription(text);
        const bounds = [
          0,
          ...[...graphemes.segment(text)].map(({ index, segment }) => index + segment.length),
        ];
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBe(Math.max(...bounds.filter((bound) => bound <= 200)));
      }),
      { numRuns: 300 },
    );
  });
});

describe('computed figures', () => {
  const record = (more: Partial<StartupRecord>): StartupRecord =>
    ({ askingPrice: 1_000n, revenueLast30Days: 7n, visitorsLast30Days: 3, ...more }) as StartupRecord;

  it('are not rounded', () => {
    expect(multipleOf(record({}))).toBe(1_000 / 84);
    expect(revenuePerVisitorOf(record({}))).toBe(7 / 3);
  });

  it('are null where an operand is null or the divisor 0', () => {
    expect(multipleOf(record({ askingPrice: null }))).toBeNull();
    expect(multipleOf(record({ revenueLast30Days: 0n }))).toBeNull();
    expect(revenuePerVisitorOf(record({ visitorsLast30Days: null }))).toBeNull();
    expect(revenuePerVisitorOf(record({ visitorsLast30Days: 0 }))).toBeNull();
  });

  it('are 0 where the dividend is', () => {
    expect(multipleOf(record({ askingPrice: 0n }))).toBe(0);
    expect(revenuePerVisitorOf(record({ revenueLast30Days: 0n }))).toBe(0);
  });

  it('stay numbers at the largest amounts', () => {
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    expect(multipleOf(record({ askingPrice: most, revenueLast30Days: most }))).toBeCloseTo(1 / 12, 12);
    expect(revenuePerVisitorOf(record({ revenueLast30Days: most, visitorsLast30Days: 1 }))).toBe(
      Number(most),
    );
  });
});
