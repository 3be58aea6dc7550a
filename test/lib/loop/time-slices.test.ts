import { describe, expect, it } from 'vitest';
import { type Steps, TimeSlices } from '../../../src/lib/loop/time-slices.ts';

const [OWNER, OTHER] = [{ ownerId: 'one' }, { ownerId: 'other' }];

/** Slices on a clock that only work moves, and turns of the event loop that only a test begins. */
function setUp() {
  let time = 0;
  const turns: (() => void)[] = [];
  const slices = new TimeSlices(
    () => time,
    (callback) => turns.push(callback),
  );
  /** Work of steps that take so many ms each. */
  function* work(name: string, ...steps: number[]): Steps<string> {
    for (const ms of steps) {
      time += ms;
      yield;
    }
    return name;
  }
  /** Runs the next turn; gives the time that it took. */
  async function turn(): Promise<number> {
    const before = time;
    turns.shift()?.();
    await new Promise(setImmediate);
    return time - before;
  }
  /** Runs turns until there are no more, or as long as told; gives the times that they took. */
  async function turnAll(goesOn = () => true): Promise<number[]> {
    const times: number[] = [];
    while (turns.length > 0 && goesOn()) {
      times.push(await turn());
    }
    return times;
  }
  /** Lets time pass as work does. */
  const pass = (ms: number): void => {
    time += ms;
  };
  return { slices, work, time: () => time, pass, turn, turnAll };
}

describe('time slices', () => {
  it('spread long work over turns of the event loop, a step of each at a time', async () => {
    const { slices, work, turn, turnAll, time } = setUp();
    const done: string[] = [];
    const run = async (name: string, ...steps: number[]) =>
      done.push(await slices.run(work(name, ...steps), OWNER));
    const all = [run('long', 4, 4, 4, 4, 4, 4, 4)];
    expect(time()).toBe(12);
    all.push(run('short', 1));
    expect(time()).toBe(12);
    await turn();
    // It did not wait for all that was asked before it.
    expect(done).toEqual(['short']);
    await turnAll();
    await Promise.all(all);
  });

  it('leave turns to connections that arrive, but not for long', async () => {
    const { slices, work, turn, pass } = setUp();
    const waiting = (): boolean => slices.runStep(() => false, OWNER) !== false;
    slices.run(work('long', ...new Array(100).fill(5)), OWNER);
    expect(await turn()).toBe(10);
    // Each turn accepts one connection.
    const times: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      slices.leaveTurn();
      expect(waiting()).toBe(true);
      pass(1);
      times.push(await turn());
    }
    expect(times.filter((ms) => ms > 0)).toEqual([10]);
    // The first turn without one.
    expect(await turn()).toBe(10);
    expect(await turn()).toBe(10);
  });

  it('reject what throws and what waits for an owner that is gone, and go on with the rest', async () => {
    const { slices, work, turnAll } = setUp();
    const fail = (): never => {
      throw new Error('boom');
    };
    expect(() => slices.runStep(fail, OWNER)).toThrow('boom');
    slices.run(work('long', 20), OWNER);
    const owner = new AbortController();
    const gone = { ...OWNER, throwIfAborted: () => owner.signal.throwIfAborted() };
    const all = [
      expect(slices.run(work('abandoned', 1), gone)).rejects.toThrow('aborted'),
      expect(slices.runStep(fail, OWNER)).rejects.toThrow('boom'),
      expect(slices.run(work('after', 1), OWNER)).resolves.toBe('after'),
    ];
    owner.abort();
    await turnAll();
    await Promise.all(all);
  });

  it('count what is done with a result in the same turn', async () => {
    const { slices, work, pass, turnAll } = setUp();
    slices.run(work('first', 10), OWNER);
    for (let index = 0; index < 6; index += 1) {
      void Promise.resolve(slices.run(work('next', 1), OWNER)).then(() => pass(6));
    }
    const turns = await turnAll();
    // Each step that takes no time itself was the last of its work, whose result took 6 ms.
    expect(Math.max(...turns)).toBeLessThan(10 + 6);
    expect(turns.reduce((sum, ms) => sum + ms)).toBe(6 * 7);
  });

  it('let callers continue one after another', async () => {
    const { slices, pass, turnAll } = setUp();
    let done = 0;
    for (let index = 0; index < 6; index += 1) {
      void slices.waitForTime(OWNER).then(async () => {
        // As graphql-js does, it continues after some promises that are settled already.
        for (let settled = 0; settled < 5; settled += 1) {
          await undefined;
        }
        pass(6);
        done += 1;
      });
    }
    const turns = await turnAll();
    expect(done).toBe(6);
    expect(Math.max(...turns)).toBe(12);
  });

  it('are shared by owner: work waits for one slice of each other one, however much that has to do', async () => {
    const { slices, work, turn, turnAll, time, pass } = setUp();
    const heavy = Array.from({ length: 5 }, (_, index) => ({ ownerId: `heavy ${index}` }));
    slices.run(work('first', 10), OWNER);
    // Each has 60 results that arrived together, which take 2 ms each, and a long computation.
    for (const owner of heavy) {
      for (let index = 0; index < 60; index += 1) {
        void slices.waitForTime(owner).then(() => pass(2));
      }
      void slices.run(work('long', ...new Array(100).fill(1)), owner);
    }
    await turn();
    const beganAt = time();
    let waited: number | undefined;
    void Promise.resolve(slices.run(work('list', 0.1), OTHER)).then(() => {
      waited = time() - beganAt;
    });
    await turnAll(() => waited === undefined);
    expect(waited).toBeLessThan(5 * 2 + 1);
    await turnAll();
    // Everything was done: 60 results and 100 steps of each.
    expect(time()).toBeCloseTo(10 + 5 * (60 * 2 + 100) + 0.1);
  });

  it('give each owner the same time, whether in many short works or in a few long ones', async () => {
    const { slices, work, turnAll } = setUp();
    slices.run(work('first', 10), OWNER);
    const order: string[] = [];
    const note = (name: string): number => order.push(name);
    for (let index = 0; index < 50; index += 1) {
      void Promise.resolve(slices.run(work('short', 0.02), OTHER)).then(note);
    }
    void Promise.resolve(slices.run(work('long', 1, 1, 1), OWNER)).then(note);
    await turnAll();
    expect(order.indexOf('long')).toBe(50);
  });
});
