import { type ExecutionResult, GraphQLError, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { GraphQLContext } from './context.ts';
import { schema } from './schema.ts';

/** Executes one document. */
export type Prepared = (
  variables: { readonly [name: string]: unknown },
  context: GraphQLContext,
) => Promise<{ [field: string]: unknown }>;

/**
 * Prepares a document of our own, with the resolvers that clients' documents are executed with, but
 * without what only those need: caps, validation, a plan of what to charge, serialisers of leaves. What comes
 * of those needs no check, since it comes from typed columns; an enumeration's values are the vocabulary's.
 *
 * What it returns gives the data, or rejects with the first thing that a resolver threw.
 */
export function prepare(text: string): Prepared {
  const compiled = compileQuery(schema, parse(text), undefined, { disableLeafSerialization: true });
  if (!isCompiledQuery(compiled)) {
    throw new Error(`Not a document of this schema: ${text}`);
  }
  return async (variables, context) => {
    const { data, errors }: ExecutionResult = await compiled.query(undefined, context, variables);
    const [error] = errors ?? [];
    if (error !== undefined || data === null || data === undefined) {
      throw error instanceof GraphQLError ? (error.originalError ?? error) : error;
    }
    return data;
  };
}
