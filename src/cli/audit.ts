import { listAudit } from '../audit/list.ts';
import type { CommandContext } from './command.ts';
import { printList } from './table.ts';

/** `revgate audit`: lists the administrative actions, the latest first. */
export async function runAudit(
  context: CommandContext,
  options: { limit: number; json?: true },
): Promise<void> {
  printList(context, options.json, await listAudit(context.database.prisma, options.limit), {
    columns: {
      TIME: ({ at }) => `${at.toISOString().slice(0, 16)}Z`,
      ACTOR: ({ actor }) => actor,
      ACTION: ({ action }) => action,
      SUBJECT: ({ subject }) => subject,
      DETAILS: ({ details }) => describe(details),
    },
    ifEmpty: 'The audit log is empty.',
  });
}

/** The known properties of an action, without the unknown ones. */
function describe(details: unknown): string {
  return Object.entries(details as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
