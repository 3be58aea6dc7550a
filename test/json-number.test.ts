import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberTextAt } from '../src/json-number.ts';

test.each<[text: string, path: (string | number)[], expected: string | undefined]>([
  ['{"a": 99999999999999999999 }', ['a'], '99999999999999999999'],
  ['{"a":1,"b":{"a":2.50},"c":[1e2,{"a":-0}]}', ['b', 'a'], '2.50'],
  ['{"a":1,"b":{"a":2.50},"c":[1e2,{"a":-0}]}', ['c', 0], '1e2'],
  ['{"a":1,"b":{"a":2.50},"c":[1e2,{"a":-0}]}', ['c', 1, 'a'], '-0'],
  ['{"x":{"a":1},"y":[{"a":2}],"a":3}', ['a'], '3'],
  ['{"\\"a\\\\":1,"b":":{[,","\\u0061":7.0}', ['a'], '7.0'],
  ['{"a":{"b":1},"a":{"b":2.0}}', ['a', 'b'], '2.0'],
  ['{"a":{"b":1},"a":{}}', ['a', 'b'], undefined],
  ['{"a":1.0,"a":"1"}', ['a'], undefined],
  ['{"a":[1,2]}', ['a'], undefined],
  ['{"a":true,"b":null}', ['a'], undefined],
  ['[1.0]', [0], '1.0'],
  ['{}', ['a'], undefined],
  ['', ['a'], undefined],
  [`{"a":1${'0'.repeat(20_000)}}`, ['a'], undefined],
])('the number in %j at %j is %j', (text, path, expected) => {
  expect(numberTextAt(text, path)).toBe(expected);
});

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
