import { ApiError } from '../errors.ts';
import {
  answerOperation,
  failureResponse,
  type OperationAnswer,
  operationKey,
  operationResponse,
  readGraphQLRequest,
} from '../graphql/http.ts';
import { findDocumentText } from '../graphql/requested-document.ts';
import { isEmbedKey } from '../keys/key.ts';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';
import { conditional, PUBLIC, tagged } from './conditional.ts';
import type { GatewayOptions } from './gateway.ts';
import { wantsGraphiQL } from './graphiql.ts';
import { type Surface, withAllow } from './surface.ts';

const METHODS = 'GET, HEAD, POST, OPTIONS';

/** How GraphQL answers. */
export function graphqlSurface({
  startups,
  execute,
  documents,
  answerCache,
  pages,
}: GatewayOptions): Surface {
  const answers: AnswerCache<OperationAnswer> = createAnswerCache({
    capacity: answerCache,
    edition: startups.edition,
    keeps: ({ isFaulty }) => !isFaulty,
  });
  return {
    name: 'graphql',
    methods: METHODS,
    vary: 'Authorization, Accept',
    answerFreely: (request) => (wantsGraphiQL(request) ? pages.graphiql.page() : undefined),
    async answer(request, session, key, requestId) {
      if (request.method === 'OPTIONS') {
        return { status: 204, headers: { Allow: METHODS }, body: '' };
      }
      if (!METHODS.split(', ').includes(request.method)) {
        throw new ApiError(
          'METHOD_NOT_ALLOWED',
          `${request.method} is not allowed here, allowed: ${METHODS}`,
        );
      }
      // An exhausted budget buys no parsing.
      if (session.isExhausted()) {
        await session.charge(1);
      }
      const { document, operationName, variables } = await readGraphQLRequest(request);
      const query = await findDocumentText(document, key, documents);
      const params = { query, operationName, variables };
      const kept = operationKey(params);
      const answered =
        answers.find(kept) ??
        (await answers.make(kept, () =>
          answerOperation(params, { requestId, startups, charge: (reads) => session.charge(reads) }, execute),
        ));
      await session.charge(answered.cost);
      const response = operationResponse(request, answered, session.budget);
      return request.method === 'POST' || answered.isFaulty
        ? response
        : conditional(request, tagged(response, isEmbedKey(key) ? PUBLIC : undefined));
    },
    fail: (request, error, requestId, budget) =>
      withAllow(failureResponse(request, error, requestId, budget), error, METHODS),
  };
}
