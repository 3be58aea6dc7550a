import { CLIENT_LEFT } from '../../../server/request-response.ts';
import type { UsageRow } from '../../../usage/read.ts';
import { isErrorStatus, REFUSED_STATUS } from '../../../usage/store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The periods that a page of usage can show. */
export const periods = {
  '24h': { label: '24 hours', bucket: 'hour', length: HOUR_MS, count: 24 },
  '7d': { label: '7 days', bucket: '6 hours', length: 6 * HOUR_MS, count: 28 },
  '30d': { label: '30 days', bucket: 'day', length: DAY_MS, count: 30 },
  '90d': { label: '90 days', bucket: 'day', length: DAY_MS, count: 90 },
} as const;
export type PeriodName = keyof typeof periods;

/** The period in a URL; the shortest by default. */
export function readPeriod(text: string | undefined): PeriodName {
  return text !== undefined && Object.hasOwn(periods, text) ? (text as PeriodName) : '24h';
}

/** A period up to now, divided for a chart; all of its times are in UTC. */
export type Period = ReturnType<typeof dividePeriod>;

/** Divides a period that ends now into buckets, whose starts are in order; the last one is not over. */
export function dividePeriod(name: PeriodName, now: number) {
  const { label, bucket, length, count } = periods[name];
  const last = now - (now % length);
  const starts = Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * length));
  return { name, label, bucket, length, since: starts[0] as Date, starts };
}

/** The requests of one bucket, or of all of them. */
export type Tally = ReturnType<typeof tally>;

/** Sums rows by their outcome. Those that the limit rejected are `refused`, and count as no errors; nor do those whose
 * clients left, which are in none but the sum of all. */
export function tally(rows: readonly Pick<UsageRow, 'status' | 'requests'>[]) {
  const sums = { requests: 0, succeeded: 0, errors: 0, refused: 0 };
  for (const { status, requests } of rows) {
    const outcome = status === REFUSED_STATUS ? 'refused' : isErrorStatus(status) ? 'errors' : 'succeeded';
    sums.requests += requests;
    if (status !== CLIENT_LEFT) {
      sums[outcome] += requests;
    }
  }
  return sums;
}
