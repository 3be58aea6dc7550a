import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';
import { createBuilder } from '../../../src/startups/catalogue/load/catalogue-builder.ts';
import { editionOf } from './editions.ts';

/** A thread that does what a test says. */
class FakeWorker extends EventEmitter {
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();
}

const connect = () => ({ connectionString: 'postgres://localhost' });

it('passes on the edition of a build', async () => {
  const worker = new FakeWorker();
  const builder = createBuilder(connect, () => worker as unknown as Worker);
  const building = builder.build();
  const data = editionOf([]);
  worker.emit('message', { type: 'built', data });
  expect(await building).toBe(data);
  expect(worker.terminate).not.toHaveBeenCalled();
});
