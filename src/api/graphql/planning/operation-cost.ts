import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  type VariableNode,
} from 'graphql';
import type { ErrorDetail } from '../../../lib/errors.ts';
import {
  type ChangesArguments,
  changesParameters,
} from '../../../startups/model/requests/changes-request.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import { type ParameterSyntax, parameterError } from '../../../startups/model/requests/list-request.ts';
import { argumentErrors } from '../errors.ts';
import { type Arguments, type Check, type Checked, costlyNames, costOf } from '../field-cost.ts';
import { documentCaps, tooComplex } from './caps.ts';
import { mergeSelections, responseName, type SelectionScope, selectsPath } from './selection.ts';

/** A field that an operation reads, with its checks. */
interface FieldRead {
  readonly node: FieldNode;
  /** Its names in the response, from the root, without the places in lists. */
  readonly path: readonly string[];
  /** Its arguments, with the variables of a request. */
  readonly argumentsFrom: (variables: Arguments) => Arguments;
  readonly check: Check;
}

/** A field of the root that reads, with what belongs to it. */
interface RootRead extends FieldRead {
  /** In the response. */
  readonly name: string;
  /** Histories of the startups below it. */
  readonly histories: readonly FieldRead[];
  readonly summaries: readonly FieldRead[];
  /** Whether it is a list of changes that returns their startups. */
  readonly hasChangedStartups: boolean;
}

/** What an operation reads, which variables change only where they exclude fields. */
export interface Reads {
  readonly fields: readonly RootRead[];
  /** The response names of the lists whose total is selected: counting may cost more than reading a page. */
  readonly totals: ReadonlySet<string>;
}

/** The plan of an operation, known before it is executed. */
export interface OperationPlan {
  /** The number of its reads, with fields merged as in execution; at least 1. */
  readonly cost: number;
  readonly totals: Reads['totals'];
  /** What the arguments of each field of the root request, by its name in the response. */
  readonly requests: ReadonlyMap<string, unknown>;
  /** The variables as values of their types. */
  readonly coerced: { readonly [name: string]: unknown };
  /** When it was planned, in ms since 1970: ranges of days end on that day, in UTC, by default. */
  readonly plannedAt: number;
  /** Why it must not be executed. */
  readonly errors: readonly GraphQLError[];
}

/** The plan of an operation that must not be executed. */
export function refuse(errors: readonly GraphQLError[], plannedAt: number): OperationPlan {
  return { cost: 1, totals: new Set(), requests: new Map(), coerced: {}, plannedAt, errors };
}

/** The fields of an operation that read, merged as execution merges them, with @skip and @include applied. */
export function findReads(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  scope: SelectionScope,
): Reads {
  const totals = new Set<string>();
  const root = schema.getQueryType() as GraphQLObjectType;
  const startup = schema.getType('Startup') as GraphQLObjectType;
  const list = schema.getType('StartupConnection') as GraphQLObjectType;
  const costly = costlyNames(schema);
  const fields = [...mergeSelections(scope, [operation]).values()].flatMap((nodes) => {
    const name = responseName(nodes[0]);
    const read = readOf(root, nodes[0], [name]);
    if (read === undefined) {
      return [];
    }
    if (selectsPath(scope, nodes, 'meta', 'total')) {
      totals.add(name);
    }
    const below = [...mergeSelections(scope, nodes).values()];
    return [
      {
        ...read,
        name,
        histories: [...findHistories(startup, costly.startup, scope, nodes, read.path)],
        summaries: below.flatMap(([node]) =>
          costly.list.has(node.name.value)
            ? [readOf(list, node, [name, responseName(node)]) as FieldRead]
            : [],
        ),
        hasChangedStartups: selectsPath(scope, nodes, 'edges', 'node', 'startup'),
      },
    ];
  });
  return { fields, totals };
}

function readOf(type: GraphQLObjectType, node: FieldNode, path: readonly string[]): FieldRead | undefined {
  const { value: name } = node.name;
  const field = type.getFields()[name];
  const cost = field && costOf(field);
  return cost && { node, path, argumentsFrom: argumentReader(field, node), check: cost.check };
}

