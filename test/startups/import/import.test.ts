import { beforeEach, describe, expect, test } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { OperatorError } from '../../../src/lib/errors.ts';
import { showAmounts } from '../../../src/main/commands/import/import-summary.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { type ImportOptions, importStartups } from '../../../src/startups/import/import.ts';
import type { ImportInput } from '../../../src/startups/import/rows/input.ts';
import type { ImportSummary } from '../../../src/startups/import/values/summary.ts';
import { categories } from '../../../src/startups/model/vocabulary.ts';
import {
  loadSample,
  recordSampleHistory,
  recordSampleSales,
} from '../../../src/startups/sample/load-sample.ts';
import { sampleNdjson, sampleStartups } from '../../../src/startups/sample/sample.ts';
import { backUp, restore, rewrite } from '../../db/backup/backup-file.ts';
import { openTestDatabase } from '../../support/database.ts';
import { record, rowsOf } from '../../support/records.ts';
import { input, lineOutput, ndjson, recordsOf } from './inputs.ts';

const database = await openTestDatabase();
const client = await database.openClient();
beforeEach(async () => {
  await client.query('TRUNCATE startups, market_days RESTART IDENTITY');
});

/** A record of a slug with these changes, valid or not. */
const named = (slug: string, changes: Record<string, unknown> = {}) => ({ ...record(slug), ...changes });

function run(content: string | ImportInput[], options: Partial<ImportOptions> = {}): Promise<ImportSummary> {
  const inputs = typeof content === 'string' ? [input('a.ndjson', content)] : content;
  return importStartups({ client, kind: database.kind, fields: standardFields, inputs, ...options });
}

/** The lines with which an import is refused. */
async function refusal(running: Promise<unknown>): Promise<readonly string[]> {
  const error = await running.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperatorError);
  return (error as OperatorError).lines;
}

async function stored(): Promise<unknown[][]> {
  const { rows } = await client.query('SELECT id, slug, name FROM startups ORDER BY id');
  return rows.map(({ id, slug, name }) => [id, slug, name]);
}

/** Everything there is to see of the data, revisions included, to compare before and after. */
async function everything(): Promise<unknown> {
  const startups = await client.query('SELECT * FROM startups ORDER BY id');
  const revisions = await client.query("SELECT * FROM revisions WHERE name = 'dataset'");
  return [startups.rows, revisions.rows];
}

/** The summary of an import, with these counts. */
const counts = (more: Partial<ImportSummary>): ImportSummary => ({
  records: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  removed: 0,
  removedSample: 0,
  returned: 0,
  firstReturned: [],
  firstRemoved: [],
  points: 0,
  messages: [],
  errorCount: 0,
  errors: [],
  leftOut: [],
  leftOutCount: 0,
  notes: [],
  sets: null,
  examples: expect.any(Array),
  ...more,
});

const header =
  'name,slug,paymentProvider,revenue.last30Days,revenue.mrr,revenue.total,customers,activeSubscriptions,onSale';

