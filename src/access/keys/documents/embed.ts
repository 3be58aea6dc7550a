import { type CreateContext, runAction } from '../../audit/audit-log.ts';
import { createKey } from '../create.ts';
import { documentId, hashDocument } from './list.ts';
import { type CheckDocument, publishDocuments } from './publish-and-remove.ts';

export interface Embed {
  readonly keyId: string;
  readonly key: string;
  readonly origins: readonly string[];
  readonly documentId: string;
}

/**
 * Creates an embed key, and publishes a document for it. Both succeed, or neither does.
 *
 * @throws OperatorError with every error of the input of one step.
 */
export async function createEmbed(
  context: CreateContext & { readonly holder: string; readonly check: CheckDocument },
  document: string,
  choice: { readonly name: string; readonly origins: readonly string[]; readonly policyVersion: string },
): Promise<Embed> {
  const entry = { id: documentId(hashDocument(document)), text: document };
  return runAction(context, async (within) => {
    const joined = { ...context, within };
    const { id, key } = await createKey(joined, { ...choice, tier: 'standard', acceptedBy: context.holder });
    await publishDocuments(joined, id, [entry]);
    return { keyId: id, key, origins: choice.origins, documentId: entry.id };
  });
}
