import type { Socket } from 'node:net';
import pg from 'pg';
import { PortStream } from './embedded/port-stream.ts';
import type { ThreadConnection } from './open.ts';

// What worker threads share that use the database.

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A client for this thread. A lost connection is reported by the statement in progress, or the next.
 *
 * @param socket what it uses to reach a server; one of its own by default.
 */
export function createThreadClient(connection: ThreadConnection, socket?: Socket): pg.Client {
  const client = new pg.Client(
    'port' in connection
      ? { user: 'postgres', database: 'postgres', stream: () => new PortStream(connection.port) }
      : {
          ...connection,
          connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
          keepAlive: true,
          application_name: 'revgate',
          ...(socket && { stream: () => socket }),
        },
  );
  client.on('error', () => {});
  return client;
}
