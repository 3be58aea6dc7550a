import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import { quote } from '../plain-text.ts';
import { familyOf, getKey, isEmbedKey, type KeySummary } from './key.ts';

/** Which documents a key may request over GraphQL: any, or only those published for it. */
export const documentModes = ['any', 'trusted'] as const;

/**
 * Restricts a key, and those that it was rotated from or to, to published documents, or lets it send any.
 *
 * @param mode one of {@link documentModes}.
 * @throws OperatorError for an unknown id or mode, and for an embed key that is to send any document.
 */
export async function setKeyDocuments(context: ActContext, id: string, mode: string): Promise<KeySummary> {
  if (!(documentModes as readonly string[]).includes(mode)) {
    throw new OperatorError(`Documents: got ${quote(mode)}, allowed: ${documentModes.join(' or ')}.`);
  }
  const trustedOnly = mode === 'trusted';
  return act(context, async (within) => {
    const { prisma, record } = within;
    const key = await getKey(within, id);
    if (!trustedOnly && isEmbedKey(key)) {
      throw new OperatorError(
        `Key ${id} is an embed key: everyone can read it, so it can run only published documents.`,
      );
    }
    const { count } = await prisma.apiKey.updateMany({
      where: { ...familyOf(key), trustedOnly: !trustedOnly },
      data: { trustedOnly },
    });
    if (count > 0) {
      await record('key.documents', id, { documents: mode });
    }
    return getKey(within, id);
  });
}
