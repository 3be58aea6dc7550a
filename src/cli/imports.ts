import { listImports } from '../startups/import/history.ts';
import { type CommandContext, printJson } from './command.ts';
import { readInteger } from './options.ts';
import { printTable } from './table.ts';

/** `revgate imports`: lists the imports, the latest first. */
export async function runImports(
  context: CommandContext,
  options: { limit: string; json?: true },
): Promise<void> {
  const imports = await listImports(
    context.database.prisma,
    readInteger('--limit', options.limit, 1, 1_000_000),
  );
  if (options.json === true) {
    printJson(context.stdout, imports);
    return;
  }
  const count = (number: number): string => number.toLocaleString('en');
  const rows = imports.map((entry) => [
    `${entry.finishedAt.toISOString().slice(0, 16)}Z`,
    entry.asOf ?? '',
    count(entry.created),
    count(entry.updated),
    count(entry.removed),
    count(entry.rejected),
    entry.importedBy,
    entry.sources.join(', '),
  ]);
  printTable(context, ['TIME', 'AS OF', 'CREATED', 'UPDATED', 'REMOVED', 'REJECTED', 'USER', 'SOURCE'], rows);
}
