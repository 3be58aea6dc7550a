import type { GatewayResponse } from '../exchange.ts';
import { errorResponse, handleRest, ALLOW as METHODS, STARTUPS_PATH } from '../rest/handler.ts';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';
import { conditional, tagged } from './conditional.ts';
import type { GatewayOptions } from './gateway.ts';
import { type Surface, withAllow } from './surface.ts';

/** How REST answers. */
export function restSurface({ restStartups, answerCache }: GatewayOptions): Surface {
  // Of lists: a detail is its record, and records are kept where they are read.
  const lists: AnswerCache<GatewayResponse> = createAnswerCache({
    capacity: answerCache,
    edition: restStartups.edition,
  });
  return {
    name: 'rest',
    methods: METHODS,
    vary: 'Authorization',
    async answer(request, session, _key, requestId) {
      await session.charge(1);
      const { method, path, query } = request;
      if (method !== 'GET' && method !== 'HEAD') {
        return handleRest(request, restStartups, requestId);
      }
      const make = async (): Promise<GatewayResponse> =>
        tagged(await handleRest(request, restStartups, requestId));
      const response =
        path === STARTUPS_PATH ? (lists.find(query) ?? (await lists.make(query, make))) : await make();
      return conditional(request, response);
    },
    fail: (_request, error, requestId) => {
      const response = errorResponse(error, requestId);
      return withAllow(response, error, METHODS);
    },
  };
}
