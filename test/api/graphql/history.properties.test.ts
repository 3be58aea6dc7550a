import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { categories, constantName } from '../../../src/startups/model/vocabulary.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';

const TODAY = '2026-11-22';
const NOW = Date.parse(`${TODAY}T23:59:59.999Z`);
const SLUGS = Array.from({ length: 12 }, (_, index) => `s-${index}`);

const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** The day so many days before today. */
const ago = (days: number): string => dayOf(Date.parse(TODAY) - days * DAY_MS);
const date = (day: string): Date => new Date(`${day}T00:00:00Z`);

const ids = new Map<string, number>();

const gateway = await openTestGateway({
  now: () => NOW,
  records: SLUGS.map((slug) => record(slug)),
  limits: 1_000_000,
});
const { key } = await gateway.key();
for (const { id, slug } of await gateway.database.prisma.startup.findMany()) {
  ids.set(slug, id);
}
beforeEach(async () => {
  await gateway.database.prisma.startupPoint.deleteMany();
  await gateway.database.prisma.marketDay.deleteMany();
});

interface Point {
  readonly slug: string;
  readonly day: string;
  readonly value: number;
}

async function storePoints(points: readonly Point[]): Promise<void> {
  await gateway.database.prisma.startupPoint.deleteMany();
  await gateway.database.prisma.startupPoint.createMany({
    data: points.map(({ slug, day, value }) => ({
      startupId: ids.get(slug) as number,
      day: date(day),
      revenueLast30Days: BigInt(value),
      revenueMrr: BigInt(value + 1),
      revenueTotal: BigInt(Number.MAX_SAFE_INTEGER - value),
      customers: value,
      activeSubscriptions: value + 2,
      askingPrice: value % 2 === 0 ? null : BigInt(value),
      onSale: value % 3 === 0,
    })),
  });
}

const shown = (day: string, value: number) => ({
  day,
  revenue: { last30Days: value, mrr: value + 1, total: Number.MAX_SAFE_INTEGER - value },
  customers: value,
  activeSubscriptions: value + 2,
  askingPrice: value % 2 === 0 ? null : value,
  onSale: value % 3 === 0,
});
const FIELDS = 'day revenue { last30Days mrr total } customers activeSubscriptions askingPrice onSale';

interface Range {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The days of a range, one after another. */
function daysOf({ from, to }: Range): string[] {
  const end = Date.parse(to ?? TODAY);
  const begin = from === undefined ? end - 89 * DAY_MS : Date.parse(from);
  return Array.from({ length: (end - begin) / DAY_MS + 1 }, (_, at) => dayOf(begin + at * DAY_MS));
}

/** A plain reading of the rules: the last value on or before each day, or only those of the days themselves. */
function expectedRows<Row extends { readonly day: string }>(
  rows: readonly Row[],
  range: Range,
  fill: boolean,
): Row[] {
  return daysOf(range).flatMap((day) => {
    const [latest] = rows
      .filter((row) => (fill ? row.day <= day : row.day === day))
      .toSorted((one, other) => (one.day < other.day ? 1 : -1));
    return latest === undefined ? [] : [{ ...latest, day }];
  });
}

const someRange = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 89 }), fc.boolean(), fc.boolean())
  .map(([end, length, hasFrom, hasTo]): Range => {
    const last = hasTo ? end : 0;
    return { from: hasFrom ? ago(last + length) : undefined, to: hasTo ? ago(last) : undefined };
  });
const someDay = fc.integer({ min: 0, max: 200 }).map(ago);
const someValue = fc.integer({ min: 0, max: 1_000 });

