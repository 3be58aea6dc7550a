import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RemoteError } from '../../src/rate-limit/remote-counter.ts';
import { createWaiting, type Waiting } from '../../src/rate-limit/waiting.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

let opened: Waiting | undefined;
/** ms that pass on the clock while no timer runs, as in a long turn of the event loop. */
let busy: number;

function setUp() {
  const errors: unknown[] = [];
  const waiting: Waiting = createWaiting({
    onOverdue: (ms) => waiting.end(`${ms} ms are over`),
    onError: (error) => {
      errors.push(error);
      waiting.end('an error');
    },
    now: () => performance.now() + busy,
  });
  opened = waiting;
  return { waiting, errors };
}

beforeEach(() => {
  vi.useFakeTimers();
  busy = 0;
});
afterEach(() => {
  opened?.end('the test is over');
  vi.useRealTimers();
});

/** What work has come to so far. */
function watch(work: Promise<unknown>): { value: unknown } {
  const seen: { value: unknown } = { value: 'pending' };
  work.then(
    (value) => (seen.value = value),
    (error) => (seen.value = error),
  );
  return seen;
}

describe('waiting for a server', () => {
  it('settles with the work', async () => {
    const { waiting } = setUp();
    expect(await waiting.within(50, async () => 'done')).toBe('done');
    const later = waiting.within(50, () => pause(30).then(() => 'later'));
    await vi.advanceTimersByTimeAsync(30);
    expect(await later).toBe('later');
  });

  it('fails all waiting work when the first is overdue, and new work at once afterwards', async () => {
    const { waiting } = setUp();
    const first = waiting.within(100, never);
    await vi.advanceTimersByTimeAsync(60);
    const second = waiting.within(100, never);
    const seen = [watch(first), watch(second)];
    await vi.advanceTimersByTimeAsync(35);
    expect(seen).toEqual([{ value: 'pending' }, { value: 'pending' }]);
    await vi.advanceTimersByTimeAsync(15);
    const error = new RemoteError('100 ms are over');
    expect(seen).toEqual([{ value: error }, { value: error }]);
    await expect(waiting.within(100, async () => 'done')).rejects.toEqual(error);
  });

  it('fails all waiting work when one piece of work fails', async () => {
    const { waiting, errors } = setUp();
    const other = waiting.within(100, never);
    const failing = waiting.within(100, () => Promise.reject(new TypeError('a mistake')));
    const error = { status: 'rejected', reason: new RemoteError('an error') };
    expect(await Promise.allSettled([other, failing])).toEqual([error, error]);
    expect(errors).toEqual([new TypeError('a mistake')]);
  });

  it('does not count time in which this process was busy', async () => {
    const { waiting } = setUp();
    const answer = watch(waiting.within(100, () => pause(50).then(() => 'in time')));
    await vi.advanceTimersByTimeAsync(10);
    busy += 300;
    await vi.advanceTimersByTimeAsync(40);
    expect(answer.value).toBe('in time');
  });

  it('reads responses that arrived while this process was busy before it reports one as overdue', async () => {
    const { waiting } = setUp();
    // Comes with the first tick after a long turn of the event loop, by which its time is over.
    const answer = watch(waiting.within(20, () => pause(10).then(() => 'read')));
    busy += 300;
    await vi.advanceTimersByTimeAsync(20);
    expect(answer.value).toBe('read');
  });
});
