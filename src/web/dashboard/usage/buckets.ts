import type { Buckets, UsageRow } from '../../../access/usage/read.ts';
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
type PeriodName = keyof typeof periods;

/** A period divided for a chart; all of its times are in UTC. */
export interface Period extends Buckets {
  readonly name: PeriodName;
  readonly label: string;
  /** How long a bucket is, in words. */
  readonly bucket: string;
  /** In order. */
  readonly starts: readonly Date[];
}

/** Divides a period that ends now, by default 24 hours; the last bucket is not over. */
export function dividePeriod(asked: string | undefined, now: number): Period {
  const name = Object.keys(periods).find((one): one is PeriodName => one === asked) ?? '24h';
  const { label, bucket, step, count } = periods[name];
  const first = now - (now % step) - (count - 1) * step;
  const starts = Array.from({ length: count }, (_, index) => new Date(first + index * step));
  const [since, until] = [new Date(first), new Date(first + count * step)];
  return { name, label: `in the last ${label}`, bucket, step, since, until, starts };
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
