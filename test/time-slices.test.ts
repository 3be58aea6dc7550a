import { describe, expect, it, vi } from 'vitest';
import { inOneStep, type Steps, TimeSlices } from '../src/time-slices.ts';

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
    /** Begins the next turn; gives the time that it spent on work. */
    turn() {
      const before = time;
      turns.shift()?.();
      return time - before;
    },
    hasTurn: () => turns.length > 0,
  };
}

describe('time slices', () => {
  it('do short work at once', () => {
    const { slices, work } = setUp();
    expect(slices.run(work('short', 1, 2))).toBe('short');
    expect(slices.run(inOneStep(() => 7))).toBe(7);
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
    turn();
    await short;
    // It did not wait for all that was asked before it.
    expect(done).toEqual(['short']);
    while (done.length === 1) {
      turn();
      await Promise.resolve();
    }
    await long;
  });

  it('end what waits when its owner is gone', async () => {
    const { slices, work, turn } = setUp();
    const owner = new AbortController();
    slices.run(work('other', 12));
    const abandoned = slices.run(work('abandoned', 1), owner);
    owner.abort();
    turn();
    await expect(abandoned).rejects.toThrow('aborted');
  });

  it('share one turn among all', async () => {
    const { slices, work, turn, hasTurn } = setUp();
    const all = Array.from({ length: 60 }, (_, index) => slices.run(work(String(index), 5)));
    const turns: number[] = [];
    while (hasTurn()) {
      turns.push(turn());
    }
    // 300 ms, of which the first turn did 10 at once; the last turn finds nothing to do.
    expect(turns.filter((ms) => ms > 0)).toEqual(new Array(29).fill(10));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
  });

  it('reject what throws, and go on with the rest', async () => {
    const { slices, work, turn } = setUp();
    const fail = (): never => {
      throw new Error('boom');
    };
    expect(() => slices.run(inOneStep(fail))).toThrow('boom');
    slices.run(work('long', 20));
    const failing = slices.run(inOneStep(fail));
    const after = slices.run(work('after', 1));
    turn();
    await expect(failing).rejects.toThrow('boom');
    expect(await after).toBe('after');
  });

  it('wait for nothing once all is done', () => {
    const { slices, work, turn, hasTurn } = setUp();
    slices.run(work('short', 1));
    turn();
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

it('work goes on where somebody has replaced the timers', async () => {
  const slices = new TimeSlices();
  vi.useFakeTimers();
  slices.run(inOneStep(() => {}));
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
