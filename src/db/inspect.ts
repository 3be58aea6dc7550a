import { OperatorError } from '../errors.ts';
import { claimedProcess } from './cancel.ts';
import { findPending, readMigrations } from './migrate.ts';
import {
  connectAsItIs,
  type DatabaseLocation,
  describeConnectionError,
  isSupported,
  MIGRATIONS,
} from './open.ts';

/** What can be learned of a database without changing it. */
export interface DatabaseReport {
  /** Of PostgreSQL, such as 15.8. */
  readonly version: string;
  /** Whether revgate supports that version. */
  readonly isSupported: boolean;
  /** How many migrations of this revgate have not been applied. */
  readonly pending: number;
  /** Whether a pooler such as PgBouncer is between. */
  readonly isPooled: boolean;
  /** By how many ms its clock is ahead of this machine's, give or take half of the time that it took to ask. */
  readonly clockAhead: number;
}

/**
 * Looks at a database that exists.
 *
 * @throws OperatorError that says, without a password, why it cannot be used.
 */
export async function inspectDatabase(
  location: DatabaseLocation,
  now: () => number,
): Promise<DatabaseReport> {
  try {
    const { client, close } = await connectAsItIs(location);
    try {
      const sentAt = now();
      const { rows } = await client.query<{ version: string; number: number; pid: number; now: number }>(
        `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
           pg_backend_pid() AS pid, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
      );
      const askedAt = (sentAt + now()) / 2;
      const [row] = rows;
      if (row === undefined) {
        throw new OperatorError('The database gave no answer.');
      }
      return {
        version: row.version.split(' ', 1)[0] ?? row.version,
        isSupported: isSupported(row.number),
        pending: (await findPending(client, readMigrations(MIGRATIONS))).length,
        isPooled: location.kind === 'server' && claimedProcess(client) !== row.pid,
        clockAhead: Math.round(row.now - askedAt),
      };
    } finally {
      await close();
    }
  } catch (error) {
    throw error instanceof OperatorError ? error : new OperatorError(describeConnectionError(error));
  }
}
