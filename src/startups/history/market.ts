import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { MarketDayModel } from '../../db/generated/client/models.ts';
import { daysFrom, toInstant } from '../days.ts';
import { carryForward } from './points.ts';
import type { DayRange } from './request.ts';

/** All startups, or those of a category, on one day. */
type MarketDay = MarketDayModel;
/** Which columns to read: all, or some with `day` among them. */
type MarketColumns = Pick<NonNullable<Parameters<PrismaClient['marketDay']['findMany']>[0]>, 'select'>;

/** How the database names all startups. */
const ALL_CATEGORIES = '';

/** The market on each day of a range from the first that is known, in one statement. */
export async function findMarketDays(
  prisma: PrismaClient,
  category: string | undefined,
  { from, to }: DayRange,
  columns: MarketColumns = {},
): Promise<MarketDay[]> {
  const days = daysFrom(from, to);
  const rows: MarketDay[] = await prisma.marketDay.findMany({
    ...columns,
    where: { category: category ?? ALL_CATEGORIES, day: { lte: toInstant(to) } },
    orderBy: { day: 'desc' },
    // The last one may be before the range.
    take: days.length + 1,
  });
  return carryForward(rows.toReversed(), days.map(toInstant));
}