/** Where all arguments are variables, as in documents of ours, their values are coerced already. */
function argumentReader(field: GraphQLField<unknown, unknown>, node: FieldNode): FieldRead['argumentsFrom'] {
  const given = (node.arguments ?? []).map(({ name, value }) => ({ name: name.value, value }));
  const isCoerced =
    given.every(({ value }) => value.kind === Kind.VARIABLE) &&
    field.args.every(({ defaultValue }) => defaultValue === undefined);
  const read: FieldRead['argumentsFrom'] = (variables) => getArgumentValues(field, node, variables);
  if (!isCoerced) {
    return read;
  }
  const names = given.map(({ name, value }) => [name, (value as VariableNode).name.value] as const);
  const required = field.args.filter(isRequiredArgument);
  return (variables) => {
    const args: Record<string, unknown> = {};
    for (const [name, variable] of names) {
      if (Object.hasOwn(variables, variable)) {
        args[name] = variables[variable];
      }
    }
    // Otherwise, it says what is missing.
    const isComplete = required.every(({ name }) => args[name] !== null && args[name] !== undefined);
    return isComplete ? args : read(variables);
  };
}

/** The histories of startups, and whatever else of them has a cost, below the nodes of one field. */
function* findHistories(
  startup: GraphQLObjectType,
  costly: ReadonlySet<string>,
  scope: SelectionScope,
  parents: readonly FieldNode[],
  above: readonly string[],
): Generator<FieldRead> {
  for (const nodes of mergeSelections(scope, parents).values()) {
    const [node] = nodes;
    const path = [...above, responseName(node)];
    if (costly.has(node.name.value)) {
      yield readOf(startup, node, path) as FieldRead;
    } else if (node.selectionSet !== undefined) {
      yield* findHistories(startup, costly, scope, nodes, path);
    }
  }
}

/**
 * Checks the arguments of all reads, and adds up their cost.
 *
 * @param variables coerced.
 * @param plannedAt ms since 1970.
 * @param syntax how the client writes values, which errors say.
 * @throws GraphQLError OPERATION_TOO_COMPLEX for more reads than any operation may have.
 */
export function planReads(
  { fields, totals }: Reads,
  variables: { readonly [name: string]: unknown },
  plannedAt: number,
  syntax: ParameterSyntax,
): OperationPlan {
  const requests = new Map<string, unknown>();
  // By node: a field of a fragment is read wherever that is spread, and its errors are the same.
  const refused = new Map<FieldNode, readonly GraphQLError[]>();
  const readArguments = ({
    node,
    path,
    argumentsFrom,
    check,
  }: FieldRead): { args: Arguments; request: unknown } => {
    let args: Arguments = {};
    let read: Checked;
    try {
      args = argumentsFrom(variables);
      read = check(args, plannedAt, syntax);
    } catch (error) {
      read = { details: [missingArgument(error)] };
    }
    if ('request' in read) {
      return { args, request: read.request };
    }
    if (read.details.length > 0) {
      refused.set(node, argumentErrors(read.details, { nodes: [node], path }));
    }
    return { args, request: undefined };
  };
  let reads = 0;
  for (const read of fields) {
    const { name, histories, summaries, hasChangedStartups } = read;
    const { args, request } = readArguments(read);
    requests.set(name, request);
    histories.forEach(readArguments);
    summaries.forEach(readArguments);
    // A history is read along with each read of its startups.
    const startupReads = hasChangedStartups ? readsOf(args as ChangesArguments) : 1;
    reads += startupReads * (1 + histories.length) + summaries.length;
  }
  // Only valid arguments have a cost.
  if (refused.size > 0) {
    return refuse([...refused.values()].flat(), plannedAt);
  }
  if (reads > documentCaps.reads) {
    throw tooComplex('reads', reads, documentCaps.reads);
  }
  return { cost: Math.max(1, reads), totals, requests, coerced: variables, plannedAt, errors: [] };
}

/** An argument for which a variable is null, as graphql-js words it; with a default, the variable's type allows that. */
const NULL_ARGUMENT = /^Argument "(\w+)" of (?:non-null|required) type "(.+)"/;

/** The error of an argument that needs a value. @throws any other error. */
function missingArgument(error: unknown): ErrorDetail {
  const [, name, type] = error instanceof GraphQLError ? (NULL_ARGUMENT.exec(error.message) ?? []) : [];
  if (name === undefined) {
    throw error;
  }
  return parameterError(name, null, `a value of the type ${type}`);
}

/** How many reads return this many startups of changes: as many as by pages. */
function readsOf({ first }: ChangesArguments): number {
  return Math.max(1, Math.ceil((first ?? changesParameters.limit.default) / RECORDS_PER_READ));
}
