import { listImports } from '../startups/import/history.ts';
import { type CommandContext, line } from './command.ts';
import { readInteger } from './options.ts';
import { formatTable } from './table.ts';

/** `revgate imports`: what was imported when, the last one first. */
export async function runImports(
  { database, stdout }: CommandContext,
  options: { limit: string; json?: true },
): Promise<void> {
  const imports = await listImports(database.prisma, readInteger('--limit', options.limit, 1, 1_000_000));
  if (options.json === true) {
    line(stdout, JSON.stringify(imports));
    return;
  }
  const count = (number: number): string => number.toLocaleString('en');
  const rows = imports.map((entry) => [
    `${entry.finishedAt.toISOString().slice(0, 19)}Z`,
    `${(entry.durationMs / 1000).toFixed(1)} s`,
    count(entry.created),
    count(entry.updated),
    count(entry.unchanged),
    count(entry.rejected),
    count(entry.removed),
    entry.importedBy,
    entry.sources.join(', '),
  ]);
  const header = ['WHEN', 'TOOK', 'CREATED', 'UPDATED', 'UNCHANGED', 'REJECTED', 'REMOVED', 'BY', 'SOURCE'];
  for (const text of formatTable(header, rows)) {
    line(stdout, text);
  }
}
