import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { GraphQLContext } from './context.ts';
import { bytesOf } from './documents.ts';

/** Executes one operation of one document. */
type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/** How often an operation must have been used: compiling costs as much as several interpreted runs. */
const USES = 3;
/** Compiling takes up to 0.1 ms for each field, during which no other request is answered. */
const MOST_FIELDS = 100;
/** The most operations that are kept compiled, those used last, and the most memory for all of them. */
const MAX_COMPILED = 200;
const COMPILED_BYTES = 32_000_000;
/** A compiled operation takes some 1 kB for each of its tokens, four times as much as its nodes. */
const COMPILED_RATIO = 5;

/**
 * Creates an executor that compiles operations that are used repeatedly.
 *
 * A compiled run is only a faster way to the result of the interpreter: if it yields an error, the interpreter runs the
 * operation again with the same context, and its result is returned. The context keeps what was read from the database,
 * so that nothing is read twice. Nothing is run again for a client that has disconnected.
 *
 * @param interpret graphql's own execution.
 */
export function createExecutor(interpret: Execute): Execute {
  const compiled = new LRUCache<OperationDefinitionNode, { readonly run: Execute | undefined }>({
    max: MAX_COMPILED,
    maxSize: COMPILED_BYTES,
    sizeCalculation: (_compiled, operation) => COMPILED_RATIO * bytesOf(operation),
  });
  // The counters must not keep documents alive that the cache of parsed ones has dropped.
  const uses = new WeakMap<OperationDefinitionNode, number>();

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
    const run =
      countFields(document, operation) > MOST_FIELDS ? undefined : compile(schema, document, operationName);
    compiled.set(operation, { run });
    return run;
  }

  return (args) => {
    const run = findCompiled(args);
    if (run === undefined) {
      return interpret(args);
    }
    const context = args.contextValue as GraphQLContext;
    const settle = (result: ExecutionResult): ExecutionResult | Promise<ExecutionResult> =>
      result.errors === undefined || context.isAbandoned ? result : interpret(args);
    try {
      const result = run(args);
      return result instanceof Promise ? result.then(settle, () => interpret(args)) : settle(result);
    } catch {
      return interpret(args);
    }
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
    // An operation that cannot be compiled can still be interpreted.
    return undefined;
  }
  if (!isCompiledQuery(query)) {
    return undefined;
  }
  const { query: run } = query;
  return ({ rootValue, contextValue, variableValues }) => run(rootValue, contextValue, variableValues ?? {});
}

/** The number of fields that an operation selects; those of a fragment count once per spread. */
function countFields({ definitions }: DocumentNode, operation: OperationDefinitionNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const counted = new Map<string, number>();
  const countSpread = (name: string): number => {
    const count = counted.get(name) ?? countSelected(fragments.get(name)?.selectionSet);
    counted.set(name, count);
    return count;
  };
  const countSelected = (set: SelectionSetNode | undefined): number => {
    let count = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        count += countSpread(selection.name.value);
      } else {
        count += (selection.kind === Kind.FIELD ? 1 : 0) + countSelected(selection.selectionSet);
      }
    }
    return count;
  };
  return countSelected(operation.selectionSet);
}
