import {
  createOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
} from '../../access/accounts/operator-tokens.ts';
import { dayOf } from '../../lib/text/days.ts';
import {
  actionContext,
  type CommandContext,
  type JsonOption,
  line,
  printResult,
  requireConfirmation,
} from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';
import { createSecret } from '../command-line/secrets.ts';
import { printList } from '../command-line/table.ts';

/** Adds `tokens` to the program. */
export function addTokens(program: RevgateCommand): void {
  const tokens = program
    .command('tokens')
    .description('manage the tokens of operators, which import over HTTP')
    .examples('revgate tokens list', 'revgate help tokens create');
  tokens
    .command('create')
    .description('create a token and print it once')
    .requiredOption('--name <name>', 'what the token is for')
    .requiredOption('--account <account>', 'the operator who owns it: the id or email address')
    .examples('revgate tokens create --name "nightly export" --account ada@example.com')
    .onDatabase('one JSON object', runCreateToken);
  tokens
    .command('list')
    .description('list all tokens, without their secrets')
    .examples('revgate tokens list', 'revgate tokens list --json')
    .onDatabase('a JSON array', async (context, { json }: JsonOption) => {
      const { config, database } = context;
      const { prisma } = database;
      printList(context, json, await listOperatorTokens({ prisma, operators: config.operators }), {
        columns: {
          ID: ({ id }) => id,
          TOKEN: ({ prefix }) => `${prefix}…`,
          STATE: ({ state }) => state,
          'LAST USE': ({ lastUsedAt }) => (lastUsedAt === null ? '–' : dayOf(lastUsedAt)),
          ACCOUNT: ({ accountId }) => accountId,
          NAME: ({ name }) => name,
        },
        ifEmpty: 'There are no tokens yet. Create one: revgate tokens create',
      });
    });
  tokens
    .command('revoke <id>')
    .description('revoke a token permanently')
    .option('--yes', 'do not ask for confirmation; it asks only on a terminal')
    .examples('revgate tokens revoke tok_0123456789AB')
    .onDatabase('one JSON object', runRevokeToken);
}

/** `revgate tokens create`: prints the token, once. */
async function runCreateToken(
  context: CommandContext,
  { name, account, json }: { name: string; account: string } & JsonOption,
): Promise<void> {
  const { operators } = context.config;
  const created = await createSecret(
    context,
    'token',
    (acting) => createOperatorToken({ ...acting, operators }, { name, account }),
    (token) => (json === true ? JSON.stringify(token) : token.token),
  );
  if (json !== true) {
    line(context.stderr, `Created token ${created.id} ("${name}"). It is shown only once.`);
  }
}

/** `revgate tokens revoke ID`: asks for confirmation on a terminal, since it cannot be undone. */
async function runRevokeToken(
  context: CommandContext,
  id: string,
  { yes, json }: { yes?: true } & JsonOption,
): Promise<void> {
  if (context.isInteractive && yes !== true) {
    await requireConfirmation(
      context,
      `Revoke token ${id}? This cannot be undone.`,
      `Token ${id} was not revoked.`,
    );
  }
  const token = await revokeOperatorToken(actionContext(context), id);
  printResult(context, json, token, `Token ${id} ("${token.name}") is revoked.`);
}
