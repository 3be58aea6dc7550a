import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortScratch, sortPositions } from '../../../src/startups/catalogue/store/radix-sort.ts';
import { runs, seededRandom } from '../../support/runs.ts';

const extremes = [
  -Number.MAX_VALUE,
  -1,
  -Number.MIN_VALUE,
  0,
  Number.MIN_VALUE,
  2 ** 53 - 1,
  2 ** 53 - 2,
  1 / 3,
];

function expectSorted(keys: Float64Array, positions: Uint32Array, scratch?: SortScratch): void {
  for (const descending of [false, true]) {
    const sorted = positions.slice();
    sortPositions(sorted, keys, descending, scratch);
    const sign = descending ? -1 : 1;
    const expected = [...positions].sort((a, b) => sign * ((keys[a] as number) - (keys[b] as number)));
    expect([...sorted]).toEqual(expected);
  }
}

describe('sortPositions', () => {
  it('sorts few and many by any finite numbers, ties in the order given', () => {
    const key = fc.oneof(
      fc.constantFrom(...extremes),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.nat(),
    );
    fc.assert(
      fc.property(fc.array(key, { minLength: 0, maxLength: 600, size: 'max' }), (values) => {
        const keys = Float64Array.from(values, (value) => value + 0);
        expectSorted(keys, Uint32Array.from(keys.keys()));
      }),
      runs(60),
    );
  });

  it('sorts a part of the positions, in the order they come', () => {
    const random = seededRandom(5);
    const keys = Float64Array.from({ length: 5_000 }, () => Math.floor(50 * random()) - 25);
    const positions = Uint32Array.from(keys.keys())
      .filter(() => random() < 0.4)
      .reverse();
    expectSorted(keys, positions);
  });

  it('may use the same scratch again, and one that is larger than it needs', () => {
    const random = seededRandom(6);
    const scratch = new SortScratch(4_000);
    for (const length of [4_000, 300, 2_000]) {
      const keys = Float64Array.from({ length }, () => random() * 10 ** Math.floor(300 * random()));
      expectSorted(keys, Uint32Array.from(keys.keys()), scratch);
    }
  });
});
