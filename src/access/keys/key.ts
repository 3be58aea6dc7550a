import type { Prisma } from '../../db/generated/client/client.ts';
import { lineErrors, OperatorError, quote, UnknownError } from '../../lib/errors.ts';
import type { ReadContext } from '../audit/audit-log.ts';
import { isTier, type Tier, tiers } from '../limits/tiers.ts';

/**
 * Revoked is final; expired depends on the clock; disabled, under the policy, can be reverted. A key is also
 * disabled while its account is.
 */
export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

/** The columns of a {@link KeySummary}, see the model ApiKey; the hash is not among them. */
export const summaryColumns = {
  id: true,
  name: true,
  prefix: true,
  tier: true,
  rateLimit: true,
  demo: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  disabledAt: true,
  disabledReason: true,
  accountId: true,
  familyId: true,
  rotatedFrom: true,
  trustedOnly: true,
  origins: true,
  snapshot: true,
  account: { select: { disabledAt: true, disabledReason: true } },
  policyVersion: true,
  policyAcceptedBy: true,
  policyAcceptedAt: true,
} satisfies Prisma.ApiKeySelect;

type Row = Prisma.ApiKeyGetPayload<{ select: typeof summaryColumns }>;

/** A key as shown to its owner: without the key itself and its hash. */
export type KeySummary = Readonly<Omit<Row, 'account'>> & {
  readonly tier: Tier;
  readonly state: KeyState;
  /** The id of the first key of its family: a key and those that replaced it, which share one budget. */
  readonly familyId: string;
};

/** Adds the state, as of `at` (ms), to the stored columns. A key without a reason has that of its account. */
export function summarize({ account, ...row }: Row, at: number): KeySummary {
  const isDisabled = row.disabledAt !== null || (account !== null && account.disabledAt !== null);
  return {
    ...row,
    tier: requireTier(row.tier),
    state: stateOf(row, isDisabled, at),
    familyId: row.familyId ?? row.id,
    disabledReason: row.disabledReason ?? account?.disabledReason ?? null,
  };
}

/**
 * Reads one key by its id.
 *
 * @throws UnknownError if there is no such key, or it belongs to another holder.
 */
export async function getKey(
  { prisma, now, holder }: ReadContext<'apiKey'>,
  id: string,
): Promise<KeySummary> {
  // The database rejects some texts with an error, so only well-formed ids are sent to it.
  const row = isKeyId(id)
    ? await prisma.apiKey.findUnique({
        where: { id, ...(holder !== undefined && { accountId: holder }) },
        select: summaryColumns,
      })
    : null;
  if (row === null) {
    throw new UnknownError(`No key has the id ${quote(id)}.`);
  }
  return summarize(row, now());
}

/** Whether a key is for the scripts of web pages, where everyone can read it. */
export function isEmbedKey({ origins }: { readonly origins: readonly string[] }): boolean {
  return origins.length > 0;
}

/** The keys that were neither revoked nor have expired, as a condition. They may be disabled. */
export function workingAt(at: Date) {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
}

export function familyOf({ familyId }: Pick<KeySummary, 'familyId'>): Prisma.ApiKeyWhereInput {
  return { OR: [{ id: familyId }, { familyId }] };
}

/** @throws OperatorError when the text names no tier. */
export function requireTier(tier: string): Tier {
  if (!isTier(tier)) {
    throw new OperatorError(tierError(tier));
  }
  return tier;
}

export function tierError(tier: string): string {
  return `Tier: got ${quote(tier)}, allowed: ${tiers.join(' or ')}.`;
}

export function isKeyId(text: string): boolean {
  return /^key_[0-9A-Za-z]{12}$/.test(text);
}

export const KEY_NAME_MAX = 100;

export function nameErrors(name: string): string[] {
  return lineErrors('Name', name, KEY_NAME_MAX);
}

function stateOf(
  row: { revokedAt: Date | null; expiresAt: Date | null },
  isDisabled: boolean,
  at: number,
): KeyState {
  if (row.revokedAt !== null) {
    return 'revoked';
  }
  if (row.expiresAt !== null && row.expiresAt.getTime() <= at) {
    return 'expired';
  }
  return isDisabled ? 'disabled' : 'active';
}
