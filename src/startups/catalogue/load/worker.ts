import { Socket } from 'node:net';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import type { ThreadConnection } from '../../../db/open.ts';
import { createThreadClient } from '../../../db/thread.ts';
import { yieldToRequests } from '../../../lib/loop/priority.ts';
import type { EditionData } from '../edition-data.ts';
import { UnusedMemory } from '../store/memory.ts';
import type { StoredRows } from '../store/row-writer.ts';
import { EditionMaker } from './edition-maker.ts';
import { type Reading, type ReadSettings, readRows } from './read-rows.ts';

/** The requests to the worker. One build at a time. */
export type CatalogueWorkerRequest = 'build' | 'close';

/** The answers of the worker. It ends after a failure, since the state of its connection is then unknown. */
export type CatalogueWorkerEvent = { data: EditionData } | { failure: string };

/** A server that is silent for this long during a build is gone or unreachable. */
const SILENCE_MS = 5_000;

/** A connection. */
interface Session {
  readonly client: Promise<pg.Client>;
  /** That of a server. The embedded engine needs no time-out: it can only be busy. */
  readonly socket: Socket | undefined;
}

function openSession(connection: ThreadConnection): Session {
  const socket = 'port' in connection ? undefined : new Socket();
  socket?.on('timeout', () => socket.destroy(new Error('The database has not answered for 5 seconds.')));
  const client = createThreadClient(connection, socket);
  return { client: client.connect().then(() => client), socket };
}

/** Answers builds over a connection that stays open between builds, as do the rows read. */
function serve(parent: MessagePort, connection: ThreadConnection): void {
  let session: Session | undefined;
  let rows: StoredRows | undefined;
  const maker = new EditionMaker();
  const unused = new UnusedMemory();
  const sharedSession = 'port' in connection;

  const read = async (settings: ReadSettings): Promise<Reading> => {
    session ??= openSession(connection);
    const { client, socket } = session;
    const connected = await client;
    socket?.setTimeout(SILENCE_MS);
    const reading = await readRows(connected, rows, { sharedSession, ...settings });
    socket?.setTimeout(0);
    return reading;
  };
  /** Reads over the session of the last build. If it was lost since, reads what changed over another one. */
  const readAgain = async (): Promise<Reading> => {
    const earlier = session;
    try {
      return await read({});
    } catch (error) {
      // The port of the embedded database serves one session.
      if (earlier === undefined || sharedSession) {
        throw error;
      }
      earlier.socket?.destroy();
      session = undefined;
      return read({ isReconnected: true });
    }
  };

  const build = async (): Promise<void> => {
    const readAt = Date.now();
    const reading = await readAgain();
    rows = reading.rows;
    const data = maker.make(rows, readAt);
    parent.postMessage({ data } satisfies CatalogueWorkerEvent);
    // Indexing all words leaves more memory behind than any edition.
    unused.add(reading.changes === undefined ? data.bytes : data.replacedBytes, data.bytes);
  };
  const close = async (): Promise<void> => {
    parent.close();
    await session?.client.then((connected) => connected.end());
  };

  const handlers = { build, close };
  parent.on('message', (request: CatalogueWorkerRequest) => {
    handlers[request]().catch((error: unknown) => {
      parent.postMessage({ failure: messageOf(error) } satisfies CatalogueWorkerEvent);
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
