import { randomBytes } from 'node:crypto';
import type { ActContext } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import { createKey } from '../keys/create.ts';
import { disableKey } from '../keys/disable.ts';
import { setKeyDocuments } from '../keys/documents.ts';
import { enableKey } from '../keys/enable.ts';
import type { KeySummary } from '../keys/key.ts';
import { listKeys } from '../keys/list.ts';
import { publishPolicy } from '../keys/publish-policy.ts';
import { revokeKey } from '../keys/revoke.ts';
import { rotateKey } from '../keys/rotate.ts';
import { changeKeyTier } from '../keys/tier.ts';
import { type CommandContext, line } from './command.ts';
import { formatTable } from './table.ts';

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
  const { policy, stdout, stderr, user } = context;
  if (options.acceptPolicy !== true) {
    line(stderr, policy.text.trimEnd());
    throw new OperatorError(
      'A key is made only for those who accept this policy: say so with --accept-policy.',
    );
  }
  if (options.embed !== true && options.origin !== undefined) {
    throw new OperatorError('--origin is for an embed key: say so with --embed.');
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
  if (options.json === true) {
    const { id, key, tier, name } = created;
    line(stdout, JSON.stringify({ id, key, tier, name }));
    return;
  }
  line(stdout, `${created.key}`);
  line(
    stderr,
    `Key ${created.id} (${created.tier}, "${created.name}") was made. It is shown only this once.`,
  );
}

/** `revgate keys list`. */
export async function runListKeys(context: CommandContext, { json }: { json?: true }): Promise<void> {
  const keys = await listKeys(actContext(context));
  if (json === true) {
    line(context.stdout, JSON.stringify(keys));
    return;
  }
  const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? '–';
  const rows = keys.map(({ id, prefix, name, tier, state, createdAt, expiresAt, lastUsedAt }) => [
    id,
    `${prefix}…`,
    tier,
    state,
    day(createdAt),
    day(expiresAt),
    lastUsedAt === null ? '–' : `${lastUsedAt.toISOString().slice(0, 16)}Z`,
    name,
  ]);
  for (const text of formatTable(
    ['ID', 'KEY', 'TIER', 'STATE', 'CREATED', 'EXPIRES', 'LAST USE', 'NAME'],
    rows,
  )) {
    line(context.stdout, text);
  }
}

const changes = { revoke: revokeKey, disable: disableKey, enable: enableKey };

/** `revgate keys revoke|disable|enable ID`. */
export async function runChangeKey(
  context: CommandContext,
  change: keyof typeof changes,
  id: string,
  { reason }: { reason?: string } = {},
): Promise<void> {
  tellState(context, await changes[change](actContext(context), id, reason));
}

/** `revgate keys rotate ID`: prints the new key, once. */
export async function runRotateKey(
  context: CommandContext,
  id: string,
  options: { overlap: string; json?: true },
): Promise<void> {
  const { stdout, stderr } = context;
  const rotated = await rotateKey({ ...actContext(context), randomBytes }, id, options.overlap);
  if (options.json === true) {
    const { id, key, tier, name } = rotated;
    line(stdout, JSON.stringify({ id, key, tier, name }));
    return;
  }
  line(stdout, rotated.key);
  const { from } = rotated;
  const fate =
    from.state === 'revoked' ? 'is revoked' : `works until ${from.expiresAt?.toISOString().slice(0, 19)}Z`;
  line(stderr, `Key ${rotated.id} took over from ${from.id}, which ${fate}. It is shown only this once.`);
}

/** `revgate keys tier ID TIER`. */
export async function runSetKeyTier(context: CommandContext, id: string, tier: string): Promise<void> {
  tellState(context, await changeKeyTier(actContext(context), id, tier));
}

/** `revgate keys documents ID trusted|any`. */
export async function runSetKeyDocuments(context: CommandContext, id: string, mode: string): Promise<void> {
  const { name, trustedOnly } = await setKeyDocuments(actContext(context), id, mode);
  line(
    context.stdout,
    `Key ${id} ("${name}") may ask for ${trustedOnly ? 'its published documents only' : 'any document'}.`,
  );
}

function tellState({ stdout }: CommandContext, { id, name, tier, state }: KeySummary): void {
  line(stdout, `Key ${id} ("${name}", ${tier}) is ${state}.`);
}

/** Whoever runs a command is who acts. */
export function actContext({ database, now, user }: CommandContext): ActContext {
  return { prisma: database.prisma, now, actor: user };
}
