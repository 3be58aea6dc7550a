import { Socket } from 'node:net';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import type { ThreadConnection } from '../../../db/open.ts';
import { createThreadClient, yieldToRequests } from '../../../db/thread.ts';
import type { EditionData } from '../edition-data.ts';
import { UnusedMemory } from '../store/memory.ts';
import type { StoredRows } from '../store/row-writer.ts';
import { EditionMaker } from './edition-maker.ts';
import { type Reading, type ReadSettings, readRows } from './read-rows.ts';

/** The requests to the worker. One build at a time. */
export type CatalogueWorkerRequest = { type: 'build' } | { type: 'close' };

/** The answers of the worker. It ends after a failure, since the state of its connection is then unknown. */
export type CatalogueWorkerEvent = { type: 'built'; data: EditionData } | { type: 'failed'; message: string };

/** A server that is silent for this long during a build is gone or unreachable. */
const SILENCE_MS = 5_000;

async function connect(client: pg.Client): Promise<pg.Client> {
  await client.connect();
  return client;
}

/** A connection. */
interface Session {
  readonly client: Promise<pg.Client>;
  /** That of a server. The embedded engine needs no time-out: it can only be busy. */
  readonly socket?: Socket;
}

function openSession(connection: ThreadConnection): Session {
  if ('port' in connection) {
    return { client: connect(createThreadClient(connection)) };
  }
  const socket = new Socket();
  socket.on('timeout', () => socket.destroy(new Error('The database has not answered for 5 seconds.')));
  return { client: connect(createThreadClient(connection, socket)), socket };
}

/** Answers builds over a connection that stays open between builds, as do the rows read. */
function serve(parent: MessagePort, connection: ThreadConnection): void {
  let session: Session | undefined;
  let rows: StoredRows | undefined;
  const maker = new EditionMaker();
  const unused = new UnusedMemory();
  const sharedSession = 'port' in connection;

  const readOver = async ({ client, socket }: Session, settings: ReadSettings): Promise<Reading> => {
    const connected = await client;
    socket?.setTimeout(SILENCE_MS);
    const reading = await readRows(connected, rows, settings);
    socket?.setTimeout(0);
    return reading;
  };
  /** Reads over the session of the last build. If it was lost since, reads what changed over another one. */
  const readAgain = async (settings: ReadSettings): Promise<Reading> => {
    if (session === undefined) {
      session = openSession(connection);
      return readOver(session, settings);
    }
    try {
      return await readOver(session, settings);
    } catch (error) {
      if (sharedSession) {
        // The port of the embedded database serves one session.
        throw error;
      }
      session.socket?.destroy();
      session = openSession(connection);
      return readOver(session, { ...settings, isReconnected: true });
    }
  };

  const build = async (): Promise<void> => {
    const readAt = Date.now();
    const reading = await readAgain({ sharedSession });
    rows = reading.rows;
    const data = maker.make(rows, readAt);
    parent.postMessage({ type: 'built', data } satisfies CatalogueWorkerEvent);
    // Indexing all words leaves more memory behind than any edition.
    unused.add(reading.changes === undefined ? data.bytes : data.replacedBytes, data.bytes);
  };
  const close = async (): Promise<void> => {
    parent.close();
    await session?.client.then((connected) => connected.end());
  };

  const handlers = { build, close };
  parent.on('message', (request: CatalogueWorkerRequest) => {
    handlers[request.type]().catch((error: unknown) => {
      parent.postMessage({ type: 'failed', message: messageOf(error) } satisfies CatalogueWorkerEvent);
      close().catch(() => {});
    });
  });
}

/** If all addresses of a host name refuse the connection, the error has a code and no message. */
function messageOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || String(error);
}

if (parentPort !== null) {
  yieldToRequests();
  serve(parentPort, workerData as ThreadConnection);
}
