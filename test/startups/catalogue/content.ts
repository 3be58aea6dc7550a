import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { EditionData } from '../../../src/startups/catalogue/data.ts';
import { lengthOf, PackedTexts } from '../../../src/startups/catalogue/texts.ts';

/** What an edition holds, without what depends on how it came about: where texts are packed and slugs are noted. */
export function contentOf({
  columns,
  texts: chunks,
  slugs: _slugs,
  changed: _changed,
  ...others
}: EditionData) {
  const { texts: positions, ...numbers } = columns;
  const packed = new PackedTexts(chunks);
  const texts = Array.from(positions, (position) => {
    const words: number[] = [];
    packed.readOffsets(position, words, 0);
    const length = words.reduce((sum, word) => sum + lengthOf(word), 0);
    const start = packed.startAt(position);
    return [packed.bytesAt(position).toString('utf8', start, start + length), words];
  });
  return { ...others, columns: numbers, texts };
}

/** As `toEqual`, which takes seconds to find that long arrays of numbers are equal. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    expect(actual).toEqual(expected);
  }
}
