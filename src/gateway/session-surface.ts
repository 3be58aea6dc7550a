import { type AuthenticateSession, sessionClient } from './authentication.ts';
import { assertMethod, type Surface } from './surface.ts';

const METHODS = 'POST';

/** GraphQL for GraphiQL without a key: the same operations, charged to the budget of the signed-in account. */
export function sessionSurface(graphql: Surface, authenticate: AuthenticateSession): Surface {
  return {
    name: graphql.name,
    methods: METHODS,
    vary: 'Cookie, Accept',
    authenticate: async (request) => sessionClient(request, await authenticate(request)),
    read(request, key, owner) {
      assertMethod(request, METHODS);
      return graphql.read(request, key, owner);
    },
    fail: graphql.fail,
  };
}
