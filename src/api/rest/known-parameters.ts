import type { OwnField } from '../../startups/model/own-fields.ts';
import type { SurfaceName } from '../gateway/authentication.ts';
import { schemaText } from '../graphql/schema.ts';
import { operations } from './endpoint-table.ts';
import { publishMembers } from './publish-documents.ts';

/** Parts of a request as errors name them, apart from arguments. */
const parts = [
  'body',
  'query',
  'documentId',
  'operationName',
  'variables',
  'extensions',
  'extensions.persistedQuery.version',
  'extensions.persistedQuery.sha256Hash',
  // Of MCP.
  'name',
  'arguments',
  'fields',
  'history',
  'top',
  'after',
];

/** A variable of a document, as the list of failed requests names it. */
const VARIABLE = /^\$\w{1,60}$/;

/** Whether a name is that of a declared field, or of a condition on one. */
function isOwn(name: string, own: readonly OwnField[]): boolean {
  const [, declared = name] = /^own\.(\w+)(?:\.(?:min|max|from|to|in))?$/.exec(name) ?? [];
  return own.some((field) => field.name === declared);
}

let names: ReadonlySet<string> | undefined;

/**
 * Whether a name in an error is one of ours, and not one that a client made up. In GraphQL, where `$` begins no other
 * name, variables have those of their documents.
 */
export function isKnownParameter(name: string, surface: SurfaceName, own: readonly OwnField[]): boolean {
  names ??= new Set([
    ...parts,
    ...Object.keys(publishMembers),
    ...Object.values(operations).flatMap(({ parameters }) => Object.keys(parameters)),
    // Fields, their arguments, and fields of input objects.
    ...(schemaText.match(/\w+(?=[(:])/g) ?? []),
  ]);
  return names.has(name) || (surface === 'graphql' && VARIABLE.test(name)) || isOwn(name, own);
}
