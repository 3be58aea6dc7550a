import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OperatorError } from '../../../src/lib/errors.ts';
import { addDays, dayOf } from '../../../src/lib/text/days.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { type ImportOptions, importStartups } from '../../../src/startups/import/import.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { openTestDatabase } from '../../support/database.ts';
import { record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { avoidMidnight, input, lineOutput, ndjson } from './inputs.ts';

await avoidMidnight();
const database = await openTestDatabase();
const client = await database.openClient();
const clear = () => client.query('TRUNCATE startups, startup_removals, market_days RESTART IDENTITY');
beforeEach(clear);

const importFile = (name: string, text: string, options: Partial<ImportOptions> = {}) =>
  importStartups({
    client,
    kind: database.kind,
    fields: standardFields,
    inputs: [input(name, text)],
    ...options,
  });
const importAll = (...records: unknown[]) => importFile('a.ndjson', ndjson(...records));
const update = (text: string, options: Partial<ImportOptions> = {}) =>
  importFile('a.csv', text, { update: true, ...options });
const lines = (running: Promise<unknown>): Promise<readonly string[]> =>
  running.then(
    () => [],
    (error: unknown) => (error as OperatorError).lines,
  );

/** What is stored of each startup, by its slug and the paths of its fields. */
async function stored(): Promise<Record<string, Record<string, unknown>>> {
  const rows = await database.prisma.startup.findMany({ where: { sample: false } });
  return Object.fromEntries(rows.map((row) => [row.slug, valuesOf((property) => row[property as 'name'])]));
}

const plain = (value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : Array.isArray(value) && value.length === 0 ? null : value;
const valuesOf = (read: (property: string, path: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(storedStartupFields.map(({ path, property }) => [path, plain(read(property, path))]));

const acme = record('acme', { askingPrice: 900, description: 'Old', techStack: ['Go'], active: false });

describe('an update in part', () => {
  it('sets what a file has, clears what is empty in it, and leaves all else as it is', async () => {
    await importAll(acme, record('other'));
    const before = await stored();
    const text = 'slug,revenue.mrr,askingPrice\nacme,5,\nother,8000,\n';
    const expected = {
      records: 2,
      created: 0,
      updated: 1,
      unchanged: 1,
      removed: 0,
      sets: [
        { field: 'revenue.mrr', values: 2, cleared: 0 },
        { field: 'askingPrice', values: 0, cleared: 2 },
      ],
      examples: [
        [
          { path: 'slug', text: 'acme' },
          { path: 'revenue.mrr', text: '$0.05' },
          { path: 'askingPrice', text: 'cleared' },
        ],
        expect.anything(),
      ],
    };
    expect(await update(text, { dryRun: true })).toMatchObject(expected);
    expect(await stored()).toEqual(before);
    expect(await update(text)).toMatchObject(expected);
    const after = { ...before.acme, 'revenue.mrr': 5, askingPrice: null };
    expect(await stored()).toEqual({ ...before, acme: after });
  });

  it('leaves what JSON does not have, and clears what is null, to the default where a field has one', async () => {
    await importAll(acme);
    const { acme: before } = await stored();
    await importFile(
      'a.json',
      JSON.stringify([{ slug: 'acme', revenue: { total: 7 }, active: null, techStack: null, country: 'DE' }]),
      { update: true },
    );
    const changes = { 'revenue.total': 7, active: true, techStack: null, country: 'DE' };
    expect((await stored()).acme).toEqual({ ...before, ...changes });
  });

  it('finds startups by the slug that a name makes', async () => {
    await importAll(acme);
    await update('name,customers\nAcme,77\n');
    expect((await stored()).acme).toMatchObject({ name: 'Acme', customers: 77, description: 'Old' });
  });

  it('refuses a required field that is empty, and a new slug without what a startup needs', async () => {
    await importAll(acme);
    const before = await stored();
    const needed = ['name', 'paymentProvider', 'revenue.last30Days', 'revenue.mrr', 'revenue.total'];
    expect(await lines(update('slug,customers,askingPrice\nacme,,1\nnew,3,1\n'))).toEqual([
      'a.csv: line 2: customers: got null, allowed an integer from 0 to 2147483647',
      ...[...needed, 'activeSubscriptions', 'onSale'].map(
        (path) => `a.csv: line 3: ${path}: got nothing, allowed a value, as no startup has its slug ("new")`,
      ),
      '8 errors in 2 records: nothing was written.',
    ]);
    expect(await lines(update('customers\n3\n'))).toEqual([
      'a.csv: line 1: header: got no slug, allowed a header with the slug, or the name that makes it',
      expect.stringContaining('nothing was written'),
    ]);
    expect(await stored()).toEqual(before);
  });

  it('can leave out a new slug that lacks something', async () => {
    await importAll(acme);
    const rejects = lineOutput();
    const text = 'slug,customers\nnew,3\nacme,4\n';
    expect(await update(text, { skipInvalid: rejects })).toMatchObject({
      rejected: 1,
      updated: 1,
      created: 0,
    });
    expect(rejects.lines).toEqual([expect.stringContaining('"slug":"new"')]);
    expect(Object.keys(await stored())).toEqual(['acme']);
    expect((await stored()).acme).toMatchObject({ customers: 4 });
  });

  it('gives defaults to new startups only', async () => {
    await importAll(acme);
    const mapping = { defaults: { paymentProvider: 'polar', onSale: 'true', country: 'FR', customers: '1' } };
    const text =
      'slug,name,revenue.last30Days,revenue.mrr,revenue.total,activeSubscriptions\nacme,A,1,1,1,1\nnew,B,2,2,2,2\n';
    const { notes } = await update(text, { mapping });
    expect(notes).toContainEqual(expect.objectContaining({ kind: 'default figure', isUpdate: true }));
    expect(await stored()).toMatchObject({
      acme: {
        name: 'A',
        paymentProvider: 'stripe',
        onSale: false,
        country: null,
        customers: 10,
        active: false,
      },
      new: { name: 'B', paymentProvider: 'polar', onSale: true, country: 'FR', customers: 1, active: true },
    });
  });

  it('is not combined with a replacement', async () => {
    expect(await lines(update('slug,customers\n', { replace: { yes: true } }))).toEqual([
      '--update cannot be combined with --replace: an update in part removes no startup. Nothing was written.',
    ]);
  });

  it('takes what another import changed while it waited, and refuses if its startup is gone', async () => {
    const other = await database.openClient();
    /** A client before whose lock another import is committed. */
    const meanwhile = (statement: string): ImportOptions['client'] => ({
      async query(text, values) {
        if (text.startsWith('LOCK TABLE')) {
          await (database.kind === 'server' ? other : client).query(statement);
        }
        return client.query(text, values);
      },
    });
    await importAll(acme);
    await update('slug,customers\nacme,4\n', {
      client: meanwhile("UPDATE startups SET description = 'New'"),
    });
    expect((await stored()).acme).toMatchObject({ customers: 4, description: 'New' });
    const gone = update('slug,customers\nacme,5\n', { client: meanwhile('DELETE FROM startups') });
    expect(await lines(gone)).toEqual([expect.stringContaining('The startups changed during the import')]);
  });

  it('as of a past day has the other values of that day, which a startup without figures on it lacks', async () => {
    const day = (ago: number) => ({ day: addDays(dayOf(Date.now()), -ago), historyDays: 30 });
    const past = { ...acme, customers: 1, revenue: { last30Days: 1, mrr: 1, total: 1 } };
    await importFile('a.ndjson', ndjson(past), { asOf: day(9) });
    await importAll(acme);
    await update('slug,revenue.mrr\nacme,2\n', { asOf: day(5) });
    const { rows } = await client.query(
      'SELECT customers, revenue_mrr::integer AS mrr, revenue_total::integer AS total FROM startup_points ORDER BY day',
    );
    expect(rows).toEqual([
      { customers: 1, mrr: 1, total: 1 },
      { customers: 1, mrr: 2, total: 1 },
      { customers: 10, mrr: 80_00, total: 1_000_00 },
    ]);
    await importAll(record('late'));
    const told = await lines(update('slug,revenue.mrr\nlate,2\n', { asOf: day(4) }));
    expect(told).toContain(
      'a.csv: line 2: customers: got nothing, allowed a value, as its startup has no figures on that day ("late")',
    );
  });
});

const nullable = storedStartupFields.filter(
  (field) => field.nullable === true && field.path !== 'verifiedAt',
);
/** Values of fields by their paths; null clears. */
const anyChange = fc.dictionary(
  fc.constantFrom(...nullable.map(({ path }) => path), 'customers', 'name', 'revenue.mrr', 'onSale'),
  fc.nat(3),
  { maxKeys: 6 },
);
const samples: Readonly<Record<string, (number: number) => unknown>> = {
  string: (number) => `text ${number}`,
  url: (number) => `https://${number}.example`,
  country: (number) => ['DE', 'FR', 'US', 'CH'][number],
  handle: (number) => `h${number}`,
  cents: (number) => number * 100,
  count: (number) => number,
  percent: (number) => number,
  boolean: (number) => number === 1,
  date: (number) => `2024-05-0${number + 1}T00:00:00.000Z`,
};

/** A value of a field; null for 0 where it may be. */
function sampleOf(path: string, number: number): unknown {
  const field = storedStartupFields.find((one) => one.path === path);
  const { kind, values = [] } = field as { kind: string; values?: readonly string[] };
  return number === 0 && field?.nullable === true
    ? null
    : (samples[kind]?.(number) ?? values[number % values.length]);
}

it('random updates in part leave what a plain model says', async () => {
  const step = fc.dictionary(fc.constantFrom('a', 'b', 'c'), anyChange, { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.boolean(), async (steps, isCsv) => {
      await clear();
      await importAll(record('a'), record('b'), record('c'));
      const model = await stored();
      for (const changes of steps) {
        const paths = [...new Set(Object.values(changes).flatMap(Object.keys))];
        const set = Object.entries(changes).map(([slug, change]) => {
          // A column of CSV is one of each record.
          const own = isCsv ? paths : Object.keys(change);
          return [
            slug,
            Object.fromEntries(own.map((path) => [path, sampleOf(path, change[path] ?? 1)])),
          ] as const;
        });
        for (const [slug, values] of set) {
          const dated = Object.entries(values).map(([path, value]) => [
            path,
            typeof value === 'string' && value.startsWith('2024-') ? new Date(value) : value,
          ]);
          model[slug] = { ...model[slug], ...Object.fromEntries(dated) };
        }
        const header = `slug,${paths.join()}\n`;
        const rows = set.map(
          ([slug, values]) => `${slug},${paths.map((path) => values[path] ?? '').join()}\n`,
        );
        const nested = set.map(([slug, { 'revenue.mrr': mrr, ...values }]) => ({
          slug,
          ...values,
          ...(mrr !== undefined && { revenue: { mrr } }),
        }));
        const isTable = isCsv && paths.length > 0;
        await importFile(
          isTable ? 'a.csv' : 'a.ndjson',
          isTable ? header + rows.join('') : ndjson(...nested),
          {
            update: true,
            runLength: 2,
            // A row of which all but the slug is cleared looks like a note.
            mapping: { rows: { a: 'keep', b: 'keep', c: 'keep' } },
          },
        );
        expect(await stored()).toEqual(model);
      }
    }),
    runs(15),
  );
});
