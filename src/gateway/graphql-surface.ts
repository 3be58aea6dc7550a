import type { DocumentStore } from '../documents/store.ts';
import { ApiError } from '../errors.ts';
import { timeSlices } from '../event-loop/time-slices.ts';
import { findDocumentText } from '../graphql/documents/requested-document.ts';
import type { Engine } from '../graphql/execution/engine.ts';
import { failureResponse, operationResponse, readGraphQLRequest } from '../graphql/over-http.ts';
import { isEmbedKey } from '../keys/key.ts';
import { type GraphiQL, wantsGraphiQL } from '../pages/site/graphiql.tsx';
import { conditional, PUBLIC } from './conditional-requests.ts';
import { type Surface, withAllow } from './surface.ts';

const METHODS = 'GET, HEAD, POST, OPTIONS';

/** How GraphQL answers. */
export function graphqlSurface({
  engine,
  documents,
  graphiql,
}: {
  readonly engine: Engine;
  readonly documents: DocumentStore;
  readonly graphiql: GraphiQL;
}): Surface {
  return {
    name: 'graphql',
    methods: METHODS,
    vary: 'Authorization, Accept',
    answerFreely: (request) => (wantsGraphiQL(request) ? graphiql.page(request.header('cookie')) : undefined),
    async read(request, key, owner) {
      if (request.method === 'OPTIONS') {
        return { status: 204, headers: { Allow: METHODS }, body: '' };
      }
      if (!METHODS.split(', ').includes(request.method)) {
        throw new ApiError(
          'METHOD_NOT_ALLOWED',
          `${request.method} is not allowed here, allowed: ${METHODS}`,
        );
      }
      const { document, operationName, variables } = await readGraphQLRequest(request);
      const query = await findDocumentText(document, key, documents);
      const params = { query, operationName, variables };
      if (!timeSlices.hasTime()) {
        await timeSlices.waitForTime(owner);
      }
      const operation = engine.prepare(params);
      return {
        operation,
        async write(result, budget) {
          const response = await operationResponse(request, owner, operation, result, budget);
          return request.method === 'POST' || result.errors !== undefined
            ? response
            : conditional(request, response, key && isEmbedKey(key) ? PUBLIC : undefined);
        },
      };
    },
    fail: (request, error, requestId, budget) =>
      withAllow(failureResponse(request, error, requestId, budget), error, METHODS),
  };
}
