import { randomBytes } from 'node:crypto';
import { requireAccount } from '../accounts/account.ts';
import { OperatorError } from '../errors.ts';
import { type CreatedKey, createKey } from '../keys/create.ts';
import { disableKey } from '../keys/disable.ts';
import { setKeyDocuments } from '../keys/documents.ts';
import { enableKey } from '../keys/enable.ts';
import { getKey, type KeySummary } from '../keys/key.ts';
import { listKeys } from '../keys/list.ts';
import { publishPolicy } from '../keys/publish-policy.ts';
import { revokeKey } from '../keys/revoke.ts';
import { rotateKey } from '../keys/rotate.ts';
import { changeKeyTier } from '../keys/tier.ts';
import { dayOf } from '../startups/days.ts';
import { describeHolder } from './accounts.ts';
import { actContext, type CommandContext, line, printJson, writeLine } from './command.ts';
import { confirm } from './confirm.ts';
import { printTable } from './table.ts';

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

/** `revgate keys create`: prints the key, once. */
export async function runCreateKey(context: CommandContext, options: CreateKeyOptions): Promise<void> {
  const { policy, stderr, user } = context;
  if (options.acceptPolicy !== true) {
    line(stderr, policy.text.trimEnd());
    throw new OperatorError('Creating a key requires accepting this policy: add --accept-policy.');
  }
  if (options.embed !== true && options.origin !== undefined) {
    throw new OperatorError('--origin is for embed keys only: add --embed.');
  }
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
  await writeKey(context, created, options);
  if (options.json !== true) {
    line(stderr, `Created key ${created.id} (${created.tier}, "${created.name}"). It is shown only once.`);
  }
}

/**
 * Writes a new key. A key that cannot be written is revoked: nobody could use it, but it would count as active.
 */
async function writeKey(
  context: CommandContext,
  { id, key, tier, name }: CreatedKey,
  { json }: { json?: true },
): Promise<void> {
  try {
    await writeLine(context.stdout, json === true ? JSON.stringify({ id, key, tier, name }) : key);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    await revokeKey(actContext(context), id);
    throw new OperatorError(`Cannot write the new key (${reason}). Key ${id} was revoked: create another.`);
  }
}

/** `revgate keys list`. */
export async function runListKeys(context: CommandContext, { json }: { json?: true }): Promise<void> {
  const keys = await listKeys(actContext(context));
  if (json === true) {
    printJson(context.stdout, keys);
    return;
  }
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    key.tier,
    key.state === 'active' && key.expiresAt !== null ? `expires ${dayOf(key.expiresAt)}` : key.state,
    key.lastUsedAt === null ? '–' : dayOf(key.lastUsedAt),
    key.name,
  ]);
  printTable(context, ['ID', 'KEY', 'TIER', 'STATE', 'LAST USE', 'NAME'], rows);
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
    const what = `key ${id} ("${key.name}", ${key.tier}, held by ${holder})`;
    if (!(await confirm(context, `Revoke ${what}? This cannot be undone.`))) {
      throw new OperatorError(`Key ${id} was not revoked.`);
    }
  }
  await runChangeKey(context, 'revoke', id, options);
}

const changes = { revoke: revokeKey, disable: disableKey, enable: enableKey };

/** `revgate keys disable|enable ID`. */
export async function runChangeKey(
  context: CommandContext,
  change: keyof typeof changes,
  id: string,
  { reason, json }: { reason?: string; json?: true },
): Promise<void> {
  printState(context, await changes[change](actContext(context), id, reason), json);
}

/** `revgate keys rotate ID`: prints the new key, once. */
export async function runRotateKey(
  context: CommandContext,
  id: string,
  options: { overlap: string; json?: true },
): Promise<void> {
  const rotated = await rotateKey({ ...actContext(context), randomBytes }, id, options.overlap);
  await writeKey(context, rotated, options);
  if (options.json === true) {
    return;
  }
  const { from } = rotated;
  const end =
    from.state === 'revoked' ? 'was revoked' : `works until ${from.expiresAt?.toISOString().slice(0, 19)}Z`;
  line(
    context.stderr,
    `Created key ${rotated.id} to replace ${from.id}, which ${end}. The new key is shown only once.`,
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
  if (json === true) {
    printJson(context.stdout, key);
    return;
  }
  const { name, trustedOnly } = key;
  line(
    context.stdout,
    `Key ${id} ("${name}") can run ${trustedOnly ? 'only its published documents' : 'any document'}.`,
  );
}

function printState({ stdout }: CommandContext, key: KeySummary, json: true | undefined): void {
  const { id, name, tier, state } = key;
  if (json === true) {
    printJson(stdout, key);
  } else {
    line(stdout, `Key ${id} ("${name}", ${tier}) is ${state}.`);
  }
}
