import {
  type FieldNode,
  type GraphQLError,
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
import { dayOf } from '../../../lib/text/days.ts';
import {
  type HistoryArguments,
  type RangeArguments,
  rangeErrors,
  readHistoryArguments,
} from '../../../startups/history/request.ts';
import {
  type ChangesArguments,
  changesParameters,
  readChangesArguments,
} from '../../../startups/model/requests/changes-request.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import { parameterError, readListArguments } from '../../../startups/model/requests/list-request.ts';
import { argumentErrors } from '../errors.ts';
import { documentCaps, tooComplex } from './caps.ts';
import { mergeSelections, responseName, type SelectionScope, selectsPath } from './selection.ts';

type Arguments = { readonly [name: string]: unknown };

/** What a field's arguments request, or their errors beyond their types. */
type Checked = { readonly request: unknown } | { readonly details: readonly ErrorDetail[] };
type Check = (args: Arguments, plannedAt: number) => Checked;

/** The field of a startup that reads the database, wherever a startup is. */
const HISTORY_FIELD = 'history';

/** Fields that read, each time they are executed: those of the root, and the history of a startup. */
const readFields: { readonly [field: string]: Check } = {
  startups: readListArguments as Check,
  startup: typed,
  startupsBySlug: ({ slugs }) => checkCount('slugs', slugs as readonly string[]),
  node: typed,
  nodes: ({ ids }) => checkCount('ids', ids as readonly string[]),
  changes: readChangesArguments as Check,
  market: (args, plannedAt) => ({ details: rangeErrors(args as RangeArguments, dayOf(plannedAt)) }),
  [HISTORY_FIELD]: (args, plannedAt) => readHistoryArguments(args as HistoryArguments, dayOf(plannedAt)),
};

/** For a field whose arguments have only types. */
function typed(args: Arguments): Checked {
  return { request: args };
}

/** The names of the fields that read. */
export const readFieldNames: readonly string[] = Object.keys(readFields);

/** Fields of a list that are computed over all that match its filter. Each counts as a separate read. */
export const SUMMARIES: ReadonlySet<string> = new Set(['facets', 'stats', 'groups']);

/** Fields that read the database; all others read the catalogue in memory. No other field has such a name. */
export const DATABASE_FIELDS: ReadonlySet<string> = new Set([HISTORY_FIELD, 'market']);

/** One read returns as many records by their names as a page does. */
function checkCount(name: string, values: readonly string[]): Checked {
  return values.length >= 1 && values.length <= RECORDS_PER_READ
    ? { request: values }
    : { details: [parameterError(name, `${values.length} values`, `1 to ${RECORDS_PER_READ}`)] };
}

/** A field that an operation reads, with its checks. */
interface FieldRead {
  readonly node: FieldNode;
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
  const fields = [...mergeSelections(scope, [operation]).values()].flatMap((nodes) => {
    const read = readOf(root, nodes[0]);
    if (read === undefined) {
      return [];
    }
    const name = responseName(nodes[0]);
    if (selectsPath(scope, nodes, 'meta', 'total')) {
      totals.add(name);
    }
    const below = [...mergeSelections(scope, nodes).values()];
    return [
      {
        ...read,
        name,
        histories: [...findHistories(startup, scope, nodes)],
        summaries: below.flatMap(([node]) => {
          const field = SUMMARIES.has(node.name.value) && list.getFields()[node.name.value];
          return field ? [{ node, argumentsFrom: argumentReader(field, node), check: typed }] : [];
        }),
        hasChangedStartups: selectsPath(scope, nodes, 'edges', 'node', 'startup'),
      },
    ];
  });
  return { fields, totals };
}

function readOf(type: GraphQLObjectType, node: FieldNode): FieldRead | undefined {
  const { value: name } = node.name;
  const field = type.getFields()[name];
  const check = Object.hasOwn(readFields, name) ? readFields[name] : undefined;
  return field && check && { node, argumentsFrom: argumentReader(field, node), check };
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

/** The histories of startups below the nodes of one field. */
function* findHistories(
  startup: GraphQLObjectType,
  scope: SelectionScope,
  parents: readonly FieldNode[],
): Generator<FieldRead> {
  for (const nodes of mergeSelections(scope, parents).values()) {
    const [node] = nodes;
    if (node.name.value === HISTORY_FIELD) {
      yield readOf(startup, node) as FieldRead;
    } else if (node.selectionSet !== undefined) {
      yield* findHistories(startup, scope, nodes);
    }
  }
}

/**
 * Checks the arguments of all reads, and adds up their cost.
 *
 * @param variables coerced.
 * @param plannedAt ms since 1970.
 * @throws GraphQLError OPERATION_TOO_COMPLEX for more reads than any operation may have.
 */
export function planReads(
  { fields, totals }: Reads,
  variables: { readonly [name: string]: unknown },
  plannedAt: number,
): OperationPlan {
  const requests = new Map<string, unknown>();
  // By node: a field of a fragment is read wherever that is spread, and its errors are the same.
  const refused = new Map<FieldNode, readonly GraphQLError[]>();
  const readArguments = ({
    node,
    argumentsFrom,
    check,
  }: FieldRead): { args: Arguments; request: unknown } => {
    const args = argumentsFrom(variables);
    const read = check(args, plannedAt);
    if ('request' in read) {
      return { args, request: read.request };
    }
    if (read.details.length > 0) {
      refused.set(node, argumentErrors(read.details));
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

/** How many reads return this many startups of changes: as many as by pages. */
function readsOf({ first }: ChangesArguments): number {
  return Math.max(1, Math.ceil((first ?? changesParameters.limit.default) / RECORDS_PER_READ));
}
