import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

/** Executes one operation of one document. */
export type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/** How often an operation must have been used: compiling costs as much as interpreting several times. */
const USES = 3;
/** Most operations that are kept compiled, those used last. Each takes some 60 kB. */
const MAX_COMPILED = 200;
/** Most operations whose uses are counted. */
const MAX_COUNTED = 2_000;

/**
 * Creates an executor that compiles operations that are used repeatedly.
 *
 * A compiled run is only ever a faster way to the result of the interpreter: where it yields an error, the
 * interpreter runs the operation again, and its result is returned.
 *
 * @param interpret graphql's own execution.
 */
export function createExecutor(interpret: Execute): Execute {
  const compiled = new LRUCache<OperationDefinitionNode, { readonly run: Execute | undefined }>({
    max: MAX_COMPILED,
  });
  const uses = new LRUCache<OperationDefinitionNode, number>({ max: MAX_COUNTED });

  function findCompiled({ schema, document, operationName }: ExecutionArgs): Execute | undefined {
    const operation = getOperationAST(document, operationName);
    if (operation === null || operation === undefined) {
      return undefined;
    }
    const known = compiled.get(operation);
    if (known !== undefined) {
      return known.run;
    }
    const count = (uses.get(operation) ?? 0) + 1;
    if (count < USES) {
      uses.set(operation, count);
      return undefined;
    }
    uses.delete(operation);
    const run = compile(schema, document, operationName);
    compiled.set(operation, { run });
    return run;
  }

  return (args) => {
    const run = findCompiled(args);
    if (run === undefined) {
      return interpret(args);
    }
    const settle = (result: ExecutionResult): ExecutionResult | Promise<ExecutionResult> =>
      result.errors === undefined ? result : interpret(args);
    const result = run(args);
    return result instanceof Promise ? result.then(settle) : settle(result);
  };
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): Execute | undefined {
  let query: CompiledQuery | ExecutionResult;
  try {
    query = compileQuery(schema, document, operationName ?? undefined);
  } catch {
    // What cannot be compiled can still be interpreted.
    return undefined;
  }
  if (!isCompiledQuery(query)) {
    return undefined;
  }
  const { query: run } = query;
  return ({ rootValue, contextValue, variableValues }) => run(rootValue, contextValue, variableValues ?? {});
}
