import { getGraphQLRateLimiter, type Store } from 'graphql-rate-limit';
import {
  type ChargedWindow,
  type Counter,
  isExhausted,
  type Reservation,
  tightest,
  type Usage,
} from './counter.ts';
import type { Subject } from './subject.ts';
import { ACCOUNT_LIMIT, DEFAULT_EMBED_LIMIT, type TierLimits } from './tiers.ts';

/** A budget after a request, or at the moment. */
export interface RateLimitState {
  /** False: the request is refused. If its cost was reserved, {@link REFUSAL_COST} was taken of what was left. */
  readonly admitted: boolean;
  /** The limit of the window. */
  readonly limit: number;
  /** The remaining budget. */
  readonly remaining: number;
  /** The budget that remained before what this request took of it. */
  readonly before: number;
  /** ms since 1970 at which the window ends; without an open one, a window's length from now. */
  readonly resetAt: number;
  /** The requested cost; 0 if nothing was reserved. Undefined if the request is refused before its cost is known. */
  readonly cost: number | undefined;
  readonly tier: Subject['tier'];
}

/** Decides which requests fit their budgets. */
export type Limiter = ReturnType<typeof createLimiter>;

/** The highest cost of one request. */
export const MAX_COST = 60;

// The library counts calls to a field by timestamps in an array. Ours never expire by its clock: only the
// counter tracks the windows, by a clock that nodes may share.
const ENDLESS = Number.POSITIVE_INFINITY;
const calls = Array.from({ length: MAX_COST + 1 }, (_, length) => new Array<number>(length).fill(ENDLESS));
const COST_FIELD = 'reads';
const costArguments = calls.map((reads) => ({ [COST_FIELD]: reads }));
// Our store reserves when the library reads, so that there is nothing left to write.
const settings = calls.map((_, max) => ({
  max,
  arrayLengthField: COST_FIELD,
  message: 'refused',
  readOnly: true,
}));
const field = { fieldName: COST_FIELD } as Parameters<ReturnType<typeof getGraphQLRateLimiter>>[0]['info'];

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
export function createLimiter(options: LimiterOptions) {
  const { counter, embedLimit = DEFAULT_EMBED_LIMIT } = options;
  const limits = { ...options.limits, account: ACCOUNT_LIMIT };
  for (const limit of [...Object.values(limits), embedLimit]) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`A limit is an integer of at least 1, not ${limit}.`);
    }
  }

  const ownLimit = ({ tier, rateLimit }: Subject): number => rateLimit ?? limits[tier];

  /** The tighter window of a subject, as this node knows it. */
  function look(subject: Subject): Usage {
    const own = counter.peek(subject.name, ownLimit(subject));
    return subject.common === undefined ? own : tightest([own, counter.peek(subject.common, embedLimit)]);
  }

  function take(subject: Subject, cost: number): Reservation | Promise<Reservation> {
    const { name, common } = subject;
    const limit = ownLimit(subject);
    return common === undefined
      ? counter.reserve(name, cost, limit)
      : counter.reserveAll(
          [
            { name, limit, isChargedForRefusals: true },
            // One client's refusals must not use up what all share.
            { name: common, limit: embedLimit },
          ],
          cost,
        );
  }

  // Reserves when the library reads, so that there is nothing left to write.
  const store: Store = {
    getForIdentity({ contextIdentity }) {
      // Of any type, although the library declares a text.
      const attempt = contextIdentity as unknown as Attempt;
      const reserved = take(attempt.subject, attempt.cost);
      return reserved instanceof Promise
        ? reserved.then((reservation) => earlierCalls(attempt, reservation))
        : earlierCalls(attempt, reserved);
    },
    setForIdentity() {},
  };
  const decide = getGraphQLRateLimiter({ store, identifyContext: (attempt) => attempt });
  return {
    /**
     * Reserves the whole cost in one atomic step; a refusal takes {@link REFUSAL_COST} of the client's own window.
     *
     * @param cost an integer from 1 to {@link MAX_COST}.
     */
    async reserve(subject: Subject, cost: number): Promise<RateLimitState> {
      const args = costArguments[cost];
      if (args === undefined || cost < 1) {
        throw new RangeError(`A cost is an integer from 1 to ${MAX_COST}, not ${cost}.`);
      }
      const context: Attempt = { subject, cost, reservation: undefined };
      const refusal = await decide({ parent: undefined, args, context, info: field }, settings[cost] ?? {});
      return stateOf(subject, context.reservation as unknown as Reservation, refusal === undefined, cost);
    },
    /** The budget as all nodes know it, in one call of the counter. Opens no window and costs nothing. */
    read: async (subject: Subject): Promise<RateLimitState> =>
      stateOf(subject, await take(subject, 0), true, 0),
    /** The budget as this node knows it. Opens no window, costs nothing and makes no remote call. */
    peek: (subject: Subject): RateLimitState => stateOf(subject, { ...look(subject), taken: 0 }, true, 0),
    /**
     * The budget if nothing is left of it and this is known without a remote call, so that a request can be refused
     * before each costly step; it states no cost. Undefined means that only a reservation can decide.
     */
    findExhausted(subject: Subject): RateLimitState | undefined {
      const usage = look(subject);
      return isExhausted(usage) ? stateOf(subject, { ...usage, taken: 0 }, false) : undefined;
    },
    /** The configured limit of the subject's window: a higher cost never fits. Does not use a counter. */
    limitOf: (subject: Subject): number =>
      subject.common === undefined ? ownLimit(subject) : Math.min(ownLimit(subject), embedLimit),
  };
}

/** One reservation, which the library passes to the store as the identity of its caller. */
interface Attempt {
  readonly subject: Subject;
  readonly cost: number;
  /** Of the decisive window. */
  reservation: Reservation | undefined;
}

/**
 * The earlier calls that the library compares. It processes every call, so it gets only the part of the limit that
 * the request needs: the last `cost` calls, none of which may have been made.
 */
function earlierCalls(attempt: Attempt, reservation: Reservation): readonly number[] {
  const { cost } = attempt;
  const { used, taken, limit } = reservation;
  attempt.reservation = reservation;
  const inPart = used - taken - (limit - cost);
  return calls[Math.max(0, Math.min(inPart, cost))] ?? [];
}

function stateOf({ tier }: Subject, window: ChargedWindow, admitted: boolean, cost?: number): RateLimitState {
  const { used, taken, limit, resetAt } = window;
  const remaining = Math.max(0, limit - used);
  return { admitted, limit, remaining, before: remaining + taken, resetAt, cost, tier };
}
