import { listAudit } from '../audit/list.ts';
import { type CommandContext, printJson } from './command.ts';
import { readInteger } from './options.ts';
import { printTable } from './table.ts';

/** `revgate audit`: lists the administrative actions, the latest first. */
export async function runAudit(
  context: CommandContext,
  options: { limit: string; json?: true },
): Promise<void> {
  const entries = await listAudit(
    context.database.prisma,
    readInteger('--limit', options.limit, 1, 1_000_000),
  );
  if (options.json === true) {
    printJson(context.stdout, entries);
    return;
  }
  const rows = entries.map(({ at, actor, action, subject, details }) => [
    `${at.toISOString().slice(0, 16)}Z`,
    actor,
    action,
    subject,
    describe(details),
  ]);
  printTable(context, ['TIME', 'ACTOR', 'ACTION', 'SUBJECT', 'DETAILS'], rows);
}

/** The known properties of an action, without the unknown ones. */
function describe(details: unknown): string {
  return Object.entries(details as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
