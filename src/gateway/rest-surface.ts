import { ApiError } from '../errors.ts';
import type { Engine } from '../graphql/execution/engine.ts';
import { findEndpoint } from '../rest/endpoints.ts';
import { errorResponse } from '../rest/responses.ts';
import { conditional } from './conditional-requests.ts';
import { type Surface, withAllow } from './surface.ts';

/** Methods of every resource of REST. */
const METHODS = 'GET, HEAD, OPTIONS';

/** How REST answers: each endpoint is a separate document on the schema. */
export function restSurface(engine: Engine): Surface {
  return {
    name: 'rest',
    methods: METHODS,
    vary: 'Authorization',
    read(request) {
      const endpoint = findEndpoint(request.path);
      if (request.method === 'OPTIONS') {
        return { status: 204, headers: { Allow: METHODS }, body: '' };
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new ApiError(
          'METHOD_NOT_ALLOWED',
          `${request.method} is not allowed here, allowed: ${METHODS}`,
        );
      }
      const { operation, respond } = endpoint(engine, request);
      return {
        operation,
        write: (result) => conditional(request, respond(result)),
      };
    },
    fail: (_request, error, requestId) => withAllow(errorResponse(error, requestId), error, METHODS),
  };
}
