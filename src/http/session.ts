import { ApiError } from '../errors.ts';
import type { GatewayRequest } from '../exchange.ts';
import { isEmbedKey } from '../keys/key.ts';
import { parseBearer } from '../keys/token.ts';
import type { KeyVerifier, VerifiedKey } from '../keys/verify.ts';
import type { Limiter, RateLimitState } from '../rate-limit/limiter.ts';
import { addressSubject, embedSubject, keySubject, type Subject } from '../rate-limit/subject.ts';

/** What a request draws on, and what it has drawn. */
export interface Session {
  /** Undefined for a request without a valid key. */
  readonly key: VerifiedKey | undefined;
  /** Whether an embed key is used by a web page that it is not for, or by what is no web page. */
  readonly isStranger: boolean;
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
      if (key === null) {
        return new LimitedSession(limiter, addressSubject(request.address));
      }
      if (!isEmbedKey(key)) {
        return new LimitedSession(limiter, keySubject(key), key);
      }
      const isWelcome = key.origins.includes(request.header('origin') ?? '');
      return new LimitedSession(limiter, embedSubject(key, request.address, isWelcome), key, !isWelcome);
    },
    ofAddress: (request) => new LimitedSession(limiter, addressSubject(request.address)),
  };
}

class LimitedSession implements Session {
  readonly key: VerifiedKey | undefined;
  readonly isStranger: boolean;
  budget: RateLimitState | undefined;
  readonly #limiter: Limiter;
  readonly #subject: Subject;

  constructor(limiter: Limiter, subject: Subject, key?: VerifiedKey, isStranger = false) {
    this.key = key;
    this.isStranger = isStranger;
    this.#limiter = limiter;
    this.#subject = subject;
  }

  async charge(cost: number): Promise<void> {
    if (this.budget !== undefined) {
      return;
    }
    let isPossible = cost <= this.#limiter.limitOf(this.#subject);
    let state = await this.#limiter.reserve(this.#subject, isPossible ? cost : 1);
    // Without its Redis a node applies less than configured, and has decided without waiting.
    if (isPossible && !state.admitted && cost > state.limit) {
      isPossible = false;
      state = await this.#limiter.reserve(this.#subject, 1);
    }
    this.budget = state;
    if (!state.admitted) {
      throw new ApiError('RATE_LIMITED', refusal(state));
    }
    if (!isPossible) {
      throw new ApiError(
        'OPERATION_TOO_COMPLEX',
        `The operation has ${cost} reads, allowed: at most ${state.limit}, the limit of this key`,
      );
    }
  }

  isExhausted(): boolean {
    return this.#limiter.isExhausted(this.#subject);
  }

  peek(): Promise<RateLimitState> {
    return this.#limiter.peek(this.#subject);
  }
}

function refusal({ cost, remaining, limit, resetAt }: RateLimitState): string {
  const until = new Date(Math.ceil(resetAt / 1000) * 1000).toISOString().replace('.000', '');
  return `The request costs ${cost}, and ${remaining} of ${limit} are left until ${until}`;
}
