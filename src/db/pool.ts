import { connect } from 'node:net';
import pg from 'pg';

/** How long callers wait for the database, in ms. */
export interface Waits {
  /** For a connection, either a new one or one in use. */
  readonly connection: number;
  /** For all work on the connection, such as a whole transaction. */
  readonly use: number;
}

export type LimitedPool = ReturnType<typeof createPool>;

const POOL_SIZE = 10;

/**
 * Creates a pool whose connections are closed when they are used for too long, so that a database that does not
 * answer causes an error rather than a hang.
 *
 * The whole connection is closed because an abandoned statement would still run when the database answers
 * again: a BEGIN without a ROLLBACK would occupy the embedded engine's one session for ever.
 *
 * @param onError called with errors of idle connections, which would otherwise end the process.
 */
export function createPool(settings: pg.ClientConfig, waits: Waits, onError: (error: Error) => void) {
  const isServer = 'connectionString' in settings;
  const pool = new pg.Pool({
    ...settings,
    // The embedded engine has one session, shared by all connections: with one connection, each query of a request
    // would wait for a statement of an import.
    max: POOL_SIZE,
    // A connection to the embedded engine costs nothing.
    idleTimeoutMillis: 'stream' in settings ? 0 : 30_000,
    connectionTimeoutMillis: waits.connection,
  });
  pool.on('error', onError);
  let current = waits;
  const timers = new Map<pg.PoolClient, NodeJS.Timeout>();
  pool.on('acquire', (client) => {
    const giveUp = (): void => {
      if (timers.get(client) === timer) {
        if (isServer) {
          cancelStatement(client);
        }
        // If a query is in progress, this rejects it at once.
        void client.end();
      }
    };
    // Data that arrived while this process was busy is read first.
    const timer = setTimeout(() => setImmediate(giveUp), current.use);
    timers.set(client, timer);
  });
  pool.on('release', (_error, client) => {
    clearTimeout(timers.get(client));
    timers.delete(client);
  });
  return {
    pool,
    waits: () => current,
    setWaits(next: Waits): void {
      current = next;
      pool.options.connectionTimeoutMillis = next.connection;
    },
  };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, CancelRequest. */
const CANCEL_REQUEST = 80877102;
const PATIENCE_MS = 1_000;

/** What pg knows of a connection beyond its types. */
interface Connected {
  readonly host: string;
  readonly port: number;
  /** Null until the server has sent them. */
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * Asks the server to cancel the statement that a connection waits for, which then fails with 57014. Without it the
 * server would continue when the connection is closed. Poolers pass it on.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as Connected;
  if (processID === null || secretKey === null) {
    return;
  }
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(value, 4 * index);
  }
  // Never encrypted, as in libpq: an attacker who can read the request could also end the connection.
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  // A server that is gone has nothing to cancel.
  socket.on('error', () => {});
  // The other side ends the connection: a pooler would drop a request whose sender has disconnected.
  socket.write(request);
  socket.resume();
}
