import pg from 'pg';
import { cancelStatement } from './cancel.ts';

/** How long somebody waits for the database, in ms. */
export interface Waits {
  /** For a connection, a new one or one that others use. */
  readonly connection: number;
  /** For everything that is done on the connection, a transaction as a whole. */
  readonly use: number;
}

const POOL_SIZE = 10;

/**
 * Creates a pool whose connections are closed when they are used for too long, so that a database that does not
 * answer is an error, not a hang.
 *
 * A connection is closed as a whole because a statement that was given up would still run when the database answers
 * again: a BEGIN whose ROLLBACK nobody sends would keep the embedded engine's one session for ever.
 *
 * @param onError called with errors of idle connections, which would otherwise end the process.
 */
export function createPool(
  settings: pg.ClientConfig,
  waits: Waits,
  onError: (error: Error) => void,
): pg.Pool {
  const isServer = 'connectionString' in settings;
  const pool = new pg.Pool({
    ...settings,
    // The embedded engine has one session, but takes turns: with one connection, each query of a request would
    // wait for a statement of an import.
    max: POOL_SIZE,
    // A connection to the embedded engine costs nothing.
    idleTimeoutMillis: 'stream' in settings ? 0 : 30_000,
    connectionTimeoutMillis: waits.connection,
  });
  pool.on('error', onError);
  const timers = new Map<pg.PoolClient, NodeJS.Timeout>();
  pool.on('acquire', (client) => {
    const giveUp = (): void => {
      if (timers.get(client) === timer) {
        if (isServer) {
          cancelStatement(client);
        }
        // With a query under way, this rejects it at once.
        void client.end();
      }
    };
    // What has arrived while this process was busy is heard first.
    const timer = setTimeout(() => setImmediate(giveUp), waits.use);
    timers.set(client, timer);
  });
  pool.on('release', (_error, client) => {
    clearTimeout(timers.get(client));
    timers.delete(client);
  });
  return pool;
}

/** Of Node, PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and Prisma. */
const UNAVAILABLE_CODES =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08...|57P0.|57014|53300|P10(01|02|08|17)|P20(24|28))$/;
/** Of pg, which has no codes. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout exceeded when trying to connect|timeout expired)/;

/** Whether an error says that the database could not be reached, or did not answer in time. */
export function isUnavailable(error: unknown): boolean {
  // A TypeError is how fetch fails, whose causes have the same codes.
  for (let cause = error; cause instanceof Error && !(cause instanceof TypeError); cause = cause.cause) {
    const isCode = codesOf(cause).some((code) => typeof code === 'string' && UNAVAILABLE_CODES.test(code));
    if (isCode || UNAVAILABLE_MESSAGES.test(cause.message)) {
      return true;
    }
  }
  return false;
}

/** Its own, and in an error of Prisma's that of the server. */
function codesOf(error: Error): unknown[] {
  const { code, meta } = error as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  return [code, meta?.driverAdapterError?.cause?.originalCode];
}
