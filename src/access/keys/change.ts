import type { Prisma } from '../../db/generated/client/client.ts';
import { OperatorError, quote, readReason, throwIfAny } from '../../lib/errors.ts';
import { type Action, type ActionContext, runAction } from '../audit/audit-log.ts';
import { LIMIT_MAX } from '../limits/tiers.ts';
import { NO_EMBEDDED_SNAPSHOT } from './create.ts';
import { removeEndedDocuments } from './documents/publish-and-remove.ts';
import { familyOf, getKey, isEmbedKey, type KeySummary, nameErrors, requireTier } from './key.ts';

/**
 * Renames a key. The keys that it was rotated from or to keep their names.
 *
 * @throws OperatorError for an unknown id and for an invalid name.
 */
export async function renameKey(context: ActionContext, id: string, name: string): Promise<KeySummary> {
  throwIfAny(nameErrors(name));
  return changeKeys(
    context,
    id,
    'key.rename',
    (key) => key.name !== name && [{ name }, key.accountId === null ? { from: key.name, to: name } : {}],
    () => ({ id }),
  );
}

/**
 * Changes the tier of a key, and of those that share its budget. Their open window continues, with the new
 * limit.
 *
 * @throws OperatorError for an unknown id or tier.
 */
export async function changeKeyTier(context: ActionContext, id: string, tier: string): Promise<KeySummary> {
  const to = requireTier(tier);
  return changeKeys(
    context,
    id,
    'key.tier',
    (key) => key.tier !== to && [{ tier: to }, { from: key.tier, to }],
  );
}

/** The word for no limit of its own. */
const DEFAULT_LIMIT = 'default';

/**
 * Gives a key, and those that share its budget, a limit of its own. Their open window continues, with the new limit.
 *
 * @param limit requests a minute, or `default` for the limit of its tier.
 * @throws OperatorError for an unknown id or an invalid limit.
 */
export async function setKeyLimit(context: ActionContext, id: string, limit: string): Promise<KeySummary> {
  const rateLimit = readKeyLimit(limit);
  return changeKeys(
    context,
    id,
    'key.limit',
    (key) =>
      key.rateLimit !== rateLimit && [
        { rateLimit },
        { from: key.rateLimit ?? DEFAULT_LIMIT, to: rateLimit ?? DEFAULT_LIMIT },
      ],
  );
}

/**
 * Reads a limit; null for `default`.
 *
 * @throws OperatorError for an invalid one.
 */
export function readKeyLimit(text: string): number | null {
  if (text === DEFAULT_LIMIT) {
    return null;
  }
  const limit = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX) {
    throw new OperatorError(
      `Limit: got ${quote(text)}, allowed: an integer from 1 to ${LIMIT_MAX}, or ${DEFAULT_LIMIT}.`,
    );
  }
  return limit;
}

/**
 * Disables a key under the acceptable-use policy: its requests get 403 until it is enabled again. The keys
 * that it was rotated from or to are disabled too, or their holder would continue to use another of them.
 * Disabling it again changes nothing, not even the time.
 *
 * @param reason shown to its holder.
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export async function disableKey(context: ActionContext, id: string, reason?: string): Promise<KeySummary> {
  const disabledReason = readReason(reason);
  const data = { disabledAt: new Date(context.now()), disabledReason };
  return changeKeys(
    context,
    id,
    'key.disable',
    ({ disabledAt }) => disabledAt === null && [data, { reason: disabledReason }],
  );
}

/**
 * Reverts `disableKey`. A key that was revoked or has expired does not become active again, as its state shows;
 * nor does a key whose account is disabled.
 *
 * @param reason for the audit log only.
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export async function enableKey(context: ActionContext, id: string, reason?: string): Promise<KeySummary> {
  const details = { reason: readReason(reason) };
  const data = { disabledAt: null, disabledReason: null };
  return changeKeys(context, id, 'key.enable', ({ disabledAt }) => disabledAt !== null && [data, details]);
}

/**
 * Revokes a key permanently, and only this one: a key it was rotated from or to still works. If none of them does,
 * their published documents are removed. Revoking it again changes nothing, not even the time.
 *
 * @throws OperatorError for an unknown id.
 */
export async function revokeKey(context: ActionContext, id: string): Promise<KeySummary> {
  return runAction(context, async (within) => {
    const { prisma, now, record } = within;
    const key = await getKey(within, id);
    if (key.revokedAt !== null) {
      return key;
    }
    const data = { revokedAt: new Date(now()) };
    await prisma.apiKey.update({ where: { id }, data, select: { id: true } });
    await removeEndedDocuments(within, key);
    await record('key.revoke', id);
    return getKey(within, id);
  });
}

/** Which documents a key may request over GraphQL: any, or only those published for it. */
export const documentModes = ['any', 'trusted'] as const;

/**
 * Restricts a key, and those that it was rotated from or to, to published documents, or lets it send any.
 *
 * @param mode one of {@link documentModes}.
 * @throws OperatorError for an unknown id or mode, and for an embed key that is to send any document.
 */
export async function setKeyDocuments(context: ActionContext, id: string, mode: string): Promise<KeySummary> {
  if (!(documentModes as readonly string[]).includes(mode)) {
    throw new OperatorError(`Documents: got ${quote(mode)}, allowed: ${documentModes.join(' or ')}.`);
  }
  const trustedOnly = mode === 'trusted';
  return changeKeys(context, id, 'key.documents', (key) => {
    if (!trustedOnly && isEmbedKey(key)) {
      throw new OperatorError(
        `Key ${id} is an embed key: everyone can read it, so it can run only published documents.`,
      );
    }
    return key.trustedOnly !== trustedOnly && [{ trustedOnly }, { documents: mode }];
  });
}

/**
 * Allows a key, and those that it was rotated from or to, to download a snapshot of all startups, or forbids it.
 *
 * @throws OperatorError for an unknown id, and for an embed key.
 */
export async function permitSnapshots(
  context: ActionContext,
  id: string,
  snapshot: boolean,
): Promise<KeySummary> {
  return changeKeys(context, id, snapshot ? 'key.allow' : 'key.forbid', (key) => {
    if (snapshot && isEmbedKey(key)) {
      throw new OperatorError(NO_EMBEDDED_SNAPSHOT);
    }
    return key.snapshot !== snapshot && [{ snapshot }, { permission: 'snapshot' }];
  });
}

/**
 * Changes a key and those that it was rotated from or to, which always have the same of all but names.
 *
 * @param change the new data and what the log says of it, or false if there is nothing to change.
 * @param where the keys to change.
 */
function changeKeys(
  context: ActionContext,
  id: string,
  action: Action,
  change: (key: KeySummary) => false | [Prisma.ApiKeyUpdateManyMutationInput, Prisma.InputJsonObject],
  where: (key: KeySummary) => Prisma.ApiKeyWhereInput = familyOf,
): Promise<KeySummary> {
  return runAction(context, async (within) => {
    const key = await getKey(within, id);
    const changes = change(key);
    if (changes === false) {
      return key;
    }
    const [data, details] = changes;
    await within.prisma.apiKey.updateMany({ where: where(key), data });
    await within.record(action, id, details);
    return getKey(within, id);
  });
}
