import { resolve } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import pg from 'pg';
import { OperatorError } from '../lib/errors.ts';
import {
  DirectoryInUseError,
  findHolder,
  type HolderWait,
  waitForHolder,
} from './embedded/data-directory.ts';
import { cannotOpen, type EmbeddedEngine, hasEmbedded, openEmbedded } from './embedded/embedded.ts';
import type { PrismaClient } from './generated/client/client.ts';
import { hasMigrations, MIGRATIONS, migrate, readMigrations, requireMigrated } from './migrate.ts';
import { nodeName } from './nodes.ts';
import { cancelStatement, createPool, type Waits } from './pool.ts';
import type { PolledDatabase } from './revisions.ts';
import { cannotConnect, readServerState, requireUsable } from './server-checks.ts';
import type { DatabaseKind } from './transaction.ts';
import { isUnavailable } from './unavailable.ts';

export type DatabaseLocation =
  | {
      kind: 'server';
      url: string;
      /** The host and port of a node, with which the server lists its connections; of a command, undefined. */
      node?: string;
    }
  /** No directory: in memory, lost when the process ends. */
  | {
      kind: 'embedded';
      directory: string | undefined;
      guestPatienceMs?: number;
      /** One that is open already. It is closed with the database. */
      engine?: EmbeddedEngine;
    };

export type ThreadConnection = { connectionString: string } | { port: MessagePort };

/** An open, migrated database: an embedded engine or a PostgreSQL server behind one adapter. */
export interface Database {
  readonly kind: DatabaseKind;
  /** Whether it was created by being opened. */
  readonly isNew: boolean;
  /** The names of the migrations that opening it applied. A new embedded one is a copy that has them all. */
  readonly migrated: readonly string[];
  readonly prisma: PrismaClient;
  /** For queries that a request waits for, including Prisma's: they fail after three seconds. */
  readonly pool: pg.Pool;
  /** For queries that no request waits for; they may take longer. */
  readonly background: pg.Pool;
  readonly polled: PolledDatabase;
  /**
   * A separate connection, without a time-out, for long work. The caller ends it.
   *
   * @param signal cancels the statement that a server executes, or that waits for a lock.
   */
  connect(signal?: AbortSignal): Promise<pg.Client>;
  threadConnection(kind?: 'own' | 'import'): ThreadConnection;
  /**
   * Ends the start of a server: from now on, a query of a request fails after three seconds, and commands in a second
   * terminal can use the embedded database.
   */
  beginServing(): void;
  close(): Promise<void>;
}

/** Together the three seconds after which a client gets the error that the database is unavailable. */
const REQUEST_WAITS: Waits = { connection: 1_500, use: 1_500 };
/** An import occupies the one session of the embedded engine for seconds, which is not an error. */
const PATIENT_WAITS: Readonly<Record<Database['kind'], Waits>> = {
  server: { connection: 3_000, use: 5_000 },
  embedded: { connection: 30_000, use: 30_000 },
};
/** Those of a command and of the start of a server. They may take long: another command may lock the tables for a minute. */
export const COMMAND_WAITS: Waits = { connection: 30_000, use: 90_000 };
const CONNECT_TIMEOUT_MS = 3_000;
const CREATORS =
  'Only serve, migrate, import, restore, keys create and accounts create can create a database.';

/**
 * Opens a database and brings its tables up to date.
 *
 * @param onError called for errors of idle connections, which would otherwise end the process.
 * @param options.signal ends the wait for another node that migrates, or for another process.
 * @param options.onWait called when a process that has the embedded one open keeps this one waiting.
 * @throws OperatorError when it cannot be reached or opened.
 */
export function openDatabase(
  location: DatabaseLocation,
  onError: (error: Error) => void,
  { signal, onWait, waits = REQUEST_WAITS }: Partial<Pick<OpenOptions, 'signal' | 'onWait' | 'waits'>> = {},
): Promise<Database> {
  const may = { mayCreate: true, mayMigrate: true, isGuest: false };
  return open(location, { onError, signal, onWait, waits, ...may });
}

/**
 * Opens a database for a command: through the process that has the embedded one open, if there is
 * such a process. Creates the tables of an empty database, but does not migrate those of an older version, which may be
 * using them, unless it is told to.
 *
 * @throws OperatorError when it cannot be reached or opened, does not exist, or is of another version.
 */
export function openDatabaseForCommand(
  location: DatabaseLocation,
  options: Partial<Pick<OpenOptions, 'signal' | 'onWait' | 'mayCreate' | 'mayMigrate' | 'needsPrisma'>> = {},
): Promise<Database> {
  // Commands may wait longer than requests.
  const usual = {
    mayCreate: false,
    mayMigrate: false,
    onError: () => {},
    waits: COMMAND_WAITS,
    isGuest: true,
  };
  return open(location, { ...usual, ...options });
}

/** How an engine is found. */
interface EngineOptions extends HolderWait {
  /** Called for errors of idle connections. */
  readonly onError: (error: Error) => void;
  /** Whether a database that does not exist is created. */
  readonly mayCreate: boolean;
  /** Whether it may be the embedded one of another process. */
  readonly isGuest: boolean;
}

/** There is no database, and none may be created. */
export class NoDatabaseError extends OperatorError {}

interface OpenOptions extends EngineOptions {
  readonly waits: Waits;
  /** Whether the tables of an older version are migrated; not through another process, which may be of that version. */
  readonly mayMigrate: boolean;
  /** Whether the database has `prisma`; true by default. */
  readonly needsPrisma?: boolean | undefined;
}

