import { beforeEach, describe, expect, it } from 'vitest';
import type { OperatorError } from '../../../src/lib/errors.ts';
import { checkMapping } from '../../../src/startups/import/columns/check-mapping.ts';
import { importFieldsFor } from '../../../src/startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../src/startups/import/columns/mapping.ts';
import { noteText } from '../../../src/startups/import/columns/words.ts';
import { readDeclared } from '../../../src/startups/import/declared.ts';
import { examineTable } from '../../../src/startups/import/examine.ts';
import type { ImportOptions } from '../../../src/startups/import/import.ts';
import { importAndRecord } from '../../../src/startups/import/import-log.ts';
import type { ImportInput } from '../../../src/startups/import/rows/input.ts';
import { undoImport } from '../../../src/startups/import/undo.ts';
import type { OwnKind } from '../../../src/startups/model/own-fields.ts';
import { addOwnField, type NewOwnField, removeOwnField } from '../../../src/startups/own/declarations.ts';
import { backUp, restore } from '../../db/backup/backup-file.ts';
import { openTestDatabase } from '../../support/database.ts';
import { record } from '../../support/records.ts';
import { avoidMidnight, input, leastDefaults, lineOutput, ndjson } from './inputs.ts';

await avoidMidnight();
const database = await openTestDatabase();
const client = await database.openClient();

/** A field of each kind, some with names that objects have anyway. */
const declarations: readonly (NewOwnField & { readonly kind: OwnKind })[] = [
  { name: 'note', kind: 'text' },
  { name: 'deck', kind: 'url' },
  { name: 'employees', kind: 'count', indexed: true },
  { name: 'annualProfit', kind: 'cents', indexed: true },
  { name: 'churn', kind: 'percent' },
  { name: 'constructor', kind: 'number', label: 'Score' },
  { name: 'incorporated', kind: 'date' },
  { name: 'type', kind: 'boolean' },
  { name: 'stage', kind: 'choice', indexed: true },
  { name: 'tags', kind: 'texts' },
];

beforeEach(async () => {
  await client.query(
    'TRUNCATE startups, startup_removals, market_days, imports, own_fields RESTART IDENTITY CASCADE',
  );
  for (const field of declarations) {
    await addOwnField(database.prisma, field);
  }
});

const readImportFields = async (mapping?: Mapping) => importFieldsFor(await readDeclared(client), mapping);

async function run(source: ImportInput, options: Partial<ImportOptions> = {}) {
  const fields = await readImportFields(options.mapping);
  checkMapping(fields, options.mapping ?? {});
  return importAndRecord({
    client,
    kind: database.kind,
    fields,
    inputs: [source],
    user: 'op',
    via: 'command',
    now: Date.now,
    ...options,
  });
}

/** A record of a slug with these values of declared fields. */
const owning = (slug: string, own?: unknown) => ({ ...record(slug), ...(own !== undefined && { own }) });
const runRecords = (records: readonly object[], options: Partial<ImportOptions> = {}) =>
  run(input('a.ndjson', ndjson(...records)), options);

const refusal = (running: Promise<unknown>): Promise<readonly string[]> =>
  running.then(
    () => [],
    (error: unknown) => (error as OperatorError).lines,
  );

async function stored(): Promise<Record<string, unknown>> {
  const { rows } = await client.query('SELECT slug, own FROM startups ORDER BY id');
  return Object.fromEntries(rows.map(({ slug, own }) => [slug, own]));
}
const choices = async (): Promise<readonly string[] | undefined> =>
  (await readDeclared(client)).find(({ name }) => name === 'stage')?.choices;
const notes = ({ summary }: Awaited<ReturnType<typeof run>>): string[] => summary.notes.map(noteText);

const all = {
  note: 'Zoë\n"__proto__"',
  deck: 'https://a.example/deck?x=1',
  employees: 2 ** 31 - 1,
  annualProfit: -Number.MAX_SAFE_INTEGER,
  churn: -0.5,
  constructor: 1e-7,
  incorporated: '2020-01-02T03:04:05.006Z',
  type: false,
  stage: "Series 'A'",
  tags: ['a "b" \\', 'ü'],
};
const allStored = { ...all, incorporated: Date.UTC(2020, 0, 2, 3, 4, 5, 6) };

