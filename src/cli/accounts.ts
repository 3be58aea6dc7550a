import { randomBytes } from 'node:crypto';
import type { Account } from '../accounts/account.ts';
import { createAccount } from '../accounts/create.ts';
import { demoteAccount } from '../accounts/demote.ts';
import { disableAccount } from '../accounts/disable.ts';
import { enableAccount } from '../accounts/enable.ts';
import { listAccounts } from '../accounts/list.ts';
import { promoteAccount } from '../accounts/promote.ts';
import { actContext, type CommandContext, line, printJson } from './command.ts';
import { printTable } from './table.ts';

/** `revgate accounts create`. */
export async function runCreateAccount(
  context: CommandContext,
  { name, email, json }: { name: string; email?: string; json?: true },
): Promise<void> {
  const account = await createAccount({ ...actContext(context), randomBytes }, { name, email });
  if (json === true) {
    printJson(context.stdout, account);
    return;
  }
  line(context.stdout, account.id);
}

/** `revgate accounts list`. */
export async function runListAccounts(context: CommandContext, { json }: { json?: true }): Promise<void> {
  const accounts = await listAccounts(context.database.prisma);
  if (json === true) {
    printJson(context.stdout, accounts);
    return;
  }
  const rows = accounts.map((account) => [
    account.id,
    stateOf(account),
    account.operator ? 'operator' : 'holder',
    String(account.keys),
    describeHolder(account),
  ]);
  printTable(context, ['ID', 'STATE', 'ROLE', 'KEYS', 'HOLDER'], rows);
}

/** Whose account it is, such as `Ada <ada@example.com>`. */
export function describeHolder({ name, email }: Account): string {
  return [name, email && (name ? `<${email}>` : email)].filter(Boolean).join(' ') || '–';
}

const changes = { disable: disableAccount, enable: enableAccount };

/** `revgate accounts disable|enable ID`. */
export async function runChangeAccount(
  context: CommandContext,
  change: keyof typeof changes,
  id: string,
  { reason, json }: { reason?: string; json?: true },
): Promise<void> {
  const account = await changes[change](actContext(context), id, reason);
  if (json === true) {
    printJson(context.stdout, account);
    return;
  }
  line(context.stdout, `Account ${account.id} is ${stateOf(account)}.`);
}

const roles = { promote: promoteAccount, demote: demoteAccount };

/** `revgate accounts promote|demote ID|EMAIL`. */
export async function runChangeRole(
  context: CommandContext,
  change: keyof typeof roles,
  idOrEmail: string,
  { json }: { json?: true },
): Promise<void> {
  const account = await roles[change](actContext(context), idOrEmail);
  if (json === true) {
    printJson(context.stdout, account);
    return;
  }
  const { id, operator } = account;
  line(context.stdout, `Account ${id} is ${operator ? 'an operator' : 'not an operator'}.`);
}

function stateOf({ disabledAt }: Account): string {
  return disabledAt === null ? 'active' : 'disabled';
}
