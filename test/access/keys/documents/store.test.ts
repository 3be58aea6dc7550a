import { describe, expect, it, vi } from 'vitest';
import { createDocumentStore } from '../../../../src/access/keys/documents/store.ts';

const HASH = 'ab'.repeat(32);

/** A table of one document, whose answers can be held back. */
function setUp(text: string | null = 'text') {
  const world = { text, held: Promise.resolve() };
  const query = vi.fn(async () => {
    const rows = world.text === null ? [] : [{ name: `key_1 ${HASH}`, text: world.text, feed: false }];
    await world.held;
    return { rows };
  });
  const store = createDocumentStore({ query } as never);
  store.notify(1n);
  return { world, query, store };
}

describe('finding documents', () => {
  it.each([
    ['a change', 2n, false],
    ['a failover that gave the same number to another change', 1n, true],
  ])('does not remember an answer that %s has overtaken', async (_name, revision, isReset) => {
    const { world, query, store } = setUp();
    let release = (): void => {};
    world.held = new Promise((resolve) => {
      release = resolve;
    });
    const slow = store.find('key_1', HASH);
    await vi.waitFor(() => expect(query).toHaveBeenCalled());
    world.text = null;
    if (isReset) {
      store.reset();
    }
    store.notify(revision);
    release();
    expect([await slow, await store.find('key_1', HASH)]).toEqual([null, null]);
  });
});
