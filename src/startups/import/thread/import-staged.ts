import type { Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import type { Client } from 'pg';
import type { ThreadConnection } from '../../../db/open.ts';
import { cancelStatement } from '../../../db/pool.ts';
import { createThreadClient } from '../../../db/thread.ts';
import type { DatabaseKind } from '../../../db/transaction.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { readOpenFile } from '../../../lib/files/staged-file.ts';
import { importFieldsFor } from '../columns/import-fields.ts';
import { readDeclared } from '../declared.ts';
import { type ImportResult, importAndRecord } from '../import-log.ts';
import { type UndoReport, undoImport } from '../undo.ts';
import type { ImportJob, ThreadMessage, UndoJob } from './importer.ts';

/** Imports a staged file in this thread. */
export function importStaged(
  { name, fd, mostUnpacked, skipInvalid, ...options }: ImportJob,
  connection: ThreadConnection,
): Promise<ImportResult> {
  return withClient(connection, async (session) =>
    importAndRecord({
      ...options,
      ...session,
      fields: importFieldsFor(await readDeclared(session.client), options.mapping),
      inputs: [{ name, open: () => readOpenFile(fd), mostUnpacked }],
      isOnly: true,
      now: Date.now,
      // Whoever sends records over HTTP has them.
      skipInvalid: skipInvalid ? { write: () => {} } : undefined,
    }),
  );
}

/** Undoes an import in this thread. */
export function undoInThread(job: UndoJob, connection: ThreadConnection): Promise<UndoReport> {
  return withClient(connection, (session) => undoImport({ ...job, ...session }));
}

/** Runs something that writes, until the thread is told to stop or that the database is lost. */
async function withClient<Result>(
  connection: ThreadConnection,
  run: (session: { client: Client; kind: DatabaseKind; signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
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
    return await run({ client, kind: 'port' in connection ? 'embedded' : 'server', signal: stop.signal });
  } finally {
    await client.end().catch(() => {});
  }
}
