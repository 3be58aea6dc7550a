import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql';
import { codedError } from '../errors.ts';
import { fragmentsOf } from './selection.ts';

/**
 * The limits of one document. Depth, aliases and directives count as executed: the contents of a fragment
 * count once per spread.
 */
export const documentCaps = {
  tokens: 2_000,
  /** Also of comments. graphql-js counts the lines before each place of each error. */
  lines: 2_000,
  /** Each is checked when the document is published, with all fragments that it spreads. */
  operations: 50,
  depth: 15,
  aliases: 60,
  /** Of each alias: a list repeats it in every record. */
  'characters in an alias': 100,
  directives: 50,
  fragments: 50,
  /** Uses of __schema, and of __type with more than names: a client's introspection needs one, and five took 120 ms. */
  introspections: 1,
  /** Reads of one operation, whatever its budget. */
  reads: 60,
} as const;
type CapMeasure = keyof typeof documentCaps;

/** The error for a document, or an operation, beyond a limit. */
export function tooComplex(measure: string, value: number | string, cap: number): GraphQLError {
  return codedError(
    'OPERATION_TOO_COMPLEX',
    `The operation has ${value} ${measure}, allowed: at most ${cap}`,
  );
}

/** Rejects a document, or an operation, beyond its limit. */
function assertWithinCap(measure: CapMeasure, value: number): void {
  if (value > documentCaps[measure]) {
    throw tooComplex(measure, value, documentCaps[measure]);
  }
}

/** graphql-js stops after this many validation errors, and adds one that says so. */
const MOST_VALIDATION_ERRORS = 100;

/** Rejects a document with more validation errors than graphql-js collects. */
export function assertErrorsWithinCap(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.length > MOST_VALIDATION_ERRORS) {
    throw tooComplex('validation errors', `more than ${MOST_VALIDATION_ERRORS}`, MOST_VALIDATION_ERRORS);
  }
  return errors;
}

/** Counts lines and tokens before anything is built from them; stops at the first token beyond the limit. */
export function assertTextWithinCaps(text: string): void {
  assertWithinCap('lines', text.split(/\r\n|[\n\r]/).length);
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) {
      assertWithinCap('tokens', ++tokens);
    }
  } catch (error) {
    if (tokens > documentCaps.tokens) {
      throw error;
    }
    // Not a valid token: parsing reports it, with its location.
  }
}

/** What a selection has, as executed: the contents of a fragment count once per spread. */
const NONE = { depth: 0, aliases: 0, directives: 0, introspections: 0, fields: 0 };
type Measures = typeof NONE;

/** Some clients ask first, in one document, which fields several types of introspection have. */
function isIntrospection({ name }: FieldNode, below: Measures): boolean {
  return name.value === '__schema' || (name.value === '__type' && below.depth > 2);
}

/** Measures selections of a document. Linear in the document: each fragment is measured once. */
export function createMeasure(document: DocumentNode): (set: SelectionSetNode) => Measures {
  const fragments = fragmentsOf(document);
  const measured = new Map<string, Measures>();

  function measureFragment(name: string): Measures {
    const known = measured.get(name);
    const fragment = fragments[name];
    if (known !== undefined || fragment === undefined) {
      return known ?? NONE;
    }
    // A cycle adds nothing here; validation rejects it.
    measured.set(name, NONE);
    const measures = measure(fragment.selectionSet);
    measures.directives += fragment.directives?.length ?? 0;
    measured.set(name, measures);
    return measures;
  }

  function measure(set: SelectionSetNode): Measures {
    const sum: Measures = { ...NONE };
    for (const selection of set.selections) {
      const isField = selection.kind === Kind.FIELD;
      if (isField && selection.alias !== undefined) {
        sum.aliases += 1;
        assertWithinCap('characters in an alias', selection.alias.value.length);
      }
      const below =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? measureFragment(selection.name.value)
          : selection.selectionSet === undefined
            ? NONE
            : measure(selection.selectionSet);
      sum.depth = Math.max(sum.depth, Number(isField) + below.depth);
      sum.aliases += below.aliases;
      sum.directives += (selection.directives?.length ?? 0) + below.directives;
      sum.introspections += Number(isField && isIntrospection(selection, below)) + below.introspections;
      sum.fields += Number(isField) + below.fields;
    }
    return sum;
  }

  return measure;
}

/** Rejects a parsed document beyond the limits. */
export function assertDocumentWithinCaps(document: DocumentNode): void {
  const measure = createMeasure(document);
  const count = (kind: Kind): number => document.definitions.filter((one) => one.kind === kind).length;
  assertWithinCap('operations', count(Kind.OPERATION_DEFINITION));
  assertWithinCap('fragments', count(Kind.FRAGMENT_DEFINITION));
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) {
      const { depth, aliases, directives, introspections } = measure(definition.selectionSet);
      const own = [definition, ...(definition.variableDefinitions ?? [])];
      const ownDirectives = own.reduce((sum, node) => sum + (node.directives?.length ?? 0), 0);
      assertWithinCap('depth', depth);
      assertWithinCap('aliases', aliases);
      assertWithinCap('directives', directives + ownDirectives);
      assertWithinCap('introspections', introspections);
    }
  }
}
