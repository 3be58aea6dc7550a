import {
  createOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
} from '../../access/accounts/operator-tokens.ts';
import { dayOf } from '../../lib/text/days.ts';
import { type JsonOption, requireConfirmation } from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';
import { createSecret } from '../command-line/secrets.ts';

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
    .onDatabase(
      'one JSON object',
      (context, { name, account, json }: { name: string; account: string } & JsonOption) =>
        createSecret(
          context,
          'token',
          json,
          (acting) =>
            createOperatorToken({ ...acting, operators: context.config.operators }, { name, account }),
          (value) => ({
            value,
            secret: value.token,
            notice: `Created token ${value.id} ("${name}"). It is shown only once.`,
          }),
        ),
    );
  tokens
    .command('list')
    .description('list all tokens, without their secrets')
    .examples('revgate tokens list', 'revgate tokens list --json')
    .lists(({ prisma, config }) => listOperatorTokens({ prisma, operators: config.operators }), {
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
  tokens
    .command('revoke <id>')
    .description('revoke a token permanently')
    .option('--yes', 'do not ask for confirmation; it asks only on a terminal')
    .examples('revgate tokens revoke tok_0123456789AB')
    .prints(async (context, id: string, { yes }: { yes?: true }) => {
      const question = `Revoke token ${id}? This cannot be undone.`;
      await requireConfirmation(context, yes, question, `Token ${id} was not revoked.`);
      const token = await revokeOperatorToken(context, id);
      return [token, `Token ${id} ("${token.name}") is revoked.`];
    });
}
