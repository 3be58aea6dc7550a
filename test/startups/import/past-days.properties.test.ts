import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayOf, daysFrom, toInstant } from '../../../src/lib/text/days.ts';
import { EditionMaker } from '../../../src/startups/catalogue/load/edition-maker.ts';
import { readRows } from '../../../src/startups/catalogue/load/read-rows.ts';
import type { StoredRows } from '../../../src/startups/catalogue/store/row-writer.ts';
import { carryForward } from '../../../src/startups/history/history.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import type { ImportOptions } from '../../../src/startups/import/import.ts';
import { importAndRecord } from '../../../src/startups/import/import-log.ts';
import type { ImportClient } from '../../../src/startups/import/staging.ts';
import { undoImport } from '../../../src/startups/import/undo.ts';
import { openTestDatabase } from '../../support/database.ts';
import { type ImportRecord, record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { contentOf, expectEqual } from '../catalogue/editions.ts';
import { avoidMidnight, input, ndjson } from './inputs.ts';
import { createReplay, type MarketFigures, type PointValues } from './replay.ts';

await avoidMidnight();
const TODAY = dayOf(Date.now());
const ago = (days: number): string => addDays(TODAY, -days);
const FIRST_AGE = 8;
const days = daysFrom(ago(FIRST_AGE), TODAY);

const database = await openTestDatabase();
const connection = await database.openClient();
beforeEach(clear);

/** What imports since the last {@link clear} said. */
let replay = createReplay();

async function clear(): Promise<void> {
  replay = createReplay();
  undoable = [];
  await database.pool.query('TRUNCATE startups, startup_removals, market_days, imports RESTART IDENTITY');
}

/** A client with which the day is today. */
const clientOn = (day: string): ImportClient => ({
  async query(text, values) {
    const answer = await connection.query(text, values);
    if (text.startsWith('LOCK TABLE')) {
      await connection.query("SELECT set_config('revgate.at', $1, true)", [`${day}T12:00:00Z`]);
    }
    return answer;
  },
});

/** Imports as if the day were today. */
async function importOn(day: string, records: readonly ImportRecord[], replaces = false): Promise<void> {
  await importRecords(clientOn(day), records, replaces ? { replace: { yes: true } } : {});
  replay.import(day, records, replaces);
}

/**
 * Updates startups in part, as if the day were today, or as of a past day; those that do not exist on the day are sent whole.
 */
async function updateOn(day: string, changes: readonly Change[], isPast: boolean): Promise<void> {
  const known = new Map(replay.recordsOn(day).map((one) => [one.slug, one]));
  const whole = changes.map(({ slug, values }) => {
    const base = known.get(slug) ?? record(slug);
    return { ...base, ...values, revenue: { ...base.revenue, ...values.revenue } };
  });
  const sent = changes.map(({ slug, values }, index) =>
    known.has(slug) ? { slug, ...values } : whole[index],
  );
  const options = { update: true, ...(isPast && { asOf: { day, historyDays: 730 } }) };
  await importRecords(isPast ? connection : clientOn(day), sent, options);
  replay.import(day, whole);
}

/** What an update in part sets of a startup. */
interface Change {
  readonly slug: string;
  readonly values: Partial<Omit<ImportRecord, 'revenue'>> & { revenue?: Partial<ImportRecord['revenue']> };
}

async function importAsOf(day: string, records: readonly ImportRecord[]): Promise<void> {
  await importRecords(connection, records, { asOf: { day, historyDays: 730 } });
  replay.import(day, records);
}

async function importRecords(
  client: ImportClient,
  records: readonly unknown[],
  options: Partial<ImportOptions>,
): Promise<void> {
  const inputs = [input('a.ndjson', ndjson(...records))];
  const who = { user: 'op', via: 'command', now: Date.now } as const;
  await importAndRecord({ client, kind: database.kind, fields: standardFields, inputs, ...who, ...options });
}

/** The imports that can be undone, the last one last, each with what there was before it. */
let undoable: {
  readonly id: number;
  readonly statements: number;
  readonly before: Awaited<ReturnType<typeof everything>>;
}[] = [];

/** Does something that may import, as of a past day if one is given, and remembers what there was before. */
async function undoably(work: () => Promise<void>, asOf?: string): Promise<void> {
  const [statements, before] = [replay.count(), await everything()];
  const earlier = await lastUndoable();
  await work();
  const id = await lastUndoable();
  if (id === earlier) {
    // One that changed nothing cannot be undone, and its day stays imported; those before it can.
    const days = asOf === undefined ? undefined : [{ max: asOf }];
    undoable = undoable.map((one) => ({ ...one, before: { ...one.before, days: days ?? one.before.days } }));
  } else {
    undoable.push({ id, statements, before });
  }
}

async function lastUndoable(): Promise<number> {
  const { rows } = await database.pool.query('SELECT coalesce(max(import_id), 0) AS id FROM undo_log');
  return rows[0].id;
}

/** Undoes the last imports, at most so many: all is as before. */
async function undo(most: number): Promise<void> {
  for (let times = 0; times < most; times += 1) {
    const last = undoable.pop();
    if (last !== undefined && last.id === (await lastUndoable())) {
      await undoImport({
        client: connection,
        kind: database.kind,
        importId: last.id,
        dryRun: false,
        user: 'op',
      });
      replay.undo(last.statements);
      expect(await everything()).toEqual(last.before);
    }
  }
}

/** A node, which reads what has changed since it read last. */
class Replica {
  readonly #maker = new EditionMaker();
  #rows: StoredRows | undefined;

  async poll() {
    const { rows, changes } = await readRows(connection, this.#rows);
    // Whatever happened, it need not read everything again.
    expect(changes === undefined).toBe(this.#rows === undefined);
    this.#rows = rows;
    return contentOf(this.#maker.make(rows, 0));
  }
}

/** All data, but for revisions and times of changes. */
async function everything() {
  const all = async (table: string, without = '{}', order = '1, 2') => {
    const { rows } = await database.pool.query(
      `SELECT to_jsonb(t) - $1::text[] AS row FROM (SELECT * FROM ${table} ORDER BY ${order}) AS t`,
      [without],
    );
    return rows.map(({ row }) => row);
  };
  return {
    startups: await all('startups', '{revision,updated_at,restored_revision}'),
    points: await all('startup_points'),
    absences: await all('removed_startups', '{}', '1, 3'),
    unchanged: await all('unchanged_startups', '{}', '1'),
    market: await all('market_days'),
    days: await all('(SELECT max(as_of) FROM imports WHERE undone_at IS NULL) AS days', '{}', '1'),
  };
}

/** The market of each day; of a category that no day has yet, without startups. */
async function readMarket(): Promise<Record<string, MarketFigures>> {
  const market: Record<string, MarketFigures> = {};
  for (const category of CATEGORIES) {
    const where = { category: category ?? '' };
    const recorded = await database.prisma.marketDay.findMany({ where, orderBy: { day: 'asc' } });
    const rows = carryForward(recorded, days.map(toInstant));
    for (const day of days) {
      const row = rows.find((one) => Number(one.day) === Number(toInstant(day)));
      market[`${day} ${category ?? ''}`] = [
        row?.count ?? 0,
        row?.onSale ?? 0,
        row?.revenueSum ?? 0,
        number(row?.revenueMedian),
        row?.mrrSum ?? 0,
        number(row?.mrrMedian),
      ];
    }
  }
  return market;
}

const number = (value: bigint | null | undefined): number | null => (value == null ? null : Number(value));

/** The point that applies to each startup on each day. */
async function readHistories(): Promise<Record<string, PointValues>> {
  const { rows } = await database.pool.query<{ key: string; point: PointValues }>(
    `SELECT slug || ' ' || d.day AS key, json_build_array(p.revenue_last_30_days, p.revenue_mrr, p.revenue_total,
       p.customers, p.active_subscriptions, p.asking_price, p.on_sale::integer, p.category) AS point
     FROM startups CROSS JOIN unnest($1::date[]) AS d (day) CROSS JOIN LATERAL revgate_point_on(id, d.day) AS p`,
    [days],
  );
  return Object.fromEntries(rows.map(({ key, point }) => [key, point]));
}

const CATEGORIES: readonly (string | undefined)[] = [undefined, 'ai', 'saas', 'games', 'legal'];
const revenue = (last30Days: number) => ({ revenue: { last30Days, mrr: 0, total: 7 } });

/** How many startups each of the categories has on a day. */
async function countsOn(day: string): Promise<unknown[]> {
  const market = await readMarket();
  return CATEGORIES.map((category = '') => market[`${day} ${category}`]?.[0]);
}

/** The revenue of a startup on the days since this many days ago; undefined where it has no point. */
async function revenuesOf(slug: string, age: number): Promise<unknown[]> {
  const histories = await readHistories();
  return days.slice(-age - 1).map((day) => histories[`${slug} ${day}`]?.[0]);
}

describe('an import of a past day', () => {
  it('changes a startup that was removed since until its removal, and does not create it again', async () => {
    const [ai, games] = [{ category: 'ai' }, { category: 'games' }] as const;
    await importOn(ago(1), [record('a', ai), record('y', ai), record('z', games)]);
    await importOn(TODAY, [record('a', { category: 'saas' })], true);
    await importAsOf(ago(1), [record('z', { category: 'legal' })]);
    expect([await countsOn(ago(1)), await countsOn(TODAY)]).toEqual([
      [3, 2, 0, 0, 1],
      [1, 0, 1, 0, 0],
    ]);
    expect(await database.prisma.startup.findMany({ select: { slug: true } })).toEqual([{ slug: 'a' }]);
  });

  it('changes a startup until its next import, which it survives with its values even if that changed nothing', async () => {
    await importOn(ago(4), [record('a', revenue(1)), record('b', revenue(1))]);
    await importOn(ago(2), [record('a', revenue(1))]);
    await importAsOf(ago(3), [record('a', revenue(9)), record('b', revenue(9))]);
    expect(await revenuesOf('a', 4)).toEqual([1, 9, 1, 1, 1]);
    expect(await revenuesOf('b', 4)).toEqual([1, 9, 9, 9, 9]);
    expect((await readMarket())[`${TODAY} `]).toEqual([2, 0, 10, 1, 0, 0]);
    const current = await database.prisma.startup.findMany({ orderBy: { slug: 'asc' } });
    expect(current.map(({ revenueLast30Days }) => Number(revenueLast30Days))).toEqual([1, 9]);
  });
  it('finds the medians of that day and of all later ones after changing many startups', async () => {
    const many = Array.from({ length: 120 }, (_, index) =>
      record(`s-${index}`, { category: index % 4 === 0 ? 'ai' : 'saas', ...revenue((index * 37) % 100) }),
    );
    await importOn(ago(5), many);
    const some = many.slice(0, 20).map((one) => ({ ...one, ...revenue(50) }));
    await importOn(ago(2), some);
    await importOn(ago(1), replay.recordsOn(TODAY).slice(3), true);
    for (const [age, amount] of [
      [4, 1_000],
      [3, 2],
    ] as const) {
      const past = many.slice(10, 90).map((one) => ({ ...one, ...revenue(amount) }));
      await importAsOf(ago(age), [...past, record(`new-${age}`, { category: 'ai', ...revenue(amount) })]);
      expect(await readMarket()).toEqual(replayedMarket());
    }
  });

  it('keeps a sum exact although amounts near 2^53 were added and taken away again', async () => {
    const large = [record('a', revenue(2 ** 53 - 1)), record('b', revenue(2 ** 53 - 2))];
    await importAsOf(ago(2), [...large, record('c', revenue(1_001))]);
    await importAsOf(ago(2), [record('a', revenue(0)), record('b', revenue(0))]);
    expect((await readMarket())[`${TODAY} `]).toEqual([3, 0, 1_001, 0, 0, 0]);
  });
});

it('a price that changes on a past day moves the last change of a startup, which readers of changes are told', async () => {
  const priced = (askingPrice: number | null) => record('a', { askingPrice });
  await importOn(ago(4), [priced(100_00)]);
  await importOn(ago(1), [priced(80_00)]);
  const before = await database.prisma.startup.findFirstOrThrow();
  await importAsOf(ago(2), [priced(80_00)]);
  const after = await database.prisma.startup.findFirstOrThrow();
  const changed = { askingPriceChangedAt: new Date(ago(2)), revision: after.revision };
  expect(after).toEqual({ ...before, ...changed, updatedAt: after.updatedAt });
  expect(Number(after.updatedAt)).toBeGreaterThan(Number(before.updatedAt));
  // Nothing that it says is another price than before.
  await importAsOf(ago(2), [record('a', { askingPrice: 80_00, customers: 5 })]);
  expect(await database.prisma.startup.findFirstOrThrow()).toEqual(after);
});

/** The earlier price of each startup, and the day on which that changed. */
async function readEarlierPrices(): Promise<Record<string, [price: number | null, day: string | null]>> {
  const { rows } = await database.pool.query<{ slug: string; price: number; day: string }>(
    `SELECT slug, previous_asking_price::float8 AS price, CASE WHEN previous_asking_price IS NOT NULL THEN revgate_utc_day(asking_price_changed_at)::text END AS day
     FROM startups`,
  );
  return Object.fromEntries(rows.map(({ slug, price, day }) => [slug, [price, day]]));
}

/** Last points that say something else of the earlier price than their startup. */
async function readWrongPoints(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `SELECT slug, p.*, s.asking_price_changed_at, s.previous_asking_price
     FROM startups AS s CROSS JOIN LATERAL revgate_point_on(s.id, 'infinity') AS p
     WHERE p.previous_asking_price IS DISTINCT FROM s.previous_asking_price
       OR p.previous_asking_price IS NOT NULL AND p.asking_price_changed_at IS DISTINCT FROM s.asking_price_changed_at`,
  );
  return rows;
}

/** Points with the values of the one before. */
async function readRepeatedPoints(): Promise<{ slug: string; day: string }[]> {
  const { rows } = await database.pool.query<{ slug: string; day: string }>(
    `SELECT slug, p.day::text FROM startups CROSS JOIN startup_points AS p
     CROSS JOIN LATERAL revgate_point_on(id, p.day - 1) AS o
     WHERE p.startup_id = id AND to_jsonb(p) - 'day' - 'asking_price_changed_at' = to_jsonb(o) - 'day' - 'asking_price_changed_at'`,
  );
  return rows;
}

/** What the market must be after these imports. */
function replayedMarket(): Record<string, MarketFigures> {
  const market = CATEGORIES.flatMap((category = '') =>
    days.map((day) => [`${day} ${category}`, replay.market(day, category)]),
  );
  return Object.fromEntries(market);
}

const anyValues = fc.record({
  name: fc.constantFrom('One', 'Two'),
  category: fc.constantFrom(null, 'ai', 'saas'),
  revenue: fc.record({ last30Days: fc.nat(4), mrr: fc.nat(1), total: fc.constant(7) }),
  askingPrice: fc.constantFrom(null, 80_00, 90_00),
  onSale: fc.boolean(),
  active: fc.boolean(),
});
// Often the same values, so that imports repeat those of other days.
const values = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom({ customers: 1 }, { customers: 2 }) },
  { weight: 3, arbitrary: fc.record({ askingPrice: fc.constantFrom(80_00, 90_00, 100_00) }) },
  anyValues,
);
const records = fc
  .uniqueArray(fc.record({ slug: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), values }), {
    selector: ({ slug }) => slug,
    minLength: 1,
  })
  .map((all) => all.map(({ slug, values }) => record(slug, values)));
