import { ApiError, type ErrorCode } from '../../lib/errors.ts';
import { dayOf } from '../../lib/text/days.ts';
import {
  dayRange,
  HISTORY_TEXT,
  historyParameters,
  MARKET_TEXT,
  MAX_DAYS,
  marketParameters,
} from '../../startups/history/request.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import { CHANGES_TEXT, changesParameters } from '../../startups/model/requests/changes-request.ts';
import {
  listParameters,
  RECORDS_PER_READ,
  summaryParameters,
} from '../../startups/model/requests/list-parameters.ts';
import { withOwnParameters } from '../../startups/model/requests/own-parameters.ts';
import {
  createListReader,
  createQueryReader,
  type QueryParameters,
} from '../../startups/model/requests/query-parameters.ts';
import type { Operation } from '../graphql/execution/engine.ts';
import type { Variables } from '../graphql/planning/prepared-document.ts';
import { copiedSelection } from './copied-record.ts';
import {
  changesDocument,
  GROUPED_SUMMARY_DOCUMENT,
  HISTORY_SELECTION,
  HISTORY_VARIABLES,
  listDocument,
  ownSelection,
  SUMMARY_DOCUMENT,
  shapeSelection,
} from './endpoint-documents.ts';
import type { Schema } from './openapi-schemas.ts';
import { MOST_SNAPSHOTS, SNAPSHOT_COST } from './snapshot-lines.ts';

/** How OpenAPI and the documentation describe an operation. */
export interface OperationWords {
  readonly id: string;
  /** Below the base path. */
  readonly path: string;
  readonly tag: 'Changes' | 'Limits' | 'Market' | 'Startups';
  readonly title: string;
  readonly words: string;
  /** What it costs, where that is not 1. */
  readonly price?: string;
  readonly parameters: QueryParameters;
  /** Headers of its 200, and errors, that not every operation has. */
  readonly headers?: readonly string[];
  readonly errors?: readonly ErrorCode[];
  /** Whether each response is another one, which no cache may have. */
  readonly isVolatile?: true;
}

/** An operation of REST: a document, the parameters that are its variables, and how its data is written. */
export interface RestOperation<Data = never> extends OperationWords {
  /** The same for every request, or chosen by its parameters. */
  readonly document: string | ((args: Variables) => string);
  /** Converts a query string into variables, apart from the slug. */
  readonly read: ReturnType<typeof createQueryReader>;
  /** Writes the body. @throws ApiError if the data means that there is nothing to write. */
  body(data: Data, task: Pick<RestTask, 'slug' | 'args' | 'operation'>): Body;
  /** What the body has, for OpenAPI. */
  readonly response: {
    readonly words: string;
    /** Its name among the schemas; undefined: it has none. */
    readonly name?: string;
    /** The path of the data in those of the document, and the most items of a list. */
    readonly data: string;
    readonly most?: number;
    /** The same of what is said about them, or of each of its properties. */
    readonly meta?: string | Readonly<Record<string, string | Schema>>;
  };
}

/** The body of a response. */
interface Body {
  readonly data: object;
  readonly meta?: object;
}

/** A request for a document, ready to run. */
export interface RestTask {
  readonly endpoint: RestOperation;
  /** The slug in its path. */
  readonly slug: string | undefined;
  readonly args: Variables;
  readonly operation: Operation;
  readonly cost: number;
}

/** Whether a search was corrected. */
interface SearchMeta {
  readonly corrected: boolean;
}

/** `corrected` is present only if it is true. */
function restMeta({ corrected, ...meta }: SearchMeta): object {
  return corrected ? { ...meta, corrected } : meta;
}

const listParametersOf = (own: readonly OwnField[]): QueryParameters =>
  own.length === 0 ? listParameters : withOwnParameters(own).list;
const summaryParametersOf = (own: readonly OwnField[]): QueryParameters =>
  own.length === 0 ? summaryParameters : withOwnParameters(own).summary;

