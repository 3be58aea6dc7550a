import type { DocumentStore } from '../documents/store.ts';
import { ApiError } from '../errors.ts';
import type { Engine } from '../graphql/engine.ts';
import { failureResponse, operationResponse, readGraphQLRequest } from '../graphql/http.ts';
import { findDocumentText } from '../graphql/requested-document.ts';
import { isEmbedKey } from '../keys/key.ts';
import { conditional, PUBLIC, tagged } from './conditional.ts';
import { type GraphiQL, wantsGraphiQL } from './graphiql.ts';
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
    answerFreely: (request) => (wantsGraphiQL(request) ? graphiql.page() : undefined),
    async read(request, key) {
      if (request.method === 'OPTIONS') {
        return { status: 204, headers: { Allow: METHODS }, body: '' };
      }
      if (!METHODS.split(', ').includes(request.method)) {
        throw new ApiError(
          'METHOD_NOT_ALLOWED',
          `${request.method} is not allowed here, allowed: ${METHODS}`,
        );
      }
      const { document, operationName, variables, variableText } = await readGraphQLRequest(request);
      const query = await findDocumentText(document, key, documents);
      const operation = engine.prepare({ query, operationName, variables }, variableText);
      return {
        operation,
        async write(result, budget) {
          const response = await operationResponse(request, operation, result, budget);
          return request.method === 'POST' || result.errors !== undefined
            ? response
            : conditional(request, tagged(response, key && isEmbedKey(key) ? PUBLIC : undefined));
        },
      };
    },
    fail: (request, error, requestId, budget) =>
      withAllow(failureResponse(request, error, requestId, budget), error, METHODS),
  };
}
