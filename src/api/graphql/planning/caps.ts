import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql';
import { codedError } from '../errors.ts';

/**
 * The limits of one document. Depth, aliases and directives count as executed: the contents of a fragment
 * count once per spread.
 */
export const documentCaps = {
  tokens: 2_000,
  depth: 15,
  aliases: 60,
  /** Of each alias: a list repeats it in every record. */
  'characters in an alias': 100,
  directives: 50,
  fragments: 50,
  /** Uses of __schema and __type; a client's introspection needs one. */
  introspections: 5,
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
export function assertWithinCap(measure: CapMeasure, value: number): void {
  if (value > documentCaps[measure]) {
    throw tooComplex(measure, value, documentCaps[measure]);
  }
}

/** graphql-js stops after this many validation errors, and adds one that says so. */
const MOST_VALIDATION_ERRORS = 100;

/** The last error of graphql-js where fields of the same name in one place would take too many comparisons. */
const ABORTED = 'Validation aborted.';

/** Rejects a document with more validation errors than graphql-js collects, or for which it gives up. */
export function assertErrorsWithinCap(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.at(-1)?.message === ABORTED) {
    const message = 'The operation selects fields of the same name too often to compare them';
    throw codedError('OPERATION_TOO_COMPLEX', message);
  }
  if (errors.length > MOST_VALIDATION_ERRORS) {
    throw tooComplex('validation errors', `more than ${MOST_VALIDATION_ERRORS}`, MOST_VALIDATION_ERRORS);
  }
  return errors;
}

/** Counts tokens before anything is built from them; stops at the first beyond the limit. */
export function assertTokensWithinCap(text: string): void {
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

interface Measures {
  depth: number;
  aliases: number;
  directives: number;
  introspections: number;
}

/** Rejects a parsed document beyond the limits. Linear in the document: each fragment is measured once. */
export function assertDocumentWithinCaps(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let definitions = 0;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition);
      assertWithinCap('fragments', ++definitions);
    }
  }
  const measured = new Map<string, Measures>();
  const none: Measures = { depth: 0, aliases: 0, directives: 0, introspections: 0 };

  const measureFragment = (name: string): Measures => {
    const known = measured.get(name);
    const fragment = fragments.get(name);
    if (known !== undefined || fragment === undefined) {
      return known ?? none;
    }
    // A cycle adds nothing here; validation rejects it.
    measured.set(name, none);
    const measures = measure(fragment.selectionSet);
    measures.directives += fragment.directives?.length ?? 0;
    measured.set(name, measures);
    return measures;
  };

  const measure = (set: SelectionSetNode): Measures => {
    const sum: Measures = { ...none };
    for (const selection of set.selections) {
      sum.directives += selection.directives?.length ?? 0;
      let below: Measures = none;
      let levels = 0;
      if (selection.kind === Kind.FIELD) {
        levels = 1;
        if (selection.alias !== undefined) {
          sum.aliases += 1;
          assertWithinCap('characters in an alias', selection.alias.value.length);
        }
        sum.introspections += /^__(schema|type)$/.test(selection.name.value) ? 1 : 0;
        below = selection.selectionSet === undefined ? none : measure(selection.selectionSet);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        below = measure(selection.selectionSet);
      } else {
        below = measureFragment(selection.name.value);
      }
      sum.depth = Math.max(sum.depth, levels + below.depth);
      sum.aliases += below.aliases;
      sum.directives += below.directives;
      sum.introspections += below.introspections;
    }
    return sum;
  };

  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION) {
      const measures =
        definition.kind === Kind.FRAGMENT_DEFINITION
          ? measureFragment(definition.name.value)
          : measure(definition.selectionSet);
      const directives = definition.directives?.length ?? 0;
      const variables =
        definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [];
      const onVariables = variables.reduce((sum, variable) => sum + (variable.directives?.length ?? 0), 0);
      assertWithinCap('depth', measures.depth);
      assertWithinCap('aliases', measures.aliases);
      assertWithinCap(
        'directives',
        measures.directives + onVariables + (definition.kind === Kind.OPERATION_DEFINITION ? directives : 0),
      );
      assertWithinCap('introspections', measures.introspections);
    }
  }
}
