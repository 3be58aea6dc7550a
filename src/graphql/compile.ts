import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';

/** Executes one operation of one document. */
export type CompiledExecute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/** Finds the compiled form of an operation; undefined where it is to be interpreted. */
export type FindCompiled = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
) => CompiledExecute | undefined;

/** How often an operation must have been asked for: compiling costs as much as interpreting several times. */
const USES = 3;

/**
 * Creates a compiler of operations that are used again. Compiled ones live as long as the cached document
 * they belong to.
 */
export function createCompiler(): FindCompiled {
  const operations = new WeakMap<object, { uses: number; execute: CompiledExecute | undefined }>();
  return (schema, document, operationName) => {
    const operation = getOperationAST(document, operationName);
    if (operation === null || operation === undefined) {
      return undefined;
    }
    let known = operations.get(operation);
    if (known === undefined) {
      known = { uses: 0, execute: undefined };
      operations.set(operation, known);
    }
    known.uses += 1;
    if (known.uses === USES) {
      known.execute = compile(schema, document, operationName);
    }
    return known.execute;
  };
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): CompiledExecute | undefined {
  let compiled: CompiledQuery | ExecutionResult;
  try {
    compiled = compileQuery(schema, document, operationName ?? undefined);
  } catch {
    // What cannot be compiled can still be interpreted.
    return undefined;
  }
  if (!isCompiledQuery(compiled)) {
    return undefined;
  }
  const { query } = compiled;
  return ({ rootValue, contextValue, variableValues }) =>
    query(rootValue, contextValue, variableValues ?? {});
}
