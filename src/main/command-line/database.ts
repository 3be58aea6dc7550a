import { resolve } from 'node:path';
import { hasEmbedded } from '../../db/embedded/embedded.ts';
import type { Database, DatabaseLocation } from '../../db/open.ts';
import { type CommandEnvironment, inDirectory, line, requireConfirmation } from './command.ts';

export function locate(location: DatabaseLocation, cwd: string): DatabaseLocation {
  return location.kind === 'embedded' && location.directory !== undefined
    ? { ...location, directory: inDirectory(cwd, location.directory) }
    : location;
}

/** What a command does about a database that does not exist: `assume empty` works on an empty one in memory. */
export type IfMissing = 'create' | 'assume empty' | 'fail';

interface OpenOptions {
  readonly ifMissing: IfMissing;
  /** Whether the tables of an older version are migrated; if not, opening them fails. */
  readonly mayMigrate: boolean;
  readonly needsPrisma: boolean | undefined;
}

/** Opens the database that a command works on. Before one is created, a user on a terminal is asked. */
export async function openForCommand(
  environment: CommandEnvironment,
  location: DatabaseLocation,
  { ifMissing, mayMigrate, needsPrisma }: OpenOptions,
): Promise<Database> {
  const { signal, stderr } = environment;
  const mayCreate = ifMissing === 'create';
  const directory = location.kind === 'embedded' ? location.directory : undefined;
  if (mayCreate && directory !== undefined && !hasEmbedded(directory)) {
    await requireConfirmation(
      environment,
      undefined,
      `There is no database in ${resolve(directory)}. Create one there?`,
      'No database was created. Set DATA_DIR to the directory of an existing one, or DATABASE_URL.',
    );
  }
  const onWait = (): void => line(stderr, describeWait(location));
  // Most of the time of a start: help and invalid command lines need none of it.
  const { NoDatabaseError, openDatabaseForCommand } = await import('../../db/open.ts');
  try {
    return await openDatabaseForCommand(location, { signal, mayCreate, mayMigrate, onWait, needsPrisma });
  } catch (error) {
    if (ifMissing !== 'assume empty' || !(error instanceof NoDatabaseError)) {
      throw error;
    }
    const missing =
      location.kind === 'server'
        ? 'The database of DATABASE_URL has no tables of revgate yet.'
        : `There is no database in ${resolve(directory ?? '')} yet.`;
    line(stderr, `${missing} Nothing is created; this assumes an empty one.`);
    const empty = await openDatabaseForCommand(
      { kind: 'embedded', directory: undefined },
      { mayCreate: true },
    );
    return { ...empty, isNew: false };
  }
}

/** The notice that another process keeps a command, or the start of a server, waiting. */
export function describeWait(location: DatabaseLocation): string {
  const directory = location.kind === 'embedded' ? resolve(location.directory ?? '') : '';
  return `Waiting for another revgate, which starts a server or runs a command on ${directory} …`;
}

/** The notice that a database was created, so that a wrong DATA_DIR or DATABASE_URL is noticed. */
export function describeNew(location: DatabaseLocation): string {
  return location.kind === 'server'
    ? 'Created the tables of revgate in the database of DATABASE_URL.'
    : `Created a new database in ${resolve(location.directory ?? '')}.`;
}

/** The notice that the tables were those of an older version. */
export function describeMigrated(migrated: readonly string[]): string {
  return `Migrated the database: applied ${migrated.join(', ')}.`;
}
