import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { jsonSteps } from '../../../src/lib/loop/json-steps.ts';
import { runs } from '../../support/runs.ts';

/** The text, and the number of steps that it took. */
function write(value: unknown, depth: number): { text: string; steps: number } {
  const work = jsonSteps(value, depth);
  for (let steps = 0; ; steps += 1) {
    const { done, value: text } = work.next();
    if (done === true) {
      return { text, steps };
    }
  }
}

it('writes what JSON.stringify writes, to any depth of steps', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(7), (value, depth) => {
      expect(write(value, depth).text).toBe(JSON.stringify(value));
    }),
    runs(200),
  );
});

it('leaves out undefined members, and lets values say how they are written', () => {
  const result = {
    data: Object.assign(Object.create(null), { list: [1, null, 'é"'], missing: undefined }),
    errors: [new GraphQLError('no', { extensions: { code: 'X' } })],
    extensions: undefined,
  };
  expect(write(result, 3).text).toBe(JSON.stringify(result));
});

it('takes a step for each part above the depth, and one for all below', () => {
  const record = { history: Array.from({ length: 90 }, (_, day) => ({ day })) };
  const data = { startups: { page: Array.from({ length: 10 }, () => record) } };
  expect(write({ data }, 0).steps).toBe(1);
  // The root, data, startups, page and its ten records.
  expect(write({ data }, 4).steps).toBe(14);
});
