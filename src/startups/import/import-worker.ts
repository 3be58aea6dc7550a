import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { isUnavailable } from '../../db/connection-error.ts';
import type { ThreadConnection } from '../../db/open.ts';
import { cancelStatement } from '../../db/pool.ts';
import { createThreadClient, yieldToRequests } from '../../db/thread.ts';
import { OperatorError } from '../../lib/errors.ts';
import { readOpenFile } from '../../lib/files/staged-file.ts';
import { examineTable } from './columns/examine.ts';
import { InvalidInputError } from './import.ts';
import { importAndRecord } from './import-log.ts';
import {
  type ExamineJob,
  type ImportEvent,
  type ImportJob,
  refusals,
  type ThreadMessage,
  type ThreadTask,
} from './importer.ts';

/** Of PostgreSQL. Some errors of a lost connection have no code, or it is that of their cause. */
const CONNECTION_FAILURE = '08006';

async function run(job: ImportJob, connection: ThreadConnection, post: (event: ImportEvent) => void) {
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
  const startedAt = Date.now();
  try {
    await client.connect();
    const { name, fd, bytes, mostUnpacked, skipInvalid, once, ...options } = job;
    let durationMs: number | undefined;
    const { summary, id } = await importAndRecord({
      ...options,
      client,
      kind: 'port' in connection ? 'embedded' : 'server',
      inputs: [{ name, bytes, open: () => readOpenFile(fd), mostUnpacked }],
      isOnly: true,
      signal: stop.signal,
      now: Date.now,
      startedAt,
      // Whoever sends records over HTTP has them.
      skipInvalid: skipInvalid ? { write: () => {} } : undefined,
      beforeCommit: async (report) => {
        durationMs = report.durationMs;
        if (once !== undefined) {
          await client.query(
            `INSERT INTO idempotent_imports (token_id, key, digest, result, created_at)
             VALUES ($1, $2, decode($3, 'hex'), $4, clock_timestamp())
             ON CONFLICT (token_id, key) DO UPDATE SET
               digest = excluded.digest, result = excluded.result, created_at = excluded.created_at`,
            [once.token, once.key, once.digest, JSON.stringify(report)],
          );
        }
      },
    });
    post({ type: 'done', summary, id, durationMs: durationMs ?? Date.now() - startedAt });
  } catch (error) {
    post(describe(error));
  } finally {
    await client.end().catch(() => {});
  }
}

async function examine(
  { name, fd, bytes, mapping, asksTexts }: ExamineJob,
  post: (event: ImportEvent) => void,
) {
  try {
    const examination = await examineTable({ name, bytes, open: () => readOpenFile(fd) }, mapping, {
      asksTexts,
    });
    post({ type: 'examined', examination });
  } catch (error) {
    post(describe(error));
  }
}

function describe(error: unknown): ImportEvent {
  if (error instanceof InvalidInputError) {
    return { type: 'invalid', summary: error.summary, reason: error.reason };
  }
  if (error instanceof OperatorError) {
    const kinds = Object.keys(refusals) as (keyof typeof refusals)[];
    const name = kinds.find((kind) => error.constructor === refusals[kind]) ?? 'OperatorError';
    return { type: 'refused', name, lines: error.lines };
  }
  const { message, stack = message } = error as Error;
  const code = isUnavailable(error) ? CONNECTION_FAILURE : (error as { code?: string }).code;
  return { type: 'failed', message: code === undefined ? stack : message, code };
}

yieldToRequests();
const task = workerData as ThreadTask;
const post = (event: ImportEvent): void => parentPort?.postMessage(event);
await (task.type === 'import' ? run(task.job, task.connection, post) : examine(task.job, post));
parentPort?.close();
