import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addOwnField, readOwnFields, removeOwnField } from '../../../src/startups/own/declarations.ts';
import { rowsOf, textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { expectPage, openSite } from './site.ts';
import { type Fields, formOn, sendUpload } from './upload-form.ts';

// Columns that are fields of the operators' own, in an upload.

const site = await openSite({ records: [record('kept')] });
const { prisma } = site.database;
const op = await site.operator('op@example.com');

/** Until the gateway has loaded what an import has declared. */
const WAITING_MS = 10_000;

beforeEach(async () => {
  site.nextMinute();
  await prisma.ownField.deleteMany();
});

const upload = async (fields: Fields, content?: string) => {
  const answer = await sendUpload(site, op, fields, content);
  return { ...answer, told: textIn(answer.text), form: formOn(answer.text) };
};

/** What every startup needs, so that nothing is asked about these columns. */
const REQUIRED = {
  Company: 'Own',
  'Verified by': 'stripe',
  'Revenue last 30 days ($)': '100',
  'MRR ($)': '80',
  'Total revenue ($)': '1000',
  Customers: '10',
  'Active subscriptions': '5',
  'On sale': 'no',
};
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** A table of startups `own-0`, `own-1` and so on, with more columns: the heading, and the value of each startup. */
function tableWith(...columns: readonly (readonly [heading: string, ...values: string[]])[]): string {
  const head = [...Object.keys(REQUIRED), ...columns.map(([heading]) => heading)];
  const rows = (columns[0] ?? [])
    .slice(1)
    .map((_, index) => [
      ...Object.values({ ...REQUIRED, Company: `Own ${index}` }),
      ...columns.map((column) => column[index + 1] ?? ''),
    ]);
  return [head, ...rows].map((cells) => `${cells.map(quoted).join()}\n`).join('');
}

/** The number of a column in the form that has it. */
const indexOf = (form: Fields, column: string): string => {
  const [name] =
    Object.entries(form).find(([key, value]) => /^column\.\d+\.name$/.test(key) && value === column) ?? [];
  return name?.split('.')[1] ?? 'none';
};
/** What the fields of the operators' own are of a startup. */
async function ownOf(slug: string): Promise<unknown> {
  const rows = await prisma.$queryRaw<{ own: unknown }[]>`SELECT own FROM startups WHERE slug = ${slug}`;
  return rows[0]?.own;
}

describe('a declared field', () => {
  const TABLE = tableWith(['Profit after tax', '1,200', 'n/a', '-3']);
  const declare = () => addOwnField(prisma, { name: 'netProfit', kind: 'cents', label: 'Profit after tax' });

  it('is recognized by its label, with the questions of its kind, and is shown by that label', async () => {
    await declare();
    const { form, told, text } = await upload({}, TABLE);
    const column = `column.${indexOf(form, 'Profit after tax')}`;
    expect(form).toMatchObject({ [`${column}.field`]: 'own.netProfit', [`${column}.notation`]: '' });
    expect(told).toContain('1 question left');
    expect(told).toContain('Which unit: dollars');
    expect(text).toContain('<option value="own.netProfit" selected="">Profit after tax</option>');
    const preview = await upload({ ...form, [`${column}.notation`]: 'dollars,point', act: 'preview' });
    expectPage(preview, 200, 'Import 3 records', '$1,200.00', 'Profit after tax');
    expect(preview.told).not.toContain('own.netProfit');
    const done = await upload({ ...preview.form, act: 'import' });
    expect(done.status).toBe(303);
    expect([await ownOf('own-0'), await ownOf('own-1'), await ownOf('own-2')]).toEqual([
      { netProfit: 120_000 },
      null,
      { netProfit: -300 },
    ]);
  });

  it('shows errors of its values by its label', async () => {
    await addOwnField(prisma, { name: 'since', kind: 'date', label: 'Member since' });
    const { form } = await upload({}, tableWith(['Member since', '2024-01-02', '2024-02-02', 'soon']));
    const preview = await upload({ ...form, 'own.since.0.is': 'invalid', act: 'preview' });
    expectPage(preview, 400, '1 of 3 records is invalid.');
    expect(rowsOf(preview.text, 'Errors')).toEqual([['Member since', '4', 'soon', 'Not a date.']]);
  });

  it('that is removed or declared anew during an upload ends it, with a way out', async () => {
    await declare();
    const { form } = await upload({}, TABLE);
    const columns = form.action ?? '';
    await prisma.$transaction((transaction) => removeOwnField(transaction, 'netProfit'));
    for (const answer of [await op.get(columns), await upload({ ...form, act: 'columns' })]) {
      expectPage(answer, 409, 'The field “own.netProfit” was removed. Nothing was imported.');
    }
    expectPage(await op.submit(columns.replace('columns', 'remove')), 200, 'The file was removed.');
  });
});

const FOREIGN = tableWith(
  ['Headcount', '24', '1,250', ''],
  ['Net profit', '$1.2k', '-$300', '$5'],
  ['Churn', '12%', '3.5%', '0%'],
  ['Member since', '2024-03-15', '15 March 2023', ''],
  ['Stage', 'Seed', 'seed', 'Series A'],
  ['Remarks', 'Good, fast.', '', 'x'],
);
const KINDS: Fields = {
  Headcount: 'count',
  'Net profit': 'cents',
  Churn: 'percent',
  'Member since': 'date',
  Stage: 'choice',
  Remarks: 'text',
};
const NAMES = ['headcount', 'netProfit', 'churn', 'memberSince', 'stage', 'remarks'];

/** Of a column, the fields of the form with their names after its number. */
const answersFor = (form: Fields, column: string, answers: Fields): Fields =>
  Object.fromEntries(
    Object.entries(answers).map(([name, value]) => [`column.${indexOf(form, column)}.${name}`, value]),
  );
const readColumn = (form: Fields, column: string): Fields => {
  const start = `column.${indexOf(form, column)}.`;
  const own = Object.entries(form).filter(([name]) => name.startsWith(start));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(start.length), value]));
};
/** Keeps columns as fields of their own. */
const keep = (form: Fields, kinds: Fields, act = 'columns') =>
  upload({
    ...form,
    ...Object.assign(
      {},
      ...Object.entries(kinds).map(([column, kind]) => answersFor(form, column, { field: `new:${kind}` })),
    ),
    act,
  });
