import { type AuthenticateSession, sessionClient } from '../gateway/authentication.ts';
import type { Surface } from '../gateway/surface.ts';
import { bindGraphql } from './surface.ts';

type SessionNeeds = Parameters<typeof bindGraphql>[0] & {
  /** Undefined: nobody can sign in. */
  readonly authenticateSession: AuthenticateSession | undefined;
};

/** GraphQL for GraphiQL without a key: the same operations, charged to the budget of the signed-in account. */
export function bindSessionGraphql({ authenticateSession, ...needs }: SessionNeeds): Surface | undefined {
  if (authenticateSession === undefined) {
    return undefined;
  }
  const { answerFreely: _, ...graphql }: Surface = bindGraphql(needs);
  return {
    ...graphql,
    methods: ['POST'],
    vary: 'Cookie, Accept',
    authenticate: async (request) => sessionClient(request, await authenticateSession(request)),
  };
}
