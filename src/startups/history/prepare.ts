import type { PrismaClient } from '../../db/generated/client/client.ts';
import { findMarketDays } from './market.ts';
import { findPoints } from './points.ts';

const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '1970-01-02'];

/**
 * Reads histories and the market of no startup. Prisma compiles each kind of query when it is first used, for some
 * 30 ms in which no request is answered.
 */
export async function prepareHistory(prisma: PrismaClient): Promise<void> {
  const range = { from: FIRST_DAY, to: LAST_DAY };
  await findPoints(prisma, [0], { ...range, last: 1, fill: true });
  await findPoints(prisma, [0], { ...range, last: 1, fill: false });
  await findMarketDays(prisma, undefined, range);
}