describe('an import with declared fields', () => {
  it('stores values of every kind, of NDJSON and of JSON, and nothing for null and empty lists', async () => {
    const none = Object.fromEntries(declarations.map(({ name }) => [name, null]));
    await runRecords([owning('a', all), owning('b', none), owning('c', { tags: [] }), owning('d', null)]);
    expect(await stored()).toEqual({ a: allStored, b: null, c: null, d: null });
    await run(input('a.json', JSON.stringify([owning('c', { type: true, employees: 0 }), owning('d', {})])));
    expect(await stored()).toEqual({ a: allStored, b: null, c: { type: true, employees: 0 }, d: null });
  });

  it.each([
    [{ employees: 1.5 }, 'own.employees: got 1.5, allowed an integer from 0 to 2147483647, or null'],
    [{ employees: -1 }, 'own.employees: got -1, allowed'],
    [
      { annualProfit: 0.5 },
      'own.annualProfit: got 0.5, allowed an integer number of cents from -9007199254740991',
    ],
    [{ churn: '5' }, 'own.churn: got "5", allowed a finite number'],
    [{ constructor: '5%' }, 'own.constructor: got "5%", allowed a finite number'],
    [{ deck: 'javascript:alert(1)' }, 'own.deck: got "javascript:alert(1)", allowed an http or https URL'],
    [{ note: 'a\0b' }, 'own.note: got '],
    [{ incorporated: '2020-02-30' }, 'own.incorporated: got "2020-02-30"'],
    [{ type: 'yes' }, 'own.type: got "yes", allowed true or false'],
    [{ tags: ['a,b'] }, 'own.tags: got '],
    [
      { stage: 'Seed, later' },
      'own.stage: got "Seed, later", allowed text of 1 to 100 characters without commas',
    ],
    [{ stage: 'Seed\nlater' }, 'own.stage: got '],
    [{ stage: ' ' }, 'own.stage: got " "'],
    [{ stage: 5 }, 'own.stage: got 5'],
    [5, 'own: got 5, allowed an object with note, deck, employees'],
    [{ employes: 1 }, 'own.employes: got 1, allowed only known fields; did you mean "own.employees"?'],
    [
      { offices: 1 },
      'own.offices: got 1, allowed only known fields; declare it first: npx revgate fields add offices KIND, or "fields" in the mapping',
    ],
    [{ __proto__x: 1 }, 'the name of a field has 1 to 40 letters and digits'],
  ])('refuses %j', async (own, message) => {
    const lines = await refusal(runRecords([owning('a', own)]));
    expect(lines.join('\n')).toContain(message);
    expect(await stored()).toEqual({});
  });

  it('refuses a column of CSV that is not declared, and says how to declare it', async () => {
    const [line] = await refusal(run(input('a.csv', 'slug,own.offices\na,1\n'), { update: true }));
    expect(line).toMatch(
      /^a\.csv: line 1: header: got "own\.offices", allowed only known fields, .*; declare it first: npx revgate fields add offices KIND,/,
    );
  });

  it('reads CSV by names, labels and answers, with units as of ours', async () => {
    const base = Object.entries(record('a')).filter(([, value]) => typeof value !== 'object');
    const revenue = ['revenue.last30Days', 'revenue.mrr', 'revenue.total'];
    const header = [...base.map(([key]) => key), ...revenue, 'own.annualProfit', 'own.employees', 'own.tags'];
    const cells = [...base.map(([, value]) => value), 1, 2, 3, -5, '', '"x,y"'];
    await run(input('a.csv', `${header.join()}\n${cells.join()}\n`));
    expect(await stored()).toEqual({ a: { annualProfit: -5, tags: ['x', 'y'] } });

    const table = input(
      'b.csv',
      'Name,Annual profit,Employees,Score,Own rating,Stage\nAcme,"-1,250.50","1,200","1.234,5",7,Seed\nBeta,,,,,n/a\n',
    );
    const defaults = leastDefaults;
    const fields = await readImportFields();
    const asked = await examineTable(fields, table, { defaults });
    expect(Object.fromEntries(asked.columns.map(({ name, answer }) => [name, answer]))).toEqual({
      Name: 'name',
      'Annual profit': expect.stringMatching(/^\? own\.annualProfit: which unit: dollars/),
      Employees: 'own.employees:number,point',
      Score: 'own.constructor:number,comma',
      'Own rating': expect.stringMatching(/^left out/),
      Stage: 'own.stage',
    });
    const columns = { ...asked.mapping.columns, 'Annual profit': 'own.annualProfit:dollars,point' };
    const { summary } = await run(table, { mapping: { ...asked.mapping, columns } });
    expect(summary.examples[0]).toEqual(
      expect.arrayContaining([
        { path: 'own.annualProfit', text: '−$1,250.50' },
        { path: 'own.employees', text: '1,200' },
      ]),
    );
    expect(await stored()).toMatchObject({
      acme: { annualProfit: -125_050, employees: 1_200, constructor: 1234.5, stage: 'Seed' },
      beta: null,
    });
  });

  it('reads texts of JSON as numbers, also with separators and what people shorten', async () => {
    const scores = ['5', '1,250', '12k', '-2.5'];
    const rows = scores.map((Score, index) => ({ ...record(`s${index}`), Score }));
    const table = input('a.json', JSON.stringify(rows));
    const { columns, mapping } = await examineTable(await readImportFields(), table);
    expect(columns.find(({ name }) => name === 'Score')?.answer).toBe('own.constructor:number,point');
    await run(table, { mapping });
    expect(await stored()).toEqual({
      s0: { constructor: 5 },
      s1: { constructor: 1_250 },
      s2: { constructor: 12_000 },
      s3: { constructor: -2.5 },
    });

    const unmarked = { columns: { ...mapping.columns, Score: 'own.constructor:number' } };
    expect(await refusal(run(table, { mapping: unmarked }))).toEqual([
      expect.stringContaining('own.constructor: got "1,250"'),
      expect.any(String),
    ]);
  });

  it('takes the names of our fields for ours, and their other names for what is declared', async () => {
    await addOwnField(database.prisma, { name: 'rate', kind: 'percent', label: 'Customers' });
    const fields = await readImportFields();
    const table = input('a.csv', 'name,Customers,Employees,own.offices\nAcme,5,24,3\n');
    const { columns } = await examineTable(fields, table);
    expect(columns.map(({ name, field, reason }) => [name, field, reason])).toEqual([
      ['name', 'name', undefined],
      ['Customers', 'customers', undefined],
      ['Employees', 'own.employees', undefined],
      ['own.offices', null, { kind: 'heading', why: expect.stringContaining('fields add offices KIND') }],
    ]);
    const without = await examineTable(importFieldsFor([]), table);
    expect(without.columns.map(({ field }) => field)).toEqual(['name', 'customers', 'teamSize', null]);
  });

  it('adds new choices behind those before, sorted among themselves, and drops those that nobody has', async () => {
    await runRecords([owning('a', { stage: 'Seed' }), owning('b', { stage: 'Angel' })]);
    expect(await choices()).toEqual(['Angel', 'Seed']);
    await runRecords([owning('c', { stage: 'Series B' }), owning('d', { stage: ' Bridge ' })]);
    expect(await choices()).toEqual(['Angel', 'Seed', 'Bridge', 'Series B']);
    await runRecords([{ slug: 'a', own: { stage: 'Growth' } }], { update: true });
    expect(await choices()).toEqual(['Angel', 'Seed', 'Bridge', 'Series B', 'Growth']);
    await runRecords([owning('a', { stage: 'Growth' })], { replace: { yes: true } });
    expect(await choices()).toEqual(['Growth']);
  });

  it('allows 100 choices: the next is an error of its line', async () => {
    const many = Array.from({ length: 101 }, (_, index) => owning(`s${index}`, { stage: `Stage ${index}` }));
    const [line] = await refusal(runRecords(many));
    expect(line).toMatch(
      /line 101: own\.stage: got "Stage 100", allowed text .* one of at most 100 different ones, or null; there are 100 others already$/,
    );
    await runRecords(many.slice(0, 100));
    expect(await choices()).toHaveLength(100);
    expect(await refusal(runRecords([owning('other', { stage: 'Stage 0' }), many[100] as object]))).toEqual([
      expect.stringContaining('line 2: own.stage'),
      expect.anything(),
    ]);
    const kept = await runRecords([owning('other', { stage: 'Stage 0' }), many[100] as object], {
      skipInvalid: lineOutput(),
    });
    expect(kept.summary).toMatchObject({ created: 1, rejected: 1 });
    expect(await choices()).toHaveLength(100);
    await runRecords(
      [...Array(100).keys()].map((index) => owning(`s${index}`, { stage: `Other ${index}` })),
      { replace: { yes: true } },
    );
    expect((await choices())?.filter((value) => value.startsWith('Other'))).toHaveLength(100);
  });

  it('counts the choices of all startups before it commits', async () => {
    const many = Array.from({ length: 100 }, (_, index) => owning(`s${index}`, { stage: `Stage ${index}` }));
    const before = await readImportFields();
    await runRecords(many);
    // It began before the others were known.
    expect(await refusal(runRecords([owning('new', { stage: 'New' })], { fields: before }))).toEqual([
      'own.stage would have 101 different values, allowed: at most 100: nothing was written.',
    ]);
    // Its startups have what others had, which makes room.
    await runRecords([owning('s0', { stage: 'New' })], { fields: before });
    expect(await choices()).toHaveLength(100);
    expect((await choices())?.at(-1)).toBe('New');
  });

  it('merges an update in part: what it has is set or cleared, all else stays', async () => {
    await runRecords([owning('a', all), owning('b', { employees: 5 }), owning('c', { employees: 5 })]);
    const { summary } = await runRecords(
      [
        { slug: 'a', own: { employees: null, stage: 'Seed', tags: [] } },
        { slug: 'b', own: { employees: null } },
        { slug: 'c', customers: 7 },
        owning('new', { employees: null, churn: 3 }),
      ],
      { update: true, mapping: { defaults: { 'own.note': 'None' } } },
    );
    expect(summary.sets).toEqual(
      expect.arrayContaining([
        { field: 'own.employees', values: 0, cleared: 3 },
        { field: 'own.churn', values: 1, cleared: 0 },
        { field: 'own.stage', values: 1, cleared: 0 },
        { field: 'own.tags', values: 0, cleared: 1 },
      ]),
    );
    const { employees: _employees, tags: _tags, ...rest } = allStored;
    expect(await stored()).toEqual({
      a: { ...rest, stage: 'Seed' },
      b: null,
      c: { employees: 5 },
      new: { note: 'None', churn: 3 },
    });
    await run(input('u.csv', 'slug,customers,own.note,own.type\na,7,,\n'), { update: true });
    const { note: _note, type: _type, ...kept } = rest;
    expect((await stored()).a).toEqual({ ...kept, stage: 'Seed' });
    await runRecords([{ slug: 'a', own: null }], { update: true });
    expect((await stored()).a).toBeNull();
  });

  it('clears what a full import does not have, and says so before', async () => {
    await runRecords([owning('a', all), owning('b', { employees: 5 }), owning('c', { employees: 5 })]);
    const before = await stored();
    const records = [owning('a', { stage: 'Seed' }), owning('b'), owning('c', { employees: 6 })];
    const expected = [
      'own.note: 1 startup loses its value, as the file has none. To keep what a file does not have, use --update.',
      'own.employees: 2 startups lose their values, as the file has none. To keep what a file does not have, use --update.',
    ];
    expect(notes(await runRecords(records, { dryRun: true }))).toEqual(expect.arrayContaining(expected));
    expect(await stored()).toEqual(before);
    expect(notes(await runRecords(records))).toEqual(expect.arrayContaining(expected));
    expect(await stored()).toEqual({ a: { stage: 'Seed' }, b: null, c: { employees: 6 } });
    expect(notes(await runRecords(records))).toEqual([]);
  });

  it('is undone with its values, while declarations stay', async () => {
    await runRecords([owning('a', all), owning('b', { employees: 5, stage: 'Seed' }), owning('c')]);
    const before = await stored();
    const mapping: Mapping = { fields: { offices: { kind: 'count' } } };
    await runRecords([owning('a', { offices: 3 }), owning('new', { stage: 'New' })], {
      mapping,
      replace: { yes: true },
    });
    expect(await stored()).toEqual({ a: { offices: 3 }, new: { stage: 'New' } });
    expect(await choices()).toEqual(['New']);
    await undoImport({ client, kind: database.kind, importId: undefined, dryRun: false, user: 'op' });
    expect(await stored()).toEqual(before);
    expect(await choices()).toEqual(['New', 'Seed', "Series 'A'"]);
    expect((await readDeclared(client)).at(-1)).toMatchObject({ name: 'offices', label: 'Offices' });
  });

  it('is undone without values of fields that were removed since', async () => {
    await runRecords([owning('a', { employees: 5, churn: 1 })]);
    await runRecords([owning('a', { churn: 1 }), owning('b')]);
    await database.prisma.$transaction((transaction) => removeOwnField(transaction, 'employees'));
    await addOwnField(database.prisma, { name: 'employees', kind: 'text' });
    await undoImport({ client, kind: database.kind, importId: undefined, dryRun: false, user: 'op' });
    expect(await stored()).toEqual({ a: { churn: 1 } });
  });

  it('leaves declared fields of newer data alone as of a past day', async () => {
    const today = new Date();
    const day = new Date(today.getTime() - 86_400_000 * 3).toISOString().slice(0, 10);
    await runRecords([owning('a', { employees: 5 })]);
    const asOf = { day, historyDays: 400 };
    const { summary } = await runRecords([owning('a', { employees: 7 })], { asOf });
    expect([summary.points, notes({ summary } as never)]).toEqual([1, []]);
    expect(await stored()).toEqual({ a: { employees: 5 } });
  });
});

