import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createEngine } from '../../src/graphql/engine.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('documents are kept by the memory that they take, not by their length', async () => {
  const engine = createEngine(() => {});
  const documents: WeakRef<object>[] = [];
  const seen = new WeakRef(engine);
  // Many nodes of few characters: each document takes half a megabyte.
  const dense = (index: number): string =>
    `{ startupsBySlug(slugs: [${'"a" '.repeat(1_900)}]) { name } } #${index}`;
  for (let index = 0; index < 200; index += 1) {
    for (let use = 0; use < 2; use += 1) {
      const operation = engine.prepare({ query: dense(index), operationName: null, variables: {} });
      if (use === 0) {
        documents.push(new WeakRef(operation.document));
      }
    }
  }
  // A reference that was looked at lives until the end of the turn.
  await setImmediate();
  collect();
  const kept = documents.filter((document) => document.deref() !== undefined).length;
  expect(kept).toBeGreaterThan(20);
  expect(kept).toBeLessThan(100);
  expect(seen.deref()).toBeDefined();
});
