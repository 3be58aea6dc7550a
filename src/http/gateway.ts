import type { Dashboard } from '../dashboard/dashboard.ts';
import type { DocumentStore } from '../documents/store.ts';
import { ApiError } from '../errors.ts';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from '../exchange.ts';
import type { ExecuteGraphQL, ReportFault } from '../graphql/engine.ts';
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
import type { VerifiedKey } from '../keys/verify.ts';
import { rateLimitHeaders } from '../rate-limit/headers.ts';
import type { RateLimitState } from '../rate-limit/limiter.ts';
import type { Tier } from '../rate-limit/tiers.ts';
import { errorResponse, handleRest, REST_BASE, ALLOW as REST_METHODS } from '../rest/handler.ts';
import type { Startups } from '../startups/startups.ts';
import { admit, type SurfaceName } from './admit.ts';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';
import { conditional, NO_STORE, PUBLIC, tagged } from './conditional.ts';
import { exposedHeaders, isPreflight, preflightHeaders } from './cors.ts';
import type { MetricsPage } from './metrics-page.ts';
import { handlePage, type Pages } from './pages.ts';
import type { Session, Sessions } from './session.ts';

/** What the gateway is made of. */
export interface GatewayOptions {
  readonly sessions: Sessions;
  readonly startups: Startups;
  readonly execute: ExecuteGraphQL;
  readonly documents: DocumentStore;
  readonly pages: Pages;
  readonly metrics: MetricsPage;
  /** How much of answers to keep in memory, in bytes; 0: none. */
  readonly answerCache: number;
  readonly dashboard: Dashboard;
  readonly now: () => number;
  readonly createRequestId: () => string;
  /** Told of every fault that a client sees masked. */
  readonly report: ReportFault;
  /** Told of every answer. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** What is known of a request once it was answered. */
export interface Answer {
  readonly request: GatewayRequest;
  readonly requestId: string;
  readonly surface: SurfaceName | 'page';
  readonly status: number;
  readonly keyId: string | undefined;
  /** The tier of the key; undefined without a valid one. */
  readonly tier: Tier | undefined;
  /** Whether the limit let it pass; undefined when it was not asked. */
  readonly admitted: boolean | undefined;
  /** ms from the request's first line to its answer. */
  readonly duration: number;
}

/** One of the two API surfaces: how it answers, and how it says what went wrong. */
interface Surface {
  readonly name: SurfaceName;
  readonly methods: string;
  /** Headers of a request that an answer depends on; see {@link varyOf}. */
  readonly vary: string;
  answer(
    request: GatewayRequest,
    session: Session,
    key: VerifiedKey,
    requestId: string,
  ): Promise<GatewayResponse>;
  fail(
    request: GatewayRequest,
    error: ApiError,
    requestId: string,
    budget: RateLimitState | undefined,
  ): GatewayResponse;
}

const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

/** Composes the whole HTTP surface. What it returns answers every request and never rejects. */
export function createGateway(options: GatewayOptions): GatewayHandler {
  const { sessions, pages, metrics, dashboard, now, createRequestId, report, onAnswer } = options;
  const surfaces = { rest: restSurface(options), graphql: graphqlSurface(options) };

  return async (request) => {
    const startedAt = performance.now();
    const requestId = createRequestId();
    const surface = surfaceOf(request.path, surfaces);
    let session: Session | undefined;
    let response: GatewayResponse;
    if (surface === undefined) {
      response = isDashboard(request.path)
        ? await dashboard(request, requestId)
        : request.path === '/metrics'
          ? metrics(request, requestId)
          : handlePage(request, pages, requestId);
    } else {
      const answered = await answerOn(surface, request, requestId);
      session = answered.session;
      const headers = {
        ...NO_STORE,
        Vary: varyOf(surface, session),
        ...answered.response.headers,
        ...exposedHeaders,
        ...rateLimitHeaders(answered.budget, now()),
      };
      response = { ...answered.response, headers };
    }
    const duration = performance.now() - startedAt;
    onAnswer?.({
      request,
      requestId,
      surface: surface?.name ?? 'page',
      status: response.status,
      keyId: session?.key?.id,
      tier: session?.key?.tier,
      admitted: session?.budget?.admitted,
      duration,
    });
    return {
      ...response,
      headers: { ...response.headers, 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' },
    };
  };

  async function answerOn(
    surface: Surface,
    request: GatewayRequest,
    requestId: string,
  ): Promise<{ response: GatewayResponse; budget: RateLimitState; session: Session }> {
    let session = sessions.ofAddress(request);
    if (isPreflight(request)) {
      const response = { status: 204, headers: preflightHeaders(surface.methods), body: '' };
      return { response, budget: await session.peek(), session };
    }
    try {
      session = await sessions.begin(request);
    } catch (error) {
      // Whose request it is cannot be told, so nobody pays.
      const budget = await session.peek();
      const response = surface.fail(request, toApiError(error, requestId), requestId, budget);
      return { response, budget, session };
    }
    let response: GatewayResponse;
    try {
      const key = await admit(session, request, surface.name);
      response = await surface.answer(request, session, key, requestId);
      // Nothing is free: what never came to an operation is paid for here.
      await session.charge(1);
    } catch (error) {
      const told = await settle(error, session, requestId);
      response = surface.fail(request, told, requestId, session.budget);
    }
    return { response, budget: session.budget ?? (await session.peek()), session };
  }

  /** The fault that the client is told of: its own, or that it has no budget left. */
  async function settle(error: unknown, session: Session, requestId: string): Promise<ApiError> {
    try {
      await session.charge(1);
    } catch (refusal) {
      return toApiError(refusal, requestId);
    }
    return toApiError(error, requestId);
  }

  function toApiError(error: unknown, requestId: string): ApiError {
    if (error instanceof ApiError) {
      return error;
    }
    report(error, requestId);
    return new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error');
  }
}

/** Only an embed key looks at where a request comes from. */
function varyOf({ vary }: Surface, { key }: Session): string {
  return key !== undefined && isEmbedKey(key) ? `${vary}, Origin` : vary;
}

function isDashboard(path: string): boolean {
  return path === '/dashboard' || path.startsWith('/dashboard/');
}

function surfaceOf(path: string, surfaces: { rest: Surface; graphql: Surface }): Surface | undefined {
  if (path === '/graphql') {
    return surfaces.graphql;
  }
  return path === REST_BASE || path.startsWith(`${REST_BASE}/`) ? surfaces.rest : undefined;
}

function restSurface({ startups, execute, answerCache }: GatewayOptions): Surface {
  const answers: AnswerCache<GatewayResponse> = createAnswerCache({
    capacity: answerCache,
    edition: startups.edition,
  });
  return {
    name: 'rest',
    methods: REST_METHODS,
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
      return withAllow(response, error, REST_METHODS);
    },
  };
}

function graphqlSurface({ startups, execute, documents, answerCache }: GatewayOptions): Surface {
  const answers: AnswerCache<OperationAnswer> = createAnswerCache({
    capacity: answerCache,
    edition: startups.edition,
    keeps: ({ isFaulty }) => !isFaulty,
  });
  return {
    name: 'graphql',
    methods: GRAPHQL_METHODS,
    vary: 'Authorization, Accept',
    async answer(request, session, key, requestId) {
      if (request.method === 'OPTIONS') {
        return { status: 204, headers: { Allow: GRAPHQL_METHODS }, body: '' };
      }
      if (!GRAPHQL_METHODS.split(', ').includes(request.method)) {
        throw new ApiError(
          'METHOD_NOT_ALLOWED',
          `${request.method} is not allowed here, allowed: ${GRAPHQL_METHODS}`,
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
      withAllow(failureResponse(request, error, requestId, budget), error, GRAPHQL_METHODS),
  };
}

function withAllow(response: GatewayResponse, error: ApiError, methods: string): GatewayResponse {
  return error.code === 'METHOD_NOT_ALLOWED'
    ? { ...response, headers: { ...response.headers, Allow: methods } }
    : response;
}
