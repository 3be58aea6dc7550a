import type { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../exchange.ts';
import type { VerifiedKey } from '../keys/verify.ts';
import type { RateLimitState } from '../rate-limit/limiter.ts';
import type { SurfaceName } from './admit.ts';
import type { Session } from './session.ts';

/** One of the two API surfaces: how it answers, and how it says what went wrong. */
export interface Surface {
  readonly name: SurfaceName;
  readonly methods: string;
  /** Headers of a request that an answer depends on. An embed key's also on Origin. */
  readonly vary: string;
  /** What it answers at no cost, whoever asks; undefined where it asks for a key. */
  answerFreely?(request: GatewayRequest): GatewayResponse | undefined;
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

/** Tells which methods there are, where another was asked for. */
export function withAllow(response: GatewayResponse, error: ApiError, methods: string): GatewayResponse {
  return error.code === 'METHOD_NOT_ALLOWED'
    ? { ...response, headers: { ...response.headers, Allow: methods } }
    : response;
}