describe('an import', () => {
  test('stores every value exactly', async () => {
    const exact = record('exact', {
      description: 'Line\nand "quotes" \\ {braces} 👩🏽‍🚀 \u0001',
      country: 'AX',
      foundedDate: '2019-02-03T04:05:06.789+02:00',
      revenue: { last30Days: Number.MAX_SAFE_INTEGER, mrr: 0, total: Number.MAX_SAFE_INTEGER - 1 },
      customers: 2147483647,
      askingPrice: 1,
      profitMarginLast30Days: 33.3,
      growth30d: -0.1,
      growthMRR30d: 1e300,
      visitorsLast30Days: 0,
      isMerchantOfRecord: false,
      active: false,
      firstListedForSaleAt: '2024-02-29',
      verifiedAt: '2024-02-29T12:00:00.5+01:00',
      techStack: ['{"C++"}', 'back\\slash', 'NULL'],
      valueProposition: '',
      problemSolved: 'x'.repeat(1000),
      pricingModel: '{}',
    });
    const records = [exact, ...sampleStartups({ count: 50, seed: 2 })];
    await run(ndjson(...records));
    const rows = await database.prisma.startup.findMany({ orderBy: { id: 'asc' } });
    const own = ({
      createdAt: _at,
      updatedAt: _then,
      revision: _revision,
      askingPriceChangedAt: _since,
      ...values
    }: Startup) => values;
    expect(rows.map(own)).toEqual(rowsOf(records).map(own));
  });

  test('replaces whole records, keeps ids, and uses up no ids for existing startups', async () => {
    await run(ndjson(named('a', { country: 'DE' }), named('b')));
    const again = ndjson(named('new'), named('b', { name: 'Bee' }), named('a'));
    expect(await run(again)).toMatchObject({ created: 1, updated: 2, unchanged: 0 });
    expect((await stored()).map((row) => row.join(' '))).toEqual(['1 a A', '2 b Bee', '3 new NEW']);
    const { rows } = await client.query("SELECT country FROM startups WHERE slug = 'a'");
    expect(rows).toEqual([{ country: null }]);
  });

  test('leaves unchanged records and their revision alone', async () => {
    await run(ndjson(named('a', { growth30d: 0.1 }), named('b')));
    const revisions = async () => (await client.query('SELECT revision FROM startups ORDER BY id')).rows;
    const [before] = await revisions();
    const again = ndjson(named('b', { customers: 11 }), named('a', { growth30d: 0.1 }));
    expect(await run(again)).toMatchObject({ updated: 1, unchanged: 1 });
    const [a, b] = await revisions();
    expect(a).toEqual(before);
    expect(Number(b.revision)).toBeGreaterThan(Number(a.revision));
    const unchanged = await everything();
    expect(await run(ndjson(named('b', { customers: 11 })))).toEqual(counts({ records: 1, unchanged: 1 }));
    expect(await everything()).toEqual(unchanged);
  });

  test('keeps the order of ids over many statements', async () => {
    const text = [...sampleNdjson({ count: 350, seed: 5 })].join('');
    await run(text, { runLength: 50 });
    const slugs = recordsOf(text).map(({ slug }) => slug);
    expect((await stored()).map(([id, slug]) => [id, slug])).toEqual(
      slugs.map((slug, index) => [index + 1, slug]),
    );
    const again = await run(text, { runLength: 50 });
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 350 });
    await client.query('UPDATE startups SET customers = customers + 1 WHERE id % 70 = 0');
    const some = await run(text, { runLength: 50 });
    expect(some).toMatchObject({ created: 0, updated: 5, unchanged: 345 });
  });
});

describe('an invalid import', () => {
  test('is refused whole with every error, by kind and in order, and changes nothing', async () => {
    await run(ndjson(named('a')));
    const before = await everything();
    const first = ndjson(named('a', { name: 'New' }), named('b', { category: 'sass', xHandle: '@b' }));
    const second = `${ndjson(named('c'))}{"slug"\n${ndjson(named('a'), named('b'))}`;
    const category = `category: allowed one of ${categories.join(', ')}, or null`;
    const handle = 'allowed 1 to 30 letters, digits and underscores, without @, or null';
    const slug = 'allowed a slug that no other record has';
    const json = 'allowed a JSON object on one line: this one is not valid JSON';
    expect(await refusal(run([input('a.ndjson', first), input('-', second)]))).toEqual([
      `2 × slug: ${slug}; example: <stdin>: line 3: got "a"`,
      `1 × ${category}; example: a.ndjson: line 2: got "sass"; did you mean "saas"?`,
      `1 × xHandle: ${handle}; example: a.ndjson: line 2: got "@b"`,
      `1 × record: ${json}; example: <stdin>: line 2: got "{\\"slug\\""`,
      'a.ndjson: line 2: category: got "sass"; did you mean "saas"?',
      `a.ndjson: line 2: xHandle: got "@b", ${handle}`,
      `<stdin>: line 2: record: got "{\\"slug\\"", ${json}`,
      `<stdin>: line 3: slug: got "a", ${slug} (a.ndjson: line 1 has it)`,
      `<stdin>: line 4: slug: got "b", ${slug} (a.ndjson: line 2 has it)`,
      '5 errors in 6 records: nothing was written. To import the valid records, add --skip-invalid.',
    ]);
    expect(await everything()).toEqual(before);
  });

  test('reports repeated slugs however far apart', async () => {
    const text = [...sampleNdjson({ count: 210, seed: 5 })].join('');
    const { slug } = JSON.parse(text.slice(0, text.indexOf('\n')));
    const twice = ndjson(named('x'), named('x'), named('y'), named(slug), named('x'));
    const lines = await refusal(run(text + twice, { runLength: 50 }));
    expect(lines.slice(1, -1).map((line) => line.replace(/allowed .* \(/, '('))).toEqual([
      'a.ndjson: line 212: slug: got "x", (a.ndjson: line 211 has it)',
      `a.ndjson: line 214: slug: got "${slug}", (a.ndjson: line 1 has it)`,
      'a.ndjson: line 215: slug: got "x", (a.ndjson: line 211 has it)',
    ]);
  });

  test('keeps a bounded number of kinds', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`odd${index}`, 1]));
    const lines = await refusal(run(ndjson({ ...named('a'), ...unknown }, { ...named('b'), odd0: 1 })));
    expect(lines).toHaveLength(50 + 1 + 100 + 1 + 1);
    expect(lines[0]).toMatch(/^2 × odd0: /);
    expect(lines[50]).toBe('150 × errors of other kinds');
  });

  test('has any input without a record or a readable end, and those after it are read', async () => {
    const contents = ['', '\n \n', '\ufeff', '[{', '1\n'].map((content, at) => input(`${at}.json`, content));
    const lines = await refusal(run([input('a.ndjson', ndjson(named('a'))), input('-', '[]'), ...contents]));
    const empty = 'line 1: record: got nothing, allowed at least one record';
    expect(lines.slice(-7)).toEqual([
      ...['<stdin>', '0.json', '1.json', '2.json'].map((name) => `${name}: ${empty}`),
      expect.stringMatching(/^3\.json: line 1: record: got the end of the input/),
      expect.stringMatching(/^4\.json: line 1: record: got "1", allowed a JSON array/),
      expect.stringMatching(/^6 errors in \d records?: nothing was written\./),
    ]);
    expect(await stored()).toEqual([]);
  });
});

