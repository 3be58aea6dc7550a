import { resolve } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import pg from 'pg';
import { OperatorError } from '../errors.ts';
import { findSharedEngine } from './data-directory.ts';
import { cannotOpen, type EmbeddedEngine, hasEmbedded, openEmbedded } from './embedded.ts';
import { PrismaClient } from './generated/client/client.ts';
import { hasMigrations, migrate, readMigrations } from './migrate.ts';
import { cancelStatement, createPool, type Waits } from './pool.ts';
import { createPrismaAdapter } from './prisma-adapter.ts';
import type { DatabaseKind } from './transaction.ts';

/** Where the data is. */
export type DatabaseLocation =
  | { kind: 'server'; url: string }
  /** No directory: in memory, lost when the process ends. */
  | {
      kind: 'embedded';
      directory: string | undefined;
      guestPatienceMs?: number;
      /** One that is open already. It is closed with the database. */
      engine?: EmbeddedEngine;
    };

/** How a worker thread opens its own connections. */
export type ThreadConnection = { connectionString: string } | { port: MessagePort };

/** An open, migrated database: an embedded engine or a PostgreSQL server behind one adapter. */
export interface Database {
  readonly kind: DatabaseKind;
  /** Whether it was created by being opened. */
  readonly isNew: boolean;
  readonly prisma: PrismaClient;
  /** For queries that a request waits for, including Prisma's: they fail after three seconds. */
  readonly pool: pg.Pool;
  /** For queries that no request waits for; they may take longer. */
  readonly background: pg.Pool;
  /** The time without an answer, in ms, after which a connection counts as lost. */
  readonly silenceMs: number;
  /**
   * A separate connection, without a time-out, for long work. The caller ends it.
   *
   * @param signal cancels the statement that a server executes, or that waits for a lock.
   */
  connect(signal?: AbortSignal): Promise<pg.Client>;
  /** What a worker thread needs to open its own connection. */
  threadConnection(): ThreadConnection;
  /** Lets commands in a second terminal use the embedded database while this process has it open. */
  share(): void;
  close(): Promise<void>;
}

/** Together the three seconds after which a client gets the error that the database is unavailable. */
const REQUEST_WAITS: Waits = { connection: 1_500, use: 1_500 };
/** An import occupies the one session of the embedded engine for seconds, which is not an error. */
const PATIENT_WAITS: Readonly<Record<Database['kind'], Waits>> = {
  server: { connection: 3_000, use: 5_000 },
  embedded: { connection: 30_000, use: 30_000 },
};
/** Those of a command, which may run for long: another command may lock the tables for a minute. */
export const COMMAND_WAITS: Waits = { connection: 30_000, use: 90_000 };
const CONNECT_TIMEOUT_MS = 3_000;
const INSPECTION_TIMEOUT_MS = 5_000;
const CREATORS = 'Only serve, import, restore, keys create and accounts create can create a database.';
/** Of this version. */
export const MIGRATIONS: URL = new URL('../../prisma/migrations/', import.meta.url);

/**
 * Opens a database and brings its tables up to date.
 *
 * @param onError called for errors of idle connections, which would otherwise end the process.
 * @param signal ends the wait for another node that migrates.
 * @throws OperatorError when it cannot be reached or opened.
 */
export function openDatabase(
  location: DatabaseLocation,
  onError: (error: Error) => void,
  signal?: AbortSignal,
  waits: Waits = REQUEST_WAITS,
): Promise<Database> {
  return open(location, { onError, signal, waits, mayCreate: true, isGuest: false });
}

/**
 * Opens a database for a command: through the process that has the embedded one open, if there is
 * such a process.
 *
 * @throws OperatorError when it cannot be reached or opened, or does not exist.
 */
export function openDatabaseForCommand(
  location: DatabaseLocation,
  { signal, mayCreate = false }: Partial<Pick<OpenOptions, 'signal' | 'mayCreate'>> = {},
): Promise<Database> {
  // Commands may wait longer than requests.
  return open(location, { onError: () => {}, signal, waits: COMMAND_WAITS, mayCreate, isGuest: true });
}

interface OpenOptions {
  /** Called for errors of idle connections. */
  readonly onError: (error: Error) => void;
  /** Ends the wait for another node that migrates. */
  readonly signal: AbortSignal | undefined;
  readonly waits: Waits;
  /** Whether a database that does not exist is created. */
  readonly mayCreate: boolean;
  /** Whether it may be the embedded one of another process. */
  readonly isGuest: boolean;
}

/**
 * Connects to a database without migrating it. An embedded one must exist.
 *
 * @throws OperatorError when an embedded one cannot be opened; else the error of the driver.
 */
