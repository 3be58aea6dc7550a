import type { Dashboard } from '../dashboard/dashboard.ts';
import type { DocumentStore } from '../documents/store.ts';
import { ApiError } from '../errors.ts';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from '../exchange.ts';
import type { ExecuteGraphQL, ReportFault } from '../graphql/engine.ts';
import { isEmbedKey } from '../keys/key.ts';
import { rateLimitHeaders } from '../rate-limit/headers.ts';
import type { RateLimitState } from '../rate-limit/limiter.ts';
import type { Tier } from '../rate-limit/tiers.ts';
import { REST_BASE } from '../rest/handler.ts';
import type { RestRecord } from '../rest/records.ts';
import type { Startups } from '../startups/startups.ts';
import { admit, type SurfaceName } from './admit.ts';
import { NO_STORE } from './conditional.ts';
import { exposedHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { graphqlSurface } from './graphql-surface.ts';
import type { MetricsPage } from './metrics-page.ts';
import { handlePage, type Pages } from './pages.ts';
import { restSurface } from './rest-surface.ts';
import type { Session, Sessions } from './session.ts';
import type { Surface } from './surface.ts';
import { createTurns } from './turns.ts';

/** What the gateway is made of. */
export interface GatewayOptions {
  readonly sessions: Sessions;
  readonly startups: Startups;
  /** The same, with records as REST gives them. */
  readonly restStartups: Startups<RestRecord>;
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

/** Composes the whole HTTP surface. What it returns answers every request and never rejects. */
export function createGateway(options: GatewayOptions): GatewayHandler {
  const { sessions, pages, metrics, dashboard, now, createRequestId, report, onAnswer } = options;
  const surfaces = { rest: restSurface(options), graphql: graphqlSurface(options) };
  const nextTurn = createTurns();

  return async (request) => {
    const startedAt = performance.now();
    await nextTurn();
    const requestId = createRequestId();
    const surface = surfaceOf(request.path, surfaces);
    let session: Session | undefined;
    let response: GatewayResponse;
    const ownHeaders = { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' };
    if (surface === undefined) {
      response = isDashboard(request.path)
        ? await dashboard(request, requestId)
        : request.path === '/metrics'
          ? metrics(request, requestId)
          : handlePage(request, pages, requestId);
      response = { ...response, headers: { ...response.headers, ...ownHeaders } };
    } else {
      const answered = await answerOn(surface, request, requestId);
      session = answered.session;
      const headers = {
        ...NO_STORE,
        Vary: varyOf(surface, session),
        ...answered.response.headers,
        ...exposedHeaders,
        ...rateLimitHeaders(answered.budget, now()),
        ...ownHeaders,
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
    return response;
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
    const free = surface.answerFreely?.(request);
    if (free !== undefined) {
      return { response: free, budget: await session.peek(), session };
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
      if (session.budget === undefined) {
        // Nothing is free: what never came to an operation is paid for here.
        await session.charge(1);
      }
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