/** An embedded engine, of this process or another one, or a server. */
interface FoundEngine {
  readonly settings: (isPoll?: boolean) => pg.ClientConfig;
  /** That of this process, which has to close it. */
  readonly engine?: EmbeddedEngine;
}

async function open(location: DatabaseLocation, options: OpenOptions): Promise<Database> {
  const { onError, signal, waits, mayCreate, needsPrisma = true } = options;
  const { kind } = location;
  const directory = kind === 'embedded' ? location.directory : undefined;
  const { settings: found, engine } = await findEngine(location, options);
  let settings = found;
  const connect = async (signal?: AbortSignal, isPoll?: boolean): Promise<pg.Client> => {
    const client = new pg.Client(settings(isPoll));
    client.on('error', onError);
    await client.connect();
    if (kind === 'server' && signal !== undefined) {
      const cancel = (): void => cancelStatement(client);
      signal.addEventListener('abort', cancel);
      client.once('end', () => signal.removeEventListener('abort', cancel));
    }
    return client;
  };
  const mayMigrate = options.mayMigrate && (kind === 'server' || engine !== undefined);
  let prepared: Prepared;
  try {
    prepared = await prepare(connect, location, { mayCreate, mayMigrate, signal });
  } catch (error) {
    await engine?.close();
    const hasLeft = engine === undefined && directory !== undefined && !(await findHolder(directory))?.host;
    if (hasLeft && isUnavailable(error)) {
      // The server stopped while this command connected to it.
      return open(location, options);
    }
    // Some damage shows only at the first query.
    throw error instanceof OperatorError || engine === undefined || directory === undefined
      ? error
      : cannotOpen(directory, (error as Error).message);
  }
  const { isNew, migrated, schema } = prepared;
  if (kind === 'server' && location.node !== undefined) {
    const application = nodeName(location.node, schema);
    settings = () => ({ ...found(), application_name: application });
  }
  const limited = createPool(settings(), waits, onError);
  const { pool } = limited;
  const { pool: background } = createPool(settings(), PATIENT_WAITS[kind], onError);
  const prisma = needsPrisma
    ? (await import('./prisma-adapter.ts')).createPrisma(limited, kind, schema)
    : undefined;
  return {
    kind,
    isNew: engine?.isNew === true || isNew,
    migrated,
    prisma: prisma as PrismaClient,
    pool,
    background,
    polled: {
      connect: () => connect(undefined, true),
      silenceMs: PATIENT_WAITS[kind].use,
      ...(engine && { uses: () => engine.uses() }),
    },
    connect,
    threadConnection: (kind = 'own') =>
      engine === undefined
        ? { connectionString: settings().connectionString ?? '' }
        : { port: engine.port(kind) },
    beginServing() {
      limited.setWaits(REQUEST_WAITS);
      engine?.share();
    },
    async close() {
      await prisma?.$disconnect();
      await pool.end();
      await background.end();
      await engine?.close();
    },
  };
}

/**
 * Finds the engine of a database, or opens one. Waits for a process that has the embedded one open and does not share
 * it: a server that starts, or a command without a server.
 */
export async function findEngine(location: DatabaseLocation, options: EngineOptions): Promise<FoundEngine> {
  if (location.kind === 'server') {
    return { settings: () => serverSettings(location.url) };
  }
  const { directory, guestPatienceMs } = location;
  for (;;) {
    const holder = directory === undefined ? undefined : await waitForHolder(directory, options);
    if (holder?.host !== undefined && options.isGuest) {
      return { settings: () => ({ ...EMBEDDED, host: holder.host }) };
    }
    if (directory !== undefined && !options.mayCreate && !hasEmbedded(directory)) {
      throw new NoDatabaseError(
        `There is no database in ${resolve(directory)}: check DATA_DIR or --data-dir, and that its disk is mounted. ${CREATORS}`,
      );
    }
    try {
      const engine = location.engine ?? (await openEmbedded(directory, options.onError, guestPatienceMs));
      return { settings: (isPoll) => ({ ...EMBEDDED, stream: () => engine.stream(isPoll) }), engine };
    } catch (error) {
      // Another process may have been faster.
      if (!(error instanceof DirectoryInUseError) || holder?.host !== undefined) {
        throw error;
      }
    }
  }
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

interface Prepared extends Pick<Database, 'isNew' | 'migrated'> {
  /** The one that has the tables. */
  readonly schema: string;
}

async function prepare(
  connect: Database['connect'],
  location: DatabaseLocation,
  { mayCreate, mayMigrate, signal }: Pick<OpenOptions, 'mayCreate' | 'mayMigrate' | 'signal'>,
): Promise<Prepared> {
  let client: pg.Client;
  try {
    client = await connect(signal);
  } catch (error) {
    throw location.kind === 'server' ? cannotConnect(location.url, error) : error;
  }
  try {
    const state = await readServerState(client);
    if (location.kind === 'server') {
      requireUsable(state, location.url);
    }
    const isEmpty = !(await hasMigrations(client));
    if (isEmpty && !mayCreate) {
      throw new NoDatabaseError(
        `The database of DATABASE_URL has no tables of revgate: check the name of the database in DATABASE_URL. ${CREATORS}`,
      );
    }
    const migrations = readMigrations(MIGRATIONS);
    const schema = state.schema ?? '';
    if (!isEmpty && !mayMigrate) {
      await requireMigrated(client, migrations);
      return { isNew: false, migrated: [], schema };
    }
    const migrated = await migrate(client, location.kind, migrations);
    return { isNew: migrated.length === migrations.length, migrated, schema };
  } catch (error) {
    throw signal?.aborted ? new OperatorError('Stopped before the database was ready.') : error;
  } finally {
    await client.end();
  }
}
