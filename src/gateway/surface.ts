import { ApiError } from '../errors.ts';
import type { Owner } from '../event-loop/time-slices.ts';
import type { Operation, OperationResult } from '../graphql/execution/engine.ts';
import type { VerifiedKey } from '../keys/verify.ts';
import type { RateLimitState } from '../rate-limit/limiter.ts';
import type { GatewayRequest, GatewayResponse } from '../server/request-response.ts';
import type { Client, SurfaceName } from './authentication.ts';

/** A request that was read completely: its operation, and how the result is written. */
export interface OperationRequest {
  /**
   * Parses and validates the operation. Call this once.
   *
   * @throws ApiError for an invalid request.
   */
  prepare(): Operation;
  /** @throws ApiError if the result means that there is nothing to write. */
  write(result: OperationResult, budget: RateLimitState): GatewayResponse | Promise<GatewayResponse>;
}

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
   * Reads a request, its body included; undefined for OPTIONS, which has no operation.
   *
   * @param key undefined if the surface authenticates otherwise.
   * @param owner whose request it is.
   * @throws ApiError for an invalid request.
   */
  read(
    request: GatewayRequest,
    key: VerifiedKey | undefined,
    owner: Owner,
  ): OperationRequest | undefined | Promise<OperationRequest | undefined>;
  fail(request: GatewayRequest, error: ApiError, requestId: string, budget: RateLimitState): GatewayResponse;
}

/** @throws ApiError METHOD_NOT_ALLOWED */
export function assertMethod({ method }: GatewayRequest, methods: Surface['methods']): void {
  if (!methods.split(', ').includes(method)) {
    throw new ApiError('METHOD_NOT_ALLOWED', `${method} is not allowed here, allowed: ${methods}`);
  }
}
