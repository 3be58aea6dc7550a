import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { EditionData } from '../../../src/startups/catalogue/edition-data.ts';
import { detailColumns } from '../../../src/startups/catalogue/store/columns.ts';
import { NOTHING, PackedTexts } from '../../../src/startups/catalogue/store/texts.ts';

/** What an edition holds, without what depends on how it came about: where texts are packed, and memory. */
export function contentOf({
  columns,
  texts: chunks,
  details: detailChunks,
  bytes: _bytes,
  replacedBytes: _replacedBytes,
  ...others
}: EditionData) {
  const { texts: units, details: detailUnits, ...numbers } = columns;
  const packed = new PackedTexts(chunks);
  const texts = Array.from(units, (unit) => packed.read(unit));
  const packedDetails = new PackedTexts(detailChunks, detailColumns);
  const details = Array.from(detailUnits, (unit) => (unit === NOTHING ? null : packedDetails.read(unit)));
  return { ...others, columns: numbers, texts, details };
}

/** As `toEqual`, which takes seconds to find that long arrays of numbers are equal. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    expect(actual).toEqual(expected);
  }
}
