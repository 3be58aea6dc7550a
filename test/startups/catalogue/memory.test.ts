import { expect, it } from 'vitest';
import { UnusedMemory } from '../../../src/startups/catalogue/store/memory.ts';

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
