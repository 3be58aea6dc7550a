import type { Engine } from '../graphql/execution/engine.ts';
import { findEndpoint } from '../rest/endpoints.ts';
import { errorResponse } from '../rest/responses.ts';
import { conditional } from './conditional-requests.ts';
import { answerOptions, type Surface } from './surface.ts';

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
      const options = answerOptions(request, METHODS);
      return () => {
        if (options !== undefined) {
          return options;
        }
        const { operation, respond } = endpoint(engine, request);
        return {
          operation,
          write: (result) => conditional(request, respond(result)),
        };
      };
    },
    fail: (_request, error, requestId) => errorResponse(error, requestId),
  };
}
