import { OperatorError, throwIfAny } from '../../../lib/errors.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { quote } from '../../../lib/text/plain-text.ts';
import { documentId, hashDocument } from './document-id.ts';

/** One document of a manifest. */
export interface ManifestEntry {
  /** The id that the tool gave it. */
  readonly id: string;
  readonly text: string;
}

const MANIFEST_FORMS =
  "a JSON object of ids and documents, a list of documents, a manifest of Apollo's tools, or one document in a file *.graphql";
/** The format and version that a manifest of Apollo's tools states. */
const APOLLO_FORMAT = 'apollo-persisted-query-manifest';
const APOLLO_VERSION = 1;

/**
 * Reads the manifest of a client's build: an object of ids and texts, as graphql-codegen
 * (`persisted-documents.json`) and Relay's compiler write it, or that of Apollo's
 * generate-persisted-query-manifest, Kotlin and iOS tools, a list of texts, or, by the name of the file, one document.
 *
 * @param name what to call the manifest in messages.
 * @throws OperatorError with a line for each error.
 */
export function parseManifest(name: string, text: string): ManifestEntry[] {
  if (/\.(graphql|gql)$/i.test(name)) {
    return [{ id: documentId(hashDocument(text)), text }];
  }
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new OperatorError(`${name}: not valid JSON, allowed: ${MANIFEST_FORMS}.`);
  }
  if (!isObject(manifest) && !isTextList(manifest)) {
    throw new OperatorError(`${name}: not a manifest, allowed: ${MANIFEST_FORMS}.`);
  }
  const errors: string[] = [];
  const entries = isTextList(manifest)
    ? manifest.map((text) => ({ id: documentId(hashDocument(text)), text }))
    : 'operations' in manifest
      ? readApollo(manifest, errors)
      : readMap(manifest, errors);
  if (entries.length === 0 && errors.length === 0) {
    errors.push(`it contains no documents, allowed: ${MANIFEST_FORMS}.`);
  }
  throwIfAny(errors.map((error) => `${name}: ${error}`));
  return entries;
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

function readMap(manifest: Record<string, unknown>, errors: string[]): ManifestEntry[] {
  return Object.entries(manifest).flatMap(([id, text]) => {
    if (typeof text !== 'string') {
      errors.push(`${quote(id)}: got ${shown(text)}, allowed: the text of a document.`);
      return [];
    }
    return { id, text };
  });
}

function readApollo(
  { format, version, operations }: Record<string, unknown>,
  errors: string[],
): ManifestEntry[] {
  if (format !== APOLLO_FORMAT || version !== APOLLO_VERSION) {
    errors.push(
      `got format ${shown(format)}, version ${shown(version)}, allowed: ${quote(APOLLO_FORMAT)}, ${APOLLO_VERSION}.`,
    );
    return [];
  }
  if (!Array.isArray(operations)) {
    errors.push(`operations: got ${shown(operations)}, allowed: a list.`);
    return [];
  }
  return operations.flatMap((operation: unknown, index) => {
    const { id, body } = isObject(operation) ? operation : {};
    if (typeof id !== 'string' || typeof body !== 'string') {
      errors.push(`operations[${index}]: got ${shown(operation)}, allowed: an object with id and body.`);
      return [];
    }
    return { id, text: body };
  });
}

function shown(value: unknown): string {
  return quote(JSON.stringify(value) ?? 'nothing')
    .slice(1, -1)
    .replaceAll('\\"', '"');
}
