import { getGraphQLRateLimiter, type Identity, Store } from 'graphql-rate-limit';
import type { Counter, Reservation, Usage } from './counter.ts';
import type { Subject } from './subject.ts';
import type { TierLimits } from './tiers.ts';

/** A budget after a request, or as it stands. */
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
  /** The budget as it stands. Opens no window and costs nothing. */
  peek(subject: Subject): Promise<RateLimitState>;
  /**
   * Whether a reservation is known to be refused whatever it costs. Asks nobody, so that it may be
   * looked at before each costly step; false says nothing.
   */
  isExhausted(subject: Subject): boolean;
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

/**
 * Creates a limiter: graphql-rate-limit decides, over a store that reserves when the library reads,
 * since its own order of reading first and writing later lets parallel requests pass the limit.
 *
 * @throws RangeError for a limit that is not an integer of at least 1: the library takes 0 for 5.
 */
export function createLimiter({ counter, limits }: { counter: Counter; limits: TierLimits }): Limiter {
  for (const limit of Object.values(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`A limit is an integer of at least 1, not ${limit}.`);
    }
  }
  return {
    async reserve(subject, cost) {
      const args = costArguments[cost];
      if (args === undefined || cost < 1) {
        throw new RangeError(`A cost is an integer from 1 to ${MAX_COST}, not ${cost}.`);
      }
      const limit = limits[subject.tier];
      // The library works through every call in the window. As no cost is above 60, only the last 60
      // of a limit matter: the limit and what is used of it are both lowered by the rest.
      const max = Math.min(limit, MAX_COST);
      const store = new ReservationStore(counter, cost, limit, max);
      const decide = getGraphQLRateLimiter({ store, identifyContext });
      const refusal = await decide(
        { parent: undefined, args, context: subject, info: field },
        { max, window: '60s', arrayLengthField: COST_FIELD, message: 'refused' },
      );
      return describe(store.usage, refusal === undefined, cost);
    },
    async peek(subject) {
      return describe(await counter.peek(subject.identity, limits[subject.tier]), true, 0);
    },
    isExhausted: ({ identity, tier }) => counter.isExhausted(identity, limits[tier]),
    limitOf: (subject) => limits[subject.tier],
  };
}

/** The library's view of one reservation. */
class ReservationStore extends Store {
  usage: Usage = { used: 0, limit: 0, resetAt: 0 };
  readonly #counter: Counter;
  readonly #cost: number;
  readonly #limit: number;
  readonly #max: number;

  constructor(counter: Counter, cost: number, limit: number, max: number) {
    super();
    this.#counter = counter;
    this.#cost = cost;
    this.#limit = limit;
    this.#max = max;
  }

  /** Reserves, and answers with the calls before that, of the last `max` that the limit allows. */
  override getForIdentity(identity: Identity): readonly number[] | Promise<readonly number[]> {
    const answer = this.#counter.reserve(identity.contextIdentity, this.#cost, this.#limit);
    return answer instanceof Promise
      ? answer.then((reservation) => this.#read(reservation))
      : this.#read(answer);
  }

  /** Nothing is left to do: the reservation was made. */
  override setForIdentity(): void {}

  #read(reservation: Reservation): readonly number[] {
    this.usage = reservation;
    const before = reservation.admitted ? reservation.used - this.#cost : reservation.used;
    const inView = before - (reservation.limit - this.#max);
    return calls[Math.max(0, Math.min(inView, this.#max))] ?? [];
  }
}

function describe({ used, limit, resetAt }: Usage, admitted: boolean, cost: number): RateLimitState {
  return { admitted, limit, remaining: Math.max(0, limit - used), resetAt, cost };
}
