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
import { createPasswordLink, inviteAccount, type PasswordLink } from '../../access/accounts/links.ts';
import { isOperator } from '../../access/accounts/operators.ts';
import { resetFactor } from '../../access/accounts/second-factor.ts';
import { findPublicUrl } from '../../access/mails/source.ts';
import { amount } from '../../lib/errors.ts';
import { listeningUrl } from '../../lib/http/addresses.ts';
import {
  type CommandContext,
  checkUsage,
  type Result,
  requireConfirmation,
  UsageError,
} from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';

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
    .prints(runCreateAccount, {
      ifMissing: 'create',
      check: (_environment, { operator, ...options }) => {
        checkUsage(() => checkNewAccount(options));
        if (operator === true && options.email === undefined) {
          throw new UsageError('--operator needs --email: an operator signs in with an email address.');
        }
      },
    });
  accounts
    .command('list')
    .description('list all accounts')
    .examples('revgate accounts list')
    .lists(({ prisma }) => listAccounts(prisma), {
      columns: {
        ID: ({ id }) => id,
        STATE: stateOf,
        ROLE: (account, { config }) => (isOperator(account, config.operators) ? 'operator' : '–'),
        KEYS: ({ keys }) => String(keys),
        ACCOUNT: describeAccount,
      },
      ifEmpty: 'There are no accounts yet. Create one: npx revgate accounts create --name NAME',
    });
  accounts
    .command('disable <id>')
    .description('block all keys of an account that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the account can read it')
    .examples('revgate accounts disable acc_0123456789AB --reason "resold the data"')
    .prints(async (context, id: string, { reason }: { reason?: string }) =>
      describeState(await disableAccount(context, id, reason)),
    );
  accounts
    .command('enable <id>')
    .description('enable a disabled account')
    .option('--reason <text>', 'the reason, for the audit log')
    .examples('revgate accounts enable acc_0123456789AB --reason "settled"')
    .prints(async (context, id: string, { reason }: { reason?: string }) =>
      describeState(await enableAccount(context, id, reason)),
    );
  accounts
    .command('delete <account>')
    .description('delete an account, by its id or email address, with its personal data, and revoke its keys')
    .option('--yes', 'do not ask for confirmation')
    .examples('revgate accounts delete ada@example.com')
    .prints(runDeleteAccount);
  accounts
    .command('promote <account>')
    .description('make an account, by its id or email address, an operator in the dashboard')
    .examples('revgate accounts promote ada@example.com')
    .prints(async (context, account: string) => describeRole(await promoteAccount(context, account)));
  accounts
    .command('demote <account>')
    .description('remove the operator role from an account')
    .examples('revgate accounts demote ada@example.com')
    .prints(async (context, account: string) => describeRole(await demoteAccount(context, account)));
  accounts
    .command('password-link <account>')
    .description('print a link to set the password of an account, and to confirm its email address')
    .examples('revgate accounts password-link ada@example.com')
    .prints(async (context, idOrEmail: string) => {
      const { id } = await requireAccountBy(context.prisma, idOrEmail);
      const link = await createPasswordLink({ ...context, randomBytes }, id);
      return describeLink(context, { id }, link);
    });
  accounts
    .command('reset-2fa <account>')
    .description('remove the second factor of an account whose user lost it, and end its sessions')
    .examples('revgate accounts reset-2fa ada@example.com')
    .prints(async (context, account: string) => {
      const { id } = await resetFactor(context, account);
      return [{ id }, `Account ${id} has no second factor any more.`];
    });
}

async function runCreateAccount(
  context: CommandContext,
  { name, email, operator }: { name: string; email?: string; operator?: true },
): Promise<Result> {
  const acting = { ...context, randomBytes };
  if (operator !== true || email === undefined) {
    const account = await createAccount(acting, { name, email });
    return [account, account.id];
  }
  const { account, link } = await inviteAccount(acting, { name, email, operator });
  return describeLink(context, account, link);
}

/**
 * An account, and a link to set its password: at PUBLIC_URL of the command, or of the server, which has recorded it. Without
 * both, the server is on this machine, where only its own settings say the port.
 */
async function describeLink<Shown extends Pick<Account, 'id'>>(
  { prisma, config: { publicUrl, host, port } }: CommandContext,
  account: Shown,
  { path }: PasswordLink,
): Promise<Result> {
  const known = publicUrl ?? (await findPublicUrl(prisma));
  const url = known ?? listeningUrl(host, port);
  const passwordUrl = `${url}${path}`;
  const lines = [
    account.id,
    'To set the password, open this link within 24 hours. It works once:',
    `  ${passwordUrl}`,
    ...(known === undefined ? [`If the server has another address than ${url}, put that in its place.`] : []),
  ];
  return [{ ...account, passwordUrl }, lines.join('\n')];
}

/** `revgate accounts delete ID|EMAIL`: asks for confirmation on a terminal, since it cannot be undone. */
async function runDeleteAccount(
  context: CommandContext,
  idOrEmail: string,
  { yes }: { yes?: true },
): Promise<Result> {
  const account = await requireAccountBy(context.prisma, idOrEmail);
  const { id } = account;
  const question =
    `Delete account ${id} (${describeAccount(account)})? Its keys end at once, and its personal data and ` +
    'published documents are removed. This cannot be undone.';
  await requireConfirmation(context, yes, question, `Account ${id} was not deleted.`);
  const { revokedKeys } = await deleteAccount(context, id);
  return [{ id, revokedKeys }, `Deleted account ${id} and revoked ${amount(revokedKeys, 'key')}.`];
}

/** Whose account it is, such as `Ada <ada@example.com>`. */
export function describeAccount({ name, email }: Account): string {
  return [name, email && (name ? `<${email}>` : email)].filter(Boolean).join(' ') || '–';
}

const stateOf = ({ disabledAt }: Account): string => (disabledAt === null ? 'active' : 'disabled');

function describeState(account: Account): Result {
  return [account, `Account ${account.id} is ${stateOf(account)}.`];
}

function describeRole(account: Account): Result {
  return [account, `Account ${account.id} is ${account.operator ? 'an operator' : 'not an operator'}.`];
}
