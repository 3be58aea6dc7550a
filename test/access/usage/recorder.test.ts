import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FailureGroup } from '../../../src/access/usage/failures.ts';
import { createUsageRecorder, type UsageRecorderOptions } from '../../../src/access/usage/recorder.ts';
import type { UsageCount } from '../../../src/access/usage/store.ts';
import { createTestClock } from '../../support/clock.ts';
import { createGate } from '../../support/gate.ts';
import { openTestGateway } from '../../support/gateway.ts';

const START = Date.parse('2026-11-20T12:30:00.000Z');
const HOUR = Date.parse('2026-11-20T12:00:00.000Z');

function setUp(options: Partial<UsageRecorderOptions> = {}) {
  const world = { down: false, errors: 0, stored: [] as UsageCount[][], failed: [] as FailureGroup[][] };
  const into =
    <Item>(stored: Item[][]) =>
    async (items: readonly Item[]): Promise<void> => {
      if (world.down) {
        throw new Error('no database');
      }
      stored.push(items.map((item) => ({ ...item })));
    };
  const recorder = createUsageRecorder({
    addUsage: into(world.stored),
    addFailures: into(world.failed),
    now: () => Date.now(),
    onError: () => {
      world.errors += 1;
    },
    ...options,
  });
  const fail = (keyId: string, target: string, parameters = ''): void => {
    const last = { status: 400, requestId: `request ${Date.now()}` };
    recorder.recordFailure(keyId, { code: 'BAD_USER_INPUT', target, parameters }, last);
  };
  return { world, recorder, fail };
}

