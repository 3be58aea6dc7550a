import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type ValueNode,
} from 'graphql';
import type { ErrorDetail } from '../errors.ts';
import { type ChangesArguments, readChangesArguments } from '../startups/changes-request.ts';
import { type Day, dayOf } from '../startups/days.ts';
import {
  type HistoryArguments,
  type RangeArguments,
  rangeErrors,
  readHistoryArguments,
} from '../startups/history/request.ts';
import { MAX_LIMIT } from '../startups/list-parameters.ts';
import {
  type ListArguments,
  type ListRequest,
  type NumberText,
  parameterError,
  readListArguments,
} from '../startups/list-request.ts';
import { HISTORY_FIELD, readsDatabase } from './database-fields.ts';
import { assertWithinCap } from './document-caps.ts';
import { argumentErrors, codedError } from './errors.ts';
import { mergeSelections, type SelectionScope, selectsPath } from './selection.ts';

type Arguments = { readonly [name: string]: unknown };

/** The arguments of a field, checked beyond their types: the request that they describe, or their errors. */
interface Checked {
  readonly details?: readonly ErrorDetail[];
  /** The request of a list. */
  readonly list?: ListRequest;
  /** The most changes that it returns. */
  readonly changes?: number;
}

/** Fields that read, each time they are executed: those of the root, and the history of a startup. */
const readFields: {
  readonly [field: string]: (args: Arguments, numberText: NumberText, today: Day) => Checked;
} = {
  startups: (args, numberText) => {
    const read = readListArguments(args as ListArguments, numberText);
    return 'request' in read ? { list: read.request } : read;
  },
  startup: () => ({}),
  startupsBySlug: ({ slugs }) => ({ details: countErrors('slugs', slugs as readonly string[]) }),
  node: () => ({}),
  nodes: ({ ids }) => ({ details: countErrors('ids', ids as readonly string[]) }),
  changes: (args, numberText) => {
    const read = readChangesArguments(args as ChangesArguments, numberText);
    return 'request' in read ? { changes: read.request.first } : read;
  },
  market: (args, _numberText, today) => ({ details: rangeErrors(args as RangeArguments, today) }),
  [HISTORY_FIELD]: (args, numberText, today) => {
    const read = readHistoryArguments(args as HistoryArguments, today, numberText);
    return 'request' in read ? {} : read;
  },
};

/** The names of the root fields that read. */
export const readFieldNames: readonly string[] = Object.keys(readFields);

/** Fields of a list that are computed over all that match its filter. Each counts as a separate read. */
export const SUMMARIES: ReadonlySet<string> = new Set(['facets', 'stats']);

/** One read returns as many records by their names as a page does. */
function countErrors(name: string, values: readonly string[]): ErrorDetail[] {
  return values.length >= 1 && values.length <= MAX_LIMIT
    ? []
    : [parameterError(name, `${values.length} values`, `1 to ${MAX_LIMIT}`)];
}

/** How many reads return this many startups of changes: as many as by pages. */
function readsOf(changes: number): number {
  return Math.max(1, Math.ceil(changes / MAX_LIMIT));
}

/** The plan of an operation, known before it is executed. */
export interface OperationPlan {
  /** The number of its reads, with fields merged as in execution; at least 1. */
  readonly cost: number;
  /** The request of each list, by the response name of its root field. */
  readonly lists: ReadonlyMap<string, ListRequest>;
  /** The day, in UTC, on which it was planned: ranges of days end there by default. */
  readonly today: Day;
  /** Why it must not be executed. */
  readonly errors: readonly GraphQLError[];
}

/** The source text of the number at a path of the variables, if known. */
export type VariableText = (path: readonly (string | number)[]) => string | undefined;

