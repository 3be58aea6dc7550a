import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  type ValidationContext,
  validate,
} from 'graphql';
import { type CheckDocument, MAX_DOCUMENT_BYTES } from '../../../access/keys/documents/publish-and-remove.ts';
import { assertDocumentWithinCaps, assertErrorsWithinCap, assertTextWithinCaps } from './caps.ts';
import { feedErrors } from './feed-list.ts';
import { overlappingFields } from './overlapping-fields.ts';
import { PreparedDocument } from './prepared-document.ts';

/** Parses a document within the limits: lines and tokens are checked before parsing, the rest before validation. */
export function parseWithinCaps(...[source, options]: Parameters<typeof parse>): DocumentNode {
  assertTextWithinCaps(typeof source === 'string' ? source : source.body);
  const document = parseCoded(source, options);
  assertDocumentWithinCaps(document);
  return document;
}

function parseCoded(...args: Parameters<typeof parse>): DocumentNode {
  try {
    return parse(...args);
  } catch (error) {
    const { message, source, positions } = error as GraphQLError;
    const extensions = { code: 'GRAPHQL_PARSE_FAILED' };
    throw new GraphQLError(message, { source: source ?? null, positions: positions ?? null, extensions });
  }
}

/** The rules of graphql-js, of which one is replaced, and {@link knownOperations}. */
const rules = [
  ...specifiedRules.map((rule) => (rule === OverlappingFieldsCanBeMergedRule ? overlappingFields : rule)),
  knownOperations,
];

/**
 * Validates a document within the limits, of a request or one that is published.
 *
 * @throws GraphQLError OPERATION_TOO_COMPLEX for too many errors, or comparisons of fields.
 */
export function findInvalid(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return assertErrorsWithinCap(validate(schema, document, rules));
}

/** Rejects operations without a root type: the standard rules accept their __typename. */
function knownOperations(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (!context.getSchema().getRootType(node.operation)) {
        context.reportError(
          new GraphQLError(`The schema has no ${node.operation}: only queries are supported`, {
            nodes: node,
          }),
        );
      }
    },
  };
}

/** Finds errors that would make every request for a document fail, or its feed, before it is published. */
export const documentCheck =
  (schema: () => GraphQLSchema): CheckDocument =>
  (text, feed = false) => {
    const operations: string[] = [];
    try {
      return { operations, errors: findErrors(schema(), text, feed, operations) };
    } catch (error) {
      return { operations, errors: [textOf(error as GraphQLError)] };
    }
  };

/** @param names receives the names of the document's operations. @throws GraphQLError if the rest was not checked. */
function findErrors(schema: GraphQLSchema, text: string, feed: boolean, names: string[]): string[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_DOCUMENT_BYTES) {
    return [`got ${bytes} bytes, allowed: at most ${MAX_DOCUMENT_BYTES}.`];
  }
  if (text.includes('\0')) {
    return ['it holds a NUL character.'];
  }
  const document = parseWithinCaps(text);
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  names.push(...operations.flatMap(({ name }) => name?.value ?? []));
  if (operations.length === 0) {
    return ['it holds no operation.'];
  }
  const invalid = findInvalid(schema, document);
  if (invalid.length > 0) {
    return invalid.map(textOf);
  }
  // Without variables all requests are equal, so an error that occurs now is an error of the document.
  const fixed = operations.filter(({ variableDefinitions = [] }) => variableDefinitions.length === 0);
  const prepared = new PreparedDocument(schema, document);
  const errors = fixed.flatMap(({ name }) => {
    try {
      return prepared.operation(name?.value ?? null).plan({ variables: {} }, Date.now()).errors;
    } catch (error) {
      return [error as GraphQLError];
    }
  });
  return [...errors.map(textOf), ...(feed ? feedErrors(document) : [])];
}

function textOf({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  const text = message.replace(/[^.?]$/, '$&.');
  return place === undefined ? text : `line ${place.line}, column ${place.column}: ${text}`;
}
