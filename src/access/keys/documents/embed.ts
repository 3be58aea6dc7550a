import { type ActionContext, type CreateContext, runAction } from '../../audit/audit-log.ts';
import { revokeKey } from '../change.ts';
import { createKey, type NewKey } from '../create.ts';
import { familyOf, getKey, workingAt } from '../key.ts';
import { documentId, hashDocument } from './list.ts';
import { type CheckDocument, publishDocuments, removeDocument } from './publish-and-remove.ts';

export interface Embed {
  readonly keyId: string;
  readonly key: string;
  readonly origins: readonly string[];
  readonly documentId: string;
}

/**
 * Creates an embed key, and publishes a document for it. Both succeed, or neither does.
 *
 * @throws OperatorError with every error of the input of one step; KeyExistsError for the id of a key that exists.
 */
export async function createEmbed(
  context: CreateContext & { readonly holder: string; readonly check: CheckDocument },
  document: string,
  choice: Pick<NewKey, 'id' | 'name' | 'policyVersion'> & { readonly origins: readonly string[] },
): Promise<Embed> {
  const entry = { id: documentId(hashDocument(document)), text: document };
  return runAction(context, async (within) => {
    const joined = { ...context, within };
    const { id, key } = await createKey(joined, { ...choice, tier: 'standard', acceptedBy: context.holder });
    await publishDocuments(joined, id, [entry]);
    return { keyId: id, key, origins: choice.origins, documentId: entry.id };
  });
}

/**
 * Removes a document of a key; on request, also revokes the key, with those that it was rotated from or to, unless it has
 * another document. Both succeed, or neither does.
 *
 * @throws OperatorError for an unknown key, or a document that it has not published.
 */
export async function removeEmbed(
  context: ActionContext,
  keyId: string,
  document: string,
  revokes: boolean,
): Promise<void> {
  await runAction(context, async (within) => {
    const joined = { ...context, within };
    const key = await getKey(within, keyId);
    await removeDocument(joined, keyId, document);
    const { prisma, now } = within;
    if (revokes && (await prisma.trustedDocument.count({ where: { familyId: key.familyId } })) === 0) {
      const where = { AND: [familyOf(key), workingAt(new Date(now()))] };
      for (const { id } of await prisma.apiKey.findMany({ where, select: { id: true } })) {
        await revokeKey(joined, id);
      }
    }
  });
}
