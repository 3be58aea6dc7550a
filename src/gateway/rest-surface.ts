import type { Engine, Operation, OperationResult } from '../graphql/execution/engine.ts';
import { type Endpoint, findEndpoint } from '../rest/endpoints.ts';
import { errorResponse } from '../rest/responses.ts';
import type { GatewayRequest, GatewayResponse } from '../server/request-response.ts';
import { conditional } from './conditional-requests.ts';
import { assertMethod, type OperationRequest, type Surface } from './surface.ts';

/** Methods of every resource of REST. */
const METHODS = 'GET, HEAD, OPTIONS';

/** How REST answers: each endpoint is a separate document on the schema. */
export function restSurface(engine: Engine): Surface {
  return {
    name: 'rest',
    methods: METHODS,
    vary: 'Authorization',
    read(request) {
      const endpoint = findEndpoint(request.path);
      assertMethod(request, METHODS);
      return request.method === 'OPTIONS' ? undefined : new RestRequest(engine, endpoint, request);
    },
    fail: (_request, error, requestId) => errorResponse(error, requestId),
  };
}

class RestRequest implements OperationRequest {
  readonly #engine: Engine;
  readonly #endpoint: Endpoint;
  readonly #request: GatewayRequest;
  #respond: ReturnType<Endpoint>['respond'] | undefined;

  constructor(engine: Engine, endpoint: Endpoint, request: GatewayRequest) {
    this.#engine = engine;
    this.#endpoint = endpoint;
    this.#request = request;
  }

  prepare(): Operation {
    const { operation, respond } = this.#endpoint(this.#engine, this.#request);
    this.#respond = respond;
    return operation;
  }

  write(result: OperationResult): GatewayResponse {
    const respond = this.#respond as ReturnType<Endpoint>['respond'];
    return conditional(this.#request, respond(result));
  }
}
