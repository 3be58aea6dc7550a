import pg from 'pg';
import { OperatorError } from '../lib/errors.ts';
import type { HolderWait } from './embedded/data-directory.ts';
import { hasMigrations, MIGRATIONS, readMigrations, requireMigrated } from './migrate.ts';
import { type DatabaseLocation, findEngine } from './open.ts';
import { cannotConnect, describeConnectionError, readServerState, requireUsable } from './server-checks.ts';

/**
 * Inspects an existing database.
 *
 * @throws OutdatedDatabaseError if it is of an older version; OperatorError that says, without a password, why it cannot
 *   be used.
 */
export async function inspectDatabase(location: DatabaseLocation, wait: HolderWait = {}) {
  try {
    const { client, close } = await connectAsItIs(location, wait);
    try {
      const state = await readServerState(client);
      if (location.kind === 'server') {
        requireUsable(state, location.url);
      }
      const isEmpty = !(await hasMigrations(client));
      if (!isEmpty) {
        await requireMigrated(client, readMigrations(MIGRATIONS));
      }
      return {
        version: state.version.split(' ', 1)[0] ?? state.version,
        schema: state.schema,
        /** Whether it has no tables of revgate. */
        isEmpty,
      };
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof OperatorError) {
      throw error;
    }
    throw location.kind === 'server'
      ? cannotConnect(location.url, error)
      : new OperatorError(describeConnectionError(error));
  }
}

const INSPECTION_TIMEOUT_MS = 5_000;

/**
 * Connects to a database without migrating it. An embedded one must exist.
 *
 * @throws OperatorError when an embedded one cannot be opened; else the error of the driver.
 */
async function connectAsItIs(location: DatabaseLocation, { signal, onWait }: HolderWait) {
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
