import { dataOf } from '../../../graphql/errors.ts';
import type { Operation } from '../../../graphql/execution/engine.ts';
import type { RateLimitState } from '../../../rate-limit/limiter.ts';
import { accountSubject, type Subject } from '../../../rate-limit/subject.ts';
import type { SignedInContext } from '../page.ts';
import type { Services } from '../services.ts';

type Variables = { readonly [name: string]: unknown };

/** Runs documents for the pages of an account, and charges their cost to the account's own limit. */
export interface Reader {
  /** The cost of a document, and what runs it. */
  prepare(query: string, variables?: Variables): Operation;
  /** Reserves the cost of everything that a page reads. */
  reserve(context: SignedInContext, ...operations: readonly Operation[]): Promise<RateLimitState>;
  /** @throws ApiError the first error of the result. */
  run<Data>(context: SignedInContext, operation: Operation): Promise<Data>;
  /** Reads a part of a page that already shows something; undefined if not enough is left. */
  readMore<Data>(
    context: SignedInContext,
    query: string,
    variables: Variables,
  ): Promise<{ readonly budget: RateLimitState; readonly data: Data } | undefined>;
}

export function createReader({ limiter, engine }: Pick<Services, 'limiter' | 'engine'>): Reader {
  const subjectOf = (context: SignedInContext): Subject => accountSubject(context.var.visitor.id);
  const reader: Reader = {
    prepare: (query, coerced = {}) => engine.prepare({ query, operationName: null, coerced }),
    reserve: (context, ...operations) =>
      limiter.reserve(
        subjectOf(context),
        operations.reduce((sum, { cost }) => sum + cost, 0),
      ),
    async run<Data>(context: SignedInContext, operation: Operation) {
      return dataOf<Data>(await engine.run(operation, context.env.request, subjectOf(context)));
    },
    async readMore<Data>(context: SignedInContext, query: string, variables: Variables) {
      const operation = reader.prepare(query, variables);
      const budget = await reader.reserve(context, operation);
      return budget.admitted ? { budget, data: await reader.run<Data>(context, operation) } : undefined;
    },
  };
  return reader;
}

/** The budget after a later reservation of the same page, with the cost of both. */
export function sumOf(first: RateLimitState, then: RateLimitState | undefined): RateLimitState {
  return then === undefined ? first : { ...then, cost: (first.cost ?? 0) + (then.cost ?? 0) };
}