describe('Startup.history', () => {
  const query = `query ($from: Date, $to: Date, $last: Int, $fill: Boolean) {
    startups { nodes { slug history(from: $from, to: $to, last: $last, fill: $fill) { ${FIELDS} } } }
  }`;

  it('gives the points of the range, filled and cut as asked, whatever there is', async () => {
    const point = fc.record({ slug: fc.constantFrom(...SLUGS.slice(0, 3)), day: someDay, value: someValue });
    const points = fc.uniqueArray(point, { maxLength: 40, selector: ({ slug, day }) => slug + day });
    const someLast = fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined });
    const someFill = fc.constantFrom(undefined, false, true);
    const check = async (rows: Point[], range: Range, last?: number, fill?: boolean): Promise<void> => {
      await storePoints(rows);
      const { json } = await gateway.graphql(query, { ...range, last, fill }, { key });
      expect(json.errors).toBeUndefined();
      expect(json.data.startups.nodes).toHaveLength(10);
      for (const { slug, history } of json.data.startups.nodes) {
        const own = rows.filter((row) => row.slug === slug);
        const expected = expectedRows(own, range, fill === true).slice(-(last ?? 200));
        expect(history).toEqual(expected.map(({ day, value }) => shown(day, value)));
      }
    };
    await fc.assert(fc.asyncProperty(points, someRange, someLast, someFill, check), runs(30));
  });

  const statements = async (document: string): Promise<string[]> => {
    await storePoints([{ slug: 's-0', day: ago(100), value: 1 }]);
    gateway.queries.length = 0;
    const { json } = await gateway.graphql(document, {}, { key });
    expect(json.errors).toBeUndefined();
    return gateway.rowQueries();
  };

  it.each(['', '(fill: true)'])('reads points of a list%s in one statement, no startup', async (args) => {
    const read = await statements(`{ startups { nodes { name history${args} { day customers } } } }`);
    expect(read).toEqual([expect.stringContaining('FROM startup_points')]);
    expect(read[0]).not.toMatch(/\bstartups\b/);
  });

  const both = (selection: string) => `{ a: startups ${selection} b: startups(page: 2) ${selection} }`;
  it.each([
    [1, '{ startup(slug: "s-1") { history { day } } }'],
    [1, '{ startups { page { history { day } } edges { node { history { day } } } } }'],
    [2, '{ startups { nodes { a: history(last: 1) { day } b: history(last: 2) { day } } } }'],
    // No statement reads more than ten.
    [2, both('{ nodes { history { day } } }')],
    [0, '{ startup(slug: "unknown") { history { day } } }'],
    [1, '{ startupsBySlug(slugs: ["s-1", "s-2"]) { history { revenue { mrr } } } }'],
  ])('reads %i times for %s', async (times, document) => {
    // Never compiled: a compiled operation could run twice.
    for (let repetition = 0; repetition < 5; repetition += 1) {
      expect(await statements(document)).toHaveLength(times);
    }
  });
});

describe('Query.market', () => {
  const query = `query ($category: Category, $from: Date, $to: Date) {
    market(category: $category, from: $from, to: $to) {
      day count onSale revenue { sum median } mrr { sum median }
    }
  }`;

  it('gives each day of the range from the first that is known, whatever there is', async () => {
    const [ai = '', saas = ''] = categories as readonly string[];
    const row = fc.record({ category: fc.constantFrom('', ai, saas), day: someDay, value: someValue });
    const someRows = fc.uniqueArray(row, { maxLength: 30, selector: ({ category, day }) => category + day });
    const { prisma } = gateway.database;
    const medianOf = (value: number) => (value === 0 ? null : value);
    const check = async (
      rows: { category: string; day: string; value: number }[],
      range: Range,
      of?: string,
    ) => {
      await prisma.marketDay.deleteMany();
      await prisma.marketDay.createMany({
        data: rows.map(({ category, day, value }) => ({
          category,
          day: date(day),
          count: value,
          onSale: value % 7,
          revenueSum: value * 2 ** 43,
          revenueMedian: medianOf(value),
          mrrSum: value / 2,
          mrrMedian: medianOf(value * 2),
        })),
      });
      const category = of === undefined ? null : constantName(of);
      gateway.queries.length = 0;
      const { json } = await gateway.graphql(query, { ...range, category }, { key });
      expect(gateway.rowQueries()).toHaveLength(1);
      const own = rows.filter((one) => one.category === (of ?? ''));
      expect(json.data.market).toEqual(
        expectedRows(own, range, true).map(({ day, value }) => ({
          day,
          count: value,
          onSale: value % 7,
          revenue: { sum: value * 2 ** 43, median: medianOf(value) },
          mrr: { sum: value / 2, median: medianOf(value * 2) },
        })),
      );
    };
    const someCategory = fc.constantFrom(undefined, ai, saas);
    await fc.assert(fc.asyncProperty(someRows, someRange, someCategory, check), runs(20));
  });

  it('shows what the database records of the startups as they are', async () => {
    const { pool } = gateway.database;
    // The clock of the database decides whether this day is over: then the market is made of points.
    await pool.query(
      `INSERT INTO startup_points (
        startup_id, day, revenue_last_30_days, revenue_mrr, revenue_total, customers, active_subscriptions, on_sale
      ) SELECT id, $1::date, revenue_last_30_days, revenue_mrr, revenue_total, customers, active_subscriptions, on_sale
      FROM startups`,
      [TODAY],
    );
    await pool.query('SELECT revgate_record_market($1::date)', [TODAY]);
    const { json } = await gateway.graphql(query, { from: TODAY }, { key });
    const figures = (value: number) => ({ sum: value * SLUGS.length, median: value });
    expect(json.data.market).toEqual([
      { day: TODAY, count: SLUGS.length, onSale: 0, revenue: figures(100_00), mrr: figures(80_00) },
    ]);
  });
});
