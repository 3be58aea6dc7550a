import * as z from 'zod/mini';
import { OperatorError, throwIfAny } from '../../../lib/errors.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { quote } from '../../../lib/text/plain-text.ts';
import { documentId, hashDocument } from './list.ts';

export interface ManifestEntry {
  /** The id that the tool gave it. */
  readonly id: string;
  readonly text: string;
}

const MANIFEST_FORMS =
  "a JSON object of ids and documents, a list of documents, a manifest of Apollo's tools, or one document in a file *.graphql";
const listSchema = z.array(z.string());
const mapSchema = z.record(z.string(), z.string());
const apolloSchema = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});

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
    return [withHash(text)];
  }
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new OperatorError(`${name}: not valid JSON, allowed: ${MANIFEST_FORMS}.`);
  }
  const entries = readEntries(name, manifest);
  if (entries.length === 0) {
    throw new OperatorError(`${name}: it contains no documents, allowed: ${MANIFEST_FORMS}.`);
  }
  return entries;
}

function readEntries(name: string, manifest: unknown): ManifestEntry[] {
  const read = <T>(schema: z.ZodMiniType<T>): T => {
    const { data, error } = schema.safeParse(manifest);
    throwIfAny(error?.issues.map((issue) => `${name}: ${describeIssue(issue, manifest)}`) ?? []);
    return data as T;
  };
  if (Array.isArray(manifest)) {
    return read(listSchema).map(withHash);
  }
  if (isObject(manifest) && 'operations' in manifest) {
    return read(apolloSchema).operations.map(({ id, body }) => ({ id, text: body }));
  }
  return Object.entries(read(mapSchema)).map(([id, document]) => ({ id, text: document }));
}

function describeIssue(issue: z.core.$ZodIssue, manifest: unknown): string {
  if (issue.path.length === 0) {
    return `not a manifest, allowed: ${MANIFEST_FORMS}.`;
  }
  const value = issue.path.reduce<unknown>((part, key) => Object(part)[key], manifest);
  const allowed =
    issue.code === 'invalid_value' ? issue.values.join() : 'expected' in issue && issue.expected;
  // Not escaped twice.
  const got = quote(JSON.stringify(value) ?? 'nothing')
    .slice(1, -1)
    .replaceAll('\\"', '"');
  return `${issue.path.join('.')}: got ${got}, allowed: ${allowed}.`;
}

const withHash = (text: string): ManifestEntry => ({ id: documentId(hashDocument(text)), text });
