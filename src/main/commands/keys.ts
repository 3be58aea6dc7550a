import { requireAccount } from '../../access/accounts/account.ts';
import {
  changeKeyTier,
  disableKey,
  documentModes,
  enableKey,
  permissions,
  permitKey,
  readKeyLimit,
  requirePermission,
  revokeKey,
  setKeyDocuments,
  setKeyLimit,
} from '../../access/keys/change.ts';
import { type CreatedKey, checkNewKey, createKey } from '../../access/keys/create.ts';
import { getKey, type KeySummary, requireTier } from '../../access/keys/key.ts';
import { listKeys } from '../../access/keys/list.ts';
import { publishPolicy, summarizePolicy } from '../../access/keys/policy.ts';
import { DEFAULT_OVERLAP, overlaps, rotateKey } from '../../access/keys/rotate.ts';
import { tiers } from '../../access/limits/tiers.ts';
import { OperatorError } from '../../lib/errors.ts';
import { amount } from '../../lib/text/amount.ts';
import { dayOf } from '../../lib/text/days.ts';
import {
  actionContext,
  type CommandContext,
  type CommandEnvironment,
  CREATE_KEY,
  checkUsage,
  type JsonOption,
  line,
  printResult,
  requireConfirmation,
} from '../command-line/command.ts';
import { readPolicy } from '../command-line/package-files.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';
import { createSecret } from '../command-line/secrets.ts';
import { printList } from '../command-line/table.ts';
import { describeAccount } from './accounts.ts';

