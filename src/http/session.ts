import { ApiError } from '../errors.ts';
import type { GatewayRequest } from '../exchange.ts';
import { parseBearer } from '../keys/token.ts';
import type { KeyVerifier, VerifiedKey } from '../keys/verify.ts';
import type { Limiter, RateLimitState } from '../rate-limit/limiter.ts';
import { addressSubject, keySubject, type Subject } from '../rate-limit/subject.ts';

/** What a request draws on, and what it has drawn. */
export interface Session {
  /** Undefined for a request without a valid key. */
  readonly key: VerifiedKey | undefined;
  /** The budget after the last reservation, for the headers. */
  readonly budget: RateLimitState | undefined;
  /**
   * Reserves a cost, once per request.
   *
   * @throws ApiError RATE_LIMITED when it does not fit what remains; nothing is spent then.
   * @throws ApiError OPERATION_TOO_COMPLEX when no window could hold it; 1 is spent then.
   */
  charge(cost: number): Promise<void>;
  /** Whether every charge is known to be refused. Asks nobody; false says nothing. */
  isExhausted(): boolean;
  /** Looks at the budget without drawing on it. */
  peek(): Promise<RateLimitState>;
}

/** Sessions begin before anything else of a request is looked at. */
export interface Sessions {
  /** @throws when the key cannot be looked up. */
  begin(request: GatewayRequest): Promise<Session>;
  /** A session of the client's address, whatever key it brings. */
  ofAddress(request: GatewayRequest): Session;
}

export function createSessions(verifier: Pick<KeyVerifier, 'verify'>, limiter: Limiter): Sessions {
  return {
    async begin(request) {
      const token = parseBearer(request.header('authorization'));
      const key = token === undefined ? null : await verifier.verify(token);
      return key === null
        ? openSession(limiter, addressSubject(request.address), undefined)
        : openSession(limiter, keySubject(key), key);
    },
    ofAddress: (request) => openSession(limiter, addressSubject(request.address), undefined),
  };
}

function openSession(limiter: Limiter, subject: Subject, key: VerifiedKey | undefined): Session {
  let budget: RateLimitState | undefined;
  return {
    key,
    get budget() {
      return budget;
    },
    async charge(cost) {
      if (budget !== undefined) {
        return;
      }
      let isPossible = cost <= limiter.limitOf(subject);
      let state = await limiter.reserve(subject, isPossible ? cost : 1);
      // Without its Redis a node applies less than configured, and has decided without waiting.
      if (isPossible && !state.admitted && cost > state.limit) {
        isPossible = false;
        state = await limiter.reserve(subject, 1);
      }
      budget = state;
      if (!budget.admitted) {
        throw new ApiError('RATE_LIMITED', refusal(budget));
      }
      if (!isPossible) {
        throw new ApiError(
          'OPERATION_TOO_COMPLEX',
          `The operation has ${cost} reads, allowed: at most ${budget.limit}, the limit of this key`,
        );
      }
    },
    isExhausted: () => limiter.isExhausted(subject),
    peek: () => limiter.peek(subject),
  };
}

function refusal({ cost, remaining, limit, resetAt }: RateLimitState): string {
  const until = new Date(Math.ceil(resetAt / 1000) * 1000).toISOString().replace('.000', '');
  return `The request costs ${cost}, and ${remaining} of ${limit} are left until ${until}`;
}
