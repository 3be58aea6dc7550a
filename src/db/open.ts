import type { MessagePort } from 'node:worker_threads';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { OperatorError } from '../errors.ts';
import { findHolder } from './data-directory.ts';
import { type EmbeddedEngine, openEmbedded } from './embedded.ts';
import { PrismaClient } from './generated/client/client.ts';
import { migrate, readMigrations } from './migrate.ts';
import { unopenable } from './way-back.ts';

/** Where the data is. */
export type DatabaseLocation =
  | { kind: 'server'; url: string }
  /** No directory: in memory, gone with the process. */
  | { kind: 'embedded'; directory: string | undefined };

/** How a worker thread connects for itself. */
export type ThreadConnection = { connectionString: string } | { port: MessagePort };

/** An open, migrated database: an embedded engine or a PostgreSQL server behind one adapter. */
export interface Database {
  readonly kind: DatabaseLocation['kind'];
  readonly prisma: PrismaClient;
  /** Short queries beside Prisma's; each is ended after {@link QUERY_TIMEOUT_MS}. */
  readonly pool: pg.Pool;
  /** A connection of one's own, without a time-out, for long work. The caller ends it. */
  connect(): Promise<pg.Client>;
  /** What a worker thread needs for a connection of its own. */
  threadConnection(): ThreadConnection;
  /** Lets commands in a second terminal use the embedded database while this process holds it. */
  share(): Promise<void>;
  close(): Promise<void>;
}

/** After this a query of a request counts as failed, so that a dead database is an error, not a hang. */
export const QUERY_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 3_000;
const POOL_SIZE = 10;
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/**
 * Opens a database and brings its tables up to date.
 *
 * @param onError told of faults of idle connections, which would otherwise end the process.
 * @throws OperatorError when it cannot be reached or opened.
 */
export async function openDatabase(
  location: DatabaseLocation,
  onError: (error: Error) => void,
): Promise<Database> {
  if (location.kind === 'server') {
    return connectDatabase(location.kind, () => serverSettings(location.url), onError);
  }
  const engine = await openEmbedded(location.directory, onError);
  try {
    const settings = () => ({ ...EMBEDDED, stream: () => engine.stream() });
    return await connectDatabase('embedded', settings, onError, engine);
  } catch (error) {
    await engine.close();
    // Some damage shows only at the first query.
    throw error instanceof OperatorError || location.directory === undefined
      ? error
      : unopenable(location.directory, (error as Error).message);
  }
}

/**
 * Opens a database as a command does: through the process that holds the embedded one, where there is
 * such a process.
 *
 * @throws OperatorError when it cannot be reached or opened.
 */
export async function openDatabaseForCommand(
  location: DatabaseLocation,
  onError: (error: Error) => void,
): Promise<Database> {
  const holder =
    location.kind === 'embedded' && location.directory !== undefined
      ? findHolder(location.directory)
      : undefined;
  const { socketHost } = holder ?? {};
  return socketHost === undefined
    ? openDatabase(location, onError)
    : connectDatabase('embedded', () => ({ ...EMBEDDED, host: socketHost }), onError);
}

// The embedded engine has one user and one database.
const EMBEDDED = { user: 'postgres', database: 'postgres' };

async function connectDatabase(
  kind: Database['kind'],
  settings: () => pg.ClientConfig,
  onError: (error: Error) => void,
  engine?: EmbeddedEngine,
): Promise<Database> {
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client(settings());
    client.on('error', onError);
    await client.connect();
    return client;
  };
  await prepare(connect, kind);
  const pool = new pg.Pool({
    ...settings(),
    // The embedded engine has one session, but takes turns: with one connection, each query of a request would
    // wait for a statement of an import.
    max: POOL_SIZE,
    idleTimeoutMillis: kind === 'server' ? 30_000 : 0,
    // Waiting for a connection counts: behind one that hangs, each would add its own time-out to the next's.
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  pool.on('error', onError);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    kind,
    prisma,
    pool,
    connect,
    threadConnection: () =>
      engine === undefined
        ? { connectionString: settings().connectionString ?? '' }
        : { port: engine.port() },
    share: async () => engine?.share(),
    async close() {
      await prisma.$disconnect();
      await pool.end();
      await engine?.close();
    },
  };
}

function serverSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'revgate',
    // Times cross the wire as text in the session's zone: anything but UTC would shift them.
    options: '-c timezone=UTC',
  };
}

async function prepare(connect: () => Promise<pg.Client>, kind: Database['kind']): Promise<void> {
  let client: pg.Client;
  try {
    client = await connect();
  } catch (error) {
    throw kind === 'server'
      ? new OperatorError(
          `Cannot reach the database of DATABASE_URL (${describe(error)}): start it, or mend the address.`,
        )
      : error;
  }
  try {
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    if ((rows[0]?.version ?? 0) < 150_000) {
      throw new OperatorError('The database of DATABASE_URL is older than PostgreSQL 15: use 15 or newer.');
    }
    await migrate(client, readMigrations(MIGRATIONS));
  } finally {
    await client.end();
  }
}

/** A driver's error in one line; an address it tried is welcome, a password never comes with it. */
function describe(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || 'no answer';
}
