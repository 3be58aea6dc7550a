import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createEngine } from '../../../src/api/graphql/execution/engine.ts';
import type { PreparedOperation } from '../../../src/api/graphql/planning/prepared-document.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Nothing is run here. */
const unused = {
  catalogue: { current: () => ({ own: [] }) } as never,
  prisma: {} as never,
  report: () => {},
  now: Date.now,
};

/** How many objects a garbage collection leaves. */
async function countKept(objects: readonly WeakRef<object>[]): Promise<number> {
  // A reference that was looked at lives until the end of the turn, and what a thread compiles meanwhile until the next.
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate();
    collect();
  }
  return objects.filter((object) => object.deref() !== undefined).length;
}

it('documents are kept by the memory that they take, not by their length', async () => {
  const engine = createEngine(unused);
  const documents: WeakRef<object>[] = [];
  for (let index = 0; index < 100; index += 1) {
    // Many nodes of few characters: each document takes about a megabyte.
    const query = `{ startupsBySlug(slugs: [${'"a" '.repeat(1_900)}]) { name } } #${index}`;
    const { prepared } = engine.prepare({ query, operationName: null, variables: {} });
    documents.push(new WeakRef(prepared as PreparedOperation));
    engine.prepare({ query, operationName: null, variables: {} });
  }
  const kept = await countKept(documents);
  expect(kept).toBeGreaterThan(40);
  expect(kept).toBeLessThan(80);
  expect(engine).toBeDefined();
});

const nothing = Array.from({ length: 101 }, (_, index) => `nothing${index}`);
it.each([
  ['an unknown field', '{ nothing }'],
  ['more errors than are counted', `{ ${nothing.join(' ')} }`],
  ['a syntax error', '{ nothing'],
  ['too many aliases', `{ ${nothing.map((name) => `${name}: __typename`).join(' ')} }`],
])('nothing is kept of a document with %s', async (_name, query) => {
  const engine = createEngine(unused);
  const objects: WeakRef<object>[] = [];
  for (let index = 0; index < 40; index += 1) {
    const text = `${query} #${index}`;
    const { errors } = engine.prepare({ query: text, operationName: null, variables: {} });
    const reported = errors.flatMap((error) => [error, ...(error.nodes ?? [])]);
    objects.push(...reported.map((one) => new WeakRef(one)));
  }
  expect(objects.length).toBeGreaterThanOrEqual(40);
  // Those of the last documents may still be on the stack.
  expect(await countKept(objects)).toBeLessThanOrEqual(objects.length / 10);
  expect(engine).toBeDefined();
});