const keptMapping = async (): Promise<{ fields?: Record<string, unknown>; columns: Fields }> => {
  const { answers } = await prisma.keptUpload.findUniqueOrThrow({ where: { accountId: op.accountId } });
  return JSON.parse(answers).settings.mapping;
};
/** Uploads a file, and opens the step of its columns, also where nothing is asked. */
const uploadColumns = async (content: string) => {
  const { form } = await upload({}, content);
  const { text } = await op.get((form.action ?? '').replace('preview', 'columns'));
  return { text, told: textIn(text), form: formOn(text) };
};
const declared = async () => (await readOwnFields(prisma)).map(({ name }) => name);

describe('a column that no field is for', () => {
  it('can be kept as a new field of a kind, with others of the file, from the upload to the first query', async () => {
    const first = await uploadColumns(FOREIGN);
    expect(first.told).toContain('Nothing to answer');
    expect(first.told).toContain('can be kept as fields of your own: choose a kind');
    expect(first.text).toContain('<optgroup label="Keep as a field of your own">');
    const kept = await keep(first.form, KINDS);
    expect(kept.told).toContain('Nothing to answer');
    expect(kept.told).not.toContain('can be kept as fields of your own: choose');
    expect(readColumn(kept.form, 'Net profit')).toMatchObject({
      field: 'own.netProfit',
      own: 'netProfit',
      label: 'Net profit',
      sortable: 'on',
      notation: 'dollars',
    });
    expect(readColumn(kept.form, 'Remarks')).not.toHaveProperty('sortable');
    expect(kept.told).toContain('$1.2k → $1,200.00');
    // As it is opened again.
    expect(formOn((await op.get(kept.form.action ?? '')).text)).toEqual(kept.form);
    const preview = await upload({ ...kept.form, act: 'preview' });
    expectPage(preview, 200, 'Import 3 records', 'Net profit: declared with this import, as own.netProfit');
    expect(preview.told).toContain('−$300.00');
    expect(await declared()).toEqual([]);

    const { location = '' } = (await upload({ ...preview.form, save: 'foreign', act: 'import' })).headers;
    expectPage(await op.get(location), 200, 'Net profit: declared with this import');
    expect(await declared()).toEqual(NAMES);
    const { key } = await op.createKey({ name: 'reader' });
    const query = `{ startup(slug: "own-0") { own { ${NAMES.join(' ')} } } }`;
    await vi.waitFor(async () => {
      await site.notice();
      const { json } = await site.post({ query }, { key });
      expect(json.data?.startup.own).toEqual({
        headcount: 24,
        netProfit: 120_000,
        churn: 12,
        memberSince: '2024-03-15T00:00:00.000Z',
        stage: 'Seed',
        remarks: 'Good, fast.',
      });
    }, WAITING_MS);

    // The next file of this kind, by itself and by the stored mapping.
    for (const fields of [{}, { stored: 'foreign' }]) {
      const again = await upload(fields, FOREIGN);
      expectPage(again, 200, 'Import 3 records', 'Unchanged3');
      expect(again.told).not.toContain('declared with');
    }
  });

  it('asks for what its values do not say, as for all fields', async () => {
    const { form } = await uploadColumns(
      tableWith(['Costs', '1,200', '90'], ['Start', '03/04/2024', '05/06/2024']),
    );
    const kept = await keep(form, { Costs: 'cents', Start: 'date' });
    expect(kept.told).toContain('2 questions left');
    expect(readColumn(kept.form, 'Costs')).toMatchObject({ field: 'own.costs', own: 'costs', notation: '' });
    const answers = {
      ...answersFor(kept.form, 'Costs', { notation: 'thousands,point', own: 'yearlyCosts' }),
      ...answersFor(kept.form, 'Start', { notation: 'day-first' }),
    };
    const { told } = await upload({ ...kept.form, ...answers, act: 'columns' });
    expect(told).toContain('Nothing to answer');
    expect((await keptMapping()).columns).toMatchObject({
      Costs: 'own.yearlyCosts:thousands,point',
      Start: 'own.start:day-first',
    });
  });

  it('gets another name, label and order, and keeps what is not allowed with the reason', async () => {
    await addOwnField(prisma, { name: 'taken', kind: 'text' });
    const { form } = await uploadColumns(tableWith(['Costs', '$3'], ['Stage', 'Seed']));
    const kept = await keep(form, { Costs: 'cents', Stage: 'choice' });
    const change = async (answers: Fields, act: string) => {
      const sent = { ...kept.form, ...answersFor(kept.form, 'Costs', answers), act };
      return upload(sent);
    };
    for (const [own, label, message] of [
      ['Costs', 'Costs', 'Name: got “Costs”, allowed: 1 to 40 letters and digits'],
      ['askingPrice', 'Costs', 'which is a name of ours: choose another one.'],
      ['TAKEN', 'Costs', 'Name: got “TAKEN”, allowed: 1 to 40'],
      ['tAKEN', 'Costs', 'There is a field “taken” already'],
      ['stage', 'Costs', 'There is a field “stage” already'],
      ['costs', ' ', 'Label: got “”, allowed: 1 to 60 characters'],
    ] as const) {
      const wrong = await change({ own, label }, 'preview');
      expectPage(wrong, 400, message, 'There is no preview yet: 1 question is left.', 'Next: Costs');
      expect(readColumn(wrong.form, 'Costs')).toMatchObject({ own, label: label.trim(), field: 'own.costs' });
      // As it is opened again, also by the path of the preview.
      const again = await op.get((form.action ?? '').replace('columns', 'preview'));
      expect(again.headers.location).toBe(form.action);
      expectPage(await op.get(form.action ?? ''), 200, message);
    }
    const right = await change({ own: 'spending', label: 'Spending per year', sortable: '' }, 'columns');
    expect(right.told).toContain('Nothing to answer');
    expect(readColumn(right.form, 'Costs')).toMatchObject({ own: 'spending', field: 'own.spending' });
    expect((await keptMapping()).fields).toEqual({
      spending: { kind: 'cents', label: 'Spending per year' },
      stage: { kind: 'choice', label: 'Stage', sortable: true },
    });
  });

  it('is left out again, or kept as another kind', async () => {
    const { form } = await uploadColumns(tableWith(['Members', '10', 'many'], ['Size (m²)', '3', '4']));
    const kept = await keep(form, { Members: 'count', 'Size (m²)': 'number' });
    expect(readColumn(kept.form, 'Size (m²)')).toMatchObject({ own: 'sizeM2', label: 'Size (m²)' });
    expect(kept.told).toContain('“many” needs an answer');
    const renamed = await upload({
      ...kept.form,
      ...answersFor(kept.form, 'Members', { own: 'people' }),
      'own.members.0.is': 'invalid',
      act: 'columns',
    });
    expect(renamed.form).toMatchObject({ 'own.people.0.is': 'invalid' });
    const text = await keep(renamed.form, { Members: 'text' });
    expect(text.told).toContain('Nothing to answer');
    expect(await keptMapping()).toMatchObject({
      columns: { Members: 'own.people' },
      fields: { people: { kind: 'text', label: 'Members' } },
    });
    const out = answersFor(text.form, 'Members', { field: '' });
    const more = answersFor(text.form, 'Size (m²)', { field: '' });
    const none = await upload({ ...text.form, ...out, ...more, act: 'columns' });
    expect(await keptMapping()).not.toHaveProperty('fields');
    expect(none.text).not.toContain('new field');
    const preview = await upload({ ...none.form, act: 'preview' });
    expect((await upload({ ...preview.form, act: 'import' })).status).toBe(303);
    expect(await declared()).toEqual([]);
  });

  it('of a stored mapping keeps its value for startups that have none, under its new name', async () => {
    const mapping = {
      columns: { Stage: 'own.stage' },
      defaults: { 'own.stage': 'None' },
      fields: { stage: { kind: 'choice' }, absent: { kind: 'text' } },
    };
    const stored = { mapping, name: 'stages', savedBy: 'x', savedAt: new Date(0) };
    await prisma.importMapping.create({ data: stored });
    const first = await upload({ stored: 'stages' }, tableWith(['Stage', 'Seed', '']));
    const { text } = await op.get((first.form.action ?? '').replace('preview', 'columns'));
    const form = formOn(text);
    const renamed = await upload({ ...form, ...answersFor(form, 'Stage', { own: 'phase' }), act: 'columns' });
    expect(await keptMapping()).toMatchObject({
      columns: { Stage: 'own.phase' },
      defaults: { 'own.phase': 'None' },
      // That one is of another file.
      fields: { phase: { kind: 'choice', label: 'Stage' }, absent: { kind: 'text', label: 'Absent' } },
    });
    const out = { ...renamed.form, ...answersFor(renamed.form, 'Stage', { field: '' }), act: 'preview' };
    expectPage(await upload(out), 200, 'Import 2 records');
    expect(await keptMapping()).toMatchObject({ fields: { phase: { kind: 'choice' } } });
  });

  it('gets a name that no other field has, from any heading', async () => {
    await addOwnField(prisma, { name: 'costs', kind: 'text', label: 'Other' });
    const headings = [
      'Costs!',
      'costs?',
      'Name (legal)',
      '2024 budget',
      '会社',
      'own.staff',
      `${'Long '.repeat(20)}`,
      'Slug history',
    ];
    const { form } = await uploadColumns(tableWith(...headings.map((heading) => [heading, '1'] as const)));
    const kept = await keep(form, Object.fromEntries(headings.map((heading) => [heading.trim(), 'text'])));
    expect(Object.keys((await keptMapping()).fields ?? {})).toEqual([
      'costs2',
      'costs3',
      'nameLegal',
      'field2024Budget',
      'field',
      'staff',
      'longLongLongLongLongLongLongLongLongLong',
      'slugHistory',
    ]);
    expect(kept.status).toBe(200);
  });

  it('is one of at most 40, of which 12 are sortable', async () => {
    for (let index = 0; index < 38; index += 1) {
      await addOwnField(prisma, { name: `f${index}`, kind: 'count', indexed: index < 11 });
    }
    const { form } = await uploadColumns(tableWith(['One', '1'], ['Two', '2'], ['Three', '3']));
    const kept = await keep(form, { One: 'count', Two: 'count', Three: 'count' });
    expect(readColumn(kept.form, 'One')).toMatchObject({ sortable: 'on' });
    expect(readColumn(kept.form, 'Two')).not.toHaveProperty('sortable');
    expect(readColumn(kept.form, 'Three')).toMatchObject({ field: '' });
    expect(kept.told).toContain('There are 40 fields of your own already, which is the most');
    const both = await upload({
      ...kept.form,
      ...answersFor(kept.form, 'Two', { sortable: 'on' }),
      act: 'columns',
    });
    expect(both.told).toContain('12 fields are sortable already, which is the most.');
    expect(readColumn(both.form, 'Two')).toMatchObject({ sortable: 'on' });
    const other = answersFor(both.form, 'One', { sortable: '' });
    const swapped = await upload({ ...both.form, ...other, act: 'columns' });
    expect(swapped.told).toContain('Nothing to answer');
    expect((await keptMapping()).fields).toEqual({
      one: { kind: 'count', label: 'One' },
      two: { kind: 'count', label: 'Two', sortable: true },
    });
  });
});
