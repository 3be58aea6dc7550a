import { ApiError } from '../../lib/errors.ts';
import { conditional } from '../gateway/conditional-requests.ts';
import { errorResponse, jsonResponse, linkHeader, type Paging } from '../gateway/responses.ts';
import type { Surface } from '../gateway/surface.ts';
import { dataOf } from '../graphql/errors.ts';
import type { Engine, OperationResult } from '../graphql/execution/engine.ts';
import { operations, type RestTask } from './endpoint-table.ts';
import { type FoundEndpoint, findEndpoint, prepareEndpoint, REST_BASE } from './find-endpoint.ts';
import { openSnapshots, type SnapshotNeeds, type SnapshotTask } from './snapshot.ts';

/** Methods of every resource of REST. */
const METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** How the list of failed requests names all paths that do not exist. */
const OTHER_PATH = `${REST_BASE}/…`;

type RestResult = OperationResult | ReturnType<ReturnType<typeof openSnapshots>['run']>;

/** How REST answers: each endpoint is a separate document on the schema, and the snapshot is a stream. */
export function bindRest({
  engine,
  ...needs
}: SnapshotNeeds & { readonly engine: Engine }): Surface<
  FoundEndpoint | SnapshotTask,
  RestTask | SnapshotTask,
  RestResult
> {
  const snapshots = openSnapshots(needs);
  return {
    name: 'rest',
    methods: METHODS,
    vary: 'Authorization',
    requirePath: requireEndpoint,
    read(request, client) {
      const found = requireEndpoint(request.path);
      return found.endpoint === operations.snapshot ? snapshots.read(request, client) : found;
    },
    prepare: (input, { query }) => ('edition' in input ? input : prepareEndpoint(engine, input, query)),
    run: (task, request, owner, budget) =>
      'edition' in task
        ? snapshots.run(task, request, owner)
        : engine.run(task.operation, request, owner, budget),
    write(task, result, request) {
      if ('edition' in task) {
        return snapshots.write(task, result as never, request);
      }
      const { endpoint } = task;
      const body = endpoint.body(dataOf(result as OperationResult), task);
      const response = jsonResponse(200, body);
      if (endpoint.headers?.includes('Link') === true) {
        response.headers.push('Link', linkHeader(request, body.meta as Paging));
      }
      return conditional(request, response);
    },
    targetOf({ path }) {
      const found = findEndpoint(path);
      return found === undefined ? OTHER_PATH : REST_BASE + found.endpoint.path;
    },
    fail(error, { id }, _budget, input) {
      if (input !== undefined && 'place' in input) {
        input.place?.cancel();
      }
      return errorResponse(error, id);
    },
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