describe('recording the use of keys', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('stores once for all who ask while a database does not answer', async () => {
    const answers: ((error: Error) => void)[] = [];
    const { recorder } = setUp({ addUsage: () => new Promise((_, reject) => answers.push(reject)) });
    recorder.record('key_1', 'rest', 200, 1);
    const asked = Array.from({ length: 20 }, () => recorder.store());
    await vi.advanceTimersByTimeAsync(0);
    const later = Array.from({ length: 20 }, () => recorder.store());
    answers[0]?.(new Error('no database'));
    await Promise.all(asked);
    answers[1]?.(new Error('no database'));
    await Promise.all(later);
    expect([answers.length, recorder.pending]).toEqual([2, 1]);
  });

  it('counts by key, hour, surface, status and duration, and stores it all at once every few seconds', async () => {
    const { world, recorder } = setUp();
    for (let i = 0; i < 1_000; i += 1) {
      recorder.record('key_1', 'rest', 200, 1);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    recorder.record('key_1', 'rest', 429, 0.2);
    recorder.record('key_2', 'graphql', 200, 60_000);
    recorder.record('key_2', 'graphql', 200, 60_001);
    recorder.record('key_2', 'graphql', 200, 5_000);
    expect(world.stored).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    const [one, two] = [
      { hour: HOUR, surface: 'rest', keyId: 'key_1' },
      { keyId: 'key_2', surface: 'graphql' },
    ];
    expect(world.stored).toMatchObject([
      [
        { ...one, status: 200, upTo: 1, requests: 1_000, lastUsedAt: START },
        { ...one, status: 429, upTo: 0.5, requests: 1, lastUsedAt: START + 1_000 },
        { ...two, upTo: Number.POSITIVE_INFINITY, requests: 2 },
        { ...two, upTo: 5_000, requests: 1 },
      ],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.stored).toHaveLength(1);
    await recorder.close();
  });

  it('begins anew with each hour', async () => {
    vi.setSystemTime(HOUR + 3_599_999);
    const { world, recorder } = setUp();
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(1);
    recorder.record('key_1', 'rest', 200, 1);
    await recorder.close();
    expect(world.stored[0]?.map(({ hour }) => hour - HOUR)).toEqual([0, 3_600_000]);
  });

  it('keeps what could not be stored, says so once, and adds it up', async () => {
    const { world, recorder } = setUp();
    world.down = true;
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(5_000);
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([world.errors, recorder.pending]).toEqual([1, 1]);
    world.down = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(world.stored).toEqual([[expect.objectContaining({ requests: 2 })]]);
    expect(recorder.pending).toBe(0);
  });

  it('keeps no more than 100,000 counts, reports what it dropped, and stores 500 in a statement', async () => {
    const { world, recorder } = setUp();
    for (let i = 0; i < 100_010; i += 1) {
      recorder.record(`key_${i}`, 'rest', 200, 1);
      recorder.record('key_0', 'rest', 200, 1);
    }
    expect([recorder.pending, recorder.dropped]).toEqual([100_000, 10]);
    await recorder.close();
    expect(world.stored[0]?.[0]).toMatchObject({ keyId: 'key_0', requests: 100_011 });
    expect(world.stored.map(({ length }) => length)).toEqual(Array(200).fill(500));
  });

  it('stores what is left when it is closed, also of a store under way, and survives one that fails', async () => {
    const { opened, open } = createGate();
    const batches: number[] = [];
    const add = async (counts: readonly UsageCount[]): Promise<void> => {
      if (batches.push(counts.length) === 1) {
        await opened;
      }
    };
    const { recorder } = setUp({ addUsage: add });
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(5_000);
    recorder.record('key_2', 'rest', 200, 1);
    const closed = recorder.close();
    open();
    await closed;
    expect(batches).toEqual([1, 1]);
    const failing = setUp();
    failing.world.down = true;
    failing.recorder.record('key_1', 'rest', 200, 1);
    await failing.recorder.close();
    expect(failing.world.errors).toBe(1);
  });

  it('groups failed requests of a key by error, target and parameters, with what is known of the last', async () => {
    const { world, recorder, fail } = setUp();
    fail('key_1', '/a', 'limit, page');
    fail('key_1', '/a', 'sort');
    fail('key_2', '/a');
    world.down = true;
    await vi.advanceTimersByTimeAsync(5_000);
    fail('key_1', '/a', 'limit, page');
    world.down = false;
    await recorder.close();
    const [first, second] = [START, START + 5_000];
    const group = { keyId: 'key_1', code: 'BAD_USER_INPUT', target: '/a', status: 400 };
    const once = { requests: 1, firstAt: first, lastAt: first, requestId: `request ${first}` };
    const twice = { requests: 2, firstAt: first, lastAt: second, requestId: `request ${second}` };
    expect(world.failed[0]).toEqual([
      { ...group, ...twice, parameters: 'limit, page' },
      { ...group, ...once, parameters: 'sort' },
      { ...group, ...once, parameters: '', keyId: 'key_2' },
    ]);
  });

  it('adds a group that could not be stored to the one that came meanwhile', async () => {
    let reject = (_: Error): void => {};
    const stored: FailureGroup[] = [];
    const addFailures = vi.fn(async (groups: readonly FailureGroup[]) => void stored.push(...groups));
    addFailures.mockImplementationOnce(() => new Promise((_, refuse) => (reject = refuse)));
    const { recorder, fail } = setUp({ addFailures });
    fail('key_1', '/a');
    await vi.advanceTimersByTimeAsync(5_000);
    fail('key_1', '/a');
    reject(new Error('no database'));
    await recorder.close();
    const [firstAt, lastAt] = [START, START + 5_000];
    expect(stored).toMatchObject([{ requests: 2, firstAt, lastAt, requestId: `request ${lastAt}` }]);
  });
});

it('stores what a gateway records by the clock of that gateway', async () => {
  const clock = createTestClock();
  const gateway = await openTestGateway({ clock });
  const { key } = await gateway.key();
  await gateway.call('/api/v1/startups', { key });
  await clock.advance(5_000);
  expect(await gateway.database.prisma.keyLastUse.count()).toBe(1);
});
