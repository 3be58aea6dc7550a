import type { Buckets, UsageRow } from '../../../access/usage/read.ts';
import { isErrorStatus, KEPT_DAYS, REFUSED_STATUS } from '../../../access/usage/store.ts';
import { CLIENT_LEFT } from '../../../lib/http/request-response.ts';
import { timeText } from '../../shared/time.tsx';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The periods that a page of usage can show, up to now. */
export const periods = {
  '24h': { label: '24 hours', bucket: 'hour', step: HOUR_MS, count: 24 },
  '7d': { label: '7 days', bucket: '6 hours', step: 6 * HOUR_MS, count: 28 },
  '30d': { label: '30 days', bucket: 'day', step: DAY_MS, count: 30 },
  '90d': { label: '90 days', bucket: 'day', step: DAY_MS, count: 90 },
} as const;
export type PeriodName = keyof typeof periods;

/** What a page of usage shows, divided for a chart; all of its times are in UTC. */
export interface Period extends Buckets {
  /** Of the address of the page. */
  readonly query: string;
  /** As in: Requests on 2026-11-20. */
  readonly label: string;
  readonly bucket: 'hour' | '6 hours' | 'day';
  /** In order. */
  readonly starts: readonly Date[];
}

function divide(
  first: number,
  count: number,
  { step, ...others }: Pick<Period, 'query' | 'label' | 'bucket' | 'step'>,
): Period {
  const starts = Array.from({ length: count }, (_, index) => new Date(first + index * step));
  return { ...others, step, since: new Date(first), until: new Date(first + count * step), starts };
}

/** Divides a period that ends now; the last bucket is not over. */
export function dividePeriod(name: PeriodName, now: number): Period {
  const { label, bucket, step, count } = periods[name];
  const first = now - (now % step) - (count - 1) * step;
  return divide(first, count, { query: `period=${name}`, label: `in the last ${label}`, bucket, step });
}

/** The part of an address that leads to a day or, with the name of a bucket that is one, to an hour. */
export const atQuery = (at: Date, bucket: Period['bucket']): string =>
  `at=${at.toISOString().slice(0, bucket === 'hour' ? 13 : 10)}`;

/**
 * Reads what a page shows from its address: one of the periods, by default the shortest; or `at` with a day or an
 * hour, such as 2026-11-20 or 2026-11-20T14.
 */
export function readPeriod({ period, at = '' }: Readonly<Record<string, string>>, now: number): Period {
  const query = `at=${at}`;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(at);
  const instant = Date.parse(isDay ? at : /^\d{4}-\d\d-\d\dT\d\d$/.test(at) ? `${at}:00Z` : '');
  // A day that no month has would become another one.
  if (
    instant <= now &&
    instant > now - KEPT_DAYS * DAY_MS &&
    new Date(instant).toISOString().startsWith(at)
  ) {
    const label = `on ${isDay ? at : timeText(new Date(instant), 'minute')}`;
    return divide(instant, isDay ? 24 : 1, { query, label, bucket: 'hour', step: HOUR_MS });
  }
  const isKnown = period !== undefined && Object.hasOwn(periods, period);
  return dividePeriod(isKnown ? (period as PeriodName) : '24h', now);
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
