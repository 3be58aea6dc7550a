import { expect, it } from 'vitest';
import { foldText, wordsOf } from '../../../src/lib/text/words.ts';

it.each([
  ['STRASSE', 'Straße'],
  ['strasse', 'STRAẞE'],
  ['lodz', 'Łódź'],
  ['dorde', 'Đorđe'],
  ['oeuvre', 'Œuvre'],
  ['aether', 'Æther'],
  ['ore', 'Øre'],
  ['istanbul', 'İstanbul'],
  ['isparta', 'Isparta'],
  ['thor', 'Þór'],
  ['ΟΔΟΣ', 'οδος'],
])('folds %s and %s to the same text', (typed, written) => {
  expect(foldText(typed)).toBe(foldText(written));
});

it('folds each letter of Latin-1 and Latin Extended-A to letters from a to z', () => {
  const letters = Array.from({ length: 0x180 - 0xc0 }, (_, at) => String.fromCharCode(0xc0 + at));
  for (const letter of letters.filter((one) => /\p{L}/u.test(one))) {
    expect(wordsOf(letter).join(''), letter).toMatch(/^ʼ?[a-z]{1,2}$/);
  }
});