const changes = fc.uniqueArray(
  fc.record({
    slug: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    values: fc.record(
      {
        category: fc.constantFrom(null, 'ai', 'saas'),
        customers: fc.nat(2),
        onSale: fc.boolean(),
        revenue: fc.record({ last30Days: fc.nat(4), mrr: fc.nat(1) }, { requiredKeys: [] }),
        askingPrice: fc.constantFrom(null, 80_00, 90_00),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Change['values']>,
  }),
  { selector: ({ slug }) => slug, minLength: 1 },
);
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('import', 'replace'), records }),
    fc.record({ kind: fc.constant('import again'), every: fc.integer({ min: 1, max: 2 }) }),
    fc.record({ kind: fc.constant('next day'), days: fc.integer({ min: 1, max: 2 }) }),
    fc.record({ kind: fc.constant('import as of'), age: fc.nat(4), records }),
    fc.record({ kind: fc.constant('update'), changes }),
    fc.record({ kind: fc.constant('update as of'), pastAge: fc.nat(4), changes }),
    fc.record({ kind: fc.constant('poll') }),
    fc.record({ kind: fc.constant('undo'), most: fc.integer({ min: 1, max: 6 }) }),
  ),
  { minLength: 3, maxLength: 10 },
);

it('imports of days in any order, and undoing them, leave what imports in the order of the days leave', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await clear();
      let age = FIRST_AGE - 3;
      let past = FIRST_AGE;
      const replica = new Replica();
      await replica.poll();
      for (const step of all) {
        if (step.kind === 'poll') {
          await replica.poll();
        } else if ('days' in step) {
          age = Math.max(age - step.days, 0);
        } else if ('most' in step) {
          await undo(step.most);
        } else if ('pastAge' in step) {
          past = Math.min(age + step.pastAge, past);
          await undoably(() => updateOn(ago(past), step.changes, true));
        } else if ('changes' in step) {
          await undoably(() => updateOn(ago(age), step.changes, false));
        } else if ('age' in step) {
          past = Math.min(age + step.age, past);
          await undoably(() => importAsOf(ago(past), step.records), ago(past));
        } else {
          const named =
            'records' in step
              ? step.records
              : replay.recordsOn(TODAY).filter((_, at) => at % step.every === 0);
          if (named.length > 0) {
            await undoably(() => importOn(ago(age), named, step.kind === 'replace'));
          }
        }
      }
      expectEqual(await replica.poll(), await new Replica().poll());
      expect(await readHistories()).toEqual(replay.histories(days));
      expect(await readMarket()).toEqual(replayedMarket());
      expect(await readEarlierPrices()).toEqual(replay.earlierPrices(TODAY));
      expect(await readWrongPoints()).toEqual([]);
      const repeated = await readRepeatedPoints();
      expect(repeated.filter(({ slug, day }) => !replay.canHaveChanged(slug, day))).toEqual([]);
    }),
    runs(12),
  );
});
