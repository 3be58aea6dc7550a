import pg from 'pg';
import { OperatorError } from '../errors.ts';
import { describeConnectionError } from './connection-error.ts';
import type { HolderWait } from './data-directory.ts';
import { findPending, MIGRATIONS, readMigrations } from './migrate.ts';
import { type DatabaseLocation, findEngine, isSupported } from './open.ts';

/** The state of a database, read without changing it. */
export interface DatabaseReport {
  /** Of PostgreSQL, such as 15.8. */
  readonly version: string;
  /** Whether revgate supports that version. */
  readonly isSupported: boolean;
  /** The number of migrations of this revgate that have not been applied. */
  readonly pending: number;
  /** How many ms its clock is ahead of this machine's, accurate to half of the round-trip time. */
  readonly clockAhead: number;
}

/**
 * Inspects an existing database.
 *
 * @throws OperatorError that says, without a password, why it cannot be used.
 */
export async function inspectDatabase(
  location: DatabaseLocation,
  now: () => number,
  wait: Pick<HolderWait, 'signal' | 'onWait'> = {},
): Promise<DatabaseReport> {
  try {
    const { client, close } = await connectAsItIs(location, wait);
    try {
      const sentAt = now();
      const { rows } = await client.query<{ version: string; number: number; now: number }>(
        `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
           (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
      );
      const askedAt = (sentAt + now()) / 2;
      const [row] = rows;
      if (row === undefined) {
        throw new OperatorError('The database did not respond.');
      }
      return {
        version: row.version.split(' ', 1)[0] ?? row.version,
        isSupported: isSupported(row.number),
        pending: (await findPending(client, readMigrations(MIGRATIONS))).length,
        clockAhead: Math.round(row.now - askedAt),
      };
    } finally {
      await close();
    }
  } catch (error) {
    throw error instanceof OperatorError ? error : new OperatorError(describeConnectionError(error));
  }
}

const INSPECTION_TIMEOUT_MS = 5_000;

/**
 * Connects to a database without migrating it. An embedded one must exist.
 *
 * @throws OperatorError when an embedded one cannot be opened; else the error of the driver.
 */
async function connectAsItIs(
  location: DatabaseLocation,
  { signal, onWait }: Pick<HolderWait, 'signal' | 'onWait'>,
): Promise<{ client: pg.Client; close(): Promise<void> }> {
  const options = { onError: () => {}, mayCreate: false, isGuest: true, signal, onWait };
  const { settings, engine } = await findEngine(location, options);
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
