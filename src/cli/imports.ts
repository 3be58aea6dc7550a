import { listImports } from '../startups/import/history.ts';
import type { CommandContext } from './command.ts';
import { printList } from './table.ts';

/** `revgate imports`: lists the imports, the latest first. */
export async function runImports(
  context: CommandContext,
  options: { limit: number; json?: true },
): Promise<void> {
  printList(context, options.json, await listImports(context.database.prisma, options.limit), {
    columns: {
      TIME: ({ finishedAt }) => `${finishedAt.toISOString().slice(0, 16)}Z`,
      'AS OF': ({ asOf }) => asOf ?? '',
      CREATED: ({ created }) => created.toLocaleString('en'),
      UPDATED: ({ updated }) => updated.toLocaleString('en'),
      REMOVED: ({ removed }) => removed.toLocaleString('en'),
      REJECTED: ({ rejected }) => rejected.toLocaleString('en'),
      USER: ({ importedBy }) => importedBy,
      SOURCE: ({ sources }) => sources.join(', '),
    },
    ifEmpty: 'There are no imports yet. Import a file: revgate import FILE',
  });
}