const LIST_DOCUMENT = listDocument(shapeSelection('list'));
/** Of all declared fields, in lists that include them. */
const documentOfList = (own: readonly OwnField[]): RestOperation['document'] => {
  const including = listDocument(shapeSelection('list') + ownSelection(own));
  return own.length === 0
    ? LIST_DOCUMENT
    : ({ include }) => (include === undefined ? LIST_DOCUMENT : including);
};

const listOf = (
  own: readonly OwnField[],
): RestOperation<{ startups: { page: object[]; meta: SearchMeta } }> => ({
  id: 'listStartups',
  path: '/startups',
  tag: 'Startups',
  title: 'List startups',
  words: 'Startups, filtered, sorted and paged. All filters must match.',
  parameters: listParametersOf(own),
  document: documentOfList(own),
  read: createListReader(listParametersOf(own)),
  body: ({ startups: { page, meta } }) => ({ data: page, meta: restMeta(meta) }),
  headers: ['Link'],
  response: {
    words: 'A page of startups.',
    name: 'StartupPage',
    data: 'startups.page',
    most: listParameters.limit.maximum,
    meta: 'startups.meta',
  },
});

const summaryOf = (own: readonly OwnField[]): RestOperation<{ startups: { meta: SearchMeta } }> => ({
  id: 'getSummary',
  path: '/summary',
  tag: 'Startups',
  title: 'Get a summary of a list',
  words:
    'Counts by value, the most frequent first, and statistics, of all startups that match. Takes the filters of a list.',
  price: 'Costs 3, and 4 with by.',
  parameters: summaryParametersOf(own),
  document: ({ by }) => (by === undefined ? SUMMARY_DOCUMENT : GROUPED_SUMMARY_DOCUMENT),
  read: createListReader(summaryParametersOf(own)),
  body: ({ startups: { meta, ...data } }) => ({ data, meta: restMeta(meta) }),
  response: { words: 'The summary.', name: 'Summary', data: 'startups', meta: 'startups.meta' },
});

const detailOf = (own: readonly OwnField[]): RestOperation<{ startup: object | null }> => ({
  id: 'getStartup',
  path: '/startups/{slug}',
  tag: 'Startups',
  title: 'Get a startup',
  words: 'A startup by its slug, with further fields that lists leave out. No other parameter is allowed.',
  parameters: {},
  document: `query RestStartup($slug: String!) {
  startup(slug: $slug) { ${shapeSelection('detail')}${ownSelection(own)} }
}`,
  read: createQueryReader({}),
  body: ({ startup }, { slug }) => ({ data: startup ?? rejectSlug(slug) }),
  response: { words: 'The startup.', data: 'startup' },
});

const changesOf = (
  own: readonly OwnField[],
): RestOperation<{
  changes: { edges: { node: object }[]; pageInfo: { hasNextPage: boolean }; next: string };
}> => ({
  id: 'listChanges',
  path: '/changes',
  tag: 'Changes',
  title: 'List changes',
  words: `${CHANGES_TEXT} To receive each change once, pass meta.next of a response as since of the next request. Records are those of a snapshot.`,
  price: `Costs 1 for each ${RECORDS_PER_READ} of limit.`,
  parameters: changesParameters,
  document: changesDocument(copiedSelection + ownSelection(own)),
  read: createQueryReader(changesParameters),
  body: ({ changes: { edges, pageInfo, next } }) => ({
    data: edges.map(({ node }) => node),
    meta: { next, hasMore: pageInfo.hasNextPage },
  }),
  errors: ['CURSOR_EXPIRED'],
  response: {
    words: 'Changes.',
    name: 'ChangePage',
    data: 'changes.edges.node',
    most: changesParameters.limit.maximum,
    meta: { next: 'changes.next', hasMore: 'changes.pageInfo.hasNextPage' },
  },
});

/** What is said about items by day. */
const days = {
  from: { type: 'string', format: 'date', description: 'First requested day, in UTC.' },
  to: { type: 'string', format: 'date', description: 'Last requested day, in UTC.' },
  count: { type: 'integer', minimum: 0, maximum: MAX_DAYS, description: 'Number of items.' },
};

