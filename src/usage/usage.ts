import type { durationEnd } from './duration-ranges.ts';

/** The status of a request over the limit. */
export const REFUSED_STATUS = 429;

/** The requests of a key with the same outcome and range of durations in an hour, and when the last of them was. */
export interface UsageCount {
  readonly keyId: string;
  /** The beginning of the hour, in ms since 1970. */
  readonly hour: number;
  readonly surface: string;
  /** The HTTP status; 429 means a request over the limit. */
  readonly status: number;
  /** The upper end of the range of their durations, in ms, see {@link durationEnd}. */
  readonly upTo: number;
  requests: number;
  /** ms since 1970. */
  lastUsedAt: number;
}

/** Adds counts to those that are stored. Rejects when none was added. */
export type AddUsage = (counts: readonly UsageCount[]) => Promise<void>;
