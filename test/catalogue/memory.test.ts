import { expect, it, vi } from 'vitest';
import { UnusedMemory } from '../../src/catalogue/store/memory.ts';

it('shared memory is collected after enough of it became unused', async () => {
  let isCollected = false;
  const registry = new FinalizationRegistry(() => {
    isCollected = true;
  });
  registry.register(new SharedArrayBuffer(8), undefined);
  const unused = new UnusedMemory();
  await expect
    .poll(() => {
      unused.add(2 ** 24, 2 ** 24);
      return isCollected;
    })
    .toBe(true);
});

it.each([
  ['16 MB of little', 2 ** 23, 2 ** 23, 2],
  ['a quarter of much', 2 ** 26, 2 ** 28, 1],
  ['a quarter of much', 2 ** 24, 2 ** 28, 4],
])('a collection begins after %s became unused', (_, bytes, inUse, times) => {
  let begun = 0;
  class CountedBuffer extends ArrayBuffer {
    constructor(length: number) {
      super(length);
      begun += 1;
    }
  }
  vi.stubGlobal('ArrayBuffer', CountedBuffer);
  try {
    const unused = new UnusedMemory();
    for (let count = 1; count <= 3 * times; count += 1) {
      unused.add(bytes, inUse);
      expect(begun).toBe(Math.floor(count / times));
    }
  } finally {
    vi.unstubAllGlobals();
  }
});
