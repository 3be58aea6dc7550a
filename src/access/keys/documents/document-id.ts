import { createHash } from 'node:crypto';

const PREFIX = 'sha256:';
const SHAPE = /^(?:sha256:)?([0-9a-f]{64})$/;

/** The SHA-256 of a document's exact text, in lower-case hex. */
export function hashDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The id that clients send to request a document. @param hash as {@link hashDocument} returns it. */
export function documentId(hash: string): string {
  return PREFIX + hash;
}

/**
 * Reads the hash from an id: `sha256:` and 64 hex digits as the appendix of GraphQL over HTTP has it, or
 * the digits alone as Apollo's clients send them.
 *
 * @returns undefined for any other text.
 */
export function parseDocumentId(id: string): string | undefined {
  return SHAPE.exec(id)?.[1];
}

/** The same as it is stored; empty for any other text, as no document has it. */
export function hashOfDocument(id: string): Buffer<ArrayBuffer> {
  return Buffer.from(parseDocumentId(id) ?? '', 'hex');
}
