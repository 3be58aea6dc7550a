import type { Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import type { ThreadConnection } from '../../../db/open.ts';
import { cancelStatement } from '../../../db/pool.ts';
import { createThreadClient } from '../../../db/thread.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { readOpenFile } from '../../../lib/files/staged-file.ts';
import { type ImportResult, importAndRecord } from '../import-log.ts';
import type { ImportJob, ThreadMessage } from './importer.ts';

/** Imports a staged file in this thread, until the thread is told to stop or that the database is lost. */
export async function importStaged(
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
