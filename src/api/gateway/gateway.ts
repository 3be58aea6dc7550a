import type { KeyVerifier } from '../../access/keys/verify.ts';
import type { Limiter, RateLimitState } from '../../access/limits/limiter.ts';
import { addRateLimit, limitError } from '../../access/limits/responses.ts';
import type { Tier } from '../../access/limits/tiers.ts';
import { describeFailure, type FailedRequest } from '../../access/usage/failures.ts';
import { type ApiError, errorStatuses } from '../../lib/errors.ts';
import {
  CLIENT_LEFT,
  type GatewayHandler,
  type GatewayRequest,
  type GatewayResponse,
} from '../../lib/http/request-response.ts';
import {
  addressClient,
  authenticate,
  authorize,
  type Client,
  challenge,
  originOf,
  type SurfaceName,
} from './authentication.ts';
import { isPreflight, preflightHeaders, scriptHeaders } from './cors.ts';
import { addErrorHeaders, errorResponse } from './responses.ts';
import {
  assertExpectation,
  assertMethod,
  type Failure,
  type Route,
  type Surface,
  type Task,
} from './surface.ts';
import { type ReportError, toApiError } from './to-api-error.ts';

interface GatewayOptions {
  readonly verifier: Pick<KeyVerifier, 'verify'>;
  readonly limiter: Limiter;
  /** What answers a path: a surface of the API, or a route, which is charged to the budget of no key. */
  readonly find: (path: string) => Surface | Route;
  /** Whether a name in an error is one of ours, and not one that a client made up. */
  readonly isKnownParameter: (name: string, surface: SurfaceName) => boolean;
  /** A sentence about where to get a key. */
  readonly keySource: () => string;
  /** Whether clients reach the gateway over https. */
  readonly isHttps: boolean;
  readonly now: () => number;
  /** Receives every error that is masked for clients. */
  readonly report: ReportError;
  /** Receives every answer. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** The record of an answered request: what the log, the metrics and the usage of keys read. */
export interface Answer {
  readonly request: GatewayRequest;
  readonly surface: SurfaceName | 'page';
  /** {@link CLIENT_LEFT} if the client left before it was answered. */
  readonly status: number;
  /** The status as which it is counted: that of its error, if a response with 200 has one. */
  readonly outcome: number;
  readonly keyId: string | undefined;
  /** The account whose session replaced a key. */
  readonly accountId: string | undefined;
  /** The tier of the key; undefined without a valid one. */
  readonly tier: Tier | undefined;
  /** Whether the rate limit allowed it; undefined if it was not checked. */
  readonly admitted: boolean | undefined;
  /** Whether it was charged to the budget of its key, and less than a fifth of that is left. */
  readonly isNearLimit: boolean;
  /** Why a request with a key failed. */
  readonly failure: FailedRequest | undefined;
  /** Of an embed key: the page that sent the request, or "other" for one that may not use the key. */
  readonly origin: string | undefined;
  /** ms from the request's first line to its answer. */
  readonly duration: number;
}

/** The response of the API to a request, and the decisions that led to it. */
interface ApiAnswer {
  readonly response: GatewayResponse;
  readonly budget: RateLimitState;
  readonly client: Client;
  /** Whether the rate limit allowed the request; undefined if nothing was reserved. */
  readonly admitted?: boolean | undefined;
  readonly failure?: FailedRequest | undefined;
  /** The status of an error that a response with 200 has. */
  readonly errorStatus?: number | undefined;
}

/** Of an embed key, each client has a budget of its own. */
function isNearLimit({ budget: { remaining, limit }, client: { key } }: ApiAnswer): boolean {
  return key !== undefined && !key.isEmbed && remaining * 5 <= limit;
}

/** Composes the whole HTTP interface. The returned handler answers every request and never rejects. */
export function createGateway(options: GatewayOptions): GatewayHandler {
  const { verifier, limiter, find, isKnownParameter, keySource, isHttps, now, report, onAnswer } = options;

  return async (request) => {
    const startedAt = performance.now();
    const found = find(request.path);
    const surface = 'answer' in found ? undefined : found;
    // A POST is always charged.
    const free = surface && request.method !== 'POST' ? respondFreely(surface, request) : undefined;
    const answer =
      surface && (await (free === undefined ? answerApi(surface, request) : answerFreely(request, free)));
    const response = surface && answer ? finish(surface, answer) : await answerRoute(found as Route, request);
    response.headers.push('X-Request-Id', request.id, 'X-Content-Type-Options', 'nosniff');
    if (isHttps) {
      response.headers.push('Strict-Transport-Security', 'max-age=31536000');
    }
    const status = request.isDisconnected ? CLIENT_LEFT : response.status;
    onAnswer?.({
      request,
      surface: surface?.name ?? 'page',
      status,
      outcome: status < 400 ? (answer?.errorStatus ?? status) : status,
      keyId: answer?.client.key?.id,
      accountId: answer?.client.session?.accountId,
      tier: answer?.client.key?.tier,
      admitted: answer?.admitted,
      isNearLimit: answer?.admitted !== undefined && isNearLimit(answer),
      failure: answer?.failure,
      origin: answer?.client.key?.isEmbed ? originOf(answer.client.key, request) : undefined,
      duration: performance.now() - startedAt,
    });
    return response;
  };

  /** The response to a request that needs no key, and is not charged. */
  function respondFreely(surface: Surface, request: GatewayRequest): GatewayResponse | undefined {
    return request.method === 'OPTIONS' && surface.authenticate === undefined && isPreflight(request)
      ? { status: 204, headers: preflightHeaders(surface.methods), body: '' }
      : surface.answerFreely?.(request);
  }

  /** The same with the limit of its key, if it has sent one, and else that of its address. */
  async function answerFreely(request: GatewayRequest, response: GatewayResponse): Promise<ApiAnswer> {
    const client = addressClient(request);
    const shown = await (async () => authenticate(request, verifier))().catch(() => client);
    return { response, budget: limiter.peek(shown.subject), client };
  }

  /** The path of every request to the API: one task, prepared, reserved and run once. */
  async function answerApi(surface: Surface, request: GatewayRequest): Promise<ApiAnswer> {
    // Authenticate.
    const startedAt = performance.now();
    let client: Client;
    try {
      const found = surface.authenticate?.(request) ?? authenticate(request, verifier);
      client = found instanceof Promise ? await found : found;
    } catch (error) {
      return failUncharged(surface, request, toApiError(error, request.id, report));
    }

    // Read, parse and validate, unless nothing is left of the budget. Others may use it up while the body arrives.
    const { subject } = client;
    let budget = client.session?.exceeded ?? limiter.findExhausted(subject);
    let input: unknown;
    let task: Task | undefined;
    let failure: ApiError | undefined;
    if (budget === undefined || surface.isFree) {
      const isWithoutKey = surface.isOpen !== undefined && client.missing === 'unsent';
      try {
        if (!isWithoutKey) {
          authorize(client, request, surface.name, keySource);
        }
        assertExpectation(request);
        const { method } = request;
        if (method === 'OPTIONS' || !surface.methods.includes(method)) {
          surface.requirePath?.(request.path);
          assertMethod(request, surface.methods);
        }
        input = method === 'OPTIONS' ? undefined : surface.read(request, client);
        if (input instanceof Promise) {
          input = await input;
          // Its key may have been revoked while its body arrived.
          if (performance.now() - startedAt > REVOKED_WITHIN_MS) {
            client = await (surface.authenticate?.(request) ?? authenticate(request, verifier));
            if (!isWithoutKey) {
              authorize(client, request, surface.name, keySource);
            }
          }
          budget = limiter.findExhausted(subject);
        }
        if (isWithoutKey && input !== undefined && surface.isOpen?.(input) !== true) {
          authorize(client, request, surface.name, keySource);
        }
        if (input !== undefined && (budget === undefined || surface.isFree?.(input))) {
          task = surface.prepare(input, request);
        }
      } catch (error) {
        failure = toApiError(error, request.id, report);
      }
    }

    // Reserve the cost, in one step. Every request has a cost, errors included, unless another limit refuses it.
    const isRefused = failure?.code === 'RATE_LIMITED';
    const cost = isRefused ? 0 : (task?.cost ?? 1);
    if (cost === 0) {
      budget = isRefused ? { ...limiter.peek(subject), admitted: false } : await limiter.read(subject);
    }
    const limit = limiter.limitOf(subject);
    // What never fits costs as much as any other error.
    const isFitting = cost <= limit;
    budget ??= await limiter.reserve(subject, isFitting ? cost : 1);
    if (!isRefused && (!budget.admitted || !isFitting)) {
      failure = limitError(budget, cost, limit);
    }

    // Run the task, and write its result.
    let response: GatewayResponse | undefined;
    let cause: Failure | undefined;
    try {
      if (failure === undefined && task !== undefined) {
        // Most tasks wait for nothing.
        const running = surface.run(task, request, subject, budget);
        const result = running instanceof Promise ? await running : running;
        cause = surface.findFailure?.(task, result);
        const writing = surface.write(task, result, request, client, budget);
        response = writing instanceof Promise ? await writing : writing;
      }
    } catch (error) {
      failure = toApiError(error, request.id, report);
    }
    // OPTIONS has no task.
    response ??= failure
      ? await surface.fail(failure, request, budget, input)
      : { status: 204, headers: ['Allow', surface.methods.join(', ')], body: '' };
    cause = failure ?? cause ?? (response.status >= 400 ? REFUSED : undefined);
    const described =
      cause &&
      client.key &&
      describeFailure(
        cause,
        () => surface.targetOf(request, input, task),
        (name) => isKnownParameter(name, surface.name),
      );
    const admitted = task?.cost === 0 ? undefined : budget.admitted;
    const errorStatus = cause && errorStatuses[cause.code];
    return { response, budget, client, admitted, failure: described, errorStatus };
  }

  /** The answer if the sender of a request cannot be determined: no budget is charged. */
  async function failUncharged(
    surface: Surface,
    request: GatewayRequest,
    error: ApiError,
  ): Promise<ApiAnswer> {
    const client = addressClient(request);
    const budget = limiter.peek(client.subject);
    return { response: await surface.fail(error, request, budget), budget, client };
  }

  /** Adds the headers of every response of a surface. */
  function finish(surface: Surface, { response, client, budget }: ApiAnswer): GatewayResponse {
    const { status, headers } = response;
    if (!headers.includes('Cache-Control')) {
      headers.push('Cache-Control', 'no-store');
    }
    if (surface.vary !== '' && !headers.includes('Vary')) {
      // Only an embed key depends on where a request comes from.
      headers.push('Vary', client.key?.isEmbed === true ? `${surface.vary}, Origin` : surface.vary);
    }
    addRateLimit(budget, now(), headers);
    if (surface.authenticate === undefined) {
      headers.push(...scriptHeaders);
      if (status === 401) {
        headers.push('WWW-Authenticate', challenge(client));
      }
    }
    if (status >= 400) {
      addErrorHeaders(response, surface.methods);
    }
    for (const cookie of client.session?.cookies ?? []) {
      headers.push('Set-Cookie', cookie);
    }
    return response;
  }

  async function answerRoute(route: Route, request: GatewayRequest): Promise<GatewayResponse> {
    try {
      return await route.answer(request);
    } catch (thrown) {
      const response = errorResponse(toApiError(thrown, request.id, report), request.id);
      response.headers.push('Cache-Control', 'no-store');
      if (response.status === 401 && route.challenge !== undefined) {
        response.headers.push('WWW-Authenticate', route.challenge);
      }
      addErrorHeaders(response, route.methods);
      return response;
    }
  }
}

/** The time within which a revocation takes effect, in ms: what took longer is authenticated again. */
const REVOKED_WITHIN_MS = 1_000;

/** The cause of a response that the library of a protocol wrote by itself. */
const REFUSED: Failure = { code: 'BAD_USER_INPUT', details: [] };
