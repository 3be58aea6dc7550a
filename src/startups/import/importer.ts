import { Worker } from 'node:worker_threads';
import type { ThreadConnection } from '../../db/open.ts';
import { OperatorError } from '../../errors.ts';
import { workerUrl } from '../../files/worker-url.ts';
import { ImportRunningError, InvalidInputError } from './import.ts';
import type { ImportEvent, ImportJob, ImportResult } from './import-job.ts';
import { InputTooLargeError } from './input.ts';

/** Imports staged files in this process, one at a time, away from the event loop. */
export interface Importer {
  /**
   * Imports a file.
   *
   * @throws ImportRunningError while another import runs, {@link InputTooLargeError}, InvalidInputError and other
   *   OperatorErrors as `importStartups`; the signal's reason. Nothing was changed then.
   */
  run(job: ImportJob, signal: AbortSignal): Promise<ImportResult>;
}

/** @param connect opens a connection for a thread. */
export function createImporter(connect: () => ThreadConnection): Importer {
  let isRunning = false;
  return {
    async run(job, signal) {
      if (isRunning) {
        throw new ImportRunningError();
      }
      isRunning = true;
      try {
        signal.throwIfAborted();
        return await runInThread(job, connect(), signal);
      } finally {
        isRunning = false;
      }
    },
  };
}

async function runInThread(
  job: ImportJob,
  connection: ThreadConnection,
  signal: AbortSignal,
): Promise<ImportResult> {
  const worker = new Worker(workerUrl(import.meta.url, './import-worker.ts'), {
    workerData: { job, connection },
    transferList: 'port' in connection ? [connection.port] : [],
  });
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  try {
    const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const event = await new Promise<ImportEvent>((resolve, reject) => {
      worker.on('message', (message: ImportEvent) => {
        if (message.type !== 'progress') {
          resolve(message);
        }
      });
      worker.once('error', reject);
      void exit.then(() => reject(new Error('The thread of the import ended.')));
    });
    // Until it has ended, it may use the file and the session.
    await exit;
    return resultOf(event, signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function resultOf(event: ImportEvent, signal: AbortSignal): ImportResult {
  switch (event.type) {
    case 'done':
      return event;
    case 'invalid':
      throw new InvalidInputError(event.summary, event.reason);
    case 'refused':
      signal.throwIfAborted();
      throw event.kind === 'running'
        ? new ImportRunningError()
        : event.kind === 'too large'
          ? new InputTooLargeError(...event.lines)
          : new OperatorError(...event.lines);
    case 'failed':
      signal.throwIfAborted();
      throw Object.assign(new Error(event.message), event.code === undefined ? {} : { code: event.code });
    case 'progress':
      throw new Error('Not a result');
  }
}
