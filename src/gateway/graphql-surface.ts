import type { DocumentStore } from '../documents/store.ts';
import { type Owner, timeSlices } from '../event-loop/time-slices.ts';
import { findDocumentText } from '../graphql/documents/requested-document.ts';
import type { Engine, Operation, OperationResult } from '../graphql/execution/engine.ts';
import { failureResponse, operationResponse, readGraphQLRequest } from '../graphql/over-http.ts';
import { isEmbedKey } from '../keys/key.ts';
import type { VerifiedKey } from '../keys/verify.ts';
import type { RateLimitState } from '../rate-limit/limiter.ts';
import type { GatewayRequest, GatewayResponse } from '../server/request-response.ts';
import { conditional, PUBLIC } from './conditional-requests.ts';
import { assertMethod, type OperationRequest, type Surface } from './surface.ts';

const METHODS = 'GET, HEAD, POST, OPTIONS';

/** How GraphQL answers. */
export function graphqlSurface({
  engine,
  documents,
  findPage,
}: {
  readonly engine: Engine;
  readonly documents: DocumentStore;
  /** The page for a browser that navigates to the endpoint; undefined for any other request. */
  readonly findPage: (request: GatewayRequest) => GatewayResponse | undefined;
}): Surface {
  return {
    name: 'graphql',
    methods: METHODS,
    vary: 'Authorization, Accept',
    answerFreely: findPage,
    async read(request, key, owner) {
      assertMethod(request, METHODS);
      if (request.method === 'OPTIONS') {
        return undefined;
      }
      const { document, operationName, variables } = await readGraphQLRequest(request);
      const query = await findDocumentText(document, key, documents);
      if (!timeSlices.hasTime()) {
        await timeSlices.waitForTime(owner);
      }
      return new GraphQLRequest(engine, { query, operationName, variables }, request, key, owner);
    },
    fail: failureResponse,
  };
}

class GraphQLRequest implements OperationRequest {
  readonly #engine: Engine;
  readonly #document: Parameters<Engine['prepare']>[0];
  readonly #request: GatewayRequest;
  readonly #key: VerifiedKey | undefined;
  readonly #owner: Owner;
  #operation: Operation | undefined;

  constructor(
    engine: Engine,
    document: Parameters<Engine['prepare']>[0],
    request: GatewayRequest,
    key: VerifiedKey | undefined,
    owner: Owner,
  ) {
    this.#engine = engine;
    this.#document = document;
    this.#request = request;
    this.#key = key;
    this.#owner = owner;
  }

  prepare(): Operation {
    this.#operation = this.#engine.prepare(this.#document);
    return this.#operation;
  }

  async write(result: OperationResult, budget: RateLimitState): Promise<GatewayResponse> {
    const request = this.#request;
    const operation = this.#operation as Operation;
    const response = await operationResponse(request, this.#owner, operation, result, budget);
    return request.method === 'POST' || result.errors !== undefined
      ? response
      : conditional(request, response, this.#key && isEmbedKey(this.#key) ? PUBLIC : undefined);
  }
}
