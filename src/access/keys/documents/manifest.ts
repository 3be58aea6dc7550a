import { OperatorError } from '../../../lib/errors.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { documentId, hashDocument } from './list.ts';

export interface ManifestEntry {
  /** The id that the tool gave it. */
  readonly id: string;
  readonly text: string;
}

const MANIFEST_FORMS =
  "a JSON object of ids and documents, a list of documents, a manifest of Apollo's tools, or one document in a file *.graphql";

/**
 * Reads the manifest of a client's build: an object of ids and texts, as graphql-codegen
 * (`persisted-documents.json`) and Relay's compiler write it, or that of Apollo's
 * generate-persisted-query-manifest, Kotlin and iOS tools, a list of texts, or, by the name of the file, one document.
 *
 * @param name what to call the manifest in messages.
 * @throws OperatorError for anything else.
 */
export function parseManifest(name: string, text: string): ManifestEntry[] {
  const isDocument = /\.(graphql|gql)$/i.test(name);
  let manifest: unknown;
  try {
    manifest = isDocument ? [text] : JSON.parse(text);
  } catch {
    throw new OperatorError(`${name}: not valid JSON, allowed: ${MANIFEST_FORMS}.`);
  }
  return parseEntries(name, manifest);
}

/**
 * The same for a manifest that was read as JSON.
 *
 * @throws OperatorError for anything else.
 */
export function parseEntries(name: string, manifest: unknown): ManifestEntry[] {
  const entries = entriesOf(manifest);
  if (!entries?.every(isEntry)) {
    throw new OperatorError(`${name}: not a manifest, allowed: ${MANIFEST_FORMS}.`);
  }
  if (entries.length === 0) {
    throw new OperatorError(`${name}: it contains no documents, allowed: ${MANIFEST_FORMS}.`);
  }
  return entries;
}

type UncheckedEntry = { readonly [name in keyof ManifestEntry]: unknown };
const isEntry = (entry: UncheckedEntry): entry is ManifestEntry =>
  typeof entry.id === 'string' && typeof entry.text === 'string';

/** What would be the entries of a manifest; undefined where there are none. */
function entriesOf(manifest: unknown): UncheckedEntry[] | undefined {
  if (Array.isArray(manifest)) {
    return manifest.map((text) => ({ id: documentId(hashDocument(String(text))), text }));
  }
  if (!isObject(manifest)) {
    return undefined;
  }
  const { format, version, operations } = manifest;
  if (operations === undefined) {
    return Object.entries(manifest).map(([id, text]) => ({ id, text }));
  }
  return format === 'apollo-persisted-query-manifest' && version === 1 && Array.isArray(operations)
    ? operations.map((one) => ({ id: one?.id, text: one?.body }))
    : undefined;
}
