import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ThreadConnection } from '../../../db/open.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { workerUrl } from '../../../lib/files/built-files.ts';
import type { OwnField } from '../../model/own-fields.ts';
import { RightEndedError } from '../apply.ts';
import type { Mapping } from '../columns/mapping.ts';
import { SeveralListsError } from '../columns/sample.ts';
import type { AmountsAnswer, Examination } from '../examine.ts';
import { DatabaseFullError, ImportRunningError, InvalidInputError } from '../import.ts';
import { type ImportResult, type RecordedImport, UploadGoneError } from '../import-log.ts';
import { RemovalError, ReturnsError } from '../plan.ts';
import { InputTooLargeError } from '../rows/input.ts';
import { UndoConflictError, type UndoOptions, type UndoReport } from '../undo.ts';

/** A staged file of this process, and how it is read. */
interface StagedJob {
  /** The name in messages and in the list of imports, also for detecting the format. */
  readonly name: string;
  /** An open file descriptor. */
  readonly fd: number;
  readonly mapping: Mapping;
}

/** A file that is examined, with an answer beside those of its mapping. */
interface ExamineJob extends StagedJob {
  /** The declared fields that it can fill: none by default. */
  readonly declared?: readonly OwnField[] | undefined;
  readonly amounts?: AmountsAnswer | undefined;
  /** Whether records have only what they set. */
  readonly update?: boolean | undefined;
}

type SharedOptions =
  | 'dryRun'
  | 'replace'
  | 'update'
  | 'returns'
  | 'asOf'
  | 'historyDays'
  | 'authorize'
  | 'user'
  | 'via'
  | 'token'
  | 'once'
  | 'kept';

/** What is imported from a staged file in a thread of its own: plain values. */
export interface ImportJob extends StagedJob, Pick<RecordedImport, SharedOptions> {
  /** The most bytes after unpacking. */
  readonly mostUnpacked: number;
  /** Whether the valid records are imported if others are invalid. */
  readonly skipInvalid: boolean;
}

/** Which import is undone, and by whom: plain values. */
export type UndoJob = Omit<UndoOptions, 'client' | 'kind' | 'signal'>;

/** The task of a thread. */
export type ThreadTask =
  | { readonly type: 'import'; readonly job: ImportJob; readonly connection: ThreadConnection }
  | { readonly type: 'undo'; readonly job: UndoJob; readonly connection: ThreadConnection }
  | { readonly type: 'examine'; readonly job: ExamineJob };

/** What ends it: the signal of the caller, or a database that does not answer. */
export type ThreadMessage = 'stop' | 'lost';

/** Errors of operators that callers tell apart. */
export const refusals = {
  DatabaseFullError,
  ImportRunningError,
  InputTooLargeError,
  RightEndedError,
  UploadGoneError,
  UndoConflictError,
  InvalidInputError,
  RemovalError,
  ReturnsError,
  SeveralListsError,
  OperatorError,
};

/** An error as the thread posts it, without its class: what its class is created with, or what an unexpected one says. */
export type ThreadError =
  | { readonly type: keyof typeof refusals; readonly of: readonly unknown[] }
  /** Its code says whether the database is unavailable. */
  | { readonly type: 'failed'; readonly message: string; readonly code: string | undefined };

/** The last message of the thread. */
export type ThreadAnswer =
  | { readonly result: ImportResult | UndoReport | Examination }
  | { readonly error: ThreadError };

/** Imports staged files in this process, one at a time, away from the event loop. */
export type Importer = ReturnType<typeof createImporter>;

/** How long an examination may take, in ms, and the memory of its thread: a few megabytes of a file are read. */
const EXAMINE_MS = 20_000;
const EXAMINE_MEMORY = { maxOldGenerationSizeMb: 512 };

/** The ms without an answer of the server to anybody after which an import ends: its request is then answered within 3 s, on a busy machine too. */
export const IMPORT_SILENCE_MS = 2_000;
const LOOK_MS = 100;

/**
 * @param connect opens a connection for a thread.
 * @param isLost whether the database has not answered anybody for too long. A statement of an import may take minutes.
 */
export function createImporter(connect: () => ThreadConnection, isLost = () => false) {
  let isRunning = false;
  const runAlone = async <Result>(task: ThreadTask, signal: AbortSignal): Promise<Result> => {
    if (isRunning) {
      throw new ImportRunningError();
    }
    isRunning = true;
    try {
      signal.throwIfAborted();
      return await runInThread(task, signal, isLost);
    } finally {
      isRunning = false;
    }
  };
  return {
    /**
     * Imports a file.
     *
     * @throws ImportRunningError while another import runs, {@link InputTooLargeError}, RightEndedError, UploadGoneError,
     *   InvalidInputError and other OperatorErrors as `importStartups`; the signal's reason. Nothing was changed then.
     */
    async run(job: ImportJob, signal: AbortSignal): Promise<ImportResult> {
      return runAlone({ type: 'import', job, connection: connect() }, signal);
    },
    /**
     * Undoes an import.
     *
     * @throws ImportRunningError while an import runs; RightEndedError, UndoConflictError and other errors as `undoImport`.
     *   Nothing was changed then.
     */
    async undo(job: UndoJob, signal: AbortSignal): Promise<UndoReport> {
      return runAlone({ type: 'undo', job, connection: connect() }, signal);
    },
    /**
     * Says what a file is, and what is to be answered before it can be imported.
     *
     * @throws SeveralListsError for a list that is still to be chosen; OperatorError for a file that is no table; the
     *   signal's reason.
     */
    examine(job: ExamineJob, signal: AbortSignal): Promise<Examination> {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(EXAMINE_MS)]);
      return runInThread({ type: 'examine', job }, bounded, () => false);
    },
  };
}

/** The result of a thread, which has ended: until then it may use the file and the session. */
async function runInThread<Result>(
  task: ThreadTask,
  signal: AbortSignal,
  isLost: () => boolean,
): Promise<Result> {
  const isImport = task.type !== 'examine';
  const worker = new Worker(workerUrl(import.meta.url, './import-worker.ts'), {
    workerData: task,
    ...(!isImport && { resourceLimits: EXAMINE_MEMORY }),
    transferList: isImport && 'port' in task.connection ? [task.connection.port] : [],
  });
  const send = (message: ThreadMessage): void => worker.postMessage(message);
  // An examination has nothing to end properly.
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
    const ended = exit.then(() => Promise.reject(new Error('The thread of the import ended.')));
    const [answer] = (await Promise.race([once(worker, 'message'), ended])) as [ThreadAnswer];
    await exit;
    if ('error' in answer) {
      throw toError(answer.error);
    }
    return answer.result as Result;
  } catch (error) {
    // For a statement that was cancelled for it, the database reports a different error.
    signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
  }
}

function toError(error: ThreadError): Error {
  return error.type === 'failed'
    ? Object.assign(new Error(error.message), error.code === undefined ? {} : { code: error.code })
    : Reflect.construct(refusals[error.type], error.of);
}