describe('skipping invalid records', () => {
  test('applies the others and writes rejects that can be fixed and imported', async () => {
    const rejects = lineOutput();
    const text = [
      JSON.stringify(named('a')),
      JSON.stringify(named('b', { country: 'XX', customers: -1 })),
      '{"slug":"c"',
      JSON.stringify(named('a', { name: 'Again' })),
      JSON.stringify(named('b')),
      '{}',
    ].join('\n');
    const summary = await run(text, { skipInvalid: rejects });
    expect(summary).toMatchObject({ records: 6, created: 1, rejected: 5, errorCount: expect.any(Number) });
    expect(await stored()).toEqual([[1, 'a', 'A']]);
    expect(rejects.lines.every((line) => line.endsWith('}\n'))).toBe(true);
    const parsed = rejects.lines.map((line) => JSON.parse(line));
    expect(parsed[0]).toMatchObject({ ...named('b'), country: 'XX', customers: -1 });
    expect(parsed.slice(1, 4)).toMatchObject([{ _line: '{"slug":"c"' }, { name: 'Again' }, { slug: 'b' }]);
    // Of two records with a slug, the first of which was rejected, which is meant is not ours to say.
    expect(parsed.slice(0, 4).map(({ _errors }) => _errors)).toEqual([
      [
        expect.stringMatching(/^a\.ndjson: line 2: country: got "XX", allowed an ISO 3166-1/),
        'a.ndjson: line 2: customers: got -1, allowed an integer from 0 to 2147483647',
      ],
      ...['3: record', '4: slug: got "a"', '5: slug: got "b"'].map((error) => [
        expect.stringContaining(`line ${error}`),
      ]),
    ]);
    expect(Object.keys(parsed[4])).toEqual(['_errors']);

    const fixed = ndjson({ ...parsed[0], country: 'DE', customers: 1 });
    expect(await run(fixed)).toMatchObject({ created: 1, rejected: 0 });
    const again = lineOutput();
    await run(`${rejects.lines[0]}${ndjson(named('d'))}`, { skipInvalid: again });
    expect(again.lines[0]?.match(/_errors/g)).toHaveLength(1);
  });

  test('never rewrites a value, however often a record is rejected, in JSON and CSV', async () => {
    const json = JSON.stringify(named('b')).replace('"customers":10', '"customers":12345678901234567890');
    const csv = `${header},growth30d\nB,b,stripe,1,2,3,12345678901234567890,1,TRUE,1e999\n`;
    for (const [name, text] of [
      ['a.ndjson', `${json}\n`],
      // An element that is spread over lines is rejected as one.
      ['a.json', `[${json.replaceAll(',"', ',\n"')}]`],
      ['a.csv', csv],
    ] as const) {
      let lines: string = text;
      const valid = input('valid.ndjson', ndjson(named('a')));
      for (const file of [name, 'rejects.ndjson', 'rejects.ndjson']) {
        const skipInvalid = lineOutput();
        await run([valid, input(file, lines)], { skipInvalid });
        lines = skipInvalid.lines.join('');
        expect(lines.match(/"customers":12345678901234567890[,}]/g)).toHaveLength(1);
        expect(lines.match(/_errors/g)).toHaveLength(1);
      }
      expect(lines.includes('"growth30d":1e999,')).toBe(name === 'a.csv');
    }
  });

  test('reads CSV in dollars, whose rejects can be fixed and imported with the same options', async () => {
    const row = (slug: string, amounts: string): string => `A,${slug},stripe,${amounts},4,5,true\n`;
    const text = `${header}\n${row('a', '"$1,250.50",20,3.5')}${row('b', '1.250,20,3')}`;
    const skipInvalid = lineOutput();
    const summary = await run([input('a.csv', text)], { skipInvalid, mapping: { notation: 'dollars' } });
    expect(summary).toMatchObject({ created: 1, rejected: 1 });
    const amounts = ({ examples: [first = []] }: typeof summary): string => showAmounts(first);
    expect(amounts(summary)).toBe('a: revenue.last30Days $1,250.50, revenue.mrr $20.00, revenue.total $3.50');
    expect(skipInvalid.lines[0]).toContain('"revenue.last30Days":"1.250","revenue.mrr":20,');
    const again = input('rejects.ndjson', skipInvalid.lines.join('').replace('1.250', '1250'));
    const fixed = await run([again], { mapping: { notation: 'dollars' } });
    expect(amounts(fixed)).toBe('b: revenue.last30Days $1,250.00, revenue.mrr $20.00, revenue.total $3.00');
  });

  test('survives a rejected record nested to any depth', async () => {
    const rejects = lineOutput();
    const deep = `{"slug":"deep","name":${'['.repeat(200_000)}${']'.repeat(200_000)},"_errors":[]}`;
    await run(`${ndjson(named('a'))}${deep}\n`, { skipInvalid: rejects });
    expect(JSON.parse(rejects.lines[0] ?? '')).toMatchObject({ slug: 'deep' });
  });

  test('waits for a slow writer', async () => {
    let written = 0;
    const write = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      written += 1;
    };
    await run(`1\n2\n${ndjson(named('a'))}`, { skipInvalid: { write } });
    expect(written).toBe(2);
  });

  test('is refused when nothing is valid, or an input cannot be read to its end', async () => {
    const skipInvalid = lineOutput();
    const [none] = (await refusal(run('{}\n{}\n', { skipInvalid }))).slice(-1);
    expect(none).toBe('All 2 records are invalid: nothing was written.');
    const cut = [input('a.json', `[${JSON.stringify(named('a'))},`)];
    expect(await refusal(run(cut, { skipInvalid }))).toEqual([
      'a.json: line 1: record: got the end of the input, allowed the rest of the JSON array: it is truncated',
      'An input could not be read to its end, which --skip-invalid does not allow: nothing was written.',
    ]);
    expect(await stored()).toEqual([]);
  });
});

