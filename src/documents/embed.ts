import { type ActionContext, type RunningAction, runAction } from '../audit/run-action.ts';
import { OperatorError } from '../errors.ts';
import { createKey } from '../keys/create.ts';
import { isEmbedKey, summarize, summaryColumns } from '../keys/key.ts';
import { hashToken } from '../keys/token.ts';
import type { RandomBytes } from '../text/base62.ts';
import { documentId, hashDocument } from './document-id.ts';
import { type CheckDocument, publishDocuments } from './publish.ts';

/** The embed key of a list: a new one for web pages of some origins, or an existing one of its holder. */
export type EmbedKeyChoice =
  | { readonly name: string; readonly origins: readonly string[]; readonly policyVersion: string }
  | { readonly key: string };

/** What a web page needs to show the result of a document. */
export interface Embed {
  readonly keyId: string;
  readonly key: string;
  /** The origins whose pages may use it. */
  readonly origins: readonly string[];
  readonly documentId: string;
}

/**
 * Publishes a document for an embed key of the holder, and creates the key unless one is given. Both succeed, or
 * neither does.
 *
 * @throws OperatorError with every error of the input of one step.
 */
export async function createEmbed(
  context: ActionContext & {
    readonly holder: string;
    readonly randomBytes: RandomBytes;
    readonly check: CheckDocument;
  },
  document: string,
  choice: EmbedKeyChoice,
): Promise<Embed> {
  const entry = { id: documentId(hashDocument(document)), text: document };
  return runAction(context, async (within) => {
    const joined = { ...context, within };
    const { id, key, origins } =
      'key' in choice
        ? await findEmbedKey(joined, choice.key)
        : {
            ...(await createKey(joined, { ...choice, tier: 'standard', acceptedBy: context.holder })),
            origins: choice.origins,
          };
    await publishDocuments(joined, id, [entry]);
    return { keyId: id, key, origins, documentId: entry.id };
  });
}

/** Only the hash of a key is stored: the holder must provide the text for a page that is to use it. */
async function findEmbedKey(
  {
    within,
    holder,
    now,
  }: { readonly within: RunningAction; readonly holder: string; readonly now: () => number },
  key: string,
): Promise<{ id: string; key: string; origins: readonly string[] }> {
  const row = await within.prisma.apiKey.findFirst({
    where: { hash: hashToken(key), accountId: holder },
    select: summaryColumns,
  });
  const found = row === null ? undefined : summarize(row, now());
  if (found === undefined || !isEmbedKey(found) || found.state !== 'active') {
    // Not quoted: it may be a secret key.
    throw new OperatorError('Embed key: this is not an active embed key of your account.');
  }
  return { id: found.id, key, origins: found.origins };
}