/** Adds `keys` to the program. */
export function addKeys(program: RevgateCommand): void {
  const keys = program
    .command('keys')
    .description('create and manage API keys')
    .examples('revgate keys list', 'revgate help keys create');
  keys
    .command('create')
    .description('create a key and print it once')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--tier <tier>', tiers.join(' or '))
    .option('--accept-policy', 'accept the acceptable-use policy')
    .option('--expires <date>', 'ISO 8601 date, or date and time with an offset')
    .option('--account <id>', 'the account that owns the key')
    .option('--snapshot', 'let it download a snapshot of all startups')
    .option('--embed', 'a key for web pages, limited to its published documents')
    .option(
      '--origin <origin...>',
      'with --embed: origin of its pages, such as https://example.com; repeatable',
    )
    .examples(
      'revgate keys create --name "my dashboard" --tier premium --accept-policy',
      'revgate keys create --name partner --tier standard --accept-policy --account acc_0123456789AB --expires 2027-01-01',
      'revgate keys create --name "top startups" --tier standard --accept-policy --embed --origin https://example.com',
    )
    .onDatabase('one JSON object', runCreateKey, { ifMissing: 'create', check: checkCreateKey });
  keys
    .command('list')
    .description('list all keys, without their secrets')
    .examples('revgate keys list', 'revgate keys list --json')
    .onDatabase('a JSON array', async (context, { json }: JsonOption) => {
      printList(context, json, await listKeys(actionContext(context)), {
        columns: {
          ID: ({ id }) => id,
          KEY: ({ prefix }) => `${prefix}…`,
          TIER: ({ tier, rateLimit }) => (rateLimit === null ? tier : `${tier}, ${rateLimit}/min`),
          STATE: ({ state, expiresAt }) =>
            state === 'active' && expiresAt !== null ? `expires ${dayOf(expiresAt)}` : state,
          'LAST USE': ({ lastUsedAt }) => (lastUsedAt === null ? '–' : dayOf(lastUsedAt)),
          NAME: ({ name }) => name,
        },
        ifEmpty: `There are no keys yet. Create one: ${CREATE_KEY}`,
      });
    });
  keys
    .command('rotate <id>')
    .description('create a key that replaces another one, and print it once')
    .option(
      '--overlap <time>',
      `how long the old key still works: ${Object.keys(overlaps).join(', ')}; with 0, it ends at once`,
      DEFAULT_OVERLAP,
    )
    .examples('revgate keys rotate key_0123456789AB', 'revgate keys rotate key_0123456789AB --overlap 0')
    .onDatabase('one JSON object', runRotateKey);
  keys
    .command('revoke <id>')
    .description('revoke a key permanently')
    .option('--yes', 'do not ask for confirmation; it asks only on a terminal')
    .examples('revgate keys revoke key_0123456789AB')
    .onDatabase('one JSON object', runRevokeKey);
  keys
    .command('disable <id>')
    .description('block a key that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the account that owns the key can read it')
    .examples('revgate keys disable key_0123456789AB --reason "resold the data"')
    .onDatabase('one JSON object', changeState(disableKey));
  keys
    .command('enable <id>')
    .description('enable a disabled key')
    .option('--reason <text>', 'the reason, for the audit log')
    .examples('revgate keys enable key_0123456789AB --reason "settled"')
    .onDatabase('one JSON object', changeState(enableKey));
  keys
    .command('tier <id> <tier>')
    .description('change the tier of a key')
    .examples('revgate keys tier key_0123456789AB premium')
    .onDatabase(
      'one JSON object',
      async (context, id: string, tier: string, { json }: JsonOption) => {
        printState(context, await changeKeyTier(actionContext(context), id, tier), json);
      },
      { check: (_environment, _id, tier) => checkUsage(() => requireTier(tier)) },
    );
  for (const [name, isAllowed] of [
    ['allow', true],
    ['forbid', false],
  ] as const) {
    keys
      .command(`${name} <id> <permission>`)
      .description(
        isAllowed
          ? `allow a key more than its tier: ${permissions.join(', ')} (download all startups at once)`
          : `take back what a key was allowed: ${permissions.join(', ')}`,
      )
      .examples(`revgate keys ${name} key_0123456789AB snapshot`)
      .onDatabase(
        'one JSON object',
        async (context, id: string, permission: string, { json }: JsonOption) => {
          const key = await permitKey(actionContext(context), id, permission, isAllowed);
          const may = key.snapshot ? 'can' : 'cannot';
          printResult(context, json, key, `Key ${id} ("${key.name}") ${may} download snapshots.`);
        },
        { check: (_environment, _id, permission) => checkUsage(() => requirePermission(permission)) },
      );
  }
  keys
    .command('limit <id> <n>')
    .description('give a key a limit of its own, in requests a minute; default: that of its tier')
    .examples('revgate keys limit key_0123456789AB 300', 'revgate keys limit key_0123456789AB default')
    .onDatabase(
      'one JSON object',
      async (context, id: string, limit: string, { json }: JsonOption) => {
        printState(context, await setKeyLimit(actionContext(context), id, limit), json);
      },
      { check: (_environment, _id, limit) => checkUsage(() => readKeyLimit(limit)) },
    );
  keys
    .command('documents <id> <mode>')
    .description(
      `allow a key to run any GraphQL document, or only published ones: ${documentModes.join(', ')}`,
    )
    .examples('revgate keys documents key_0123456789AB trusted')
    .onDatabase('one JSON object', async (context, id: string, mode: string, { json }: JsonOption) => {
      const key = await setKeyDocuments(actionContext(context), id, mode);
      const which = key.trustedOnly ? 'only its published documents' : 'any document';
      printResult(context, json, key, `Key ${id} ("${key.name}") can run ${which}.`);
    });
}

interface CreateKeyOptions extends JsonOption {
  name: string;
  tier: string;
  acceptPolicy?: true;
  expires?: string;
  account?: string;
  snapshot?: true;
  embed?: true;
  origin?: string[];
}

/**
 * Checks the options of `revgate keys create`.
 *
 * @throws OperatorError if one is invalid, or they do not fit together.
 */
