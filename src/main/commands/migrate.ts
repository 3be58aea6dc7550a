import type { CommandContext, Result } from '../command-line/command.ts';
import { describeMigrated } from '../command-line/database.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';

export function addMigrate(program: RevgateCommand): void {
  program
    .command('migrate')
    .description(
      'migrate the database of an older version, as serve does when it starts: make a backup with that version first',
    )
    .examples('revgate migrate')
    .prints(runMigrate, { ifMissing: 'create', mayMigrate: true, needsPrisma: false });
}

/** Opening the database has migrated it. */
async function runMigrate({ database }: CommandContext): Promise<Result> {
  const { isNew, migrated } = database;
  const text = isNew || migrated.length === 0 ? 'The database is up to date.' : describeMigrated(migrated);
  return [{ applied: migrated }, text];
}
