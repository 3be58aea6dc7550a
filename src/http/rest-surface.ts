import type { GatewayResponse } from '../exchange.ts';
import { errorResponse, handleRest, ALLOW as METHODS } from '../rest/handler.ts';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';
import { conditional, tagged } from './conditional.ts';
import type { GatewayOptions } from './gateway.ts';
import { type Surface, withAllow } from './surface.ts';

/** How REST answers. */
export function restSurface({ startups, execute, answerCache }: GatewayOptions): Surface {
  const answers: AnswerCache<GatewayResponse> = createAnswerCache({
    capacity: answerCache,
    edition: startups.edition,
  });
  return {
    name: 'rest',
    methods: METHODS,
    vary: 'Authorization',
    async answer(request, session, _key, requestId) {
      await session.charge(1);
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD') {
        return handleRest(request, { requestId, startups }, execute);
      }
      const key = `${request.path}?${request.query}`;
      const response =
        answers.find(key) ??
        (await answers.make(key, async () =>
          tagged(await handleRest(request, { requestId, startups }, execute)),
        ));
      return conditional(request, response);
    },
    fail: (_request, error, requestId) => {
      const response = errorResponse(error, requestId);
      return withAllow(response, error, METHODS);
    },
  };
}
