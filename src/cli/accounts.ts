import { randomBytes } from 'node:crypto';
import type { Account } from '../accounts/account.ts';
import { createAccount } from '../accounts/create.ts';
import { demoteAccount } from '../accounts/demote.ts';
import { disableAccount } from '../accounts/disable.ts';
import { enableAccount } from '../accounts/enable.ts';
import { listAccounts } from '../accounts/list.ts';
import { promoteAccount } from '../accounts/promote.ts';
import { type CommandContext, line } from './command.ts';
import { actContext } from './keys.ts';
import { formatTable } from './table.ts';

/** `revgate accounts create`. */
export async function runCreateAccount(
  context: CommandContext,
  { name, email, json }: { name: string; email?: string; json?: true },
): Promise<void> {
  const account = await createAccount({ ...actContext(context), randomBytes }, { name, email });
  line(context.stdout, json === true ? JSON.stringify(account) : account.id);
}

/** `revgate accounts list`. */
export async function runListAccounts(context: CommandContext, { json }: { json?: true }): Promise<void> {
  const accounts = await listAccounts(context.database.prisma);
  if (json === true) {
    line(context.stdout, JSON.stringify(accounts));
    return;
  }
  const rows = accounts.map((account) => [
    account.id,
    stateOf(account),
    account.createdAt.toISOString().slice(0, 10),
    String(account.keys),
    account.operator ? 'operator' : 'holder',
    account.email ?? '–',
    account.name || '–',
  ]);
  for (const text of formatTable(['ID', 'STATE', 'CREATED', 'KEYS', 'ROLE', 'E-MAIL', 'NAME'], rows)) {
    line(context.stdout, text);
  }
}

const changes = { disable: disableAccount, enable: enableAccount };

/** `revgate accounts disable|enable ID`. */
export async function runChangeAccount(
  context: CommandContext,
  change: keyof typeof changes,
  id: string,
  { reason }: { reason?: string },
): Promise<void> {
  const account = await changes[change](actContext(context), id, reason);
  line(context.stdout, `Account ${account.id} is ${stateOf(account)}.`);
}

const roles = { promote: promoteAccount, demote: demoteAccount };

/** `revgate accounts promote|demote ID|EMAIL`. */
export async function runChangeRole(
  context: CommandContext,
  change: keyof typeof roles,
  idOrEmail: string,
): Promise<void> {
  const { id, operator } = await roles[change](actContext(context), idOrEmail);
  line(context.stdout, `Account ${id} is ${operator ? 'an operator' : 'no operator'}.`);
}

function stateOf({ disabledAt }: Account): string {
  return disabledAt === null ? 'active' : 'disabled';
}