test('a dry run counts and reports errors as an import does, and changes and publishes nothing', async () => {
  await run(ndjson(named('a'), named('b'), named('c')));
  const before = await everything();
  const text = ndjson(named('a'), named('b', { name: 'Bee' }), named('d'));
  const planned = { records: 3, created: 1, updated: 1, unchanged: 1, removed: 1, points: 2 };
  const firstRemoved = [{ slug: 'c', name: 'C' }];
  expect(await run(text, { dryRun: true, replace: { yes: false } })).toEqual(
    counts({ ...planned, firstRemoved }),
  );
  expect(await refusal(run('1', { dryRun: true }))).toHaveLength(2);
  const publish = () => Promise.reject(new Error('published'));
  const skipInvalid = { ...lineOutput(), publish };
  expect(await run(`${text}1\n`, { dryRun: true, skipInvalid })).toMatchObject({ created: 1, rejected: 1 });
  await expect(run(`${text}1\n`, { skipInvalid })).rejects.toThrow('published');
  expect(await everything()).toEqual(before);
  const { rows } = await client.query("SELECT relname FROM pg_class WHERE relname LIKE 'import\\_%'");
  expect(rows).toEqual([]);
});

describe('a replacing import', () => {
  beforeEach(async () => {
    await run(ndjson(named('a'), named('b'), named('c'), named('d')));
  });

  test('removes startups that are missing from the input', async () => {
    const text = ndjson(named('e'), named('b'), named('a', { name: 'Ay' }));
    const done = { created: 1, updated: 1, unchanged: 1, removed: 2 };
    expect(await run(text, { replace: { yes: false } })).toMatchObject(done);
    expect((await stored()).map(([id, slug]) => `${id} ${slug}`)).toEqual(['1 a', '2 b', '5 e']);
  });

  test('refuses to remove more than half without yes', async () => {
    const before = await everything();
    expect(await refusal(run(ndjson(named('a')), { replace: { yes: false } }))).toEqual([
      'This would remove 3 of 4 startups (B, b; C, c; D, d), more than half: nothing was written. Add --yes to allow it.',
    ]);
    expect(await everything()).toEqual(before);
    expect(await run(ndjson(named('a')), { replace: { yes: true } })).toMatchObject({ removed: 3 });
    expect(await stored()).toEqual([[1, 'a', 'A']]);
  });

  test.each([
    [{ number: 1, isPercent: false }, '1'],
    [{ number: 49, isPercent: true }, '49%'],
  ])('removes at most as many as it may, which a dry run says too: %j', async (most, limit) => {
    const before = await everything();
    const text = ndjson(named('a'), named('d'));
    const error = `This would remove 2 of 4 startups (B, b; C, c), more than ${limit}: nothing was written. Raise --max-removed to allow it.`;
    for (const dryRun of [true, false]) {
      expect(await refusal(run(text, { replace: { yes: false, most }, dryRun }))).toEqual([error]);
    }
    expect(await everything()).toEqual(before);
    const more = { ...most, number: most.number + 1 };
    const done = { removed: 2, firstRemoved: ['b', 'c'].map((slug) => ({ slug, name: slug.toUpperCase() })) };
    expect(await run(text, { replace: { yes: false, most: more }, dryRun: true })).toMatchObject(done);
    expect(await run(text, { replace: { yes: false, most: more } })).toMatchObject(done);
  });

  test('keeps records of which the input has a rejected version', async () => {
    const skipInvalid = lineOutput();
    const text = ndjson(named('a'), named('b', { customers: -1 }), named('c'));
    const done = { removed: 1, rejected: 1 };
    expect(await run(text, { replace: { yes: false }, skipInvalid })).toMatchObject(done);
    expect((await stored()).map(([, slug]) => slug)).toEqual(['a', 'b', 'c']);
    const lines = await refusal(run(`${text}{"slug":\n`, { replace: { yes: false }, skipInvalid }));
    const reason = '--replace needs all slugs, but 1 rejected record has no valid slug: nothing was written';
    expect(lines.at(-1)).toContain(reason);
  });
});

