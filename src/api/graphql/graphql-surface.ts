import type { DocumentStore } from '../../access/keys/documents/store.ts';
import { shortName } from '../../access/usage/failures.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { andThen, timeSlices } from '../../lib/loop/time-slices.ts';
import { type AuthenticateSession, sessionClient } from '../gateway/authentication.ts';
import { conditional, PUBLIC } from '../gateway/conditional-requests.ts';
import type { Surface } from '../gateway/surface.ts';
import { codeOf, failureOf } from './errors.ts';
import type { Engine, GraphQLParams, Operation, OperationResult } from './execution/engine.ts';
import { failureResponse, operationResponse, readGraphQLRequest } from './over-http.ts';
import { findDocumentText } from './planning/requested-document.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

interface GraphqlNeeds {
  readonly engine: Engine;
  readonly documents: DocumentStore;
  /** The page for a browser that navigates to the endpoint; undefined for any other request. */
  readonly findPage?: ((request: GatewayRequest) => GatewayResponse | undefined) | undefined;
}

/** How GraphQL answers. */
export function bindGraphql({
  engine,
  documents,
  findPage,
}: GraphqlNeeds): Surface<GraphQLParams, Operation, OperationResult> {
  return {
    name: 'graphql',
    methods: METHODS,
    vary: 'Authorization, Accept',
    ...(findPage && { answerFreely: findPage }),
    read: (request, { key, subject }) =>
      andThen(readGraphQLRequest(request), ({ document, operationName, variables }) =>
        andThen(findDocumentText(document, key, documents), (query) =>
          timeSlices.runStep(() => ({ query, operationName, variables }), subject),
        ),
      ),
    prepare: engine.prepare,
    run: engine.run,
    write(operation, result, request, { key, subject }, budget) {
      return andThen(operationResponse(request, subject, operation, result, budget), (response) =>
        request.method === 'POST' || result.errors !== undefined || operation.prepared?.readsLimit === true
          ? response
          : conditional(request, response, key?.isEmbed === true ? PUBLIC : undefined),
      );
    },
    findFailure: (_operation, result) => (result.errors === undefined ? undefined : failureOf(result)),
    targetOf({ path }, input, operation) {
      // The name that an invalid document should have is in no operation; any other is unchecked.
      const isInvalid = operation?.errors.some((error) => codeOf(error) === 'GRAPHQL_VALIDATION_FAILED');
      const name = shortName(operation?.prepared?.name ?? (isInvalid ? input?.operationName : undefined));
      return name === undefined ? path : `${path} ${name}`;
    },
    fail: failureResponse,
  };
}

type SessionNeeds = GraphqlNeeds & {
  /** Undefined: nobody can sign in. */
  readonly authenticateSession: AuthenticateSession | undefined;
};

/** GraphQL for GraphiQL without a key: the same operations, charged to the budget of the signed-in account. */
export function bindSessionGraphql({
  authenticateSession,
  findPage: _,
  ...needs
}: SessionNeeds): Surface | undefined {
  return (
    authenticateSession && {
      ...(bindGraphql(needs) as Surface),
      methods: ['POST'],
      vary: 'Cookie, Accept',
      authenticate: async (request) => sessionClient(request, await authenticateSession(request)),
    }
  );
}
