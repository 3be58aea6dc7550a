import { type AuthenticateSession, sessionClient } from '../gateway/authentication.ts';
import { assertMethod, type Surface } from '../gateway/surface.ts';

const METHODS = ['POST'];

/** GraphQL for GraphiQL without a key: the same operations, charged to the budget of the signed-in account. */
export function sessionSurface(graphql: Surface, authenticate: AuthenticateSession): Surface {
  const { answerFreely: _, ...steps } = graphql;
  return {
    ...steps,
    methods: METHODS,
    vary: 'Cookie, Accept',
    authenticate: async (request) => sessionClient(request, await authenticate(request)),
    read(request, client) {
      assertMethod(request, METHODS);
      return graphql.read(request, client);
    },
  };
}
