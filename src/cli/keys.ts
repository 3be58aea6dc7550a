import { randomBytes } from 'node:crypto';
import { requireAccount } from '../accounts/account.ts';
import { OperatorError, systemReason } from '../errors.ts';
import { changeKeyTier, disableKey, enableKey, revokeKey, setKeyDocuments } from '../keys/change.ts';
import { type CreatedKey, createKey } from '../keys/create.ts';
import { getKey, type KeySummary } from '../keys/key.ts';
import { listKeys } from '../keys/list.ts';
import { type Policy, publishPolicy, summarizePolicy } from '../keys/policy.ts';
import { rotateKey } from '../keys/rotate.ts';
import { dayOf } from '../startups/days.ts';
import { describeHolder } from './accounts.ts';
import { actContext, type CommandContext, confirm, line, printResult, writeLine } from './command.ts';
import { printList } from './table.ts';

export interface CreateKeyOptions {
  name: string;
  tier: string;
  acceptPolicy?: true;
  expires?: string;
  account?: string;
  embed?: true;
  origin?: string[];
  json?: true;
}

/**
 * Checks the options of `revgate keys create`.
 *
 * @throws OperatorError if they do not fit together.
 */
export function checkCreateKey(policy: Policy, options: CreateKeyOptions): void {
  if (options.acceptPolicy !== true) {
    throw new OperatorError(
      '--accept-policy: missing option. To create a key, you must accept the acceptable-use policy.',
      summarizePolicy(policy),
      `Read version ${policy.version} in docs/policy.md or at /policy of the server, then add --accept-policy.`,
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
}

/** `revgate keys create`: prints the key, once. */
export async function runCreateKey(context: CommandContext, options: CreateKeyOptions): Promise<void> {
  const { policy, stderr, user } = context;
  requireReader(context);
  const acting = actContext(context);
  await publishPolicy(acting, policy);
  const created = await createKey(
    { ...acting, randomBytes },
    {
      name: options.name,
      tier: options.tier,
      policyVersion: policy.version,
      acceptedBy: user,
      expiresAt: options.expires,
      accountId: options.account,
      origins: options.embed === true ? (options.origin ?? []) : undefined,
    },
  );
  try {
    await writeKey(context, created, options, ': create another');
  } catch (error) {
    // Nobody could use it, but it would count as active.
    await revokeKey(acting, created.id);
    throw error;
  }
  if (options.json !== true) {
    line(stderr, `Created key ${created.id} (${created.tier}, "${created.name}"). It is shown only once.`);
  }
}

/** Writes a new key; the caller revokes one that cannot be written, as the error says. */
async function writeKey(
  context: CommandContext,
  { id, key, tier, name }: CreatedKey,
  { json }: { json?: true },
  consequence: string,
): Promise<void> {
  try {
    await writeLine(context.stdout, json === true ? JSON.stringify({ id, key, tier, name }) : key);
  } catch (error) {
    throw new OperatorError(
      `Cannot write the new key (${systemReason(error)}). Key ${id} was revoked${consequence}.`,
    );
  }
}

/** Refuses to create a key that nobody could read. */
function requireReader({ isDiscarded }: CommandContext): void {
  if (isDiscarded) {
    throw new OperatorError(
      'Standard output is closed or discarded, so nobody could read the new key. No key was created. Print it to a terminal, a file or another program.',
    );
  }
}

/** `revgate keys list`. */
export async function runListKeys(context: CommandContext, { json }: { json?: true }): Promise<void> {
  printList(context, json, await listKeys(actContext(context)), {
    columns: {
      ID: ({ id }) => id,
      KEY: ({ prefix }) => `${prefix}…`,
      TIER: ({ tier }) => tier,
      STATE: ({ state, expiresAt }) =>
        state === 'active' && expiresAt !== null ? `expires ${dayOf(expiresAt)}` : state,
      'LAST USE': ({ lastUsedAt }) => (lastUsedAt === null ? '–' : dayOf(lastUsedAt)),
      NAME: ({ name }) => name,
    },
    ifEmpty: 'There are no keys yet. Create one: revgate keys create',
  });
}

/** `revgate keys revoke ID`: asks for confirmation on a terminal, since it cannot be undone. */
export async function runRevokeKey(
  context: CommandContext,
  id: string,
  options: { yes?: true; json?: true },
): Promise<void> {
  const { prisma } = context.database;
  const key = await getKey(actContext(context), id);
  if (context.isInteractive && options.yes !== true && key.state !== 'revoked') {
    const holder =
      key.accountId === null ? 'no account' : describeHolder(await requireAccount(prisma, key.accountId));
    const what = `key ${id} ("${key.name}", ${key.tier}, ${holder})`;
    if (!(await confirm(context, `Revoke ${what}? This cannot be undone.`))) {
      throw new OperatorError(`Key ${id} was not revoked.`);
    }
  }
  await runChangeKey('revoke')(context, id, options);
}

const changes = { revoke: revokeKey, disable: disableKey, enable: enableKey };

/** `revgate keys disable|enable ID`. */
export function runChangeKey(change: keyof typeof changes) {
  return async (
    context: CommandContext,
    id: string,
    { reason, json }: { reason?: string; json?: true },
  ): Promise<void> => printState(context, await changes[change](actContext(context), id, reason), json);
}

/** `revgate keys rotate ID`: prints the new key, once. */
export async function runRotateKey(
  context: CommandContext,
  id: string,
  options: { overlap: string; json?: true },
): Promise<void> {
  requireReader(context);
  const { from, ...created } = await rotateKey({ ...actContext(context), randomBytes }, id, options.overlap, {
    deliver: (created) => writeKey(context, created, options, `, and key ${id} works as before`),
  });
  if (options.json === true) {
    return;
  }
  const end =
    from.state === 'revoked'
      ? 'ended at once'
      : `works until ${from.expiresAt?.toISOString().slice(0, 19)}Z; to end it now: revgate keys revoke ${from.id}`;
  line(
    context.stderr,
    `Created key ${created.id}. It is shown only once. It replaces key ${from.id}, which ${end}.`,
  );
}

/** `revgate keys tier ID TIER`. */
export async function runSetKeyTier(
  context: CommandContext,
  id: string,
  tier: string,
  { json }: { json?: true },
): Promise<void> {
  printState(context, await changeKeyTier(actContext(context), id, tier), json);
}

/** `revgate keys documents ID trusted|any`. */
export async function runSetKeyDocuments(
  context: CommandContext,
  id: string,
  mode: string,
  { json }: { json?: true },
): Promise<void> {
  const key = await setKeyDocuments(actContext(context), id, mode);
  const which = key.trustedOnly ? 'only its published documents' : 'any document';
  printResult(context, json, key, `Key ${id} ("${key.name}") can run ${which}.`);
}

function printState(context: CommandContext, key: KeySummary, json: true | undefined): void {
  const { id, name, tier, state } = key;
  printResult(context, json, key, `Key ${id} ("${name}", ${tier}) is ${state}.`);
}
