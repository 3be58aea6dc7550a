import { expect, it } from 'vitest';
import { WorkQueue } from '../../../src/lib/loop/work-queue.ts';

/** A queue, the owners of its reads in the order in which they began, and what ends the first of those under way. */
function setUp() {
  const queue = new WorkQueue(6);
  const begun: string[] = [];
  const running: ((error?: Error) => void)[] = [];
  const read = (owner: string): Promise<void> =>
    queue.run(owner, () => {
      begun.push(owner);
      return new Promise((resolve, reject) => {
        running.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    });
  const end = async (error?: Error): Promise<void> => {
    running.shift()?.(error);
    await new Promise(setImmediate);
  };
  const endAll = async (all: Promise<void>[]): Promise<void> => {
    while (running.length > 0) {
      await end();
    }
    await Promise.all(all);
  };
  return { queue, read, end, endAll, begun, running };
}

it('runs no more at a time than it may', async () => {
  const { read, end, running } = setUp();
  const all = Array.from({ length: 30 }, () => read('busy'));
  const most: number[] = [];
  while (running.length > 0) {
    most.push(running.length);
    await end();
  }
  await Promise.all(all);
  expect(most).toHaveLength(30);
  expect(Math.max(...most)).toBe(6);
});

it('begins a read of a key after at most one of each other key, however many those have', async () => {
  const { read, end, endAll, begun } = setUp();
  const others = ['a', 'b', 'c', 'd', 'e'];
  const all = others.flatMap((owner) => Array.from({ length: 30 }, () => read(owner)));
  const before = begun.length;
  all.push(read('quiet'));
  while (!begun.includes('quiet')) {
    await end();
  }
  expect(begun.slice(before)).toEqual([...others, 'quiet']);
  await endAll(all);
});

it('begins the next read after one that failed, also one that failed before it began', async () => {
  const { queue, read, end, endAll, begun } = setUp();
  const failed = Array.from({ length: 9 }, () =>
    queue.run('busy', () => {
      throw new Error('The operation has ended.');
    }),
  );
  expect(await Promise.allSettled(failed)).toMatchObject(new Array(9).fill({ status: 'rejected' }));
  const [first, ...others] = Array.from({ length: 7 }, () => read('busy'));
  const rejected = expect(first).rejects.toThrow('The database is down.');
  await end(new Error('The database is down.'));
  await rejected;
  expect(begun).toHaveLength(7);
  await endAll(others);
});