function checkCreateKey(environment: CommandEnvironment, options: CreateKeyOptions): void {
  if (options.acceptPolicy !== true) {
    const policy = readPolicy(environment);
    throw new OperatorError(
      '--accept-policy: missing option. To create a key, you must accept the acceptable-use policy.',
      summarizePolicy(policy),
      `Read version ${policy.version} in ${policy.file} or at /policy of the server, then add --accept-policy.`,
    );
  }
  if (options.embed === true && options.origin === undefined) {
    throw new OperatorError(
      '--origin: missing option. An embed key needs the origins of its pages, such as https://example.com.',
    );
  }
  if (options.embed !== true && options.origin !== undefined) {
    throw new OperatorError('--origin is for embed keys only: add --embed.');
  }
  const { name, tier, expires, origin, snapshot } = options;
  checkUsage(() =>
    checkNewKey({ name, tier, expiresAt: expires, origins: origin, snapshot }, environment.now()),
  );
}

/** `revgate keys create`: prints the key, once. */
async function runCreateKey(context: CommandContext, options: CreateKeyOptions): Promise<void> {
  const policy = readPolicy(context);
  await publishPolicy(actionContext(context), policy);
  const { name, tier, expires, account, snapshot, embed, origin = [] } = options;
  const created = await createSecret(
    context,
    'key',
    (acting) =>
      createKey(acting, {
        name,
        tier,
        policyVersion: policy.version,
        acceptedBy: context.user,
        expiresAt: expires,
        accountId: account,
        snapshot,
        origins: embed === true ? origin : undefined,
      }),
    (key) => showKey(key, options),
  );
  if (options.json !== true) {
    line(
      context.stderr,
      `Created key ${created.id} (${created.tier}, "${created.name}"). It is shown only once.`,
    );
  }
}

function showKey({ id, key, tier, name }: CreatedKey, { json }: JsonOption): string {
  return json === true ? JSON.stringify({ id, key, tier, name }) : key;
}

/** `revgate keys revoke ID`: asks for confirmation on a terminal, since it cannot be undone. */
async function runRevokeKey(
  context: CommandContext,
  id: string,
  options: { yes?: true } & JsonOption,
): Promise<void> {
  const { prisma } = context.database;
  const key = await getKey(actionContext(context), id);
  if (context.isInteractive && options.yes !== true && key.state !== 'revoked') {
    const account =
      key.accountId === null ? 'no account' : describeAccount(await requireAccount(prisma, key.accountId));
    const question = `Revoke key ${id} ("${key.name}", ${key.tier}, ${account})? This cannot be undone.`;
    await requireConfirmation(context, question, `Key ${id} was not revoked.`);
  }
  printState(context, await revokeKey(actionContext(context), id), options.json);
}

/** `revgate keys disable|enable ID`. */
function changeState(change: typeof disableKey) {
  return async (context: CommandContext, id: string, { reason, json }: { reason?: string } & JsonOption) =>
    printState(context, await change(actionContext(context), id, reason), json);
}

/** `revgate keys rotate ID`: prints the new key, once. */
async function runRotateKey(
  context: CommandContext,
  id: string,
  options: { overlap: string } & JsonOption,
): Promise<void> {
  const { from, ...created } = await createSecret(
    context,
    'key',
    (acting) => rotateKey(acting, id, options.overlap),
    (rotated) => showKey(rotated, options),
  );
  if (options.json === true) {
    return;
  }
  const end =
    from.state === 'revoked'
      ? 'ended at once'
      : `works until ${from.expiresAt?.toISOString().slice(0, 19)}Z; to end it now: npx revgate keys revoke ${from.id}`;
  line(
    context.stderr,
    `Created key ${created.id}. It is shown only once. It replaces key ${from.id}, which ${end}.`,
  );
}

function printState(context: CommandContext, key: KeySummary, json: true | undefined): void {
  const { id, name, tier, state, rateLimit } = key;
  const limit = rateLimit === null ? '' : ` Its own limit is ${amount(rateLimit, 'request')} a minute.`;
  printResult(context, json, key, `Key ${id} ("${name}", ${tier}) is ${state}.${limit}`);
}
