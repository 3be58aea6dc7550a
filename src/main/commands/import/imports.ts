import { readAs } from '../../command-line/command.ts';
import type { RevgateCommand } from '../../command-line/revgate-command.ts';
import { integer } from '../../settings/kinds.ts';

export function addImports(program: RevgateCommand): void {
  program
    .command('imports')
    .description('list imports with their time, source, user and counts, latest first')
    .option('--limit <n>', 'number of imports to list', readAs(integer(1, 1_000_000)), 50)
    .examples('revgate imports --limit 10', 'revgate imports --json')
    .lists(
      async ({ prisma }, { limit }: { limit: number }) =>
        (await import('../../../startups/import/import-log.ts')).listImports(prisma, limit),
      {
        columns: {
          ID: ({ id }) => String(id),
          TIME: ({ finishedAt }) => `${finishedAt.toISOString().slice(0, 16)}Z`,
          CREATED: ({ created }) => created.toLocaleString('en'),
          UPDATED: ({ updated }) => updated.toLocaleString('en'),
          REMOVED: ({ removed }) => removed.toLocaleString('en'),
          REJECTED: ({ rejected }) => rejected.toLocaleString('en'),
          VIA: ({ via }) => via,
          USER: ({ importedBy, email }) => email ?? importedBy,
          // What few imports have takes no column.
          SOURCE: ({ sources, asOf, undoneAt }) =>
            [
              sources.join(', '),
              asOf !== null && `data of ${asOf}`,
              undoneAt !== null && `undone ${undoneAt.toISOString().slice(0, 16)}Z`,
            ]
              .filter(Boolean)
              .join('; '),
        },
        ifEmpty: 'There are no imports yet. Import a file: npx revgate import FILE',
      },
    );
}