/**
 * Plans a validated document's operation: its variables, its cost, and its lists.
 *
 * @param today in UTC.
 */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: { readonly [name: string]: unknown },
  variableText: VariableText = () => undefined,
  today: Day = dayOf(Date.now()),
): OperationPlan {
  const lists = new Map<string, ListRequest>();
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) {
    const detail = parameterError('operationName', operationName ?? null, allowedOperations(document));
    return { cost: 1, lists, today, errors: argumentErrors([detail]) };
  }
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: 20,
  });
  if (coerced.errors !== undefined) {
    const errors = coerced.errors.map(({ message }) =>
      codedError('BAD_USER_INPUT', quoteAsWritten(message, variableText)),
    );
    return { cost: 1, lists, today, errors };
  }
  const scope: SelectionScope = { fragments: fragmentsOf(document), variableValues: coerced.coerced };
  const root = schema.getRootType(operation.operation);
  const startup = schema.getType('Startup') as GraphQLObjectType;
  const check = (type: typeof root, node: FieldNode): Checked | undefined => {
    const { value: name } = node.name;
    const field = type?.getFields()[name];
    const read = Object.hasOwn(readFields, name) ? readFields[name] : undefined;
    return field === undefined
      ? undefined
      : read?.(
          getArgumentValues(field, node, scope.variableValues),
          (argument) => argumentText(node, argument, variableText),
          today,
        );
  };
  const errors: GraphQLError[] = [];
  let reads = 0;
  for (const [name, nodes] of mergeSelections(scope, [operation])) {
    const checked = check(root, nodes[0]);
    if (checked === undefined) {
      continue;
    }
    const { details = [], list, changes = 0 } = checked;
    const histories = readsDatabase(document) ? [...findHistories(scope, nodes)] : [];
    const historyDetails = histories.flatMap((history) => check(startup, history)?.details ?? []);
    errors.push(...argumentErrors([...details, ...historyDetails]));
    // A history is read along with each read of its startups.
    const startupReads = selectsPath(scope, nodes, 'edges', 'node', 'startup') ? readsOf(changes) : 1;
    reads += startupReads * (1 + histories.length);
    if (list !== undefined) {
      lists.set(name, list);
      reads += countSummaries(scope, nodes);
    }
  }
  assertWithinCap('reads', reads);
  return { cost: errors.length === 0 ? Math.max(1, reads) : 1, lists, today, errors };
}

/** The source text of the number in a list's argument, or in a condition of its filter. */
function argumentText(field: FieldNode, name: string, variableText: VariableText): string | undefined {
  const given = (argument: string): ValueNode | undefined =>
    field.arguments?.find((one) => one.name.value === argument)?.value;
  return literalText(given(name), [], variableText) ?? literalText(given('filter'), [name], variableText);
}

function literalText(
  value: ValueNode | undefined,
  path: readonly string[],
  variableText: VariableText,
): string | undefined {
  const [head, ...rest] = path;
  switch (value?.kind) {
    case Kind.VARIABLE:
      return variableText([value.name.value, ...path]);
    case Kind.INT:
    case Kind.FLOAT:
      return head === undefined ? value.value : undefined;
    case Kind.OBJECT:
      return literalText(value.fields.find(({ name }) => name.value === head)?.value, rest, variableText);
    default:
      return undefined;
  }
}

/** The message of graphql-js about a variable. It shows the double that the number was rounded to, once or twice. */
const INVALID_NUMBER =
  /^(Variable "\$(\w+)" got invalid value )(-?[\d.e+-]+|-?Infinity)( at "([^"]*)")?(;.*)$/s;

function quoteAsWritten(message: string, variableText: VariableText): string {
  const [, before = '', variable = '', rounded = '', at = '', path, after = ''] =
    INVALID_NUMBER.exec(message) ?? [];
  if (rounded === '') {
    return message;
  }
  const steps = (path ?? variable).split(/[.[\]]+/).filter((step) => step !== '');
  const written = variableText(steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
  if (written === undefined) {
    return message;
  }
  const shown = written.length > 120 ? `${written.slice(0, 120)}…` : written;
  const end = `: ${rounded}`;
  return `${before}${shown}${at}${after.endsWith(end) ? `${after.slice(0, -end.length)}: ${shown}` : after}`;
}

/** The most names of operations in a message, and the most characters of each. */
const SHOWN_NAMES = 20;
const SHOWN_NAME_LENGTH = 60;

function allowedOperations(document: DocumentNode): string {
  const names = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.name?.value ?? []) : [],
  );
  if (names.length === 0) {
    return 'null, as the only operation of the document has no name';
  }
  const shown = names
    .slice(0, SHOWN_NAMES)
    .map((name) => (name.length > SHOWN_NAME_LENGTH ? `${name.slice(0, SHOWN_NAME_LENGTH)}…` : name));
  const more = names.length - shown.length;
  return `one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function countSummaries(scope: SelectionScope, list: readonly FieldNode[]): number {
  return [...mergeSelections(scope, list).values()].filter(([node]) => SUMMARIES.has(node.name.value)).length;
}

/** The histories of startups below the nodes of one field, merged as execution merges them. */
function* findHistories(scope: SelectionScope, parents: readonly FieldNode[]): Generator<FieldNode> {
  for (const nodes of mergeSelections(scope, parents).values()) {
    const [node] = nodes;
    if (node.name.value === HISTORY_FIELD) {
      yield node;
    } else if (node.selectionSet !== undefined) {
      yield* findHistories(scope, nodes);
    }
  }
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
