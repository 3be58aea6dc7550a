import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadConnection } from '../../db/open.ts';
import { cancelStatement } from '../../db/pool.ts';
import { isUnavailable } from '../../db/server-checks.ts';
import { createThreadClient, yieldToRequests } from '../../db/thread.ts';
import { OperatorError } from '../../lib/errors.ts';
import { readOpenFile } from '../../lib/files/staged-file.ts';
import { examineTable } from './columns/examine.ts';
import { InvalidInputError } from './import.ts';
import { type ImportResult, importAndRecord } from './import-log.ts';
import {
  type ImportJob,
  refusals,
  type ThreadAnswer,
  type ThreadError,
  type ThreadMessage,
  type ThreadTask,
} from './importer.ts';

/** Of PostgreSQL. Some errors of a lost connection have no code, or it is that of their cause. */
const CONNECTION_FAILURE = '08006';

async function run(
  { name, fd, mostUnpacked, skipInvalid, ...options }: ImportJob,
  connection: ThreadConnection,
): Promise<ImportResult> {
  const client = createThreadClient(connection);
  const stop = new AbortController();
  parentPort?.on('message', (message: ThreadMessage) => {
    if (message === 'stop') {
      stop.abort(new OperatorError('Stopped: nothing was written.'));
    }
    if (message === 'lost') {
      // The statement in progress fails, and the server rolls back when it notices: to ask it to would take a second.
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    } else if (!('port' in connection)) {
      cancelStatement(client);
    }
  });
  try {
    await client.connect();
    return await importAndRecord({
      ...options,
      client,
      kind: 'port' in connection ? 'embedded' : 'server',
      inputs: [{ name, open: () => readOpenFile(fd), mostUnpacked }],
      isOnly: true,
      signal: stop.signal,
      now: Date.now,
      // Whoever sends records over HTTP has them.
      skipInvalid: skipInvalid ? { write: () => {} } : undefined,
    });
  } finally {
    await client.end().catch(() => {});
  }
}

function describe(error: unknown): ThreadError {
  if (error instanceof OperatorError) {
    const kinds = Object.keys(refusals) as (keyof typeof refusals)[];
    const type = kinds.find((kind) => error.constructor === refusals[kind]) ?? 'OperatorError';
    return { type, of: error instanceof InvalidInputError ? [error.summary, error.reason] : error.lines };
  }
  const { message, stack = message } = error as Error;
  const code = isUnavailable(error) ? CONNECTION_FAILURE : (error as { code?: string }).code;
  return { type: 'failed', message: code === undefined ? stack : message, code };
}

async function answer(task: ThreadTask): Promise<ThreadAnswer> {
  try {
    if (task.type === 'import') {
      return { result: await run(task.job, task.connection) };
    }
    const { name, fd, mapping } = task.job;
    return { result: await examineTable({ name, open: () => readOpenFile(fd) }, mapping) };
  } catch (error) {
    return { error: describe(error) };
  }
}

yieldToRequests();
parentPort?.postMessage(await answer(workerData));
parentPort?.close();
