import {
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { ErrorDetail } from '../../errors.ts';
import type { Day } from '../../startups/days.ts';
import {
  type DayRange,
  dayRange,
  type HistoryArguments,
  type HistoryRequest,
  type RangeArguments,
  rangeErrors,
  readHistoryArguments,
} from '../../startups/history/request.ts';
import {
  type ChangesArguments,
  type ChangesRequest,
  readChangesArguments,
} from '../../startups/requests/changes-request.ts';
import { RECORDS_PER_READ } from '../../startups/requests/list-parameters.ts';
import {
  type ListArguments,
  type ListRequest,
  parameterError,
  readListArguments,
} from '../../startups/requests/list-request.ts';
import type { Category } from '../../startups/vocabulary.ts';
import { argumentErrors } from '../errors.ts';
import { assertWithinCap } from './caps.ts';
import { mergeSelections, type SelectionScope, selectsPath, sourceOffset } from './selection.ts';

type Arguments = { readonly [name: string]: unknown };

/** The checked request of a list. */
export interface PlannedList extends ListRequest {
  /** Whether the count of all matches is selected. */
  readonly needsTotal: boolean;
}

/** The checked request of a market. */
export interface MarketRequest extends DayRange {
  readonly category: Category | undefined;
}

/** The checked request of a field that reads. Of fields with one argument it is the value: a slug, ids … */
export type FieldRequest =
  | PlannedList
  | ChangesRequest
  | HistoryRequest
  | MarketRequest
  | string
  | readonly string[];

/** The arguments of a field, checked beyond their types: the request that they describe, or their errors. */
type Checked = { readonly request: FieldRequest } | { readonly details: readonly ErrorDetail[] };

type Check = (args: Arguments, today: Day, needsTotal: boolean) => Checked;

/** The field of a startup that reads the database, wherever a startup is. */
const HISTORY_FIELD = 'history';

/** Fields that read, each time they are executed: those of the root, and the history of a startup. */
const readFields: { readonly [field: string]: Check } = {
  startups(args, _today, needsTotal) {
    const read = readListArguments(args as ListArguments);
    return 'request' in read ? { request: { ...read.request, needsTotal } } : read;
  },
  startup: ({ slug }) => ({ request: slug as string }),
  startupsBySlug: ({ slugs }) => checkCount('slugs', slugs as readonly string[]),
  node: ({ id }) => ({ request: id as string }),
  nodes: ({ ids }) => checkCount('ids', ids as readonly string[]),
  changes: (args) => readChangesArguments(args as ChangesArguments),
  market(args, today) {
    const details = rangeErrors(args as RangeArguments, today);
    const category = (args.category as Category | null | undefined) ?? undefined;
    return details.length > 0
      ? { details }
      : { request: { category, ...dayRange(args as RangeArguments, today) } };
  },
  [HISTORY_FIELD]: (args, today) => readHistoryArguments(args as HistoryArguments, today),
};

/** The names of the fields that read. */
export const readFieldNames: readonly string[] = Object.keys(readFields);

/** Fields of a list that are computed over all that match its filter. Each counts as a separate read. */
export const SUMMARIES: ReadonlySet<string> = new Set(['facets', 'stats']);

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
  readonly field: GraphQLField<unknown, unknown>;
  readonly check: Check;
  /** Whether the total of a list is selected. */
  readonly needsTotal: boolean;
}

/** A field of the root that reads, with what belongs to it. */
export interface RootRead extends FieldRead {
  /** Histories of the startups below it. */
  readonly histories: readonly FieldRead[];
  readonly summaries: number;
  /** Whether it is a list of changes that returns their startups. */
  readonly hasChangedStartups: boolean;
}

/** The plan of an operation, known before it is executed. */
export interface OperationPlan {
  /** The number of its reads, with fields merged as in execution; at least 1. */
  readonly cost: number;
  /** The checked request of each field that reads, by the position of its node in the document. */
  readonly requests: ReadonlyMap<number, FieldRequest>;
  /** The day, in UTC, on which it was planned: ranges of days end there by default. */
  readonly today: Day;
  /** Why it must not be executed. */
  readonly errors: readonly GraphQLError[];
}

/** The plan of an operation that must not be executed. */
export function refuse(errors: readonly GraphQLError[], today: Day): OperationPlan {
  return { cost: 1, requests: new Map(), today, errors };
}

/** The fields of an operation that read, merged as execution merges them, with @skip and @include applied. */
export function findReads(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  scope: SelectionScope,
): RootRead[] {
  const root = schema.getQueryType() as GraphQLObjectType;
  const startup = schema.getType('Startup') as GraphQLObjectType;
  return [...mergeSelections(scope, [operation]).values()].flatMap((nodes) => {
    const read = readOf(root, nodes[0]);
    if (read === undefined) {
      return [];
    }
    const below = [...mergeSelections(scope, nodes).values()];
    return [
      {
        ...read,
        needsTotal: selectsPath(scope, nodes, 'meta', 'total'),
        histories: [...findHistories(startup, scope, nodes)],
        summaries: below.filter(([{ name }]) => SUMMARIES.has(name.value)).length,
        hasChangedStartups: selectsPath(scope, nodes, 'edges', 'node', 'startup'),
      },
    ];
  });
}

function readOf(type: GraphQLObjectType, node: FieldNode): FieldRead | undefined {
  const { value: name } = node.name;
  const field = type.getFields()[name];
  const check = Object.hasOwn(readFields, name) ? readFields[name] : undefined;
  return field === undefined || check === undefined ? undefined : { node, field, check, needsTotal: false };
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
 * Checks the arguments of all reads, once, and adds up their cost.
 *
 * @param variables coerced.
 * @param today in UTC.
 * @throws GraphQLError OPERATION_TOO_COMPLEX for more reads than any operation may have.
 */
export function planReads(
  rootReads: readonly RootRead[],
  variables: { readonly [name: string]: unknown },
  today: Day,
): OperationPlan {
  const requests = new Map<number, FieldRequest>();
  // By node: a field of a fragment is read wherever that is spread, and its errors are the same.
  const refused = new Map<FieldNode, readonly GraphQLError[]>();
  const checkRead = ({ node, field, check, needsTotal }: FieldRead): FieldRequest | undefined => {
    const checked = check(getArgumentValues(field, node, variables), today, needsTotal);
    if ('details' in checked) {
      refused.set(node, argumentErrors(checked.details));
      return undefined;
    }
    requests.set(sourceOffset(node), checked.request);
    return checked.request;
  };
  let reads = 0;
  for (const read of rootReads) {
    const request = checkRead(read);
    for (const history of read.histories) {
      checkRead(history);
    }
    // A history is read along with each read of its startups.
    const startupReads =
      read.hasChangedStartups && request !== undefined ? readsOf(request as ChangesRequest) : 1;
    reads += startupReads * (1 + read.histories.length) + read.summaries;
  }
  assertWithinCap('reads', reads);
  const errors = [...refused.values()].flat();
  return errors.length === 0 ? { cost: Math.max(1, reads), requests, today, errors } : refuse(errors, today);
}

/** How many reads return this many startups of changes: as many as by pages. */
function readsOf({ first }: ChangesRequest): number {
  return Math.max(1, Math.ceil(first / RECORDS_PER_READ));
}
