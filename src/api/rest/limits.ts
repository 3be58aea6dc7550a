import type { Counter } from '../../access/limits/counter.ts';
import type { Subject } from '../../access/limits/subject.ts';
import { countFree, type FreeLimit } from '../gateway/free-limit.ts';
import { errorResponse, jsonResponse } from '../gateway/responses.ts';
import type { Surface } from '../gateway/surface.ts';
import { dataOf } from '../graphql/errors.ts';
import type { Engine, OperationResult } from '../graphql/execution/engine.ts';
import { LIMITS_A_MINUTE, operations, type RestTask } from './endpoint-table.ts';
import { type FoundEndpoint, prepareEndpoint, REST_BASE } from './find-endpoint.ts';

/** Where REST says what is left of a limit. */
export const LIMITS_PATH = REST_BASE + operations.rateLimit.path;

const FREE: FreeLimit = { name: 'limits', limit: LIMITS_A_MINUTE, of: 'requests for limits' };

interface LimitsInput extends FoundEndpoint {
  readonly subject: Subject;
}
type LimitsTask = RestTask & Pick<LimitsInput, 'subject'>;

interface LimitsNeeds {
  readonly engine: Engine;
  readonly counter: Counter;
  readonly now: () => number;
}

/** How REST says what is left of the limit of a key: at no cost, even where nothing is left. */
export function bindLimits({
  engine,
  counter,
  now,
}: LimitsNeeds): Surface<LimitsInput, LimitsTask, OperationResult> {
  return {
    name: 'rest',
    methods: ['GET', 'HEAD', 'OPTIONS'],
    vary: 'Authorization',
    isFree: () => true,
    read: (_request, { subject }) => ({
      name: 'rateLimit',
      endpoint: operations.rateLimit,
      slug: undefined,
      subject,
    }),
    prepare: (input, { query }) => ({
      ...prepareEndpoint(engine, input, query),
      subject: input.subject,
      cost: 0,
    }),
    async run({ operation, subject }, request, owner, budget) {
      await countFree(counter, FREE, subject, now);
      return engine.run(operation, request, owner, budget);
    },
    // The next one says something else: no cache may have it.
    write: (task, result) => jsonResponse(200, operations.rateLimit.body(dataOf(result), task)),
    targetOf: () => LIMITS_PATH,
    fail: (error, { id }) => errorResponse(error, id),
  };
}
