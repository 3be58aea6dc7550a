import { listAudit } from '../../access/audit/audit-log.ts';
import { readAs } from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';
import { integer } from '../settings/kinds.ts';

export function addAudit(program: RevgateCommand): void {
  program
    .command('audit')
    .description('list changes to keys, accounts, policies and data, and who made them, latest first')
    .option('--limit <n>', 'number of entries to list', readAs(integer(1, 1_000_000)), 50)
    .examples('revgate audit --limit 10', 'revgate audit --json')
    .lists(({ prisma }, { limit }: { limit: number }) => listAudit(prisma, limit), {
      columns: {
        TIME: ({ at }) => `${at.toISOString().slice(0, 16)}Z`,
        ACTOR: ({ actor }) => actor,
        ACTION: ({ action }) => action,
        SUBJECT: ({ subject }) => subject,
        DETAILS: ({ details }) => detailsText(details),
      },
      ifEmpty: 'The audit log is empty.',
    });
}

/** The known properties of an action, without the unknown ones. */
function detailsText(details: unknown): string {
  return Object.entries(details as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
