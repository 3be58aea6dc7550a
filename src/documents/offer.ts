import { runAction } from '../audit/run-action.ts';
import { OperatorError, throwIfAny } from '../errors.ts';
import { getKey } from '../keys/key.ts';
import { quote } from '../text/plain-text.ts';
import { documentId, parseDocumentId } from './document-id.ts';
import { findKnown } from './known.ts';
import { type Offer, requireOffering, requireToolNames } from './offers.ts';
import type { PublishContext } from './publish.ts';

/**
 * Offers a published document as something else as well, or ends that. Its id still works.
 *
 * @returns its id.
 * @throws OperatorError for an unknown key, a document that it has not published, or one that cannot be offered so.
 */
export async function offerDocument(
  context: PublishContext,
  keyId: string,
  id: string,
  offer: Offer,
  isOffered: boolean,
): Promise<string> {
  return runAction(context, async (within) => {
    const { prisma, record } = within;
    const key = await getKey(within, keyId);
    const { familyId } = key;
    const hash = parseDocumentId(id);
    const row =
      hash === undefined
        ? null
        : await prisma.trustedDocument.findUnique({
            where: { familyId_hash: { familyId, hash: Buffer.from(hash, 'hex') } },
          });
    if (hash === undefined || row === null) {
      throw new OperatorError(`Key ${keyId} has no document ${quote(id)}.`);
    }
    if (row[offer] === isOffered) {
      return documentId(hash);
    }
    if (isOffered) {
      requireOffering(key, { [offer]: true });
      throwIfAny(context.check(row.text, { [offer]: true }).errors);
      if (offer === 'tool') {
        const { tools } = await findKnown(prisma, key, {});
        requireToolNames(keyId, [...tools, ...row.operations]);
      }
    }
    await prisma.trustedDocument.update({
      where: { familyId_hash: { familyId, hash: row.hash } },
      data: { [offer]: isOffered },
      select: { hash: true },
    });
    await record(isOffered ? 'documents.offer' : 'documents.withdraw', keyId, {
      document: documentId(hash),
      offer,
    });
    return documentId(hash);
  });
}
