import { randomBytes } from 'node:crypto';
import { OperatorError } from '../errors.ts';
import { createKey } from '../keys/create.ts';
import { disableKey } from '../keys/disable.ts';
import { enableKey } from '../keys/enable.ts';
import type { KeyContext, KeySummary } from '../keys/key.ts';
import { listKeys } from '../keys/list.ts';
import { revokeKey } from '../keys/revoke.ts';
import { changeKeyTier } from '../keys/tier.ts';
import { type CommandContext, line } from './command.ts';
import { formatTable } from './table.ts';

export interface CreateKeyOptions {
  name: string;
  tier: string;
  acceptPolicy?: true;
  expires?: string;
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
  const created = await createKey(
    { ...keyContext(context), randomBytes },
    {
      name: options.name,
      tier: options.tier,
      policyVersion: policy.version,
      acceptedBy: user,
      expiresAt: options.expires,
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
  const keys = await listKeys(keyContext(context));
  if (json === true) {
    line(context.stdout, JSON.stringify(keys));
    return;
  }
  const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? '–';
  const rows = keys.map(({ id, prefix, name, tier, state, createdAt, expiresAt }) => [
    id,
    `${prefix}…`,
    tier,
    state,
    day(createdAt),
    day(expiresAt),
    name,
  ]);
  for (const text of formatTable(['ID', 'KEY', 'TIER', 'STATE', 'CREATED', 'EXPIRES', 'NAME'], rows)) {
    line(context.stdout, text);
  }
}

const changes = { revoke: revokeKey, disable: disableKey, enable: enableKey };

/** `revgate keys revoke|disable|enable ID`. */
export async function runChangeKey(
  context: CommandContext,
  change: keyof typeof changes,
  id: string,
): Promise<void> {
  tellState(context, await changes[change](keyContext(context), id));
}

/** `revgate keys tier ID TIER`. */
export async function runSetKeyTier(context: CommandContext, id: string, tier: string): Promise<void> {
  tellState(context, await changeKeyTier(keyContext(context), id, tier));
}

function tellState({ stdout }: CommandContext, { id, name, tier, state }: KeySummary): void {
  line(stdout, `Key ${id} ("${name}", ${tier}) is ${state}.`);
}

function keyContext({ database, now }: CommandContext): KeyContext {
  return { prisma: database.prisma, now };
}
