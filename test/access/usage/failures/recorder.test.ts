import { describe, expect, it } from 'vitest';
import { createFailureRecorder } from '../../../../src/access/usage/failures/recorder.ts';
import type { FailureGroup } from '../../../../src/access/usage/failures/store.ts';

function setUp(capacity?: number) {
  const world = { at: 1_000, isDown: false, stored: [] as FailureGroup[][] };
  const recorder = createFailureRecorder({
    now: () => world.at,
    ...(capacity !== undefined && { capacity }),
    add: async (groups) => {
      if (world.isDown) {
        throw new Error('no database');
      }
      world.stored.push(groups.map((group) => ({ ...group })));
    },
  });
  /** A failed request a millisecond later than the one before. */
  const fail = (keyId: string, target: string, parameters = ''): void => {
    world.at += 1;
    recorder.record(keyId, { code: 'BAD_USER_INPUT', target, parameters }, 400, `request ${world.at}`);
  };
  return { world, recorder, fail };
}

describe('recording failed requests', () => {
  it('groups those of a key by error, target and parameters, with what is known of the last one', async () => {
    const { world, recorder, fail } = setUp();
    fail('key_1', '/a', 'limit, page');
    fail('key_1', '/a', 'sort');
    fail('key_2', '/a');
    fail('key_1', '/a', 'limit, page');
    expect(recorder.pending).toBe(3);
    await recorder.store();
    const group = { keyId: 'key_1', code: 'BAD_USER_INPUT', requests: 1 };
    expect(world.stored[0]).toEqual([
      expect.objectContaining({ ...group, target: '/a', parameters: 'sort' }),
      {
        ...group,
        target: '/a',
        requests: 2,
        firstAt: 1_001,
        lastAt: 1_004,
        status: 400,
        requestId: 'request 1004',
        parameters: 'limit, page',
      },
      expect.objectContaining({ ...group, keyId: 'key_2', target: '/a' }),
    ]);
    await recorder.store();
    expect([recorder.pending, world.stored.length]).toEqual([0, 1]);
  });

  it('keeps the 50 groups of a key that failed last', async () => {
    const { world, recorder, fail } = setUp();
    for (let index = 0; index < 60; index += 1) {
      fail('key_1', `/${index}`);
      fail('key_1', '/often');
    }
    await recorder.store();
    const targets = world.stored.flat().map(({ target }) => target);
    expect(targets).toHaveLength(50);
    expect(targets.slice(0, 1).concat(targets.slice(-2))).toEqual(['/11', '/59', '/often']);
    expect(world.stored.flat().at(-1)?.requests).toBe(60);
  });

  it('keeps no more groups of all keys than its capacity', () => {
    const { recorder, fail } = setUp(100);
    for (let index = 0; index < 1_000; index += 1) {
      fail(`key_${index}`, '/a');
    }
    expect(recorder.pending).toBe(100);
  });

  it('keeps what could not be stored, and adds it up', async () => {
    const { world, recorder, fail } = setUp();
    world.isDown = true;
    fail('key_1', '/a');
    fail('key_1', '/b');
    await expect(recorder.store()).rejects.toThrow('no database');
    fail('key_1', '/a');
    world.isDown = false;
    await recorder.store();
    expect(
      world.stored.flat().map(({ target, requests, firstAt, lastAt }) => [target, requests, firstAt, lastAt]),
    ).toEqual([
      ['/b', 1, 1_002, 1_002],
      ['/a', 2, 1_001, 1_003],
    ]);
  });

  it('stores much in statements of bounded size', async () => {
    const { world, recorder, fail } = setUp();
    for (let index = 0; index < 1_200; index += 1) {
      fail(`key_${index}`, '/a');
    }
    await recorder.store();
    expect(world.stored.map(({ length }) => length)).toEqual([500, 500, 200]);
  });
});
