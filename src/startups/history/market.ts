import type { MarketDayModel } from '../../db/generated/client/models.ts';
import { daysFrom, toInstant } from '../../lib/text/days.ts';
import { type Found, type HistorySource, rowsOfEdition } from './edition.ts';
import { carryForward } from './points.ts';
import type { DayRange } from './request.ts';

/** All startups, or those of a category, on one day; amounts are cents. */
export type MarketDay = Omit<MarketDayModel, 'revenueMedian' | 'mrrMedian'> & {
  readonly revenueMedian: number | null;
  readonly mrrMedian: number | null;
};

/** How the database names all startups. */
const ALL_CATEGORIES = '';

/**
 * The market on each day of a range from the first that is known, in one statement.
 *
 * @throws ApiError SERVICE_UNAVAILABLE if the database is no longer that of the edition.
 */
export async function findMarketDays(
  source: HistorySource,
  category: string | undefined,
  { from, to }: DayRange,
): Promise<MarketDay[]> {
  const days = daysFrom(from, to);
  // The last one may be before the range.
  const found = await source.prisma.$queryRaw<Found<MarketDay>[]>`
    SELECT identity, category, day, count, on_sale AS "onSale", revenue_sum AS "revenueSum",
      revenue_median::float8 AS "revenueMedian", mrr_sum AS "mrrSum", mrr_median::float8 AS "mrrMedian"
    FROM revgate_identity() LEFT JOIN (
      SELECT * FROM market_days WHERE category = ${category ?? ALL_CATEGORIES} AND day <= ${to}::date
      ORDER BY day DESC LIMIT ${days.length + 1}
    ) AS market ON true
    ORDER BY day`;
  return carryForward(rowsOfEdition<MarketDay>(source, found), days.map(toInstant));
}