describe('an import that declares fields', () => {
  const mapping: Mapping = {
    columns: { Offices: 'own.offices:count', Cash: 'own.cash:dollars' },
    defaults: { 'own.region': 'EU' },
    fields: {
      offices: { kind: 'count', label: 'Offices of all', sortable: true },
      cash: { kind: 'cents' },
      region: { kind: 'choice', description: 'Where it is.' },
      employees: { kind: 'count', label: 'Other' },
    },
  };
  const header = 'slug,Offices,Cash\n';

  it('declares them with what it imports, and nothing in a dry run or if it fails', async () => {
    await runRecords([owning('a')]);
    const before = await readDeclared(client);
    const file = (cells: string) => input('a.csv', `${header}a,${cells}\n`);
    const declared = 'own.offices: declared with this import, as count ("Offices of all").';
    const dry = await run(file('3,$5'), { mapping, update: true, dryRun: true });
    expect(notes(dry)).toContain(declared);
    expect(await refusal(run(file('x,$5'), { mapping, update: true }))).not.toEqual([]);
    expect(await readDeclared(client)).toEqual(before);

    const done = await run(file('3,$5'), { mapping, update: true });
    expect(notes(done)).toContain(declared);
    expect((await readDeclared(client)).slice(before.length)).toEqual([
      {
        name: 'offices',
        kind: 'count',
        label: 'Offices of all',
        description: null,
        indexed: true,
        choices: [],
      },
      { name: 'cash', kind: 'cents', label: 'Cash', description: null, indexed: false, choices: [] },
      {
        name: 'region',
        kind: 'choice',
        label: 'Region',
        description: 'Where it is.',
        indexed: false,
        choices: [],
      },
    ]);
    expect(await stored()).toEqual({ a: { offices: 3, cash: 500 } });
    const { rows } = await client.query(
      "SELECT subject, details FROM audit_log WHERE action = 'field.add' AND subject = 'offices' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([
      { subject: 'offices', details: { kind: 'count', label: 'Offices of all', sortable: true } },
    ]);
    // Again, they are declared.
    expect(notes(await run(file('4,$5'), { mapping, update: true }))).toEqual([]);
    expect(await stored()).toEqual({ a: { offices: 4, cash: 500 } });
  });

  it.each([
    [{ employees: { kind: 'text' } }, 'employees is declared as count, but the mapping says "text"'],
    [{ Employees: { kind: 'count' } }, 'name: got "Employees", allowed: 1 to 40 letters'],
    [{ eMployees: { kind: 'count' } }, 'There is a field "employees" already'],
    [{ customers: { kind: 'count' } }, 'which is a name of ours'],
    [{ offices: { kind: 'integer' } }, 'kind of "offices": got "integer", allowed: one of text, url'],
    [{ offices: { kind: 'text', sortable: true } }, 'cannot be sortable'],
  ])('refuses to declare %j', async (fields, message) => {
    const lines = await refusal(runRecords([owning('a')], { mapping: { fields } }));
    expect(lines.join(' ')).toContain(message);
  });

  it('refuses more fields than there can be', async () => {
    const names = Array.from({ length: 31 }, (_, index) => `f${index}`);
    const fields = Object.fromEntries(names.map((name) => [name, { kind: 'count' }]));
    const lines = await refusal(runRecords([owning('a')], { mapping: { fields } }));
    expect(lines).toEqual(['There are 40 fields already, which is the most.']);
  });

  it('refuses what is declared otherwise, or removed, while it runs', async () => {
    const fields = await readImportFields();
    await database.prisma.$transaction((transaction) => removeOwnField(transaction, 'stage'));
    const records = [owning('a', { stage: 'Seed' })];
    expect(await refusal(runRecords(records, { fields }))).toEqual([
      'The field "stage" was removed during the import: nothing was written. Run it again.',
    ]);
    await addOwnField(database.prisma, { name: 'stage', kind: 'text' });
    expect(await refusal(runRecords(records, { fields }))).toEqual([
      'The field "stage" was declared anew during the import: nothing was written. Run it again.',
    ]);
    expect(await stored()).toEqual({});
  });

  it.each([
    ['own.employees:count', true],
    ['own.employees:number', true],
    ['own.churn:percent', true],
    ['own.incorporated:date', true],
    ['own.note:text', true],
    ['own.note:count', false],
    ['own.employees:text', false],
  ])(
    'takes the kind of a field in an answer, %s, as one that says nothing new',
    async (answer, isAllowed) => {
      const lines = await refusal(
        runRecords([{ slug: 'a', x: null }], {
          update: true,
          dryRun: true,
          mapping: { columns: { x: answer } },
        }),
      );
      expect(lines.some((line) => line.includes('The column "x"'))).toBe(!isAllowed);
    },
  );

  it('refuses a mapping that names a field that is not declared, and says how to declare it', async () => {
    for (const part of [
      { columns: { A: 'own.offices:count' } },
      { defaults: { 'own.offices': '3' } },
      { values: { 'own.offices': { x: '3' } } },
    ]) {
      expect((await refusal(runRecords([owning('a')], { mapping: part }))).join()).toMatch(
        /"own\.offices", which is no field; declare it first: npx revgate fields add offices KIND, or "fields" in the mapping$/,
      );
    }
  });
});

it('imports of declared fields are in backups', async () => {
  await runRecords([owning('a', all), owning('b')]);
  const [before, declared] = [await stored(), await readDeclared(client)];
  const file = await backUp(database);
  await client.query('TRUNCATE startups, own_fields CASCADE');
  await restore(database, file);
  expect(await stored()).toEqual(before);
  expect(await readDeclared(client)).toEqual(declared);
});
