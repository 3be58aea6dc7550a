import { Prisma, type PrismaClient } from '../../db/generated/client/client.ts';
import type { MarketDayModel } from '../../db/generated/client/models.ts';
import { ApiError } from '../../lib/errors.ts';
import { addDays, type Day, daysFrom, toInstant } from '../../lib/text/days.ts';
import type { StartupFieldKind } from '../model/field-kinds.ts';
import { type PointFigurePath, pointFigureList, type StartupPoint } from '../model/point-figures.ts';
import { digestOfIdentity } from '../model/requests/changes-request.ts';
import type { DayRange, HistoryRequest } from './request.ts';

/** Where the history of an edition's startups is read. */
export interface HistorySource {
  readonly prisma: Pick<PrismaClient, '$queryRaw'>;
  /** The identity of the edition, see `EditionData`. */
  readonly identity: string;
}

/** A row of a statement that also reads the identity of the database. Without a day, it says that no other was found. */
type Found<Row extends { readonly day: Date }> = { readonly identity: string } & (
  | Row
  | { readonly day: null }
);

/**
 * The rows that were found, if they are of the same database as the edition. After a restore or a failover, ids may belong
 * to other startups than in an edition from before.
 *
 * @throws ApiError SERVICE_UNAVAILABLE if they are of another database, whose edition is being built.
 */
function rowsOfEdition<Row extends { readonly day: Date }>(
  { identity }: HistorySource,
  found: readonly Found<Row>[],
): Row[] {
  if (digestOfIdentity(found[0]?.identity ?? '') !== identity) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'The database was replaced. Its new data is being read.');
  }
  return found.filter((row) => row.day !== null) as Row[];
}

/** How a figure is selected, by the kind of its field. */
const asNumber = (column: string, kind: StartupFieldKind): string => {
  switch (kind) {
    case 'cents':
      // A float8 holds every amount exactly, and is read as a number.
      return `${column}::float8`;
    case 'date':
      return `extract(epoch FROM ${column})::float8 * 1000`;
    default:
      return column;
  }
};
const selectedFigures = Prisma.raw(
  pointFigureList.map(({ path, column, kind }) => `${asNumber(column, kind)} AS "${path}"`).join(', '),
);
/** Each figure with the names of where it is in a point. */
const figurePlaces = pointFigureList.map(({ path }) => ({ path, place: path.split('.') }));

type Row = { readonly startupId: number; readonly day: Date; readonly isAbsent: boolean } & {
  readonly [Path in PointFigurePath]: unknown;
};

/** What a startup was from a day on: its point, or undefined where it was absent. */
interface State {
  readonly day: Date;
  readonly point: StartupPoint | undefined;
}

/** A point of a row, whose figures are named by their paths. */
function toPoint(row: Row): StartupPoint {
  const point: Record<string, unknown> = { day: row.day };
  for (const {
    path,
    place: [head = '', below],
  } of figurePlaces) {
    if (below === undefined) {
      point[head] = row[path];
    } else {
      point[head] ??= {};
      (point[head] as Record<string, unknown>)[below] = row[path];
    }
  }
  return point as unknown as StartupPoint;
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
  // Filled, the last point before the range too. An absence takes the place of a point of its first day.
  const found = await source.prisma.$queryRaw<Found<Row>[]>`
    SELECT identity, startup_id AS "startupId", day, is_absent AS "isAbsent", ${selectedFigures}
    FROM revgate_identity() LEFT JOIN (
      SELECT false AS is_absent, p.* FROM startup_points AS p
      WHERE startup_id = ANY (${ids}::integer[]) AND day BETWEEN ${first}::date AND ${to}::date
      UNION ALL
      SELECT true, (jsonb_populate_record(NULL::startup_points, jsonb_build_object('startup_id', startup_id, 'day', day))).*
      FROM removed_startups
      WHERE startup_id = ANY (${ids}::integer[]) AND day <= ${to}::date AND until > greatest(day, ${first}::date)
      UNION ALL
      SELECT false, p.* FROM unnest(CASE WHEN ${fill} THEN ${ids}::integer[] END) AS s (id) CROSS JOIN LATERAL (
        SELECT * FROM startup_points WHERE startup_id = s.id AND day < ${first}::date ORDER BY day DESC LIMIT 1
      ) AS p
    ) AS points ON true
    ORDER BY startup_id, day, is_absent`;
  const states = new Map<number, State[]>(ids.map((id) => [id, []]));
  for (const row of rowsOfEdition<Row>(source, found)) {
    const known = states.get(row.startupId);
    if (row.isAbsent && Number(known?.at(-1)?.day) === Number(row.day)) {
      known?.pop();
    }
    known?.push({ day: row.day, point: row.isAbsent ? undefined : toPoint(row) });
  }
  const filledDays = fill ? daysFrom(first, to).map(toInstant) : [];
  const pointsOf = (known: readonly State[]): StartupPoint[] =>
    (fill ? carryForward(known, filledDays) : known).flatMap(({ day, point }) =>
      point === undefined ? [] : { ...point, day },
    );
  return new Map([...states].map(([id, known]) => [id, pointsOf(known).slice(-last)]));
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
