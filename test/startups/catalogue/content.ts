import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { CatalogueData } from '../../../src/startups/catalogue/data.ts';

/** What a catalogue holds; handles as texts, since where their bytes lie depends on how they came there. */
export function contentOf({ handles, ...others }: CatalogueData): unknown {
  const texts = Array.from(handles.starts, (start, row) =>
    Buffer.from(handles.bytes.subarray(start, start + (handles.lengths[row] as number))).toString(),
  );
  return { ...others, byHash: handles.byHash, texts };
}

/** As `toEqual`, which takes seconds to find that long arrays of numbers are equal. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    expect(actual).toEqual(expected);
  }
}
