import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Counter, REFUSAL_COST } from '../../../src/access/limits/counter.ts';
import { createLimiter, MAX_COST } from '../../../src/access/limits/limiter.ts';
import { createMemoryCounter } from '../../../src/access/limits/memory-counter.ts';
import { embedSubject, keySubject } from '../../../src/access/limits/subject.ts';
import { DEFAULT_LIMITS } from '../../../src/access/limits/tiers.ts';
import { runs } from '../../support/runs.ts';

const START = 1_700_000_000_000;
const standard = keySubject({ family: 'key_1', tier: 'standard', state: 'active' });

function setUp(limits = DEFAULT_LIMITS, embedLimit?: number) {
  const clock = { at: START };
  const counter = createMemoryCounter(() => clock.at);
  return { clock, counter, limiter: createLimiter({ counter, limits, embedLimit }) };
}

describe('the limiter', () => {
  it('peeks without opening a window', async () => {
    const { clock, limiter } = setUp();
    const unused = {
      admitted: true,
      limit: 10,
      remaining: 10,
      before: 10,
      resetAt: START + 60_000,
      cost: 0,
      tier: 'standard',
    };
    expect(limiter.peek(standard)).toEqual(unused);
    clock.at += 5000;
    await limiter.reserve(standard, 2);
    expect(limiter.peek(standard)).toMatchObject({ remaining: 8, resetAt: START + 65_000, cost: 0 });
  });

  it.each([0, -1, 1.5, 61, Number.NaN])('throws for a cost of %d', async (cost) => {
    await expect(setUp().limiter.reserve(standard, cost)).rejects.toThrow(RangeError);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('throws for a limit of %d', (limit) => {
    expect(() => setUp({ standard: limit, premium: 60 })).toThrow(RangeError);
  });

  it('decides like a plain sum for any limit, usage and cost, also with a counter that lowers the limit', async () => {
    const sample = fc.record({
      limit: fc.oneof(fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 2_000_000_000 })),
      lowered: fc.integer({ min: 1, max: 2_000_000_000 }),
      cost: fc.integer({ min: 1, max: MAX_COST }),
      near: fc.integer({ min: -70, max: 70 }),
    });
    const embedded = embedSubject({ family: 'k', tier: 'premium', state: 'active' }, undefined, true);
    await fc.assert(
      fc.asyncProperty(sample, async ({ limit, lowered, cost, near }) => {
        const applied = Math.min(limit, lowered);
        const before = Math.max(0, applied + near);
        const fits = before + cost <= applied;
        const taken = fits ? cost : Math.min(REFUSAL_COST, Math.max(0, applied - before));
        const window = { used: before + taken, taken, limit: applied, resetAt: START };
        const counter: Counter = {
          reserve: () => ({ admitted: fits, ...window }),
          reserveAll: () => ({ admitted: fits, ...window }),
          peek: () => ({ ...window, used: before }),
        };
        const limiter = createLimiter({ counter, limits: { standard: limit, premium: limit } });
        for (const subject of [standard, embedded]) {
          const state = await limiter.reserve(subject, cost);
          expect(state.admitted).toBe(fits);
          expect(state.remaining).toBe(Math.max(0, applied - before - taken));
          expect(state.before).toBe(Math.max(0, applied - before));
        }
      }),
      runs(500),
    );
  });
});

describe('the budgets of an embed key', () => {
  const key = { family: 'key_3', tier: 'standard', state: 'active' } as const;
  const client = (address: string) => embedSubject(key, address, true);

  it('state the later reset of both, for which a rejected client waits', async () => {
    const { clock, limiter } = setUp(DEFAULT_LIMITS, 11);
    await limiter.reserve(client('192.0.2.9'), 1);
    clock.at += 10_000;
    const state = await limiter.reserve(client('192.0.2.1'), 1);
    // As much is left of both.
    expect(state).toMatchObject({ remaining: 9, resetAt: START + 70_000 });
    await limiter.reserve(client('192.0.2.1'), 7);
    expect(await limiter.reserve(client('192.0.2.1'), 3)).toMatchObject({ resetAt: START + 70_000 });
    clock.at += 50_000;
    expect(await limiter.reserve(client('192.0.2.1'), 1)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it('charge a refusal to the client, never to what all clients share', async () => {
    const { counter, limiter } = setUp(DEFAULT_LIMITS, 12);
    await limiter.reserve(client('192.0.2.9'), 10);
    // The client has 10 left, and all clients 2.
    const refused = await limiter.reserve(client('192.0.2.1'), 3);
    expect(refused).toMatchObject({ admitted: false, limit: 12, before: 2, remaining: 2 });
    expect(counter.peek(client('192.0.2.1').name, 10).used).toBe(1);
    for (let request = 0; request < 20; request += 1) {
      await limiter.reserve(client('192.0.2.1'), 3);
    }
    expect(limiter.findExhausted(client('192.0.2.1'))).toMatchObject({ limit: 10, remaining: 0 });
    expect(await limiter.reserve(client('192.0.2.2'), 2)).toMatchObject({ admitted: true });
  });

  it('decide like plain sums for any limits, usage and cost', async () => {
    const limit = fc.integer({ min: 1, max: 130 });
    const costs = fc.array(fc.tuple(fc.integer({ min: 1, max: MAX_COST }), fc.integer({ min: 0, max: 2 })));
    const check = async (standard: number, embedLimit: number, asked: [cost: number, client: number][]) => {
      const { counter, limiter } = setUp({ standard, premium: 1 }, embedLimit);
      const used = [0, 0, 0];
      let common = 0;
      for (const [cost, i] of asked) {
        const before = used[i] ?? 0;
        const fits = before + cost <= standard && common + cost <= embedLimit;
        expect((await limiter.reserve(client(`192.0.2.${i}`), cost)).admitted).toBe(fits);
        used[i] = before + (fits ? cost : Math.min(REFUSAL_COST, standard - before));
        common += fits ? cost : 0;
      }
      expect(counter.peek('embed:{key_3}', 1).used).toBe(common);
    };
    await fc.assert(fc.asyncProperty(limit, limit, costs, check), runs(125));
  });
});
