import type { UsageRow } from '../../../usage/read.ts';
import { REFUSED_STATUS } from '../../../usage/store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The periods that a page of usage can show. */
const periods = {
  '24h': { label: '24 hours', bucket: 'hour', length: HOUR_MS, count: 24 },
  '7d': { label: '7 days', bucket: '6 hours', length: 6 * HOUR_MS, count: 28 },
  '30d': { label: '30 days', bucket: 'day', length: DAY_MS, count: 30 },
  '90d': { label: '90 days', bucket: 'day', length: DAY_MS, count: 90 },
} as const;
export type PeriodName = keyof typeof periods;
export const periodNames = Object.keys(periods) as PeriodName[];

/** The period in a URL; the shortest by default. */
export function readPeriod(text: string | undefined): PeriodName {
  return periodNames.find((name) => name === text) ?? '24h';
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

export function periodLabel(name: PeriodName): string {
  return periods[name].label;
}

/** The requests of one bucket, or of all of them. */
export type Tally = ReturnType<typeof tally>;

/** Sums rows: those that the limit rejected are `refused`, and count as no errors. */
export function tally(rows: readonly UsageRow[]) {
  const surfaces = new Map<string, number>();
  const statuses = new Map<number, number>();
  let requests = 0;
  let errors = 0;
  for (const { surface, status, requests: some } of rows) {
    requests += some;
    errors += status >= 400 && status !== REFUSED_STATUS ? some : 0;
    surfaces.set(surface, (surfaces.get(surface) ?? 0) + some);
    statuses.set(status, (statuses.get(status) ?? 0) + some);
  }
  return { requests, errors, refused: statuses.get(REFUSED_STATUS) ?? 0, surfaces, statuses };
}

/** The rows of each bucket by its beginning, in ms; those without a request have none. */
export function byBucket(rows: readonly UsageRow[]): ReadonlyMap<number, readonly UsageRow[]> {
  const buckets = new Map<number, UsageRow[]>();
  for (const row of rows) {
    const at = row.start.getTime();
    const bucket = buckets.get(at) ?? [];
    bucket.push(row);
    buckets.set(at, bucket);
  }
  return buckets;
}
