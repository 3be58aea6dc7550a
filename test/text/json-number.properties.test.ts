import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberTextAt } from '../../src/text/json-number.ts';

test('finds every number of any JSON', () => {
  const numbersOf = (value: unknown, path: (string | number)[]): [(string | number)[], number][] =>
    typeof value === 'number'
      ? [[path, value]]
      : Array.isArray(value)
        ? value.flatMap((item, index) => numbersOf(item, [...path, index]))
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([name, item]) => numbersOf(item, [...path, name]))
          : [];
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      for (const [path, number] of numbersOf(JSON.parse(text), [])) {
        expect(Number(numberTextAt(text, path))).toBe(number);
      }
    }),
  );
});
