import type { MarketDayModel } from '../../db/generated/client/models.ts';
import { type Day, daysFrom, toInstant } from '../../lib/text/days.ts';
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

/** Figures of all startups that are in the data now and were on an earlier day, on both; amounts are cents. */
export type MarketComparison = Readonly<
  Record<'onSale' | 'revenueSum' | 'mrrSum' | 'mrrMedian', readonly [before: number, now: number]>
>;

/**
 * Compares the market now with that of an earlier day: only startups that are in both count, as new ones are no growth.
 *
 * @returns undefined where these are fewer than half of either: they say little of the rest.
 */
export async function compareMarket(
  prisma: HistorySource['prisma'],
  from: Day,
): Promise<MarketComparison | undefined> {
  const [found] = await prisma.$queryRaw<
    { now: number; common: number; before: number; figures: number[] }[]
  >`
    SELECT count(*)::int AS now, count(p.day)::int AS common,
      coalesce((SELECT count FROM market_days WHERE category = ${ALL_CATEGORIES} AND day <= ${from}::date
        ORDER BY day DESC LIMIT 1), 0)::int AS before,
      ARRAY[
        count(*) FILTER (WHERE p.on_sale), count(*) FILTER (WHERE s.on_sale AND p.day IS NOT NULL),
        sum(p.revenue_last_30_days), sum(s.revenue_last_30_days) FILTER (WHERE p.day IS NOT NULL),
        sum(p.revenue_mrr), sum(s.revenue_mrr) FILTER (WHERE p.day IS NOT NULL),
        percentile_disc(0.5) WITHIN GROUP (ORDER BY p.revenue_mrr),
        percentile_disc(0.5) WITHIN GROUP (ORDER BY s.revenue_mrr) FILTER (WHERE p.day IS NOT NULL)
      ]::float8[] AS figures
    FROM startups AS s LEFT JOIN LATERAL revgate_point_on(s.id, ${from}::date) AS p ON true`;
  const { now = 0, common = 0, before = 0, figures = [] } = found ?? {};
  const pair = (at: number) => [figures[at] ?? 0, figures[at + 1] ?? 0] as const;
  return common === 0 || common * 2 < Math.max(now, before)
    ? undefined
    : { onSale: pair(0), revenueSum: pair(2), mrrSum: pair(4), mrrMedian: pair(6) };
}

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
