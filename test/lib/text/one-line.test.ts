import { expect, it } from 'vitest';
import { isBlank, oneLine, shortened } from '../../../src/lib/text/one-line.ts';
import { printList } from '../../../src/main/command-line/table.ts';

it('writes a text in one line, without what ends lines or reverses them', () => {
  expect(oneLine(' a\r\nb\u2028c\u2029d\u0085e\u001b[2Jf\u202eg\0h\ud800 ')).toBe('a b c d e [2Jf g h');
  // A family, which a joiner makes one letter.
  expect(oneLine('👨‍👩‍👧 é')).toBe('👨‍👩‍👧 é');
});

it('shortens a text to so many characters, and never within an emoji', () => {
  expect(['abc', 'abcd', 'abc defg'].map((text) => shortened(text, 4))).toEqual(['abc', 'abcd', 'abc…']);
  expect(shortened('a👨‍👩‍👧bcdefgh', 8)).toBe('a…');
});

it('knows texts that show nothing', () => {
  expect(['', ' ', '\n\t', '\u200b\u2060', '\u00a0'].map(isBlank)).toEqual([true, true, true, true, true]);
  expect(['0', '-', ' a '].map(isBlank)).toEqual([false, false, false]);
});

it('prints a row of a list in one line', () => {
  let text = '';
  const context = { stdout: { write: (part: string) => (text += part) }, columns: 80 };
  const columns = { NAME: (name: string) => name, TIER: () => 'standard' };
  printList(context as never, false, ['one\nevil  premium\u001b[2J'], { columns, ifEmpty: '' });
  expect(text).toBe('NAME                  TIER\none evil premium [2J  standard\n');
});
