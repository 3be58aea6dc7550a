import { amount, OperatorError } from '../../../lib/errors.ts';
import { nameStartups } from '../../../startups/import/plan.ts';
import { type UndoReport, undoImport } from '../../../startups/import/undo.ts';
import { type CommandContext, line, readAs, requireConfirmation } from '../../command-line/command.ts';
import { runWithProgress } from '../../command-line/progress.ts';
import type { RevgateCommand } from '../../command-line/revgate-command.ts';
import { integer } from '../../settings/kinds.ts';

interface UndoCommandOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

export function addUndo(program: RevgateCommand): void {
  program
    .command('undo')
    .argument(
      '[id]',
      'the import, as revgate imports lists it; by default the last one that can be undone',
      readAs(integer(1, 999_999_999)),
    )
    .description(
      'undo the last import that changed something: all data except the sample is as before; five can be undone, newest first',
    )
    .option('--dry-run', 'say what it would do; change nothing')
    .option('--yes', 'do not ask for confirmation')
    .examples('revgate undo --dry-run', 'revgate undo 42')
    .prints(async (context, id: number | undefined, options: UndoCommandOptions) => {
      const planned = await undo(context, id, true);
      if (options.dryRun) {
        return [planned, describeUndo(planned).join('\n')];
      }
      // Without an id, nothing else says which import is meant.
      if (id === undefined && options.yes !== true && !context.isInteractive) {
        throw new OperatorError(
          `Import ${planned.import} can be undone: run revgate undo ${planned.import}, or add --yes. Nothing was changed.`,
        );
      }
      for (const text of context.isInteractive && options.yes !== true ? describeUndo(planned) : []) {
        line(context.stderr, text);
      }
      await requireConfirmation(
        context,
        options.yes,
        `Undo import ${planned.import}?`,
        `Import ${planned.import} was not undone.`,
      );
      const done = await undo(context, planned.import, false);
      return [done, describeUndo(done).join('\n')];
    });
}

async function undo(
  context: CommandContext,
  importId: number | undefined,
  dryRun: boolean,
): Promise<UndoReport> {
  const { database, user, signal } = context;
  const { result } = await runWithProgress(context, 'nothing was changed', (client) =>
    undoImport({ client, kind: database.kind, importId, dryRun, user, signal }),
  );
  return result;
}

function describeUndo({ dryRun, removed, returned, restored, emails, ...of }: UndoReport): string[] {
  const changes = [
    [
      restored,
      dryRun ? 'Would get its earlier values' : 'Has its earlier values',
      dryRun ? 'Would get their earlier values' : 'Have their earlier values',
    ],
    [
      returned,
      dryRun ? 'Would be there again' : 'Is there again',
      dryRun ? 'Would be there again' : 'Are there again',
    ],
    [removed, dryRun ? 'Would be gone' : 'Is gone', dryRun ? 'Would be gone' : 'Are gone'],
  ] as const;
  return [
    `${dryRun ? 'Would undo' : 'Undid'} import ${of.import} of ${of.finishedAt.toISOString().slice(0, 16)}Z (${of.sources.join(', ')}).`,
    ...changes.flatMap(([{ count, first }, one, several]) =>
      count === 0 ? [] : `${count === 1 ? one : several}: ${nameStartups(first, count)}.`,
    ),
    ...(emails.count === 0
      ? []
      : [
          `${amount(emails.count, 'email')} about searches and saved startups ${emails.count === 1 ? 'was' : 'were'} sent since: to ${emails.first.join(', ')}${emails.count > emails.first.length ? ' and others' : ''}.`,
        ]),
  ];
}
