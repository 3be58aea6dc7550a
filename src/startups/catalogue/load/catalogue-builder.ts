import { Worker } from 'node:worker_threads';
import type { ThreadConnection } from '../../../db/open.ts';
import { workerUrl } from '../../../lib/files/built-files.ts';
import type { EditionData } from '../edition-data.ts';
import type { CatalogueWorkerEvent, CatalogueWorkerRequest } from './worker.ts';

/** Builds catalogues away from the event loop. */
export interface CatalogueBuilder {
  /**
   * Builds a catalogue of the database's contents after this call. One build at a time.
   *
   * @param isAnew whether to discard earlier catalogues and read everything again over a new connection.
   */
  build(isAnew?: boolean): Promise<EditionData>;
  /** Stops the builder; a build in progress rejects. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Builds in a worker thread, which is started at the first build and restarted after any failure.
 *
 * @param connect opens a connection for a new worker thread.
 */
export function createBuilder(connect: () => ThreadConnection): CatalogueBuilder {
  let worker: Worker | undefined;
  return {
    async build(isAnew = false) {
      if (isAnew) {
        void worker?.terminate();
        worker = undefined;
      }
      const used = worker ?? startWorker(connect());
      if (used !== worker) {
        worker = used;
        // Also handles a worker that ends while no build is running.
        used.once('exit', () => {
          worker = worker === used ? undefined : worker;
        });
      }
      try {
        return await buildIn(used);
      } catch (error) {
        worker = worker === used ? undefined : worker;
        void used.terminate();
        throw error;
      }
    },
    async close() {
      const closing = worker;
      worker = undefined;
      if (closing === undefined) {
        return;
      }
      const ended = new Promise((resolve) => closing.once('exit', resolve));
      closing.postMessage('close' satisfies CatalogueWorkerRequest);
      const timer = setTimeout(() => void closing.terminate(), CLOSE_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function startWorker(connection: ThreadConnection): Worker {
  const worker = new Worker(workerUrl(import.meta.url, './worker.ts'), {
    workerData: connection,
    transferList: 'port' in connection ? [connection.port] : [],
  });
  // The reason why a worker ended is reported by the build that it interrupts, or by the next build.
  worker.on('error', () => {});
  return worker;
}

function buildIn(worker: Worker): Promise<EditionData> {
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const onMessage = (event: CatalogueWorkerEvent): void =>
      stop(() => ('data' in event ? resolve(event.data) : reject(new Error(event.failure))));
    const onError = (error: Error): void => stop(() => reject(error));
    const onExit = (): void => onError(new Error('The thread that builds the catalogue ended.'));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage('build' satisfies CatalogueWorkerRequest);
  });
}
