import { afterEach, describe, expect, it } from 'vitest';
import { RemoteFault } from '../../src/rate-limit/remote-counter.ts';
import { createWaiting, type Waiting } from '../../src/rate-limit/waiting.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

let opened: Waiting | undefined;

function setUp() {
  const faults: unknown[] = [];
  const waiting: Waiting = createWaiting({
    onOverdue: (ms) => waiting.end(`${ms} ms are over`),
    onFault: (error) => {
      faults.push(error);
      waiting.end('a fault');
    },
  });
  opened = waiting;
  return { waiting, faults };
}

afterEach(() => opened?.end('the test is over'));

describe('waiting for a server', () => {
  it('settles with the work', async () => {
    const { waiting } = setUp();
    expect(await waiting.within(50, async () => 'done')).toBe('done');
    expect(await waiting.within(50, () => pause(30).then(() => 'later'))).toBe('later');
  });

  it('ends all that waits when the first is overdue, and lets nothing wait afterwards', async () => {
    const { waiting } = setUp();
    const begun = performance.now();
    const first = waiting.within(100, never);
    await pause(60);
    const second = waiting.within(100, never);
    const outcomes = await Promise.allSettled([first, second]);
    expect(performance.now() - begun).toBeGreaterThan(85);
    expect(performance.now() - begun).toBeLessThan(150);
    const fault = { status: 'rejected', reason: new RemoteFault('100 ms are over') };
    expect(outcomes).toEqual([fault, fault]);
    await expect(waiting.within(100, async () => 'done')).rejects.toEqual(fault.reason);
  });

  it('ends all that waits when one piece of work fails', async () => {
    const { waiting, faults } = setUp();
    const other = waiting.within(100, never);
    const failing = waiting.within(100, () => Promise.reject(new TypeError('a mistake')));
    const fault = { status: 'rejected', reason: new RemoteFault('a fault') };
    expect(await Promise.allSettled([other, failing])).toEqual([fault, fault]);
    expect(faults).toEqual([new TypeError('a mistake')]);
  });

  it('blames nobody for the time in which this process was busy', async () => {
    const { waiting } = setUp();
    const answer = waiting.within(100, () => pause(5).then(() => pause(20)));
    await pause(1);
    const end = performance.now() + 300;
    while (performance.now() < end);
    await expect(answer).resolves.toBeUndefined();
  });
});
