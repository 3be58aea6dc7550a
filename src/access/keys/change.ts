import type { Prisma } from '../../db/generated/client/client.ts';
import { OperatorError, quote, readReason, throwIfAny } from '../../lib/errors.ts';
import { type Action, type ActionContext, runAction } from '../audit/audit-log.ts';
import { LIMIT_MAX } from '../limits/tiers.ts';
import { NO_EMBEDDED_SNAPSHOT } from './create.ts';
import { removeEndedDocuments } from './documents/publish-and-remove.ts';
import { originErrors } from './embed-origins.ts';
import { familyOf, getKey, isEmbedKey, type KeySummary, nameErrors, requireTier } from './key.ts';

/** What is recorded and stored of a change, and what the log says of it; false if there is nothing to change. */
type Change = false | [Action, Prisma.ApiKeyUpdateManyMutationInput, Prisma.InputJsonObject];

/**
 * Makes a function that changes a key and those that it was rotated from or to, which always have the same of all but names.
 *
 * @param change what is given for a key, at a time in ms.
 * @param where the keys to change.
 */
function changing<Given>(
  change: (key: KeySummary, given: Given, now: number) => Change,
  where: (key: KeySummary) => Prisma.ApiKeyWhereInput = familyOf,
) {
  type Rest = undefined extends Given ? [given?: Given] : [given: Given];
  return (context: ActionContext, id: string, ...[given]: Rest): Promise<KeySummary> =>
    runAction(context, async (within) => {
      const key = await getKey(within, id);
      const changes = change(key, given as Given, within.now());
      if (changes === false) {
        return key;
      }
      const [action, data, details] = changes;
      await within.prisma.apiKey.updateMany({ where: where(key), data });
      await within.record(action, id, details);
      return getKey(within, id);
    });
}

/**
 * Renames a key. The keys that it was rotated from or to keep their names.
 *
 * @throws OperatorError for an unknown id and for an invalid name.
 */
export const renameKey = changing(
  (key, name: string) => {
    throwIfAny(nameErrors(name));
    const details = key.accountId === null ? { from: key.name, to: name } : {};
    return key.name !== name && ['key.rename', { name }, details];
  },
  ({ id }) => ({ id }),
);

/**
 * Changes the tier of a key, and of those that share its budget. Their open window continues, with the new
 * limit.
 *
 * @throws OperatorError for an unknown id or tier.
 */
export const changeKeyTier = changing(({ tier: from }, tier: string) => {
  const to = requireTier(tier);
  return from !== to && ['key.tier', { tier: to }, { from, to }];
});

/** The word for no limit of its own. */
const DEFAULT_LIMIT = 'default';

/**
 * Gives a key, and those that share its budget, a limit of its own: requests a minute, or `default` for the limit of its
 * tier. Their open window continues, with the new limit.
 *
 * @throws OperatorError for an unknown id or an invalid limit.
 */
export const setKeyLimit = changing((key, limit: string) => {
  const rateLimit = readKeyLimit(limit);
  const details = { from: key.rateLimit ?? DEFAULT_LIMIT, to: rateLimit ?? DEFAULT_LIMIT };
  return key.rateLimit !== rateLimit && ['key.limit', { rateLimit }, details];
});

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
 * Disabling it again changes nothing, not even the time. The reason is shown to its holder.
 *
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export const disableKey = changing(({ disabledAt }, text: string | undefined, now) => {
  const reason = readReason(text);
  const data = { disabledAt: new Date(now), disabledReason: reason };
  return disabledAt === null && ['key.disable', data, { reason }];
});

/**
 * Reverts `disableKey`. A key that was revoked or has expired does not become active again, as its state shows;
 * nor does a key whose account is disabled. The reason is for the audit log only.
 *
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export const enableKey = changing(({ disabledAt }, text: string | undefined) => {
  const reason = readReason(text);
  return disabledAt !== null && ['key.enable', { disabledAt: null, disabledReason: null }, { reason }];
});

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
 * Restricts a key, and those that it was rotated from or to, to published documents, or lets it send any: one of
 * {@link documentModes}.
 *
 * @throws OperatorError for an unknown id or mode, and for an embed key that is to send any document.
 */
export const setKeyDocuments = changing((key, mode: string) => {
  if (!(documentModes as readonly string[]).includes(mode)) {
    throw new OperatorError(`Documents: got ${quote(mode)}, allowed: ${documentModes.join(' or ')}.`);
  }
  const trustedOnly = mode === 'trusted';
  if (!trustedOnly && isEmbedKey(key)) {
    throw new OperatorError(
      `Key ${key.id} is an embed key: everyone can read it, so it can run only published documents.`,
    );
  }
  return key.trustedOnly !== trustedOnly && ['key.documents', { trustedOnly }, { documents: mode }];
});

/**
 * Changes the web pages that may use an embed key, and those that it was rotated from or to.
 *
 * @throws OperatorError for an unknown id, invalid origins or none, and for a secret key: everyone could read one in a page.
 */
export const setKeyOrigins = changing((key, origins: readonly string[]) => {
  if (!isEmbedKey(key)) {
    throw new OperatorError(`Key ${key.id} is a secret key: only an embed key has origins.`);
  }
  throwIfAny(originErrors(origins));
  const isSame = origins.length === key.origins.length && origins.every((one) => key.origins.includes(one));
  const details = { from: [...key.origins], to: [...origins] };
  return !isSame && ['key.origins', { origins: [...origins] }, details];
});

/**
 * Allows a key, and those that it was rotated from or to, to download a snapshot of all startups, or forbids it.
 *
 * @throws OperatorError for an unknown id, and for an embed key.
 */
export const permitSnapshots = changing((key, snapshot: boolean) => {
  if (snapshot && isEmbedKey(key)) {
    throw new OperatorError(NO_EMBEDDED_SNAPSHOT);
  }
  const action = snapshot ? 'key.allow' : 'key.forbid';
  return key.snapshot !== snapshot && [action, { snapshot }, { permission: 'snapshot' }];
});
