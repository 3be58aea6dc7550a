import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
} from 'graphql';
import type { FaultDetail } from '../errors.ts';
import { MAX_LIMIT } from '../startups/list-parameters.ts';
import { type ListArguments, parameterFault, readListArguments } from '../startups/list-request.ts';
import { assertWithinCap } from './document-caps.ts';
import { codedError, faultErrors } from './errors.ts';
import { mergeSelections, type SelectionScope } from './selection.ts';

type Arguments = { readonly [name: string]: unknown };

/** Root fields that read, each time they are executed, with what types cannot tell of their arguments. */
const reads: { readonly [field: string]: (args: Arguments) => readonly FaultDetail[] } = {
  startups: (args) => {
    const read = readListArguments(args as ListArguments);
    return 'faults' in read ? read.faults : [];
  },
  startup: () => [],
  startupsBySlug: ({ slugs }) => countFaults('slugs', slugs as readonly string[]),
  node: () => [],
  nodes: ({ ids }) => countFaults('ids', ids as readonly string[]),
};

/** A read gives as many records by their names as by a page. */
function countFaults(name: string, values: readonly string[]): FaultDetail[] {
  return values.length >= 1 && values.length <= MAX_LIMIT
    ? []
    : [parameterFault(name, `${values.length} values`, `1 to ${MAX_LIMIT}`)];
}

/** What an operation will do, known before it does anything. */
export interface OperationPlan {
  /** Root fields that read, merged as execution merges them. */
  reads: number;
  /** Why it must not be executed. */
  errors: GraphQLError[];
}

/** Plans a validated document's operation: its variables, its reads, and their arguments' ranges. */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: { readonly [name: string]: unknown },
): OperationPlan {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) {
    const names = document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.name?.value ?? []) : [],
    );
    const message = `got ${JSON.stringify(operationName ?? null)}, allowed: one of ${names.join(', ')}`;
    return { reads: 0, errors: faultErrors([{ parameter: 'operationName', message }]) };
  }
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: 20,
  });
  if (coerced.errors !== undefined) {
    return { reads: 0, errors: coerced.errors.map(({ message }) => codedError('BAD_USER_INPUT', message)) };
  }
  const scope: SelectionScope = { fragments: fragmentsOf(document), variableValues: coerced.coerced };
  const type = schema.getRootType(operation.operation);
  const errors: GraphQLError[] = [];
  let count = 0;
  for (const [node] of mergeSelections(scope, operation.selectionSet).values()) {
    const field = type?.getFields()[node.name.value];
    const faultsOf = Object.hasOwn(reads, node.name.value) ? reads[node.name.value] : undefined;
    if (field !== undefined && faultsOf !== undefined) {
      count++;
      errors.push(...faultErrors(faultsOf(getArgumentValues(field, node, scope.variableValues))));
    }
  }
  assertWithinCap('reads', count);
  return { reads: count, errors };
}

function fragmentsOf(document: DocumentNode): { [name: string]: FragmentDefinitionNode } {
  const fragments: { [name: string]: FragmentDefinitionNode } = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments[definition.name.value] = definition;
    }
  }
  return fragments;
}
