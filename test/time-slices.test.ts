import { describe, expect, it, vi } from 'vitest';
import { type Steps, TimeSlices } from '../src/time-slices.ts';

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
  return {
    slices,
    work,
    time: () => time,
    /** Lets time pass as work does. */
    pass(ms: number) {
      time += ms;
    },
    /** Runs the next turn; gives the time that it took. */
    async turn() {
      const before = time;
      turns.shift()?.();
      await new Promise(setImmediate);
      return time - before;
    },
    hasTurn: () => turns.length > 0,
  };
}

describe('time slices', () => {
  it('do short work at once', () => {
    const { slices, work } = setUp();
    expect(slices.run(work('short', 1, 2))).toBe('short');
    expect(slices.runStep(() => 7)).toBe(7);
  });

  it('spread long work over turns of the event loop, a step of each at a time', async () => {
    const { slices, work, turn, time } = setUp();
    const done: string[] = [];
    const long = Promise.resolve(slices.run(work('long', 4, 4, 4, 4, 4, 4, 4))).then((name) =>
      done.push(name),
    );
    expect(time()).toBe(12);
    const short = Promise.resolve(slices.run(work('short', 1))).then((name) => done.push(name));
    expect(time()).toBe(12);
    await turn();
    await short;
    // It did not wait for all that was asked before it.
    expect(done).toEqual(['short']);
    while (done.length === 1) {
      await turn();
    }
    await long;
  });

  it('let short steps run together, so that many do not wait for other work as often', async () => {
    const { slices, work, turn, hasTurn } = setUp();
    slices.run(work('first', 12));
    const order: string[] = [];
    const note = (name: string): number => order.push(name);
    void Promise.resolve(slices.run(work('other', 3, 3))).then(note);
    void Promise.resolve(slices.run(work('many', ...new Array(50).fill(0.01)))).then(note);
    while (hasTurn()) {
      await turn();
    }
    expect(order).toEqual(['many', 'other']);
  });

  it('end what waits when its owner is gone', async () => {
    const { slices, work, turn } = setUp();
    const owner = new AbortController();
    slices.run(work('other', 12));
    const abandoned = slices.run(work('abandoned', 1), owner.signal);
    owner.abort();
    const rejected = expect(abandoned).rejects.toThrow('aborted');
    await turn();
    await rejected;
  });

  it('share one turn among all', async () => {
    const { slices, work, turn, hasTurn } = setUp();
    const all = Array.from({ length: 60 }, (_, index) => slices.run(work(String(index), 5)));
    const turns: number[] = [];
    while (hasTurn()) {
      turns.push(await turn());
    }
    // 300 ms, of which the first turn did 10 at once; the last turn finds nothing to do.
    expect(turns.filter((ms) => ms > 0)).toEqual(new Array(29).fill(10));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
  });

  it('reject what throws, and go on with the rest', async () => {
    const { slices, work, turn, hasTurn } = setUp();
    const fail = (): never => {
      throw new Error('boom');
    };
    expect(() => slices.runStep(fail)).toThrow('boom');
    slices.run(work('long', 20));
    const failing = slices.runStep(fail);
    const after = slices.run(work('after', 1));
    const rejected = expect(failing).rejects.toThrow('boom');
    await turn();
    await rejected;
    while (hasTurn()) {
      await turn();
    }
    expect(await after).toBe('after');
  });

  it('count what is done with a result in the same turn', async () => {
    const { slices, work, turn, pass, hasTurn } = setUp();
    slices.run(work('first', 10));
    for (let index = 0; index < 6; index += 1) {
      void Promise.resolve(slices.run(work('next', 1))).then(() => pass(6));
    }
    const turns: number[] = [];
    while (hasTurn()) {
      turns.push(await turn());
    }
    // Each step that takes no time itself was the last of its work, whose result took 6 ms.
    expect(Math.max(...turns)).toBeLessThan(10 + 6);
    expect(turns.reduce((sum, ms) => sum + ms)).toBe(6 * 7);
  });

  it('let callers continue one after another', async () => {
    const { slices, turn, pass, hasTurn } = setUp();
    const { signal } = new AbortController();
    let done = 0;
    for (let index = 0; index < 6; index += 1) {
      void slices.waitForTime(signal).then(async () => {
        // As graphql-js does, it continues after some promises that are settled already.
        for (let settled = 0; settled < 5; settled += 1) {
          await undefined;
        }
        pass(6);
        done += 1;
      });
    }
    const turns: number[] = [];
    while (hasTurn()) {
      turns.push(await turn());
    }
    expect(done).toBe(6);
    expect(Math.max(...turns)).toBe(12);
  });

  it('wait for nothing once all is done', async () => {
    const { slices, work, turn, hasTurn } = setUp();
    slices.run(work('short', 1));
    await turn();
    expect(hasTurn()).toBe(false);
  });
});

it('work that would keep the event loop lets timers through', async () => {
  const slices = new TimeSlices();
  let steps = 0;
  function* busy(): Steps<void> {
    for (; steps < 20; steps += 1) {
      const end = performance.now() + 5;
      while (performance.now() < end);
      yield;
    }
  }
  const seen: number[] = [];
  const timer = setInterval(() => seen.push(steps), 1);
  await slices.run(busy());
  clearInterval(timer);
  expect(new Set(seen).size).toBeGreaterThan(5);
});

it('work continues where somebody has replaced the timers', async () => {
  const slices = new TimeSlices();
  vi.useFakeTimers();
  slices.runStep(() => {});
  vi.useRealTimers();
  function* busy(): Steps<string> {
    for (let steps = 0; steps < 10; steps += 1) {
      const end = performance.now() + 3;
      while (performance.now() < end);
      yield;
    }
    return 'done';
  }
  expect(await slices.run(busy())).toBe('done');
});