describe('the sample', () => {
  test('is loaded into an empty database only, and marked', async () => {
    const done = { records: 50, created: 50 };
    expect(await loadSample({ client, kind: database.kind, count: 50, seed: 1 })).toMatchObject(done);
    expect(await database.prisma.startup.count({ where: { sample: true } })).toBe(50);
    const before = await everything();
    expect(await refusal(loadSample({ client, kind: database.kind, count: 60, seed: 1 }))).toEqual([
      'The sample is only loaded into a database without startups.',
    ]);
    expect(await everything()).toEqual(before);
  });

  test('has a history of 60 days, from which its market is calculated, until it is removed', async () => {
    await loadSample({ client, kind: database.kind, count: 200, seed: 1 });
    await recordSampleSales(client);
    await recordSampleHistory(client);
    // Whenever it is loaded, some startups were listed this week, and some became cheaper this month.
    const { rows: sales } = await client.query(
      `SELECT count(*) FILTER (WHERE on_sale AND first_listed_for_sale_at > now() - interval '7 days') > 0 AS listed,
         count(*) FILTER (WHERE previous_asking_price > asking_price AND asking_price_changed_at > now() - interval '30 days') > 3 AS reduced,
         bool_or(previous_asking_price IS NOT NULL AND asking_price_changed_at < first_listed_for_sale_at) AS early FROM startups`,
    );
    expect(sales).toEqual([{ listed: true, reduced: true, early: false }]);
    const { rows: wrong } = await client.query(
      `SELECT slug FROM startups s JOIN startup_points p ON startup_id = id
       WHERE p.on_sale AND day < revgate_utc_day(first_listed_for_sale_at) OR s.previous_asking_price IS NOT NULL
         AND day < revgate_utc_day(s.asking_price_changed_at) AND p.asking_price IS DISTINCT FROM s.previous_asking_price`,
    );
    expect(wrong).toEqual([]);
    const days =
      'count(DISTINCT day)::int AS days, (max(day) - min(day))::int AS span, count(*)::int AS rows';
    const figures = async (table: string) => (await client.query(`SELECT ${days} FROM ${table}`)).rows[0];
    expect(await figures('startup_points')).toEqual({ days: 31, span: 60, rows: 31 * 200 });
    expect(await figures("market_days WHERE category = ''")).toEqual({ days: 31, span: 60, rows: 31 });
    // Its growth is that of its curves.
    const { rows: grown } = await client.query(
      `SELECT DISTINCT growth_30d - round((100.0 * now.revenue_last_30_days / past.revenue_last_30_days - 100)::numeric, 1) AS revenue,
         growth_mrr_30d - round((100.0 * now.revenue_mrr / past.revenue_mrr - 100)::numeric, 1) AS mrr,
         now.revenue_total - past.revenue_total - now.revenue_last_30_days AS total
       FROM startups now JOIN startup_points past ON startup_id = id
       WHERE day = revgate_utc_day(clock_timestamp()) - 30 AND now.revenue_mrr > 10000
         AND growth_30d IS NOT NULL AND growth_mrr_30d IS NOT NULL`,
    );
    expect(grown).toEqual([{ revenue: 0, mrr: 0, total: '0' }]);
    // As the import would have calculated it.
    const market = async () => (await client.query('SELECT * FROM market_days ORDER BY day, category')).rows;
    const before = await market();
    await client.query('SELECT revgate_record_market(day) FROM (SELECT DISTINCT day FROM market_days) AS d');
    expect(await market()).toEqual(before);
    await run(ndjson(named('own')));
    expect(await figures('startup_points')).toEqual({ days: 1, span: 0, rows: 1 });
    expect(await figures('market_days')).toMatchObject({ days: 1 });
  });

  test('is removed by the first import of other data, and never counted with it', async () => {
    await loadSample({ client, kind: database.kind, count: 10, seed: 1 });
    const [first = ''] = [...sampleNdjson({ count: 1, seed: 1 })];
    const text = first + ndjson(named('own'));
    const planned = { removedSample: 10, removed: 0 };
    expect(await run(text, { dryRun: true, replace: { yes: false } })).toMatchObject(planned);
    expect((await stored()).length).toBe(10);
    const done = counts({ records: 2, created: 2, removedSample: 10, points: 2 });
    expect(await run(text, { replace: { yes: false } })).toEqual(done);
    expect((await stored()).map(([id]) => id)).toEqual([11, 12]);
    expect(await run(ndjson(named('own')))).toMatchObject({ removedSample: 0, unchanged: 1 });
  });
});

