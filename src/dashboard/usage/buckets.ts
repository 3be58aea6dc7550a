import { REFUSED_STATUS, type UsageRow } from '../../usage/read.ts';

/** How time is divided on a chart. */
export interface Division {
  readonly bucket: 'hour' | 'day';
  readonly title: string;
  /** ms. */
  readonly length: number;
  /** The first bucket. */
  readonly since: Date;
  /** The beginnings of all buckets, in order. */
  readonly starts: readonly Date[];
  /** What people call a bucket. */
  label(start: Date): string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The last 48 hours and the last 30 days in UTC, those under way included. */
export function divisions(now: number): { readonly hours: Division; readonly days: Division } {
  return {
    hours: divide('hour', 'The last 48 hours', now, HOUR_MS, 48, (start) => {
      const iso = start.toISOString();
      return `${iso.slice(5, 10)} ${iso.slice(11, 16)}`;
    }),
    days: divide('day', 'The last 30 days', now, DAY_MS, 30, (start) => start.toISOString().slice(0, 10)),
  };
}

function divide(
  bucket: Division['bucket'],
  title: string,
  now: number,
  length: number,
  count: number,
  label: Division['label'],
): Division {
  const last = now - (now % length);
  const starts = Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * length));
  return { bucket, title, length, since: starts[0] as Date, starts, label };
}

/** What happened in one bucket, or in all of them. */
export interface Tally {
  readonly requests: number;
  readonly refused: number;
  readonly surfaces: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<number, number>;
}

/** Adds rows up. */
export function tally(rows: readonly UsageRow[]): Tally {
  const surfaces = new Map<string, number>();
  const statuses = new Map<number, number>();
  let requests = 0;
  for (const { surface, status, requests: some } of rows) {
    requests += some;
    surfaces.set(surface, (surfaces.get(surface) ?? 0) + some);
    statuses.set(status, (statuses.get(status) ?? 0) + some);
  }
  return { requests, refused: statuses.get(REFUSED_STATUS) ?? 0, surfaces, statuses };
}

/** The rows of each bucket by its beginning, in ms; those without a request have none. */
export function byBucket(
  rows: readonly UsageRow[],
  length: number,
): ReadonlyMap<number, readonly UsageRow[]> {
  const buckets = new Map<number, UsageRow[]>();
  for (const row of rows) {
    const time = row.start.getTime();
    const at = time - (time % length);
    const known = buckets.get(at);
    if (known === undefined) {
      buckets.set(at, [row]);
    } else {
      known.push(row);
    }
  }
  return buckets;
}
