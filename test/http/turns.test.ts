import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurns } from '../../src/http/turns.ts';

describe('turns', () => {
  it('come in order, 32 in each turn of the event loop, also to those that come later', async () => {
    const nextTurn = createTurns();
    const begun: number[] = [];
    const come = (number: number): void => void nextTurn().then(() => begun.push(number));
    Array.from({ length: 80 }, (_, index) => come(index));
    expect(begun).toEqual([]);
    const counts: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await nextTurnOfLoop();
      counts.push(begun.length);
      if (turn === 1) {
        come(80);
      }
    }
    expect(counts).toEqual([32, 64, 81, 81, 81, 81]);
    expect(begun).toEqual(begun.map((_, index) => index));
    come(81);
    await nextTurnOfLoop();
    expect(begun).toHaveLength(82);
  });
});
