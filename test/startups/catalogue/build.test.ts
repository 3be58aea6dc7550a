import { describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { UnusedMemory } from '../../../src/startups/catalogue/store/memory.ts';
import { Editions } from './editions.ts';
import { manyRows } from './rows.ts';

describe('an edition made upon an earlier one', () => {
  it('shares what did not change', () => {
    const list = manyRows(1_200, 30);
    const editions = new Editions();
    editions.rebuild(list);
    const set = (revenueMrr: bigint) => editions.update([{ ...(list[5] as Startup), revenueMrr }]);
    const before = set(1n);
    const data = set(123_456n);
    const changedNames = (
      group: Readonly<Record<string, ArrayBufferView>>,
      earlier: Readonly<Record<string, ArrayBufferView>>,
    ): string[] => Object.keys(group).filter((name) => group[name]?.buffer !== earlier[name]?.buffer);
    expect(changedNames(data.columns, before.columns)).toEqual(['revenueMrr']);
    expect(changedNames(data.orders, before.orders)).toEqual(['mrr-desc', 'mrr-asc']);
    expect(data.search).toBe(before.search);
    const { columns, orders, ranks } = data;
    const [mrr, order, rank] = [columns.revenueMrr, orders['mrr-asc'], ranks].map(
      (one) => one.buffer.byteLength,
    );
    expect(data.replacedBytes).toBe(Number(mrr) + 2 * Number(order) + Number(rank));
    expect(data.bytes).toBe(before.bytes);
  });
});

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