describe('an asking price', () => {
  const DAY = Math.floor(Date.now() / 86_400_000);
  const at = (day: number, hour: number) => new Date((DAY - 10 + day) * 86_400_000 + hour * 3_600_000);
  /** Imports asking prices by slug, as if it were then. */
  const importPrices = (
    prices: Readonly<Record<string, number | null>>,
    time: Date,
    options: Partial<Parameters<typeof importStartups>[0]> = {},
  ) => {
    const atThatTime = {
      async query(text: string, values?: unknown[]) {
        const answer = await client.query(text, values);
        if (text.startsWith('LOCK TABLE')) {
          await client.query("SELECT set_config('revgate.at', $1, true)", [time.toISOString()]);
        }
        return answer;
      },
    };
    return run(ndjson(...Object.entries(prices).map(([slug, askingPrice]) => named(slug, { askingPrice }))), {
      client: atThatTime,
      ...options,
    });
  };
  /** By slug: the price, the one before it, and since when it is the price. */
  const read = async () => {
    const rows = await database.prisma.startup.findMany({ orderBy: { slug: 'asc' } });
    return Object.fromEntries(
      rows.map((row) => [
        row.slug,
        [
          Number(row.askingPrice),
          row.previousAskingPrice === null ? null : Number(row.previousAskingPrice),
          row.previousAskingPrice === null ? null : row.askingPriceChangedAt,
        ],
      ]),
    );
  };

  type Step = readonly [day: number, hour: number, price: number | null, ...earlier: [number, Date] | []];
  /** Imports of prices at some hours of some days, each with the earlier price afterwards and when that was changed. */
  test.each<[name: string, ...Step[]]>([
    [
      'is that before a reduction',
      [0, 0, 100],
      [1, 3, 80, 100, at(1, 3)],
      [2, 0, 80, 100, at(1, 3)],
      [3, 0, 90, 80, at(3, 0)],
    ],
    [
      'is none where one of both is none',
      [0, 0, null],
      [1, 0, 70],
      [2, 0, null],
      [3, 0, 60],
      [4, 0, 50, 60, at(4, 0)],
    ],
    [
      'follows from the last states of the days',
      [0, 0, 100],
      [0, 5, 90],
      [1, 1, 9000, 90, at(1, 1)],
      [1, 2, 90],
      [1, 3, 80, 90, at(1, 3)],
      [1, 4, 70, 90, at(1, 4)],
    ],
    [
      'is the one of before, with its time, where a wrong price is corrected on the same day',
      [0, 0, 100],
      [1, 6, 80, 100, at(1, 6)],
      [3, 1, 8, 80, at(3, 1)],
      [3, 2, 80, 100, at(1, 6)],
      [4, 0, 80, 100, at(1, 6)],
    ],
  ])('has an earlier one that %s', async (_name, ...steps) => {
    for (const [day, hour, price, previous = null, since = null] of steps) {
      // Another startup stays as it is.
      await importPrices({ other: 5, startup: price }, at(day, hour));
      expect(await read()).toEqual({ other: [5, null, null], startup: [Number(price), previous, since] });
    }
  });

  test('keeps its earlier one when the points before are removed, also after a correction', async () => {
    await importPrices({ a: 100 }, at(0, 0));
    await importPrices({ a: 80 }, at(1, 6));
    await client.query('DELETE FROM startup_points WHERE day < $1', [at(1, 0)]);
    await importPrices({ a: 8 }, at(3, 1));
    await importPrices({ a: 80 }, at(3, 2));
    expect(await read()).toEqual({ a: [80, 100, at(1, 6)] });
  });

  test('began with the import of its day, also if a past day turns out to have had another one', async () => {
    await importPrices({ a: 80 }, at(8, 7));
    const day = at(6, 0).toISOString().slice(0, 10);
    await importPrices({ a: 90 }, at(9, 0), { asOf: { day, historyDays: 730 } });
    expect(await read()).toEqual({ a: [80, 90, at(8, 7)] });
    await importPrices({ a: 80 }, at(9, 0), { asOf: { day, historyDays: 730 } });
    expect(await read()).toEqual({ a: [80, null, null] });
  });

  test.each(['its points', 'the points of an earlier version'])(
    'has its earlier one after a restore with %s, from which the next import continues',
    async (which) => {
      await importPrices({ a: 100, b: 100, c: null }, at(0, 0));
      await importPrices({ a: 80, b: 120, c: 70 }, at(1, 0));
      const rows = await read();
      expect(rows).toEqual({ a: [80, 100, at(1, 0)], b: [120, 100, at(1, 0)], c: [70, null, null] });
      const path = await backUp(database);
      if (which !== 'its points') {
        rewrite(path, (text) => text.replaceAll(',"previous_asking_price","asking_price_changed_at"]', ']'));
      }
      await importPrices({ a: 60, b: null }, at(2, 0));
      await restore(database, path);
      expect(await read()).toEqual(rows);
      await importPrices({ a: 60, b: null, c: 7 }, at(2, 0));
      await importPrices({ a: 80, b: null, c: 70 }, at(2, 1));
      expect(await read()).toEqual({ a: [80, 100, at(1, 0)], b: [0, null, null], c: [70, null, null] });
    },
  );
});