export async function connectAsItIs(
  location: DatabaseLocation,
): Promise<{ client: pg.Client; close(): Promise<void> }> {
  const { settings, engine } = await findEngine(location, () => {}, true);
  const client = new pg.Client({ ...settings(), query_timeout: INSPECTION_TIMEOUT_MS });
  client.on('error', () => {});
  const close = async (): Promise<void> => {
    await client.end();
    await engine?.close();
  };
  try {
    await client.connect();
  } catch (error) {
    await close();
    throw error;
  }
  return { client, close };
}

async function open(
  location: DatabaseLocation,
  { onError, signal, waits, mayCreate, isGuest }: OpenOptions,
): Promise<Database> {
  const { kind } = location;
  const directory = kind === 'embedded' ? location.directory : undefined;
  const isNew = kind === 'embedded' && (directory === undefined || !hasEmbedded(directory));
  if (isNew && directory !== undefined && !mayCreate) {
    throw new OperatorError(
      `There is no database in ${resolve(directory)}: check DATA_DIR or --data-dir, and that its disk is mounted. ${CREATORS}`,
    );
  }
  const { settings, engine } = await findEngine(location, onError, isGuest);
  const connect = async (signal?: AbortSignal): Promise<pg.Client> => {
    const client = new pg.Client(settings());
    client.on('error', onError);
    await client.connect();
    if (kind === 'server' && signal !== undefined) {
      const cancel = (): void => cancelStatement(client);
      signal.addEventListener('abort', cancel);
      client.once('end', () => signal.removeEventListener('abort', cancel));
    }
    return client;
  };
  let hadTables: boolean;
  try {
    hadTables = await prepare(connect, kind, mayCreate, signal);
  } catch (error) {
    await engine?.close();
    // Some damage shows only at the first query.
    throw error instanceof OperatorError || engine === undefined || directory === undefined
      ? error
      : cannotOpen(directory, (error as Error).message);
  }
  const pool = createPool(settings(), waits, onError);
  const background = createPool(settings(), PATIENT_WAITS[kind], onError);
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool, kind, waits.use) });
  return {
    kind,
    isNew: isNew || !hadTables,
    prisma,
    pool,
    background,
    silenceMs: PATIENT_WAITS[kind].use,
    connect,
    threadConnection: () =>
      engine === undefined
        ? { connectionString: settings().connectionString ?? '' }
        : { port: engine.port() },
    share: () => engine?.share(),
    async close() {
      await prisma.$disconnect();
      await pool.end();
      await background.end();
      await engine?.close();
    },
  };
}

/**
 * How connections to a database are made: to a server, to the embedded engine of another process, or to one of this
 * process, which it has to close.
 *
 * @param isGuest whether it may be that of another process, if that shares it.
 */
async function findEngine(
  location: DatabaseLocation,
  onError: (error: Error) => void,
  isGuest: boolean,
): Promise<{ settings: () => pg.ClientConfig; engine?: EmbeddedEngine }> {
  if (location.kind === 'server') {
    return { settings: () => serverSettings(location.url) };
  }
  const { directory, guestPatienceMs } = location;
  const host = isGuest && directory !== undefined ? await findSharedEngine(directory) : undefined;
  if (host !== undefined) {
    return { settings: () => ({ ...EMBEDDED, host }) };
  }
  const engine = location.engine ?? (await openEmbedded(directory, onError, guestPatienceMs));
  return { settings: () => ({ ...EMBEDDED, stream: () => engine.stream() }), engine };
}

// The embedded engine has one user and one database, regardless of the environment variables of libpq.
const EMBEDDED = { user: 'postgres', database: 'postgres', port: 5432, ssl: false };

function serverSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'revgate',
  };
}

/** @param version as `server_version_num` has it. */
export function isSupported(version: number): boolean {
  return version >= 150_000;
}

/** @returns whether the database had tables before. */
async function prepare(
  connect: Database['connect'],
  kind: DatabaseKind,
  mayCreate: boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  let client: pg.Client;
  try {
    client = await connect(signal);
  } catch (error) {
    throw kind === 'server'
      ? new OperatorError(
          `Cannot reach the database of DATABASE_URL (${describeConnectionError(error)}): start it, or correct the address.`,
        )
      : error;
  }
  try {
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    if (!isSupported(rows[0]?.version ?? 0)) {
      throw new OperatorError('The database of DATABASE_URL is older than PostgreSQL 15: use 15 or newer.');
    }
    const hadTables = await hasMigrations(client);
    if (!hadTables && !mayCreate) {
      throw new OperatorError(
        `The database of DATABASE_URL has no tables of revgate: check the name of the database in DATABASE_URL. ${CREATORS}`,
      );
    }
    await migrate(client, kind, readMigrations(MIGRATIONS));
    return hadTables;
  } catch (error) {
    throw signal?.aborted ? new OperatorError('Stopped before the database was ready.') : error;
  } finally {
    await client.end();
  }
}

/** A driver's error in one line, possibly with the address; it never contains a password. */
export function describeConnectionError(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || 'no answer';
}
