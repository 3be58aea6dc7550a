import { Argument } from 'commander';
import { requireAccount } from '../../access/accounts/account.ts';
import {
  changeKeyTier,
  disableKey,
  documentModes,
  enableKey,
  permitSnapshots,
  readKeyLimit,
  revokeKey,
  setKeyDocuments,
  setKeyLimit,
} from '../../access/keys/change.ts';
import { checkNewKey, createKey } from '../../access/keys/create.ts';
import { getKey, type KeySummary, listAllKeys, requireTier } from '../../access/keys/key.ts';
import { publishPolicy, summarizePolicy } from '../../access/keys/policy.ts';
import { DEFAULT_OVERLAP, overlaps, rotateKey } from '../../access/keys/rotate.ts';
import { tiers } from '../../access/limits/tiers.ts';
import { amount, OperatorError } from '../../lib/errors.ts';
import { dayOf } from '../../lib/text/days.ts';
import {
  type CommandContext,
  type CommandEnvironment,
  CREATE_KEY,
  checkUsage,
  type JsonOption,
  type Result,
  readPolicy,
  requireConfirmation,
} from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';
import { createSecret } from '../command-line/secrets.ts';
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
    .lists(
      ({ database, now }) => listAllKeys(database.pool, now()),
      {
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
      },
      { needsPrisma: false },
    );
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
    .prints(runRevokeKey);
  keys
    .command('disable <id>')
    .description('block a key that violates the policy, until it is enabled')
    .option('--reason <text>', 'the reason; the account that owns the key can read it')
    .examples('revgate keys disable key_0123456789AB --reason "resold the data"')
    .prints(async (context, id: string, { reason }: { reason?: string }) =>
      describeState(await disableKey(context, id, reason)),
    );
  keys
    .command('enable <id>')
    .description('enable a disabled key')
    .option('--reason <text>', 'the reason, for the audit log')
    .examples('revgate keys enable key_0123456789AB --reason "settled"')
    .prints(async (context, id: string, { reason }: { reason?: string }) =>
      describeState(await enableKey(context, id, reason)),
    );
  keys
    .command('tier <id> <tier>')
    .description('change the tier of a key')
    .examples('revgate keys tier key_0123456789AB premium')
    .prints(
      async (context, id: string, tier: string) => describeState(await changeKeyTier(context, id, tier)),
      { check: (_environment, _id, tier) => checkUsage(() => requireTier(tier)) },
    );
  for (const [name, isAllowed, what] of [
    ['allow', true, 'allow a key more than its tier: snapshot (download all startups at once)'],
    ['forbid', false, 'take back what a key was allowed: snapshot'],
  ] as const) {
    keys
      .command(`${name} <id>`)
      .addArgument(new Argument('<permission>').choices(['snapshot']))
      .description(what)
      .examples(`revgate keys ${name} key_0123456789AB snapshot`)
      .prints(async (context, id: string) => {
        const key = await permitSnapshots(context, id, isAllowed);
        return [key, `${nameOf(key)} ${key.snapshot ? 'can' : 'cannot'} download snapshots.`];
      });
  }
  keys
    .command('limit <id> <n>')
    .description('give a key a limit of its own, in requests a minute; default: that of its tier')
    .examples('revgate keys limit key_0123456789AB 300', 'revgate keys limit key_0123456789AB default')
    .prints(
      async (context, id: string, limit: string) => describeState(await setKeyLimit(context, id, limit)),
      { check: (_environment, _id, limit) => checkUsage(() => readKeyLimit(limit)) },
    );
  keys
    .command('documents <id> <mode>')
    .description(
      `allow a key to run any GraphQL document, or only published ones: ${documentModes.join(', ')}`,
    )
    .examples('revgate keys documents key_0123456789AB trusted')
    .prints(async (context, id: string, mode: string) => {
      const key = await setKeyDocuments(context, id, mode);
      return [
        key,
        `${nameOf(key)} can run ${key.trustedOnly ? 'only its published documents' : 'any document'}.`,
      ];
    });
}

const nameOf = ({ id, name }: KeySummary): string => `Key ${id} ("${name}")`;

function describeState(key: KeySummary): Result {
  const { id, name, tier, state, rateLimit } = key;
  const limit = rateLimit === null ? '' : ` Its own limit is ${amount(rateLimit, 'request')} a minute.`;
  return [key, `Key ${id} ("${name}", ${tier}) is ${state}.${limit}`];
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

/** @throws OperatorError if an option of `revgate keys create` is invalid, or they do not fit together. */
function checkCreateKey(environment: CommandEnvironment, options: CreateKeyOptions): void {
  const { acceptPolicy, embed, name, tier, expires, origin, snapshot } = options;
  if (acceptPolicy !== true) {
    const policy = readPolicy(environment);
    throw new OperatorError(
      '--accept-policy: missing option. To create a key, you must accept the acceptable-use policy.',
      summarizePolicy(policy),
      `Read version ${policy.version} in ${policy.file} or at /policy of the server, then add --accept-policy.`,
    );
  }
  if ((embed === true) !== (origin !== undefined)) {
    throw new OperatorError(
      embed === true
        ? '--origin: missing option. An embed key needs the origins of its pages, such as https://example.com.'
        : '--origin is for embed keys only: add --embed.',
    );
  }
  checkUsage(() =>
    checkNewKey({ name, tier, expiresAt: expires, origins: origin, snapshot }, environment.now()),
  );
}

/** `revgate keys create`: prints the key, once. */
async function runCreateKey(context: CommandContext, options: CreateKeyOptions): Promise<void> {
  const policy = readPolicy(context);
  await publishPolicy(context, policy);
  const { name, tier, expires, account, snapshot, origin, json } = options;
  await createSecret(
    context,
    'key',
    json,
    (acting) =>
      createKey(acting, {
        name,
        tier,
        snapshot,
        expiresAt: expires,
        accountId: account,
        origins: origin,
        policyVersion: policy.version,
        acceptedBy: context.user,
      }),
    ({ id, key, tier, name }) => ({
      value: { id, key, tier, name },
      secret: key,
      notice: `Created key ${id} (${tier}, "${name}"). It is shown only once.`,
    }),
  );
}

/** `revgate keys revoke ID`: asks for confirmation on a terminal, since it cannot be undone. */
async function runRevokeKey(context: CommandContext, id: string, { yes }: { yes?: true }): Promise<Result> {
  const { name, tier, accountId, state } = await getKey(context, id);
  if (state !== 'revoked') {
    const account =
      accountId === null ? 'no account' : describeAccount(await requireAccount(context.prisma, accountId));
    const question = `Revoke key ${id} ("${name}", ${tier}, ${account})? This cannot be undone.`;
    await requireConfirmation(context, yes, question, `Key ${id} was not revoked.`);
  }
  return describeState(await revokeKey(context, id));
}

/** `revgate keys rotate ID`: prints the new key, once. */
async function runRotateKey(
  context: CommandContext,
  id: string,
  { overlap, json }: { overlap: string } & JsonOption,
): Promise<void> {
  await createSecret(
    context,
    'key',
    json,
    (acting) => rotateKey(acting, id, overlap),
    ({ from, id, key, tier, name }) => {
      const end =
        from.state === 'revoked'
          ? 'ended at once'
          : `works until ${from.expiresAt?.toISOString().slice(0, 19)}Z; to end it now: npx revgate keys revoke ${from.id}`;
      return {
        value: { id, key, tier, name },
        secret: key,
        notice: `Created key ${id}. It is shown only once. It replaces key ${from.id}, which ${end}.`,
      };
    },
  );
}