const history: RestOperation<{ startup: { history: object[] } | null }> = {
  id: 'getStartupHistory',
  path: '/startups/{slug}/history',
  tag: 'Startups',
  title: 'Get the history of a startup',
  words: HISTORY_TEXT,
  price: 'Costs 2.',
  parameters: historyParameters,
  document: `query RestHistory($slug: String!, ${HISTORY_VARIABLES}) {
  startup(slug: $slug) {
    ${HISTORY_SELECTION}
  }
}`,
  read: createQueryReader(historyParameters),
  body: ({ startup }, task) => daysBody((startup ?? rejectSlug(task.slug)).history, task),
  response: {
    words: 'The points.',
    name: 'StartupHistory',
    data: 'startup.history',
    most: MAX_DAYS,
    meta: days,
  },
};

const market: RestOperation<{ market: object[] }> = {
  id: 'getMarket',
  path: '/market',
  tag: 'Market',
  title: 'Get the market by day',
  words: MARKET_TEXT,
  parameters: marketParameters,
  document: `query RestMarket($category: Category, $from: Date, $to: Date) {
  market(category: $category, from: $from, to: $to) { day count onSale revenue { sum median } mrr { sum median } }
}`,
  read: createQueryReader(marketParameters),
  body: ({ market: data }, task) => daysBody(data, task),
  response: { words: 'The days.', name: 'Market', data: 'market', most: MAX_DAYS, meta: days },
};

const snapshot: OperationWords = {
  id: 'getSnapshot',
  path: '/snapshot',
  tag: 'Changes',
  title: 'Download all startups',
  words:
    'All startups at once, as NDJSON: a record a line, in the order in which they were first imported, ' +
    'from one moment. The lines can be imported. Link leads to the changes since then. Only for keys that ' +
    'the operator has allowed it. Accepts gzip. No parameter is allowed.',
  price: `Costs ${SNAPSHOT_COST}, once an hour for each key, and at most ${MOST_SNAPSHOTS} are sent at a time.`,
  parameters: {},
  headers: ['Link'],
  errors: ['SNAPSHOT_NOT_ALLOWED'],
};

/** Requests for limits in a minute. */
export const LIMITS_A_MINUTE = 60;

const limits: RestOperation<{ rateLimit: object }> = {
  id: 'getLimits',
  path: '/limits',
  tag: 'Limits',
  title: 'Get the rate limit',
  words: 'The rate limit of the key and what is left of it, as the headers of every response state them.',
  price: `Costs nothing, ${LIMITS_A_MINUTE} times a minute, also where nothing is left.`,
  parameters: {},
  document: 'query RestLimits { rateLimit { limit remaining resetAt tier } }',
  read: createQueryReader({}),
  body: ({ rateLimit: data }) => ({ data }),
  isVolatile: true,
  response: { words: 'The rate limit.', data: 'rateLimit' },
};

/** All operations, by the field of GraphQL that reads the same. The snapshot runs no document: see `snapshot.ts`. */
const createOperations = (own: readonly OwnField[]) => ({
  startups: listOf(own),
  summary: summaryOf(own),
  startup: detailOf(own),
  changes: changesOf(own),
  snapshot,
  history,
  market,
  rateLimit: limits,
});
type Operations = ReturnType<typeof createOperations>;
export type OperationName = keyof Operations;

/** Those without declared fields. */
export const operations = createOperations([]);

const known = new WeakMap<readonly OwnField[], Operations>();

/** Those with declared fields, made once for each edition. */
export function operationsWith(own: readonly OwnField[]): Operations {
  const made = known.get(own) ?? (own.length === 0 ? operations : createOperations(own));
  known.set(own, made);
  return made;
}

function daysBody(data: readonly object[], { args, operation }: Pick<RestTask, 'args' | 'operation'>): Body {
  return { data, meta: { ...dayRange(args, dayOf(operation.plannedAt)), count: data.length } };
}

/** @throws ApiError */
function rejectSlug(slug = ''): never {
  throw new ApiError('NOT_FOUND', `No startup has the slug ${JSON.stringify(slug.slice(0, 120))}`);
}
