import { getGraphQLRateLimiter, Store } from 'graphql-rate-limit';
import type { Bucket, Counter, JointReservation, Usage } from './counter.ts';
import type { Subject } from './subject.ts';
import { ACCOUNT_LIMIT, DEFAULT_EMBED_LIMIT, type TierLimits } from './tiers.ts';

/** A budget after a request, or at the moment. */
export interface RateLimitState {
  /** False: the request is refused and cost nothing. */
  readonly admitted: boolean;
  /** The limit of the window. */
  readonly limit: number;
  /** The remaining budget. */
  readonly remaining: number;
  /** ms since 1970 at which the window ends; without an open one, a window's length from now. */
  readonly resetAt: number;
  /** The requested cost; 0 if nothing was reserved. */
  readonly cost: number;
}

/** Decides which requests fit their budgets. */
export interface Limiter {
  /**
   * Reserves the whole cost in one atomic step, or nothing.
   *
   * @param cost an integer from 1 to {@link MAX_COST}.
   */
  reserve(subject: Subject, cost: number): Promise<RateLimitState>;
  /** The budget as this node knows it. Opens no window, costs nothing and makes no remote call. */
  peek(subject: Subject): RateLimitState;
  /**
   * The refusal of any reservation, if it is known without a remote call, so that it can come before each
   * costly step; undefined means that only a reservation can decide.
   */
  findRefusal(subject: Subject): RateLimitState | undefined;
  /** The configured limit of the subject's window: a higher cost never fits. Does not use a counter. */
  limitOf(subject: Subject): number;
}

/** The highest cost of one request. */
export const MAX_COST = 60;

type Arguments = Parameters<ReturnType<typeof getGraphQLRateLimiter>>[0];

// The library counts calls to a field by timestamps in an array. Ours never expire by its clock: only the
// counter tracks the windows, by a clock that nodes may share.
const ENDLESS = Number.POSITIVE_INFINITY;
const calls = Array.from({ length: MAX_COST + 1 }, (_, length) => new Array<number>(length).fill(ENDLESS));
const COST_FIELD = 'reads';
const costArguments = calls.map((reads) => ({ [COST_FIELD]: reads }));
const field = { fieldName: COST_FIELD } as Arguments['info'];
const identifyContext = (subject: Subject): string => subject.identity;

interface LimiterOptions {
  readonly counter: Counter;
  readonly limits: TierLimits;
  /** The limit of all clients of an embed key together; {@link DEFAULT_EMBED_LIMIT} by default. */
  readonly embedLimit?: number | undefined;
}

/**
 * Creates a limiter: graphql-rate-limit decides, over a store that reserves when the library reads,
 * since its own order of reading first and writing later lets parallel requests pass the limit.
 *
 * For a subject with two budgets, the result is the tighter one.
 *
 * @throws RangeError for a limit that is not an integer of at least 1: the library interprets 0 as 5.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { counter, embedLimit = DEFAULT_EMBED_LIMIT } = options;
  const limits = { ...options.limits, account: ACCOUNT_LIMIT };
  for (const limit of [...Object.values(limits), embedLimit]) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`A limit is an integer of at least 1, not ${limit}.`);
    }
  }

  function bucketsOf({ identity, tier, common }: Subject): readonly [Bucket, ...Bucket[]] {
    const own = { identity, limit: limits[tier] };
    return common === undefined ? [own] : [own, { identity: common, limit: embedLimit }];
  }

  const limitOf = ({ tier, common }: Subject): number =>
    common === undefined ? limits[tier] : Math.min(limits[tier], embedLimit);

  return {
    async reserve(subject, cost) {
      const args = costArguments[cost];
      if (args === undefined || cost < 1) {
        throw new RangeError(`A cost is an integer from 1 to ${MAX_COST}, not ${cost}.`);
      }
      // The library processes every call in the window. As no cost is above 60, only the last 60
      // of a limit matter: the limit and its used part are both lowered by the rest.
      const max = Math.min(limitOf(subject), MAX_COST);
      const store = new ReservationStore(counter, bucketsOf(subject), cost, max);
      const decide = getGraphQLRateLimiter({ store, identifyContext });
      const refusal = await decide(
        { parent: undefined, args, context: subject, info: field },
        { max, arrayLengthField: COST_FIELD, message: 'refused' },
      );
      return describe(store.usage, refusal === undefined, cost);
    },
    peek(subject) {
      const usages = bucketsOf(subject).map(({ identity, limit }) => counter.peek(identity, limit));
      return describe(tightest(usages), true, 0);
    },
    findRefusal(subject) {
      const exhausted = bucketsOf(subject).flatMap(
        ({ identity, limit }) => counter.findExhausted(identity, limit) ?? [],
      );
      return exhausted.length === 0 ? undefined : describe(lastToReset(exhausted), false, 1);
    },
    limitOf,
  };
}

/** The window with the least left; of equal ones, the one that ends last. */
function tightest(windows: readonly Usage[]): Usage {
  const left = ({ used, limit }: Usage): number => Math.max(0, limit - used);
  return windows.reduce((one, other) => {
    const difference = left(one) - left(other);
    return difference < 0 || (difference === 0 && one.resetAt >= other.resetAt) ? one : other;
  });
}

function lastToReset(windows: readonly Usage[]): Usage {
  return windows.reduce((one, other) => (one.resetAt >= other.resetAt ? one : other));
}

/** The library's view of one reservation. */
class ReservationStore extends Store {
  usage: Usage = { used: 0, limit: 0, resetAt: 0 };
  readonly #counter: Counter;
  readonly #buckets: readonly [Bucket, ...Bucket[]];
  readonly #cost: number;
  readonly #max: number;

  constructor(counter: Counter, buckets: readonly [Bucket, ...Bucket[]], cost: number, max: number) {
    super();
    this.#counter = counter;
    this.#buckets = buckets;
    this.#cost = cost;
    this.#max = max;
  }

  /** Reserves, and returns the earlier calls among the last `max` that the limit allows. */
  override getForIdentity(): readonly number[] | Promise<readonly number[]> {
    const [own, ...others] = this.#buckets;
    if (others.length === 0) {
      const answer = this.#counter.reserve(own.identity, this.#cost, own.limit);
      return answer instanceof Promise
        ? answer.then((reservation) => this.#read(reservation.admitted, reservation))
        : this.#read(answer.admitted, answer);
    }
    const answer = this.#counter.reserveAll(this.#buckets, this.#cost);
    return answer instanceof Promise
      ? answer.then((reservation) => this.#readAll(reservation))
      : this.#readAll(answer);
  }

  /** A no-op: the reservation was already made. */
  override setForIdentity(): void {}

  #readAll({ admitted, windows }: JointReservation): readonly number[] {
    // Of a refusal, only the windows that refuse count; after the last of them ends, a retry succeeds.
    const refusing = windows.filter(({ used, limit }) => used + this.#cost > limit);
    const reported = admitted ? tightest(windows) : lastToReset(refusing);
    return this.#read(admitted, reported);
  }

  #read(admitted: boolean, { used, limit, resetAt }: Usage): readonly number[] {
    this.usage = { used, limit, resetAt };
    const before = admitted ? used - this.#cost : used;
    const inView = before - (limit - this.#max);
    return calls[Math.max(0, Math.min(inView, this.#max))] ?? [];
  }
}

function describe({ used, limit, resetAt }: Usage, admitted: boolean, cost: number): RateLimitState {
  return { admitted, limit, remaining: Math.max(0, limit - used), resetAt, cost };
}
