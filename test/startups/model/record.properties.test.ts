import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutDescription } from '../../../src/startups/model/record.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const FLAG = '🇩🇪';

describe('a description', () => {
  it('is the longest run of whole graphemes that fits', () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const signs = ['a', 'é', '\u0301', '\u200d', ' ', '𝔸', '한', '\r\n', 'x'.repeat(30)];
    const piece = fc.constantFrom(FAMILY, FLAG, ...signs);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const text = pieces.join('');
        const cut = cutDescription(text);
        const ends = [...graphemes.segment(text)].map(({ index, segment }) => index + segment.length);
        const bounds = [0, ...ends];
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBe(Math.max(...bounds.filter((bound) => bound <= 200)));
      }),
      { numRuns: 300 },
    );
  });
});
