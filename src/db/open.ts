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
  | { kind: 'embedded'; directory: string | undefined; guestPatienceMs?: number }
  /** An engine that is open already. It is closed with the database. */
  | { kind: 'embedded'; directory: undefined; engine: EmbeddedEngine };

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
export async function openDatabase(
  location: DatabaseLocation,
  onError: (error: Error) => void,
  signal?: AbortSignal,
  waits: Waits = REQUEST_WAITS,
): Promise<Database> {
  const options = { onError, signal, waits, mayCreate: true };
  if (location.kind === 'server') {
    return connectDatabase(location.kind, () => serverSettings(location.url), options);
  }
  const isNew = location.directory === undefined || !hasEmbedded(location.directory);
  const engine =
    'engine' in location
      ? location.engine
      : await openEmbedded(location.directory, onError, location.guestPatienceMs);
  try {
    const settings = () => ({ ...EMBEDDED, stream: () => engine.stream() });
    return await connectDatabase('embedded', settings, { ...options, isNew }, engine);
  } catch (error) {
    await engine.close();
    // Some damage shows only at the first query.
    throw error instanceof OperatorError || location.directory === undefined
      ? error
      : cannotOpen(location.directory, (error as Error).message);
  }
}

interface CommandDatabaseOptions {
  /** Called for errors of idle connections. */
  readonly onError?: (error: Error) => void;
  /** Ends the wait for another node that migrates. */
  readonly signal?: AbortSignal;
  /** Whether a database that does not exist is created; false by default. */
  readonly mayCreate?: boolean;
}

/**
 * Opens a database for a command: through the process that has the embedded one open, if there is
 * such a process.
 *
 * @throws OperatorError when it cannot be reached or opened, or does not exist.
 */
export async function openDatabaseForCommand(
  location: DatabaseLocation,
  { onError = () => {}, signal, mayCreate = false }: CommandDatabaseOptions = {},
): Promise<Database> {
  // Commands may wait longer than requests.
  const options = { onError, signal, waits: COMMAND_WAITS, mayCreate };
  if (location.kind === 'server') {
    return connectDatabase(location.kind, () => serverSettings(location.url), options);
  }
  const { directory } = location;
  const host = directory === undefined ? undefined : await findSharedEngine(directory);
  if (host !== undefined) {
    return connectDatabase('embedded', () => ({ ...EMBEDDED, host }), options);
  }
  if (directory !== undefined && !mayCreate && !hasEmbedded(directory)) {
    throw new OperatorError(
      `There is no database in ${resolve(directory)}: check DATA_DIR or --data-dir, and that its disk is mounted. ${CREATORS}`,
    );
  }
  return openDatabase(location, onError, signal, COMMAND_WAITS);
}

/**
 * Connects to a database without migrating it. An embedded one must exist.
 *
 * @throws OperatorError when an embedded one cannot be opened; else the error of the driver.
 */
export async function connectAsItIs(
  location: DatabaseLocation,
): Promise<{ client: pg.Client; close(): Promise<void> }> {
  const waits = { query_timeout: INSPECTION_TIMEOUT_MS };
  let engine: EmbeddedEngine | undefined;
  let settings: pg.ClientConfig;
  if (location.kind === 'server') {
    settings = serverSettings(location.url);
  } else {
    const host = location.directory === undefined ? undefined : await findSharedEngine(location.directory);
    engine = host === undefined ? await openEmbedded(location.directory, () => {}) : undefined;
    const opened = engine;
    settings = { ...EMBEDDED, ...(opened === undefined ? { host } : { stream: () => opened.stream() }) };
  }
  const client = new pg.Client({ ...settings, ...waits });
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

// The embedded engine has one user and one database, regardless of the environment variables of libpq.
const EMBEDDED = { user: 'postgres', database: 'postgres', port: 5432, ssl: false };

interface OpenOptions {
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
  readonly waits: Waits;
  readonly mayCreate: boolean;
  /** Whether an embedded database was just created. */
  readonly isNew?: boolean;
}

async function connectDatabase(
  kind: Database['kind'],
  settings: () => pg.ClientConfig,
  { onError, signal, waits, mayCreate, isNew = false }: OpenOptions,
  engine?: EmbeddedEngine,
): Promise<Database> {
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
  const hadTables = await prepare(connect, kind, mayCreate, signal);
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
