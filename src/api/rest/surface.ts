import { ApiError } from '../../lib/errors.ts';
import { conditional } from '../gateway/conditional-requests.ts';
import { errorResponse } from '../gateway/responses.ts';
import type { Surface } from '../gateway/surface.ts';
import { dataOf } from '../graphql/errors.ts';
import type { Engine, OperationResult } from '../graphql/execution/engine.ts';
import { type FoundEndpoint, findEndpoint, prepareEndpoint, REST_BASE } from './endpoints.ts';
import type { RestTask } from './operations.ts';

/** Methods of every resource of REST. */
const METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** How the list of failed requests names all paths that do not exist. */
const OTHER_PATH = `${REST_BASE}/…`;

/** How REST answers: each endpoint is a separate document on the schema. */
export function bindRest({
  engine,
}: {
  readonly engine: Engine;
}): Surface<FoundEndpoint, RestTask, OperationResult> {
  return {
    name: 'rest',
    methods: METHODS,
    vary: 'Authorization',
    requirePath: requireEndpoint,
    read: ({ path }) => requireEndpoint(path),
    prepare: (found, { query }) => prepareEndpoint(engine, found, query),
    run: ({ operation }, request, owner) => engine.run(operation, request, owner),
    write: (task, result, request) =>
      conditional(request, task.endpoint.respond(dataOf(result), task, request)),
    targetOf: ({ path }, found = findEndpoint(path)) =>
      found === undefined ? OTHER_PATH : REST_BASE + found.endpoint.path,
    fail: (error, { id }) => errorResponse(error, id),
  };
}

/** @throws ApiError NOT_FOUND */
function requireEndpoint(path: string): FoundEndpoint {
  const found = findEndpoint(path);
  if (found === undefined) {
    throw new ApiError('NOT_FOUND', `No such path: ${path.slice(0, 200)}. See /openapi.json`);
  }
  return found;
}
