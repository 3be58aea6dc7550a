import { ApiError } from '../errors.ts';
import type { Owner } from '../event-loop/time-slices.ts';
import type { Operation, OperationResult } from '../graphql/execution/engine.ts';
import type { VerifiedKey } from '../keys/verify.ts';
import type { RateLimitState } from '../rate-limit/limiter.ts';
import type { GatewayRequest, GatewayResponse } from '../server/request-response.ts';
import type { Client, SurfaceName } from './authentication.ts';

/** A parsed request: an operation, and how its result is written. */
export interface Task {
  readonly operation: Operation;
  /** @throws ApiError if the result means that there is nothing to write. */
  write(result: OperationResult, budget: RateLimitState): GatewayResponse | Promise<GatewayResponse>;
}

/**
 * Parses and validates what was read. A response if no operation is needed.
 *
 * @throws ApiError for an invalid request.
 */
export type Prepare = () => Task | GatewayResponse;

/** One of the API's surfaces: how it reads requests, and how it writes responses. */
export interface Surface {
  readonly name: SurfaceName;
  /** As the header Allow lists them. */
  readonly methods: string;
  /** Request headers that a response depends on. With an embed key, it also depends on Origin. */
  readonly vary: string;
  /**
   * Authenticates a request by something other than a key. A surface that does is for pages of this origin
   * only, and does not support CORS.
   */
  authenticate?(request: GatewayRequest): Promise<Client>;
  /** A response that needs no key and is not charged; undefined if a key is required. */
  answerFreely?(request: GatewayRequest): GatewayResponse | undefined;
  /**
   * Reads a request, its body included.
   *
   * @param key undefined if the surface authenticates otherwise.
   * @param owner whose request it is.
   * @throws ApiError for an invalid request.
   */
  read(request: GatewayRequest, key: VerifiedKey | undefined, owner: Owner): Prepare | Promise<Prepare>;
  fail(request: GatewayRequest, error: ApiError, requestId: string, budget: RateLimitState): GatewayResponse;
}

/**
 * The response to OPTIONS; undefined for another method of a surface.
 *
 * @throws ApiError METHOD_NOT_ALLOWED
 */
export function answerOptions(
  { method }: GatewayRequest,
  methods: Surface['methods'],
): GatewayResponse | undefined {
  if (!methods.split(', ').includes(method)) {
    throw new ApiError('METHOD_NOT_ALLOWED', `${method} is not allowed here, allowed: ${methods}`);
  }
  return method === 'OPTIONS' ? { status: 204, headers: { Allow: methods }, body: '' } : undefined;
}
