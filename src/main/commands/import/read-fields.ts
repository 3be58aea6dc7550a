import { hasEmbedded } from '../../../db/embedded/embedded.ts';
import { isUnavailable } from '../../../db/unavailable.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { type ImportFields, importFieldsFor } from '../../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import { readDeclared } from '../../../startups/import/declared.ts';
import type { OwnField } from '../../../startups/model/own-fields.ts';
import { type CommandEnvironment, line } from '../../command-line/command.ts';
import { locate, openForCommand } from '../../command-line/database.ts';
import type { RevgateCommand } from '../../command-line/revgate-command.ts';
import { readConfig } from '../../settings/config.ts';

/**
 * The fields that an import with a mapping can fill, for a command that works without a database, too: then no others are
 * declared than those of the mapping.
 *
 * @throws OperatorError for what the mapping declares and may not.
 */
export async function readFieldsIfAny(
  environment: CommandEnvironment,
  command: RevgateCommand,
  mapping: Mapping,
): Promise<ImportFields> {
  return importFieldsFor(await readDeclaredIfAny(environment, command), mapping);
}

async function readDeclaredIfAny(
  environment: CommandEnvironment,
  command: RevgateCommand,
): Promise<readonly OwnField[]> {
  const { cwd, signal, stderr } = environment;
  try {
    const location = locate(readConfig(command.settings()).database, cwd);
    const directory = location.kind === 'embedded' ? location.directory : undefined;
    if (location.kind === 'embedded' && (directory === undefined || !hasEmbedded(directory))) {
      return [];
    }
    const database = await openForCommand(environment, location, {
      ifMissing: 'fail',
      mayMigrate: false,
      needsPrisma: false,
    });
    try {
      const session = await database.connect(signal);
      return await readDeclared(session).finally(() => session.end());
    } finally {
      await database.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    const { NoDatabaseError } = await import('../../../db/open.ts');
    if (error instanceof NoDatabaseError) {
      return [];
    }
    if (!(error instanceof OperatorError) && !isUnavailable(error)) {
      throw error;
    }
    line(
      stderr,
      `Without the fields of your own, as the database cannot be read: ${(error as Error).message}`,
    );
    return [];
  }
}
