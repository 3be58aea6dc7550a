import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { StartupPointModel } from '../../db/generated/client/models.ts';
import { addDays, dayOf, daysFrom, toInstant } from '../days.ts';
import type { HistoryRequest } from './request.ts';

/** A startup on one day. */
export type StartupPoint = StartupPointModel;
/** Which columns of points to read: all, or some with `startupId` and `day` among them. */
export type PointColumns = Pick<
  NonNullable<Parameters<PrismaClient['startupPoint']['findMany']>[0]>,
  'select'
>;

/**
 * The points of startups by their ids, each in the order of days; none for a startup without any. One statement; with
 * `fill`, one before it that finds the last points before the range.
 *
 * @param signal when it is aborted, no further statement begins.
 */
export async function findPoints(
  prisma: PrismaClient,
  ids: readonly number[],
  { from, to, last, fill }: HistoryRequest,
  columns: PointColumns = {},
  signal?: AbortSignal,
): Promise<Map<number, StartupPoint[]>> {
  const startupId = { in: [...ids] };
  // Filled, every day has a point.
  const earliest = addDays(to, 1 - last);
  const [first, end] = [toInstant(fill && earliest > from ? earliest : from), toInstant(to)];
  const before = fill
    ? await prisma.startupPoint.groupBy({
        by: ['startupId'],
        where: { startupId, day: { lt: first } },
        _max: { day: true },
      })
    : [];
  signal?.throwIfAborted();
  const days = [...new Set(before.map(({ _max: { day } }) => Number(day)))].map((day) => new Date(day));
  const inRange = { day: { gte: first, lte: end } };
  const rows: StartupPoint[] = await prisma.startupPoint.findMany({
    ...columns,
    where: { startupId, ...(days.length === 0 ? inRange : { OR: [inRange, { day: { in: days } }] }) },
    orderBy: [{ startupId: 'asc' }, { day: 'asc' }],
  });
  const points = new Map<number, StartupPoint[]>(ids.map((id) => [id, []]));
  for (const row of rows) {
    points.get(row.startupId)?.push(row);
  }
  const filledDays = fill ? daysFrom(dayOf(first), to).map(toInstant) : [];
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
