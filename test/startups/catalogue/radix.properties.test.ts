import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortPositions } from '../../../src/startups/catalogue/store/radix-sort.ts';
import { runs } from '../../support/runs.ts';

const { MAX_VALUE, MIN_VALUE } = Number;
const extremes = [-MAX_VALUE, -1, -MIN_VALUE, 0, MIN_VALUE, 2 ** 53 - 1, 2 ** 53 - 2, 1 / 3];

function expectSorted(keys: Float64Array): void {
  const positions = Uint32Array.from(keys.keys());
  for (const [sign, descending] of [
    [1, false],
    [-1, true],
  ] as const) {
    const sorted = positions.slice();
    sortPositions(sorted, keys, descending);
    const expected = [...positions].sort((a, b) => sign * ((keys[a] as number) - (keys[b] as number)));
    expect([...sorted]).toEqual(expected);
  }
}

it('positions are sorted, few and many, by any finite numbers, ties in the order given', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const key = fc.oneof(fc.constantFrom(...extremes), number, fc.nat());
  fc.assert(
    fc.property(fc.array(key, { minLength: 0, maxLength: 600, size: 'max' }), (values) => {
      expectSorted(Float64Array.from(values, (value) => value + 0));
    }),
    runs(60),
  );
});
