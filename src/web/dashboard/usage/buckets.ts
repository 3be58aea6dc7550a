import type { UsageRow } from '../../../access/usage/read.ts';
import { isErrorStatus, REFUSED_STATUS } from '../../../access/usage/store.ts';
import { CLIENT_LEFT } from '../../../lib/http/request-response.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The periods that a page of usage can show, up to now. */
export const periods = {
  '24h': { label: '24 hours', bucket: 'an hour', step: HOUR_MS, count: 24 },
  '7d': { label: '7 days', bucket: '6 hours', step: 6 * HOUR_MS, count: 28 },
  '30d': { label: '30 days', bucket: 'a day (UTC)', step: DAY_MS, count: 30 },
  '90d': { label: '90 days', bucket: 'a day (UTC)', step: DAY_MS, count: 90 },
} as const;

/** A period divided for a chart; all of its times are in UTC, `bucket` says how long a bucket is, `starts` are in order. */
export type Period = ReturnType<typeof dividePeriod>;

/** Divides a period that ends now, by default 24 hours; the last bucket is not over. */
export function dividePeriod(asked: string | undefined, now: number) {
  const name = asked !== undefined && Object.hasOwn(periods, asked) ? (asked as keyof typeof periods) : '24h';
  const { label, bucket, step, count } = periods[name];
  const first = now - (now % step) - (count - 1) * step;
  const starts = Array.from({ length: count }, (_, index) => new Date(first + index * step));
  const [since, until] = [new Date(first), new Date(first + count * step)];
  return { name, label: `in the last ${label}`, bucket, step, since, until, starts };
}

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
