import type { DocumentStore } from '../documents/store.ts';
import { timeSlices } from '../event-loop/time-slices.ts';
import { findDocumentText } from '../graphql/documents/requested-document.ts';
import type { Engine } from '../graphql/execution/engine.ts';
import { failureResponse, operationResponse, readGraphQLRequest } from '../graphql/over-http.ts';
import { isEmbedKey } from '../keys/key.ts';
import { type GraphiQL, wantsGraphiQL } from '../pages/site/graphiql.tsx';
import { conditional, PUBLIC } from './conditional-requests.ts';
import { answerOptions, type Surface } from './surface.ts';

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
      const options = answerOptions(request, METHODS);
      if (options !== undefined) {
        return () => options;
      }
      const { document, operationName, variables } = await readGraphQLRequest(request);
      const query = await findDocumentText(document, key, documents);
      if (!timeSlices.hasTime()) {
        await timeSlices.waitForTime(owner);
      }
      return () => {
        const operation = engine.prepare({ query, operationName, variables });
        return {
          operation,
          async write(result, budget) {
            const response = await operationResponse(request, owner, operation, result, budget);
            return request.method === 'POST' || result.errors !== undefined
              ? response
              : conditional(request, response, key && isEmbedKey(key) ? PUBLIC : undefined);
          },
        };
      };
    },
    fail: failureResponse,
  };
}
