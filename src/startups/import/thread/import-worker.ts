import { parentPort, workerData } from 'node:worker_threads';
import { isUnavailable } from '../../../db/unavailable.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { readOpenFile } from '../../../lib/files/staged-file.ts';
import { yieldToRequests } from '../../../lib/loop/priority.ts';
import { importFieldsFor } from '../columns/import-fields.ts';
import { SeveralListsError } from '../columns/sample.ts';
import { examineTable } from '../examine.ts';
import { InvalidInputError } from '../import.ts';
import { RemovalError, ReturnsError } from '../plan.ts';
import { refusals, type ThreadAnswer, type ThreadError, type ThreadTask } from './importer.ts';

/** Of PostgreSQL. Some errors of a lost connection have no code, or it is that of their cause. */
const CONNECTION_FAILURE = '08006';

function describe(error: unknown): ThreadError {
  if (error instanceof OperatorError) {
    const kinds = Object.keys(refusals) as (keyof typeof refusals)[];
    const type = kinds.find((kind) => error.constructor === refusals[kind]) ?? 'OperatorError';
    return { type, of: argumentsOf(error) };
  }
  const { message, stack = message } = error as Error;
  const code = isUnavailable(error) ? CONNECTION_FAILURE : (error as { code?: string }).code;
  return { type: 'failed', message: code === undefined ? stack : message, code };
}

/** What an error is created with again. */
function argumentsOf(error: OperatorError): readonly unknown[] {
  return error instanceof InvalidInputError
    ? [error.summary, { command: error.reason, page: error.reasonOnPage }]
    : error instanceof RemovalError
      ? [error.which, error.limit]
      : error instanceof ReturnsError
        ? [error.count, error.questions]
        : error instanceof SeveralListsError
          ? [error.file, error.lists]
          : error.lines;
}

async function answer(task: ThreadTask): Promise<ThreadAnswer> {
  try {
    if (task.type === 'import') {
      // An examination does not use the database, and would wait for its driver.
      const { importStaged } = await import('./import-staged.ts');
      return { result: await importStaged(task.job, task.connection) };
    }
    if (task.type === 'undo') {
      const { undoInThread } = await import('./import-staged.ts');
      return { result: await undoInThread(task.job, task.connection) };
    }
    const { name, fd, mapping, amounts, update, declared = [] } = task.job;
    const input = { name, open: () => readOpenFile(fd) };
    return {
      result: await examineTable(importFieldsFor(declared, mapping), input, mapping, { amounts, update }),
    };
  } catch (error) {
    return { error: describe(error) };
  }
}

yieldToRequests();
parentPort?.postMessage(await answer(workerData));
parentPort?.close();
