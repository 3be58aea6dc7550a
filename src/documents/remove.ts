import { type ActionContext, runAction } from '../audit/run-action.ts';
import { OperatorError } from '../errors.ts';
import { getKey } from '../keys/key.ts';
import { quote } from '../text/plain-text.ts';
import { documentId, parseDocumentId } from './document-id.ts';

/**
 * Removes a document of a key and of those that it was rotated from or to: clients that request it get 404.
 *
 * @param id with or without `sha256:`.
 * @returns its id.
 * @throws OperatorError for an unknown key, or a document that it has not published.
 */
export async function removeDocument(context: ActionContext, keyId: string, id: string): Promise<string> {
  return runAction(context, async (within) => {
    const { prisma, record } = within;
    const { familyId } = await getKey(within, keyId);
    const hash = parseDocumentId(id);
    const { count } =
      hash === undefined
        ? { count: 0 }
        : await prisma.trustedDocument.deleteMany({ where: { familyId, hash: Buffer.from(hash, 'hex') } });
    if (hash === undefined || count === 0) {
      throw new OperatorError(`Key ${keyId} has no document ${quote(id)}.`);
    }
    await record('documents.remove', keyId, { document: documentId(hash) });
    return documentId(hash);
  });
}
