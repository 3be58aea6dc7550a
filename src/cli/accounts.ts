import { randomBytes } from 'node:crypto';
import { type Account, requireAccountBy } from '../accounts/account.ts';
import {
  deleteAccount,
  demoteAccount,
  disableAccount,
  enableAccount,
  promoteAccount,
} from '../accounts/change.ts';
import { createAccount } from '../accounts/create.ts';
import { listAccounts } from '../accounts/list.ts';
import { OperatorError } from '../errors.ts';
import { amount } from '../text/amount.ts';
import { actContext, type CommandContext, confirm, printResult } from './command.ts';
import { printList } from './table.ts';

/** `revgate accounts create`. */
export async function runCreateAccount(
  context: CommandContext,
  { name, email, json }: { name: string; email?: string; json?: true },
): Promise<void> {
  const account = await createAccount({ ...actContext(context), randomBytes }, { name, email });
  printResult(context, json, account, account.id);
}

/** `revgate accounts list`. */
export async function runListAccounts(context: CommandContext, { json }: { json?: true }): Promise<void> {
  const accounts = await listAccounts(context.database.prisma);
  printList(context, json, accounts, {
    columns: {
      ID: ({ id }) => id,
      STATE: stateOf,
      ROLE: ({ operator }) => (operator ? 'operator' : 'holder'),
      KEYS: ({ keys }) => String(keys),
      HOLDER: describeHolder,
    },
    ifEmpty: 'There are no accounts yet. Create one: revgate accounts create',
  });
}

/** Whose account it is, such as `Ada <ada@example.com>`. */
export function describeHolder({ name, email }: Account): string {
  return [name, email && (name ? `<${email}>` : email)].filter(Boolean).join(' ') || '–';
}

const changes = { disable: disableAccount, enable: enableAccount };

/** `revgate accounts disable|enable ID`. */
export function runChangeAccount(change: keyof typeof changes) {
  return async (context: CommandContext, id: string, { reason, json }: { reason?: string; json?: true }) => {
    const account = await changes[change](actContext(context), id, reason);
    printResult(context, json, account, `Account ${account.id} is ${stateOf(account)}.`);
  };
}

/** `revgate accounts delete ID|EMAIL`: asks for confirmation on a terminal, since it cannot be undone. */
export async function runDeleteAccount(
  context: CommandContext,
  idOrEmail: string,
  { yes, json }: { yes?: true; json?: true },
): Promise<void> {
  const account = await requireAccountBy(context.database.prisma, idOrEmail);
  const { id } = account;
  if (context.isInteractive && yes !== true) {
    const question = `Delete account ${id} (${describeHolder(account)})? Its keys end at once, and its personal data and published documents are removed. This cannot be undone.`;
    if (!(await confirm(context, question))) {
      throw new OperatorError(`Account ${id} was not deleted.`);
    }
  }
  const { revokedKeys } = await deleteAccount(actContext(context), id);
  const text = `Deleted account ${id} and revoked ${amount(revokedKeys, 'key')}.`;
  printResult(context, json, { id, revokedKeys }, text);
}

const roles = { promote: promoteAccount, demote: demoteAccount };

/** `revgate accounts promote|demote ID|EMAIL`. */
export function runChangeRole(change: keyof typeof roles) {
  return async (context: CommandContext, idOrEmail: string, { json }: { json?: true }) => {
    const account = await roles[change](actContext(context), idOrEmail);
    const { id, operator } = account;
    printResult(context, json, account, `Account ${id} is ${operator ? 'an operator' : 'not an operator'}.`);
  };
}

function stateOf({ disabledAt }: Account): string {
  return disabledAt === null ? 'active' : 'disabled';
}
