import { parseDocumentId } from '../../../access/keys/documents/list.ts';
import type { DocumentStore } from '../../../access/keys/documents/store.ts';
import type { VerifiedKey } from '../../../access/keys/verify.ts';
import { ApiError } from '../../../lib/errors.ts';
import { andThen } from '../../../lib/loop/time-slices.ts';
import { inputError } from '../errors.ts';

/** The document of a request: its text, or the hash (lower-case hex) of one that was published. */
export type RequestedDocument = { readonly query: string } | { readonly hash: string };

const ID_SHAPE = 'sha256: and the 64 lower-case hex digits of the SHA-256 of a published document';

/**
 * Determines the document of a request: `query`, `documentId` as in the appendix on persisted documents
 * of GraphQL over HTTP, or `extensions.persistedQuery` as Apollo's clients and others send it.
 *
 * @throws ApiError for none, a malformed one, or a text along with an id: requests cannot register documents.
 */
export function readRequestedDocument(params: {
  readonly query: unknown;
  readonly documentId: unknown;
  readonly persistedQuery: unknown;
}): RequestedDocument {
  const { query, documentId, persistedQuery } = params;
  const ids: [parameter: string, value: unknown][] = [];
  if (documentId !== undefined && documentId !== null) {
    ids.push(['documentId', documentId]);
  }
  if (persistedQuery !== undefined && persistedQuery !== null) {
    ids.push(['extensions.persistedQuery.sha256Hash', hashOf(persistedQuery)]);
  }
  const [id, another] = ids;
  if (id === undefined) {
    if (typeof query !== 'string' || query === '') {
      throw inputError('query', query ?? null, 'the text of a GraphQL document, or documentId in its place');
    }
    return { query };
  }
  const [parameter, value] = another ?? id;
  if (another !== undefined || (query !== '' && query !== undefined && query !== null)) {
    throw inputError(
      parameter,
      value,
      'one of query, documentId and extensions.persistedQuery; documents are not registered by requests',
    );
  }
  const hash = typeof value === 'string' ? parseDocumentId(value) : undefined;
  if (hash === undefined) {
    throw inputError(parameter, value, ID_SHAPE);
  }
  return { hash };
}

/** Apollo's protocol of persisted queries has one version. */
function hashOf(persistedQuery: unknown): unknown {
  const { version, sha256Hash } = persistedQuery as { version?: unknown; sha256Hash?: unknown };
  if (version !== 1) {
    throw inputError('extensions.persistedQuery.version', version ?? null, '1');
  }
  return sha256Hash ?? null;
}

/**
 * The text of the document that a request is about.
 *
 * @param key whose published documents may be requested, undefined for a session, which has no published documents.
 * @throws ApiError DOCUMENT_NOT_TRUSTED for a text if only published documents may be requested,
 *   DOCUMENT_NOT_FOUND for one that was not published.
 */
export function findDocumentText(
  document: RequestedDocument,
  key: Pick<VerifiedKey, 'family' | 'trustedOnly'> | undefined,
  documents: DocumentStore,
): string | Promise<string> {
  if ('query' in document) {
    if (key?.trustedOnly === true) {
      throw new ApiError(
        'DOCUMENT_NOT_TRUSTED',
        'This key can run only published documents: send documentId without query',
      );
    }
    return document.query;
  }
  const { hash } = document;
  return andThen(key === undefined ? null : documents.find(key.family, hash), (text) => {
    if (text === null) {
      // Not the error that makes Apollo's clients send the text.
      throw new ApiError('DOCUMENT_NOT_FOUND', `No document sha256:${hash} is published for this key`);
    }
    return text;
  });
}
