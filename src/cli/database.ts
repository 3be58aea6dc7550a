import { resolve } from 'node:path';
import { hasEmbedded } from '../db/embedded.ts';
import { type Database, type DatabaseLocation, openDatabaseForCommand } from '../db/open.ts';
import { type CommandEnvironment, inDirectory, line, requireConfirmation } from './command.ts';

/** A location whose relative directory starts from that of a command. */
export function locate(location: DatabaseLocation, cwd: string): DatabaseLocation {
  return location.kind === 'embedded' && location.directory !== undefined
    ? { ...location, directory: inDirectory(cwd, location.directory) }
    : location;
}

/**
 * Opens the database that a command works on. One that does not exist is created if the command may do so; on a
 * terminal, it asks before.
 */
export async function openForCommand(
  environment: CommandEnvironment,
  location: DatabaseLocation,
  mayCreate: boolean,
): Promise<Database> {
  const { isInteractive, signal, stderr } = environment;
  const missing = mayCreate && isInteractive ? findMissing(location) : undefined;
  if (missing !== undefined) {
    await requireConfirmation(
      environment,
      `There is no database in ${missing}. Create one there?`,
      'No database was created. Set DATA_DIR to the directory of an existing one, or DATABASE_URL.',
    );
  }
  const database = await openDatabaseForCommand(location, { signal, mayCreate });
  if (database.isNew) {
    line(stderr, describeNew(location));
  }
  return database;
}

/** The directory of an embedded database that does not exist yet. */
function findMissing(location: DatabaseLocation): string | undefined {
  return location.kind === 'embedded' && location.directory !== undefined && !hasEmbedded(location.directory)
    ? resolve(location.directory)
    : undefined;
}

/** The notice that a database was created, so that a wrong DATA_DIR or DATABASE_URL is noticed. */
export function describeNew(location: DatabaseLocation): string {
  return location.kind === 'server'
    ? 'Created the tables of revgate in the database of DATABASE_URL.'
    : `Created a new database in ${resolve(location.directory ?? '')}.`;
}
