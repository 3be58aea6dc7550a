import { addDays, daysFrom, toInstant } from '../../lib/text/days.ts';
import type { Revenue } from '../model/record.ts';
import { type Found, type HistorySource, rowsOfEdition } from './edition.ts';
import type { HistoryRequest } from './request.ts';

/** A startup on one day; amounts are cents. */
export interface StartupPoint {
  readonly day: Date;
  readonly revenue: Revenue;
  readonly customers: number;
  readonly activeSubscriptions: number;
  readonly askingPrice: number | null;
  readonly onSale: boolean;
}

interface Row extends Omit<StartupPoint, 'revenue'>, Revenue {
  readonly startupId: number;
}

/**
 * The points of startups by their ids, each in the order of days; none for a startup without any. One statement.
 *
 * @throws ApiError SERVICE_UNAVAILABLE if the database is no longer that of the edition.
 */
export async function findPoints(
  source: HistorySource,
  ids: readonly number[],
  { from, to, last, fill }: HistoryRequest,
): Promise<Map<number, StartupPoint[]>> {
  // Filled, every day has a point.
  const earliest = addDays(to, 1 - last);
  const first = fill && earliest > from ? earliest : from;
  // Filled, the last point before the range too.
  // A float8 holds every amount exactly, and is read as a number.
  const found = await source.prisma.$queryRaw<Found<Row>[]>`
    SELECT identity, startup_id AS "startupId", day, revenue_last_30_days::float8 AS "last30Days",
      revenue_mrr::float8 AS mrr, revenue_total::float8 AS total, customers,
      active_subscriptions AS "activeSubscriptions", asking_price::float8 AS "askingPrice", on_sale AS "onSale"
    FROM revgate_identity() LEFT JOIN (
      SELECT p.* FROM startup_points AS p
      WHERE startup_id = ANY (${ids}::integer[]) AND day BETWEEN ${first}::date AND ${to}::date
      UNION ALL
      SELECT p.* FROM unnest(CASE WHEN ${fill} THEN ${ids}::integer[] END) AS s (id) CROSS JOIN LATERAL (
        SELECT * FROM startup_points WHERE startup_id = s.id AND day < ${first}::date ORDER BY day DESC LIMIT 1
      ) AS p
    ) AS points ON true
    ORDER BY startup_id, day`;
  const points = new Map<number, StartupPoint[]>(ids.map((id) => [id, []]));
  for (const row of rowsOfEdition<Row>(source, found)) {
    const { startupId, day, last30Days, mrr, total, customers, activeSubscriptions, askingPrice, onSale } =
      row;
    const revenue = { last30Days, mrr, total };
    points.get(startupId)?.push({ day, revenue, customers, activeSubscriptions, askingPrice, onSale });
  }
  const filledDays = fill ? daysFrom(first, to).map(toInstant) : [];
  for (const [id, known] of points) {
    points.set(id, fill ? carryForward(known, filledDays) : known.slice(-last));
  }
  return points;
}

/**
 * A row for each of some days that follow each other: its own, or else the last one before it. Days before the first
 * row have none.
 *
 * @param rows in the order of their days.
 */
export function carryForward<Row extends { readonly day: Date }>(
  rows: readonly Row[],
  days: readonly Date[],
): Row[] {
  const filled: Row[] = [];
  let next = 0;
  for (const day of days) {
    while (next < rows.length && (rows[next] as Row).day <= day) {
      next += 1;
    }
    const row = rows[next - 1];
    if (row !== undefined) {
      filled.push({ ...row, day });
    }
  }
  return filled;
}
