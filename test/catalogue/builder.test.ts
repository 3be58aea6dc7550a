import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createBuilder } from '../../src/catalogue/load/catalogue-builder.ts';
import { EditionMaker } from '../../src/catalogue/load/edition-maker.ts';
import type { StoredRows } from '../../src/catalogue/store/row-writer.ts';
import { startupSorts } from '../../src/startups/vocabulary.ts';
import { Editions, editionOf } from './editions.ts';
import { manyRows } from './rows.ts';

/** A thread that does what a test says. */
class FakeWorker extends EventEmitter {
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const connect = () => ({ connectionString: 'postgres://localhost' });

it('a build may take hours, as long as it makes progress', async () => {
  const worker = new FakeWorker();
  const builder = createBuilder(connect, () => worker as unknown as Worker);
  const reported: (number | undefined)[] = [];
  const building = builder.build(false, (rows) => reported.push(rows));
  for (let minute = 0; minute < 120; minute += 1) {
    await vi.advanceTimersByTimeAsync(299_000);
    worker.emit('message', { type: 'progress', rows: minute < 119 ? minute : undefined });
  }
  const data = editionOf([]);
  worker.emit('message', { type: 'built', data });
  expect(await building).toBe(data);
  expect(reported).toEqual([...Array.from({ length: 119 }, (_, minute) => minute), undefined]);
  expect(worker.terminate).not.toHaveBeenCalled();
});

it('a build is stopped once it has made no progress for five minutes', async () => {
  const worker = new FakeWorker();
  const builder = createBuilder(connect, () => worker as unknown as Worker);
  const failed = expect(builder.build()).rejects.toThrow('no progress for 5 minutes');
  worker.emit('message', { type: 'progress' });
  await vi.advanceTimersByTimeAsync(299_999);
  expect(worker.terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await failed;
  expect(worker.terminate).toHaveBeenCalledOnce();
});

it('reports progress after each order and each record of an index, so that a slow machine is not taken for a stuck one', () => {
  const rows = new Editions();
  rows.rebuild(manyRows(500, 3));
  let reports = 0;
  new EditionMaker().make(rows.rows as StoredRows, 0, () => {
    reports += 1;
  });
  // Names, words and technologies of each.
  expect(reports).toBeGreaterThanOrEqual(3 * 500 + startupSorts.length);
});
