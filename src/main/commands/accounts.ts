import { randomBytes } from 'node:crypto';
import { type Account, listAccounts, requireAccountBy } from '../../access/accounts/account.ts';
import {
  deleteAccount,
  demoteAccount,
  disableAccount,
  enableAccount,
  promoteAccount,
} from '../../access/accounts/change.ts';
import { checkNewAccount, createAccount } from '../../access/accounts/create.ts';
import { inviteAccount } from '../../access/accounts/links.ts';
import { isOperator } from '../../access/accounts/operators.ts';
import { amount } from '../../lib/text/amount.ts';
import {
  actionContext,
  type CommandContext,
  checkUsage,
  type JsonOption,
  printResult,
  requireConfirmation,
  UsageError,
} from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';
import { printList } from '../command-line/table.ts';

/** Adds `accounts` to the program. */
export function addAccounts(program: RevgateCommand): void {
  const accounts = program
    .command('accounts')
    .description('manage the accounts that own keys')
    .examples('revgate accounts list', 'revgate accounts promote ada@example.com');
  accounts
    .command('create')
    .description('create an account and print its id')
    .requiredOption('--name <name>', 'the name of its user')
    .option('--email <address>', 'the email address of its user')
    .option('--operator', 'make it the account of an operator, and print a link to set its password')
    .examples(
      'revgate accounts create --name Ada --email ada@example.com',
      'revgate accounts create --name Ada --email ada@example.com --operator',
    )
    .onDatabase('one JSON object', runCreateAccount, {
      ifMissing: 'create',
      check: (_environment, options) => checkOptions(options),
    });
  accounts
    .command('list')
    .description('list all accounts')
    .examples('revgate accounts list')
    .onDatabase('a JSON array', async (context, { json }: JsonOption) => {
      printList(context, json, await listAccounts(context.database.prisma), {
        columns: {
          ID: ({ id }) => id,
          STATE: stateOf,
          ROLE: (account) => (isOperator(account, context.config.operators) ? 'operator' : '–'),
          KEYS: ({ keys }) => String(keys),
          ACCOUNT: describeAccount,
        },
        ifEmpty: 'There are no accounts yet. Create one: npx revgate accounts create --name NAME',
      });
    });
  accounts
    .command('disable <id>')
    .description('block all keys of an account that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the account can read it')
    .examples('revgate accounts disable acc_0123456789AB --reason "resold the data"')
    .onDatabase('one JSON object', changeState(disableAccount));
  accounts
    .command('enable <id>')
    .description('enable a disabled account')
    .option('--reason <text>', 'the reason, for the audit log')
    .examples('revgate accounts enable acc_0123456789AB --reason "settled"')
    .onDatabase('one JSON object', changeState(enableAccount));
  accounts
    .command('delete <account>')
    .description('delete an account, by its id or email address, with its personal data, and revoke its keys')
    .option('--yes', 'do not ask for confirmation')
    .examples('revgate accounts delete ada@example.com')
    .onDatabase('one JSON object', runDeleteAccount);
  accounts
    .command('promote <account>')
    .description('make an account, by its id or email address, an operator in the dashboard')
    .examples('revgate accounts promote ada@example.com')
    .onDatabase('one JSON object', changeRole(promoteAccount));
  accounts
    .command('demote <account>')
    .description('remove the operator role from an account')
    .examples('revgate accounts demote ada@example.com')
    .onDatabase('one JSON object', changeRole(demoteAccount));
}

type NewAccountOptions = { name: string; email?: string; operator?: true } & JsonOption;

function checkOptions({ operator, ...options }: NewAccountOptions): void {
  checkUsage(() => checkNewAccount(options));
  if (operator === true && options.email === undefined) {
    throw new UsageError('--operator needs --email: an operator signs in with an email address.');
  }
}

/** `revgate accounts create`. */
async function runCreateAccount(context: CommandContext, options: NewAccountOptions): Promise<void> {
  const { name, email, operator, json } = options;
  const acting = { ...actionContext(context), randomBytes };
  if (operator !== true || email === undefined) {
    const account = await createAccount(acting, { name, email });
    printResult(context, json, account, account.id);
    return;
  }
  const { account, link } = await inviteAccount(acting, { name, email, operator });
  const { publicUrl, port } = context.config;
  const passwordUrl = `${publicUrl ?? `http://localhost:${port}`}${link.path}`;
  const text = `${account.id}\nTo set the password, open this link within 24 hours. It works once:\n  ${passwordUrl}`;
  printResult(context, json, { ...account, passwordUrl }, text);
}

/** Whose account it is, such as `Ada <ada@example.com>`. */
export function describeAccount({ name, email }: Account): string {
  return [name, email && (name ? `<${email}>` : email)].filter(Boolean).join(' ') || '–';
}

/** `revgate accounts disable|enable ID`. */
function changeState(change: typeof disableAccount) {
  return async (context: CommandContext, id: string, { reason, json }: { reason?: string } & JsonOption) => {
    const account = await change(actionContext(context), id, reason);
    printResult(context, json, account, `Account ${account.id} is ${stateOf(account)}.`);
  };
}

/** `revgate accounts delete ID|EMAIL`: asks for confirmation on a terminal, since it cannot be undone. */
async function runDeleteAccount(
  context: CommandContext,
  idOrEmail: string,
  { yes, json }: { yes?: true } & JsonOption,
): Promise<void> {
  const account = await requireAccountBy(context.database.prisma, idOrEmail);
  const { id } = account;
  if (context.isInteractive && yes !== true) {
    const question = `Delete account ${id} (${describeAccount(account)})? Its keys end at once, and its personal data and published documents are removed. This cannot be undone.`;
    await requireConfirmation(context, question, `Account ${id} was not deleted.`);
  }
  const { revokedKeys } = await deleteAccount(actionContext(context), id);
  const text = `Deleted account ${id} and revoked ${amount(revokedKeys, 'key')}.`;
  printResult(context, json, { id, revokedKeys }, text);
}

/** `revgate accounts promote|demote ID|EMAIL`. */
function changeRole(change: typeof promoteAccount) {
  return async (context: CommandContext, idOrEmail: string, { json }: JsonOption) => {
    const account = await change(actionContext(context), idOrEmail);
    const role = account.operator ? 'an operator' : 'not an operator';
    printResult(context, json, account, `Account ${account.id} is ${role}.`);
  };
}

function stateOf({ disabledAt }: Account): string {
  return disabledAt === null ? 'active' : 'disabled';
}
