import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
} from 'graphql';
import { type ListArguments, readListArguments } from '../startups/list-request.ts';
import { assertWithinCap } from './document-caps.ts';
import { codedError, faultErrors } from './errors.ts';
import { mergeSelections, type SelectionScope } from './selection.ts';

/** Root fields that read, each time they are executed. */
const READS = new Set(['startups', 'startup']);

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
  let reads = 0;
  for (const [node] of mergeSelections(scope, [operation.selectionSet]).values()) {
    if (READS.has(node.name.value)) {
      reads++;
      const field = type?.getFields()[node.name.value];
      errors.push(...(field === undefined ? [] : argumentErrors(field, node, scope)));
    }
  }
  assertWithinCap('reads', reads);
  return { reads, errors };
}

function argumentErrors(
  field: Parameters<typeof getArgumentValues>[0],
  node: FieldNode,
  { variableValues }: SelectionScope,
): GraphQLError[] {
  if (field.name !== 'startups') {
    return [];
  }
  const read = readListArguments(getArgumentValues(field, node, variableValues) as ListArguments);
  return 'faults' in read ? faultErrors(read.faults) : [];
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
