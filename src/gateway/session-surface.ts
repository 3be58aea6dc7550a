import { ApiError } from '../errors.ts';
import type { AuthenticateSession } from '../pages/dashboard/graphql.ts';
import { sessionClient } from './authentication.ts';
import { type Surface, withAllow } from './surface.ts';

const METHODS = 'POST';

/** GraphQL for GraphiQL without a key: the same operations, charged to the budget of the signed-in account. */
export function sessionSurface(graphql: Surface, authenticate: AuthenticateSession): Surface {
  return {
    name: graphql.name,
    methods: METHODS,
    vary: 'Cookie, Accept',
    authenticate: async (request) => sessionClient(request, await authenticate(request)),
    read(request, key, owner) {
      if (request.method !== METHODS) {
        const message = `${request.method} is not allowed here, allowed: ${METHODS}`;
        throw new ApiError('METHOD_NOT_ALLOWED', message);
      }
      return graphql.read(request, key, owner);
    },
    fail: (request, error, requestId, budget) =>
      withAllow(graphql.fail(request, error, requestId, budget), error, METHODS),
  };
}
