import { type ErrorCode, errorMeanings } from '../../lib/errors.ts';
import { bounds } from '../../startups/model/filter.ts';
import { digestOfIdentity, writeChangeCursor } from '../../startups/model/requests/change-cursor.ts';
import type { QueryParameter } from '../../startups/model/requests/list-parameters.ts';

/** Bodies of responses to REST that were recorded with the sample data. */
export interface RecordedBodies {
  readonly list: Recorded;
  readonly summaries: Recorded;
  readonly detail: Recorded;
  readonly invalid: Recorded;
  readonly unauthenticated: Recorded;
}
interface Recorded {
  readonly rest?: { readonly body?: unknown };
}

type Fields = Readonly<Record<string, unknown>>;

/** Examples for each parameter and response. */
export interface ApiExamples {
  /** A valid value: a request with all examples is valid, too. */
  ofParameter(name: string, parameter: QueryParameter): unknown;
  readonly slug: unknown;
  /** Bodies of responses with status 200, by the id of the operation. */
  readonly bodies: Readonly<Record<string, unknown>>;
  ofError(code: ErrorCode): unknown;
}

const DAYS = { from: '2026-01-01', to: '2026-01-31' };
const AT = '2026-01-15T12:00:00.000Z';
const REQUEST_ID = '5f0c2a4e-8d1b-4c3a-9e6f-7a2b1c0d9e8f';
/** A cursor belongs to the data of one gateway: another one has expired. */
const CURSOR = writeChangeCursor({ identity: digestOfIdentity('example'), revision: 1, id: 1, from: 0 });

/** Examples of a lower and an upper bound, by the unit. */
const BOUNDS = {
  cents: [10_000, 100_000_000],
  fraction: [0.1, 2],
  percent: [10, 60],
  ratio: [0.5, 5],
  count: [100, 100_000],
  date: ['2020-01-01', '2024-12-31T23:59:59Z'],
} as const;
const boundExamples = new Map(
  bounds.flatMap(({ min, max = min, unit }) => [
    [max, BOUNDS[unit][1]],
    [min, BOUNDS[unit][0]],
  ]),
) as ReadonlyMap<string, unknown>;

/** Makes examples of what the gateway responded with its sample data. */
export function examplesOf(recorded: RecordedBodies): ApiExamples {
  const startup = dataOf(recorded.detail);
  const { count, onSale, revenue, mrr } = marketOf(recorded.summaries);
  const point = (({ revenue, customers, activeSubscriptions, askingPrice, onSale }: Fields) => ({
    day: DAYS.to,
    revenue,
    customers,
    activeSubscriptions,
    askingPrice,
    onSale,
  }))(startup);
  const errors: { readonly [code in ErrorCode]?: Recorded } = {
    BAD_USER_INPUT: recorded.invalid,
    UNAUTHENTICATED: recorded.unauthenticated,
  };
  return {
    slug: startup.slug,
    ofParameter(name, parameter) {
      switch (parameter.kind) {
        case 'integer':
          return parameter.default;
        case 'number':
        case 'instant':
          return boundExamples.get(name);
        case 'boolean':
          return true;
        case 'cursor':
          return CURSOR;
        case 'date':
          return DAYS[name as keyof typeof DAYS];
        case 'slug':
          return startup.slug;
        case 'slugs':
          return [startup.slug];
        case 'handle':
          return startup.xHandle;
        case 'website':
          return startup.website;
        case 'texts':
          return startup[name];
        case 'search':
          return String(startup.name).toLowerCase();
        case 'choice':
        case 'country':
          return parameter.plural === undefined ? parameter.values[0] : [startup[name]];
      }
    },
    bodies: {
      listStartups: recorded.list.rest?.body,
      getSummary: recorded.summaries.rest?.body,
      getStartup: recorded.detail.rest?.body,
      getSnapshot: snapshotOf(startup),
      listChanges: {
        data: [{ slug: startup.slug, kind: 'updated', at: AT, startup }],
        meta: { next: CURSOR, hasMore: false },
      },
      getStartupHistory: { data: [point], meta: { ...DAYS, count: 1 } },
      getMarket: {
        data: [{ day: DAYS.to, count, onSale, revenue, mrr }],
        meta: { ...DAYS, count: 1 },
      },
    },
    ofError: (code) =>
      errors[code]?.rest?.body ?? { error: { code, message: errorMeanings[code], requestId: REQUEST_ID } },
  };
}

/** A startup as a snapshot has it. */
function snapshotOf({ rank: _rank, ...startup }: Fields): Fields {
  return { ...startup, active: true };
}

function dataOf({ rest }: Recorded): Fields {
  return (rest as { body: { data: Fields } }).body.data;
}

/** The figures of a summary as those of a market day. */
function marketOf(summary: Recorded) {
  const { facets, stats } = dataOf(summary) as {
    facets: { onSale: { value: boolean; count: number }[] };
    stats: { revenue: Fields; mrr: Fields };
  };
  const figuresOf = ({ sum, median }: Fields) => ({ sum, median });
  return {
    count: facets.onSale.reduce((sum, { count }) => sum + count, 0),
    onSale: facets.onSale.find(({ value }) => value)?.count ?? 0,
    revenue: figuresOf(stats.revenue),
    mrr: figuresOf(stats.mrr),
  };
}
