import { type ActContext, act } from '../audit/act.ts';
import type { RandomBytes } from '../base62.ts';
import { OperatorError } from '../errors.ts';
import { quote } from '../plain-text.ts';
import { type CreatedKey, createKeyId, requireNewId } from './create.ts';
import { getKey, isEmbedKey, type KeySummary } from './key.ts';
import { displayPrefix, generateToken, hashToken } from './token.ts';

/** For how long a rotated key still works beside the one that replaces it, in ms. */
export const overlaps = { '0': 0, '1h': 3_600_000, '24h': 86_400_000 } as const;
export type Overlap = keyof typeof overlaps;

/** A key that took over from another. */
export interface RotatedKey extends CreatedKey {
  /** The key that it took over from, as it is now. */
  readonly from: KeySummary;
}

/**
 * Makes a key that takes over from another: its name, tier, account, expiry, accepted policy
 * and published documents. The other
 * one expires after the overlap, or is revoked at once where there is none; meanwhile both draw on one
 * budget.
 *
 * @param overlap one of {@link overlaps}.
 * @param successorId the id of the new key, drawn by whoever asks, so that asking twice creates one key.
 * @throws OperatorError for an unknown id or overlap, and for a key that was rotated before or does not work;
 *   KeyExistsError where the id of the new key is taken.
 */
export async function rotateKey(
  context: ActContext & { readonly randomBytes: RandomBytes },
  id: string,
  overlap: string,
  successorId = createKeyId(context.randomBytes),
): Promise<RotatedKey> {
  const { randomBytes } = context;
  const overlapMs = readOverlap(overlap);
  return act(context, async (within) => {
    const { prisma, now, record } = within;
    const key = await getKey(within, id);
    await requireNewId(within, successorId);
    const successor = await prisma.apiKey.findUnique({ where: { rotatedFrom: id }, select: { id: true } });
    if (successor !== null) {
      throw new OperatorError(
        `Key ${id} was rotated before: rotate ${successor.id}, which took over from it.`,
      );
    }
    if (key.state !== 'active') {
      throw new OperatorError(`Key ${id} is ${key.state}: only an active key can be rotated.`);
    }
    const at = now();
    const { name, tier, demo, accountId, expiresAt, familyId, trustedOnly, origins } = key;
    const token = generateToken(randomBytes, isEmbedKey(key) ? 'embed' : 'secret');
    const { policyVersion, policyAcceptedBy, policyAcceptedAt } = key;
    const accepted = { policyVersion, policyAcceptedBy, policyAcceptedAt };
    await prisma.apiKey.create({
      data: {
        ...{ id: successorId, prefix: displayPrefix(token), hash: hashToken(token) },
        ...{ name, tier, demo, accountId, expiresAt, familyId, trustedOnly, ...accepted },
        ...{ origins: [...origins] },
        rotatedFrom: id,
        createdAt: new Date(at),
      },
      select: { id: true },
    });
    const end = new Date(Math.min(at + overlapMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
    await prisma.apiKey.update({
      where: { id },
      // Not left to the clocks of the nodes where it is to end now.
      data: overlapMs === 0 ? { revokedAt: end } : { expiresAt: end },
      select: { id: true },
    });
    await record('key.rotate', id, { to: successorId, overlap });
    return { id: successorId, key: token, tier, name, from: await getKey(within, id) };
  });
}

function readOverlap(text: string): number {
  if (!Object.hasOwn(overlaps, text)) {
    const allowed = Object.keys(overlaps).join(', ');
    throw new OperatorError(`Overlap: got ${quote(text)}, allowed: one of ${allowed}.`);
  }
  return overlaps[text as Overlap];
}
