import { Worker } from 'node:worker_threads';
import type { ThreadConnection } from '../../db/open.ts';
import { OperatorError } from '../../lib/errors.ts';
import { workerUrl } from '../../lib/files/worker-url.ts';
import { ImportRunningError, InvalidInputError, RightEndedError } from './import.ts';
import type {
  ImportEvent,
  ImportJob,
  ImportResult,
  SuggestJob,
  ThreadMessage,
  ThreadTask,
} from './import-job.ts';
import { InputTooLargeError } from './input.ts';
import type { MappingSuggestion } from './suggest-mapping.ts';

/** Imports staged files in this process, one at a time, away from the event loop. */
export interface Importer {
  /**
   * Imports a file.
   *
   * @throws ImportRunningError while another import runs, {@link InputTooLargeError}, RightEndedError, InvalidInputError and other
   *   OperatorErrors as `importStartups`; the signal's reason. Nothing was changed then.
   */
  run(job: ImportJob, signal: AbortSignal): Promise<ImportResult>;
  /**
   * Proposes how to import a file.
   *
   * @throws OperatorError for a file that is no table; the signal's reason.
   */
  suggest(job: SuggestJob, signal: AbortSignal): Promise<MappingSuggestion>;
}

/** How long a suggestion may take, in ms, and the memory of its thread: a few megabytes of a file are read. */
const SUGGEST_MS = 20_000;
const SUGGEST_MEMORY = { maxOldGenerationSizeMb: 512 };

/** The ms without an answer of the server to anybody after which an import ends: together with the look, within 3 s. */
export const IMPORT_SILENCE_MS = 2_500;
const LOOK_MS = 100;

/**
 * @param connect opens a connection for a thread.
 * @param isLost whether the database has not answered anybody for too long. A statement of an import may take minutes.
 */
export function createImporter(connect: () => ThreadConnection, isLost = () => false): Importer {
  let isRunning = false;
  return {
    async run(job, signal) {
      if (isRunning) {
        throw new ImportRunningError();
      }
      isRunning = true;
      try {
        signal.throwIfAborted();
        const event = await runInThread({ type: 'import', job, connection: connect() }, signal, isLost);
        if (event.type !== 'done') {
          throw toError(event, signal);
        }
        return event;
      } finally {
        isRunning = false;
      }
    },
    async suggest(job, signal) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(SUGGEST_MS)]);
      const event = await runInThread({ type: 'suggest', job }, inTime, () => false);
      if (event.type !== 'suggested') {
        throw toError(event, signal);
      }
      return event.suggestion;
    },
  };
}

/** The last message of a thread, which has ended: until then it may use the file and the session. */
async function runInThread(
  task: ThreadTask,
  signal: AbortSignal,
  isLost: () => boolean,
): Promise<ImportEvent> {
  const isImport = task.type === 'import';
  const worker = new Worker(workerUrl(import.meta.url, './import-worker.ts'), {
    workerData: task,
    ...(!isImport && { resourceLimits: SUGGEST_MEMORY }),
    transferList: isImport && 'port' in task.connection ? [task.connection.port] : [],
  });
  const send = (message: ThreadMessage): void => worker.postMessage(message);
  // A suggestion has nothing to end properly.
  const stop = (): void => void (isImport ? send('stop') : worker.terminate());
  signal.addEventListener('abort', stop);
  let losses = 0;
  const watch = setInterval(() => {
    // After a pause of this process, answers that have arrived are read first.
    losses = isLost() ? losses + 1 : 0;
    if (losses === 2) {
      send('lost');
    }
  }, LOOK_MS);
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
    await exit;
    return event;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
  }
}

function toError(event: ImportEvent, signal: AbortSignal): Error {
  if (event.type === 'invalid') {
    return new InvalidInputError(event.summary, event.reason);
  }
  // For a statement that was cancelled for it, the database reports a different error.
  signal.throwIfAborted();
  if (event.type === 'refused') {
    return event.kind === 'running'
      ? new ImportRunningError()
      : event.kind === 'too large'
        ? new InputTooLargeError(...event.lines)
        : event.kind === 'right ended'
          ? new RightEndedError()
          : new OperatorError(...event.lines);
  }
  return event.type === 'failed'
    ? Object.assign(new Error(event.message), event.code === undefined ? {} : { code: event.code })
    : new Error(`The thread of the import ended with ${event.type}.`);
}
