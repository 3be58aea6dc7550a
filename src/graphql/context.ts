import type { Startups } from '../startups/startups.ts';

/** What every resolver may use. */
export interface GraphQLContext {
  readonly requestId: string;
  readonly startups: Startups;
  /**
   * Reserves the cost of an operation, in reads, before anything is read. Throws when the budget does
   * not hold it. Absent where the request was paid for already.
   */
  readonly charge?: (reads: number) => Promise<void>;
}
