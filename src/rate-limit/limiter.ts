import { getGraphQLRateLimiter, Store } from 'graphql-rate-limit';
import type { Bucket, Counter, JointReservation, Usage } from './counter.ts';
import type { Subject } from './subject.ts';
import { ACCOUNT_LIMIT, DEFAULT_EMBED_LIMIT, type TierLimits } from './tiers.ts';

/** A budget after a request, or at the moment. */
export interface RateLimitState {
  /** False: the request is refused and cost nothing. */
  readonly admitted: boolean;
  /** What a window allows. */
  readonly limit: number;
  /** What is left of it. */
  readonly remaining: number;
  /** ms since 1970 at which the window ends; without an open one, a window's length from now. */
  readonly resetAt: number;
  /** What was asked for; 0 for a mere look. */
  readonly cost: number;
}

/** Decides which requests fit the budget they draw on. */
export interface Limiter {
  /**
   * Reserves the whole cost in one atomic step, or nothing.
   *
   * @param cost an integer from 1 to {@link MAX_COST}.
   */
  reserve(subject: Subject, cost: number): Promise<RateLimitState>;
  /** The budget as this node knows it. Opens no window, costs nothing and asks nobody. */
  peek(subject: Subject): RateLimitState;
  /**
   * The refusal of any reservation, where it is known without asking anyone, so that it can come before each
   * costly step; undefined means that only a reservation can tell.
   */
  findRefusal(subject: Subject): RateLimitState | undefined;
  /** What a window of the subject allows as configured: a higher cost never fits. Asks no counter. */
  limitOf(subject: Subject): number;
}

/** The most that one request may cost. */
export const MAX_COST = 60;

type Arguments = Parameters<ReturnType<typeof getGraphQLRateLimiter>>[0];

// The library counts calls to a field by timestamps in an array. Ours never run out by its clock: the
// counter alone keeps the windows, by a clock that nodes may share.
const ENDLESS = Number.POSITIVE_INFINITY;
const calls = Array.from({ length: MAX_COST + 1 }, (_, length) => new Array<number>(length).fill(ENDLESS));
const COST_FIELD = 'reads';
const costArguments = calls.map((reads) => ({ [COST_FIELD]: reads }));
const field = { fieldName: COST_FIELD } as Arguments['info'];
const identifyContext = (subject: Subject): string => subject.identity;

interface LimiterOptions {
  readonly counter: Counter;
  readonly limits: TierLimits;
  /** What all clients of an embed key together may spend; {@link DEFAULT_EMBED_LIMIT} by default. */
  readonly embedLimit?: number | undefined;
}

/**
 * Creates a limiter: graphql-rate-limit decides, over a store that reserves when the library reads,
 * since its own order of reading first and writing later lets parallel requests pass the limit.
 *
 * A subject with two budgets is told of the tighter one.
 *
 * @throws RangeError for a limit that is not an integer of at least 1: the library takes 0 for 5.
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
      // The library works through every call in the window. As no cost is above 60, only the last 60
      // of a limit matter: the limit and what is used of it are both lowered by the rest.
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

/** The window with the least left, of equal ones that which ends last. */
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

  /** Reserves, and answers with the calls before that, of the last `max` that the limit allows. */
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

  /** Nothing is left to do: the reservation was made. */
  override setForIdentity(): void {}

  #readAll({ admitted, windows }: JointReservation): readonly number[] {
    // Of a refusal, those that refuse count; who waits for the last of them to end comes in time.
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
