import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { demoteAccount, disableAccount } from '../../../src/access/accounts/change.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { listImports } from '../../../src/startups/import/import-log.ts';
import { listMappings } from '../../../src/startups/import/stored-mappings.ts';
import { ErrorTable } from '../../../src/web/dashboard/imports/error-table.tsx';
import { decoded, rowsOf, textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { setUpFactor } from './factor.ts';
import { type Browser, expectPage, openSite, textOf } from './site.ts';
import { type Fields, formOn, sendUpload, UPLOAD } from './upload-form.ts';

const site = await openSite({ records: [record('kept')] });
const { prisma } = site.database;
const op = await site.operator('op@example.com');
const holder = await site.member('holder@example.com');

const LIST = '/dashboard/operator/imports';
const TABLE =
  'Company,MRR,Customers,Industry,Note\nAcme,"$1,250.50",30,Artificial Intelligence,x\nGlobex,$900,2,Oddities,\n';

/** Of the required fields that the table lacks. */
const ANSWERS: Fields = {
  paymentProvider: 'stripe',
  'revenue.last30Days': '0',
  'revenue.total': '0',
  activeSubscriptions: '0',
  onSale: 'false',
};

/** The columns of a page in a state, each with its proof. */
const columnsIn = (text: string, state: string): string[] => {
  const [, list = ''] = new RegExp(`<h2>${state}</h2>([\\s\\S]*?)</section>`).exec(text) ?? [];
  return list.split('<strong>').slice(1).map(textIn);
};

/** A form with each question for a required field answered. */
function answered(form: Fields): Fields {
  const answers = Object.entries(form)
    .filter(([name]) => /^default\.\d+\.field$/.test(name))
    .map(([name, path]) => [name.replace('.field', '.value'), ANSWERS[path] ?? '']);
  return { ...form, ...Object.fromEntries(answers) };
}

const send = (browser: Browser, fields: Fields, content?: string, headers?: Fields, name?: string) =>
  sendUpload(site, browser, fields, content, headers, name);
/** What the operator is asked, and what it was told. */
const upload = async (fields: Fields, content: string) => {
  const answer = await send(op, fields, content);
  return { ...answer, told: textIn(answer.text), form: formOn(answer.text) };
};
/** The answers that are kept with the operator's file. */
const keptMapping = async (): Promise<unknown> => {
  const where = { accountId: op.accountId };
  const { answers } = await prisma.keptUpload.findUniqueOrThrow({ where });
  return JSON.parse(answers).settings.mapping;
};

const slugs = async (): Promise<string[]> =>
  (await prisma.startup.findMany({ orderBy: { slug: 'asc' } })).map(({ slug }) => slug);

describe('an upload', { shuffle: false }, () => {
  it('is from a page of the dashboard, which has a sample for operators', async () => {
    expect((await op.get(LIST)).text).toContain(`href="${UPLOAD}"`);
    const { text } = await op.get(UPLOAD);
    expect(text).toContain('enctype="multipart/form-data"');
    // What a file needs is said before one is chosen.
    expect(textIn(text)).toMatch(/FormatCSV, JSON.*Up to 20 MB.*Name; Verified by; .*MRR; .*other names/s);
    const [, sample = ''] = /href="([^"]*)" download="startups\.csv"/.exec(text) ?? [];
    const { text: content, headers } = await op.get(sample);
    expect(headers['content-type']).toBe('text/csv');
    // The sample goes straight to a preview that can be imported.
    expectPage(await send(op, {}, content), 200, '<li aria-current="step">Preview</li>', 'Import 3 records');
    expect((await holder.get(sample)).status).toBe(404);
    expect((await send(op, {}, TABLE, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('asks which of several lists of a JSON document has the startups, and keeps the answer', async () => {
    const content = JSON.stringify({
      old: [{ Company: 'Alder' }],
      now: { list: [{ Company: 'Birch' }] },
      more: [{}],
    });
    const sendList = (fields: Fields) => send(op, fields, content, {}, 'lists.json');
    const { status, text } = await sendList({});
    expect([status, textIn(text)]).toEqual([200, expect.stringContaining('Which list has the startups?')]);
    expect(formOn(text)).toMatchObject({ path: '' });
    expect([...text.matchAll(/<option value="([^"]*)"/g)].map(([, list]) => list)).toEqual([
      '',
      'old',
      'now.list',
      'more',
    ]);
    expectPage(await sendList(formOn(text)), 400, 'Choose the list that has the startups.');
    const columns = await sendList({ ...formOn(text), path: 'now.list' });
    expect([columns.status, textIn(columns.text)]).toEqual([200, expect.stringContaining('Birch')]);
    const preview = await sendList({ ...answered(formOn(columns.text)), act: 'preview' });
    expect(textIn(preview.text)).toContain('Birch');
    expect(textIn(preview.text)).not.toContain('Alder');
  });

  it('suggests columns, then shows what it would do, with errors, and imports nothing', async () => {
    const { status, text } = await send(op, {}, TABLE);
    expect(status).toBe(200);
    expect(text).toMatch(/<li class="done">File<\/li><li aria-current="step">Columns<\/li><li>Preview<\/li>/);
    expect(textIn(text)).toMatch(/table\.csv 1\d\d bytes/);
    const form = formOn(text);
    expect(form).toMatchObject({
      'column.0.name': 'Company',
      'column.0.field': 'name',
      'column.1.field': 'revenue.mrr',
      'column.1.notation': 'dollars',
      'column.1.format': 'point',
      'column.4.name': 'Note',
      'column.4.field': '',
    });
    // Each column with its proof, and why it is left out.
    expect(columnsIn(text, 'Matched')).toEqual([
      expect.stringContaining('Acme · Globex'),
      expect.stringMatching(/\$1,250\.50 · \$900 → \$900\.00\$900\.00 to \$1,250\.50(?!;)/),
      expect.stringContaining('30 · 2'),
    ]);
    expect(columnsIn(text, 'Needs an answer')).toEqual([
      expect.stringMatching(/Oddities → not allowed.*1 invalid value: “Oddities” in line 3/),
    ]);
    expect(columnsIn(text, 'Left out')).toEqual([expect.stringContaining('1 empty')]);
    expect(textIn(text)).toMatch(
      /6 questions leftNext: Oddities.*“Oddities” needs an answer.*Not recognized.*Verified by missing/s,
    );
    expect(form).toMatchObject({ 'category.0.text': 'Oddities', 'category.0.is': '' });
    // Nothing is made up for the required fields that the table lacks.
    const asked = Object.keys(ANSWERS).map((path, index) => [`default.${index}.field`, path]);
    expect(form).toMatchObject(Object.fromEntries(asked));
    expect(form).toMatchObject({ 'default.0.value': '', 'default.1.value': '' });
    expect(text.split('<span class="badge warn">missing</span>')).toHaveLength(asked.length + 1);
    // Nothing is wrong yet: the errors would say the same in other words.
    expect(textIn(text)).not.toMatch(/nothing was written|\d errors?\b|0 records|There is no preview/);
    expect(text).not.toContain('value="import"');
    const unanswered = await send(op, { ...form, act: 'preview' }, TABLE);
    expect(unanswered.status).toBe(400);
    expect(textIn(unanswered.text).split('There is no preview yet: 6 questions are left.')).toHaveLength(2);
    const wrong = { ...answered(form), 'category.0.is': 'invalid' };
    await prisma.startup.update({ where: { slug: 'kept' }, data: { sample: true } });
    const next = await send(op, { ...wrong, act: 'preview' }, TABLE);
    await prisma.startup.update({ where: { slug: 'kept' }, data: { sample: false } });
    expectPage(next, 400, '<li aria-current="step">Preview</li>');
    expect(rowsOf(next.text, 'Errors')).toEqual([['Category', '3', 'Oddities', 'Not an allowed value.']]);
    expect(textIn(next.text)).toMatch(/The first records, as customers will see them.*\$1,250\.50/s);
    // What it would do without the invalid record, before that is done.
    expect(next.text).toContain('<dt>Created</dt><dd>1</dd>');
    expect(next.text).toContain('<dt>Rejected</dt><dd>1</dd>');
    expect(textIn(next.text)).toContain('This import also removes the 1 sample startup.');
    // Once, and what can be done about it.
    expect(textIn(next.text).split('1 of 2 records is invalid.')).toHaveLength(2);
    expect(next.text).not.toContain('value="import"');
    expect(textIn(next.text)).toContain('Import 1, leave out 1');
    // Where each field is from.
    expect(textIn(next.text)).toMatch(/NameCompanyCategoryIndustry.*Verified bythe same for all/s);
    const skipped = await send(op, { ...formOn(next.text), skipInvalid: 'on' }, TABLE);
    expect(textIn(skipped.text)).not.toContain('Import 1, leave out 1');
    expectPage(skipped, 200, '<dt>Created</dt><dd>1</dd>', '<dt>Rejected</dt><dd>1</dd>');
    expect(formOn(skipped.text)).toMatchObject({ skipInvalid: 'on' });
    // Back, with all that was chosen for the columns: what they leave invalid is asked again.
    const back = formOn((await send(op, { ...formOn(skipped.text), act: 'columns' }, TABLE)).text);
    expect(back).toMatchObject({ 'column.1.notation': 'dollars', 'default.0.value': 'stripe' });
    expect(back).not.toHaveProperty('skipInvalid');
    expect(await slugs()).toEqual(['kept']);
  });

  it('assumes nothing, and re-checks each answer', async () => {
    site.nextMinute();
    const file = 'Startup,MRR,Price,Product\nAcme,1250,"1,250",x\nGlobex,900,,y\n';
    const first = await upload({}, file);
    expect(first.told).toMatch(/Which unit: dollars, cents/);
    expect(first.told).toContain('“Startup” and “Product” may be it: which one?');
    expect(first.form).toMatchObject({ 'column.0.field': '?', 'column.1.notation': '' });
    const again = await upload(
      {
        ...answered(first.form),
        'column.0.field': 'name',
        'column.1.notation': 'cents',
        'column.3.field': '',
        'column.2.notation': 'thousands',
        'column.2.format': 'point',
        act: 'columns',
      },
      file,
    );
    expect(again.form).toMatchObject({ 'column.1.notation': 'cents', 'column.2.format': 'point' });
    expect(again.told).toMatch(/1250 → \$12\.50.*1,250 → \$1,250,000\.00/s);
    // A field that was chosen stays, also if all of its texts are asked; another one is read by what its values show.
    const moved = { 'column.1.field': 'customers', 'column.3.field': 'category', act: 'columns' };
    const last = await upload({ ...again.form, ...moved }, file);
    expect(last.form).toMatchObject({ 'column.1.field': 'customers', 'column.3.field': 'category' });
    expect(last.form).toMatchObject({ 'category.1.text': 'y' });
    expect(last.told).toContain('1250 → 1,250');
  });

  it('keeps a field that was chosen while its unit is open', async () => {
    site.nextMinute();
    const file = 'name,Foo,Bar\nAcme,1200,300\n';
    const { form } = await upload({}, file);
    const first = await upload({ ...form, 'column.1.field': 'revenue.mrr', act: 'columns' }, file);
    const both = await upload({ ...first.form, 'column.2.field': 'askingPrice', act: 'columns' }, file);
    expect(both.form).toMatchObject({ 'column.1.field': 'revenue.mrr', 'column.2.field': 'askingPrice' });
  });

  it('keeps the question of a heading while its notation is not chosen', async () => {
    site.nextMinute();
    const file = 'Startup,MRR USD,Growth,Kind\nAcme,1250,12%,saas\nBeta,n/a,1%,x\nCorp,1,2%,ai\n';
    const first = await upload({}, file);
    const form = answered(first.form);
    // Their sign says that they are percentages: only the field is asked.
    expect(form).toMatchObject({ 'column.2.field': '?' });
    expect(form).not.toHaveProperty('column.2.notation');
    expect(first.told).toContain('Yes: Revenue growth');
    const again = await upload({ ...form, act: 'columns' }, file);
    expect(again.form['column.2.is']).toMatch(/^\? growth30d: the heading may mean something else/);
    // Once a field is chosen, its texts are asked; what cannot be a value is an error in its place.
    const wrong = { 'default.0.value': 'cash', 'revenue.mrr.0.is': 'invalid' };
    const chosen = { 'column.2.field': 'growth30d', 'column.3.field': 'category', act: 'preview' };
    const { status, told, form: kept } = await upload({ ...form, ...wrong, ...chosen }, file);
    expect(kept).toMatchObject({
      'column.2.is': 'growth30d:percent',
      'column.3.is': 'category',
      'category.0.text': 'x',
      'revenue.mrr.0.is': 'invalid',
    });
    expect(status).toBe(400);
    expect(told).toMatch(/no preview yet: \d questions are left.*cash is not allowed/s);
  });

  it('offers the notations that answer a question, and asks once about many values that do not fit', async () => {
    site.nextMinute();
    const rows = Array.from(
      { length: 14 },
      (_, at) => `C${at},0${(at % 9) + 1}/05/2020,${at < 6 ? `~${at}` : at},9`,
    );
    const file = ['Company,Founded,Customers,MRR ($)', ...rows].join('\n');
    const first = await upload({}, file);
    // Not the notation in which 01/05/2020 stays open.
    expect(first.told).toMatch(
      /Choose …Day first: 01\/05\/2020 is 2020-05-01Month first: 01\/05\/2020 is 2020-01-0501/,
    );
    expect(first.told).toContain('6 of 14 values are not allowed in customers: “~0”');
    expect(first.form).toMatchObject({ 'column.2.field': '?' });
    const chosen = { 'column.1.notation': 'month-first', 'column.2.field': 'customers', act: 'preview' };
    const { text } = await upload({ ...answered(first.form), ...chosen }, file);
    expect(rowsOf(text, 'Errors')).toEqual([
      ['Customers', '2, 3, 4, and 3 more', '~0, ~1, ~2, and 3 more', 'Not a whole number.'],
    ]);
  });

  it('asks once how amounts are written that several columns ask about', async () => {
    site.nextMinute();
    const file =
      'Company,MRR,Total revenue,Asking price (EUR)\nAcme,"1,200","20,000",9\nGlobex,"9,400","8,000",8\n';
    const first = await upload({}, file);
    expect(first.told).toMatch(
      /How are amounts written\?MRR, Total revenueChoose to answer 2 questions.*Answer each of these columnsMRR/s,
    );
    const again = await upload({ ...first.form, amounts: 'dollars,point', act: 'columns' }, file);
    expect(again.told).not.toMatch(/How are amounts written/);
    const own = { ...first.form, 'column.1.notation': 'thousands,point', amounts: 'dollars,point' };
    expect((await upload({ ...own, act: 'columns' }, file)).form).toMatchObject({
      'column.1.is': 'revenue.mrr:thousands,point',
      'column.2.is': 'revenue.total:dollars,point',
    });
    // Euros are none of them, and no field answers what is to be converted.
    expect(columnsIn(again.text, 'Needs an answer')).toEqual([expect.stringContaining('These are EUR')]);
    expect(columnsIn(again.text, 'Matched')).toEqual([
      expect.stringContaining('Acme · Globex'),
      expect.stringContaining('1,200 → $1,200.00'),
      expect.stringContaining('20,000 → $20,000.00'),
    ]);
  });

  it('keeps saying what is wrong with an answer, and offers a value for the gaps of a column', async () => {
    site.nextMinute();
    const file = 'Company,MRR,Customers,Country\nAcme,"€1.250,00",3,US\nBeta,€900,,Atlantis\n';
    const first = answered((await upload({}, file)).form);
    const dollars = { 'column.1.notation': 'dollars', 'column.1.format': 'comma' };
    const again = await upload({ ...first, ...dollars, 'country.0.is': 'XX', act: 'columns' }, file);
    expect(again.told).toMatch(
      /2 questions left.*values are EUR .*convert them to US dollars.*“Atlantis” needs an answer/s,
    );
    expect(again.told).not.toContain('Yes: ');
    expect(again.form).toMatchObject({ 'default.5.field': 'customers', 'default.5.value': '' });
    const filled = await upload({ ...again.form, 'default.5.value': '7', act: 'columns' }, file);
    expect(Object.values(filled.form)).toContain('7');
    // A heading that names another currency stays marked, too.
    const heading = file.replace('MRR', 'MRR (EUR)').replaceAll('€', '');
    const { form } = await upload({}, heading);
    const marked = await upload({ ...answered(form), ...dollars, act: 'columns' }, heading);
    expect(marked.form).toMatchObject({ 'column.1.is': 'revenue.mrr:dollars,comma' });
    expect(marked.told).toContain('These are EUR');
  });

  it('takes amounts in dollars, whatever the unit of their column, and keeps what is not allowed', async () => {
    site.nextMinute();
    const file = 'Company,MRR ($k),Revenue last 30 days ($)\nAcme,12.5,some\nBeta,,900\n';
    const first = await send(op, {}, file);
    expect(first.text).toMatch(/Replace with \(US dollars\) ….*Reject the row/s);
    expect(textIn(first.text)).toMatch(/Total revenue \(US dollars\).*MRR \(US dollars\)/s);
    const nameOf = (form: Fields, path: string): string =>
      Object.keys(form)
        .find((name) => /^default/.test(name) && form[name] === path)
        ?.replace('.field', '.value') ?? '';
    const form = answered(formOn(first.text));
    const [total, mrr, text] = [
      nameOf(form, 'revenue.total'),
      nameOf(form, 'revenue.mrr'),
      'revenue.last30Days.0.typed',
    ];
    const typed = { ...form, [total]: '12.505', [mrr]: '800.25', [text]: '1.250', act: 'columns' };
    const again = await send(op, typed, file);
    expect(textIn(again.text)).toMatch(/1\.250 is not allowed.*12\.505 is not allowed/s);
    expect(formOn(again.text)).toMatchObject({ [total]: '12.505', [mrr]: '$800.25', [text]: '1.250' });
    const right = { ...formOn(again.text), [total]: '1,250.50', [text]: '1250.5', act: 'columns' };
    const { text: page } = await send(op, right, file);
    expect(await keptMapping()).toMatchObject({
      defaults: { 'revenue.total': '125050', 'revenue.mrr': '0.80025' },
      values: { 'revenue.last30Days': { some: '1250.50' } },
    });
    expect(formOn(page)).toMatchObject({ [total]: '$1,250.50', [mrr]: '$800.25', [text]: '$1,250.50' });
    expect(textIn(page)).toContain('some → $1,250.50');
  });

  it('says in plain words what is wrong, once for errors that are alike', async () => {
    site.nextMinute();
    const head = 'name,country,foundedDate,profitMarginLast30Days,website,onSale,slug,verifiedAt';
    const figures =
      'paymentProvider,revenue.last30Days,revenue.mrr,revenue.total,customers,activeSubscriptions';
    const many = Array.from({ length: 101 }, (_, index) => `C${index},,,,,no,,,stripe,1,1,1,many,1`);
    const rows = [
      ',DE,2020-01-31,5,https://a.example,no,,,stripe,1,1,1,1,1',
      'A,Narnia,03/04/2024,101,nowhere,perhaps,,,strip,-5,1.5,,-1,1.5',
      'B,,,x,,no,"No Slug",2999-01-01,stripe,1,1,1,1,1',
    ];
    const file = [`${head},${figures}`, ...rows, ...many].join('\n');
    const { form } = await upload({ ...(await upload({}, file)).form, act: 'columns' }, file);
    const texts = Object.keys(form).filter((name) => /^[a-z]+\.\d+\.text$/i.test(name));
    const invalid = Object.fromEntries(texts.map((name) => [name.replace('.text', '.is'), 'invalid']));
    const preview = await upload({ ...form, ...invalid, act: 'preview' }, file);
    expect(rowsOf(decoded(preview.text), 'Errors').map((row) => row.join(' | '))).toEqual([
      'Name | 2 | – | Missing.',
      'Website | 3 | nowhere | Not a web address.',
      'Country | 3 | Narnia | Not a country.',
      expect.stringMatching(
        /^Founded \| 3 \| 03\/04\/2024 \| It is 2024-04-03 with the notation day-first, and /,
      ),
      'Verified by | 3 | strip | Not an allowed value. Did you mean “stripe”?',
      'Revenue, 30 days | 3 | -5 | Less than 0.',
      expect.stringMatching(
        /^MRR \| 3 \| 1\.5 \| 1\.5 looks like dollars: write 150, or choose the notation dollars/,
      ),
      'Total revenue | 3 | – | Missing.',
      'Customers | 3 | -1 | Less than 0.',
      'Active subscriptions | 3 | 1.5 | Not a whole number.',
      'Profit margin, 30 days | 3 | 101 | More than 100.',
      'For sale | 3 | perhaps | Not yes or no.',
      expect.stringMatching(/^Slug \| 4 \| No Slug \| Allowed: lower-case letters and digits/),
      'Profit margin, 30 days | 4 | x | Not a number.',
      'Last verified | 4 | 2999-01-01 | In the future.',
      'Customers | 5, 6, 7, and 82 more | many | Not a whole number.',
    ]);
    expect(preview.told).toContain('The first 100 of 116 errors');
    expect(preview.told).toContain('104 of 104 records are invalid.');
  });

  it.each([
    // One of its two dates is in the past.
    [
      '01/12/2026',
      'it is 2026-12-01 with the notation day-first',
      'It is 2026-12-01 with the notation day-first.',
    ],
    ['02/12/2026', null, 'In the future.'],
    ['03/04/2027', 'it is 2027-04-03 with the notation day-first', 'In the future.'],
  ])('says of the date %s whether it is in the future', (got, fix, problem) => {
    vi.useFakeTimers({ now: Date.parse('2026-06-15'), toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const error = {
      file: 'a.csv',
      slug: null,
      line: 2,
      record: null,
      field: 'verifiedAt',
      got: `"${got}"`,
      allowed: 'a date',
      fix,
    };
    const page = String(ErrorTable({ fields: standardFields, errors: [error], errorCount: 1 }));
    expect(rowsOf(page, 'Errors')).toEqual([['Last verified', '2', got, problem]]);
  });

  it('applies exactly the file and the settings of the preview, and stores the mapping', async () => {
    const first = answered(formOn((await send(op, {}, TABLE)).text));
    const shown = await send(op, { ...first, 'category.0.is': 'games', act: 'preview' }, TABLE);
    expectPage(shown, 200, 'Created2Updated0Unchanged0Removed0Rejected0', '$1,250.50');
    const form: Fields = { ...formOn(shown.text), act: 'import' };
    const changed = 'differs from the preview, so nothing was imported';
    for (const fields of [
      { ...form, replace: 'on' },
      { ...form, previewed: '' },
    ]) {
      expectPage(await upload(fields, TABLE), 400, changed);
      site.nextMinute();
    }
    // In another tab, its columns are answered in another way.
    const columns = formOn((await upload({ ...form, act: 'columns' }, TABLE)).text);
    await upload({ ...columns, 'category.0.is': 'sales', act: 'preview' }, TABLE);
    expectPage(await upload(form, TABLE), 400, changed);
    await upload({ ...columns, 'category.0.is': 'games', act: 'preview' }, TABLE);
    // What cannot be stored is said before anything is imported.
    expectPage(await upload({ ...form, save: 'a\tb' }, TABLE), 400, 'Name of the mapping: got');
    expect(await slugs()).toEqual(['kept']);
    const applied = await send(op, { ...form, save: 'CRM export' }, TABLE);
    const [entry] = await listImports(prisma, 1);
    const summary = `${LIST}/${entry?.id}?notice=imported`;
    expect([applied.status, applied.headers.location]).toEqual([303, summary]);
    expect(await slugs()).toEqual(['acme', 'globex', 'kept']);
    const by = { importedBy: op.accountId, via: 'dashboard' };
    expect(entry).toMatchObject({ ...by, sources: ['table.csv'], created: 2 });
    // As a browser, which keeps the notice of the redirect.
    const cookie = `${op.cookies()}; revgate.notice=imported`;
    expectPage(
      await site.call(summary, { address: op.address, headers: { cookie } }),
      200,
      'Import of table.csv',
      'The import is done.',
      '<dt>Created</dt><dd>2</dd>',
      'href="/dashboard/explorer/acme"',
      // What customers cannot tell from the file, and where the result is.
      'Total revenue: 0 ($0.00) is shown as a verified figure of each',
      'First startupsAcme, GlobexColumns left outNote (no field has this name)',
    );
    const list = textIn((await op.get(LIST)).text);
    expect(list).toMatch(/op@example\.com.*All imported.*table\.csv.*Dashboard.*2 created/s);
    expect((await listMappings(prisma)).map(({ name }) => name)).toEqual(['CRM export']);
  });

  it('asks in its first step what the next one asks, and says there what no answer can change', async () => {
    site.nextMinute();
    const revenue = { last30Days: 100, mrr: -5, total: 1_000 };
    const wrong = { ...record('wrong'), revenue, country: 'Germanyy', profitMarginLast30Days: 140 };
    const content = `${JSON.stringify(wrong)}\n${JSON.stringify(record('right'))}\n`;
    const first = await send(op, {}, content, {}, 'a.ndjson');
    const next = await send(op, { ...formOn(first.text), act: 'preview' }, content, {}, 'a.ndjson');
    for (const { text } of [first, next]) {
      expect(textIn(text)).toMatch(/1 question leftNext: Germanyy/);
      expect(textIn(text)).toMatch(/1 value is not allowed in MRR \(line 1: “-5”\)/);
      expect(textIn(text)).toMatch(/1 value is not allowed in Profit margin[^(]*\(line 1: “140”\)/);
    }
  });

  it('updates startups in part: asks for nothing that a new one needs, and shows what it sets', async () => {
    site.nextMinute();
    const content = 'slug,MRR ($),Asking price ($)\nkept,12.50,\n';
    const whole = await upload({}, content);
    expect(whole.told).toContain('Values that startups lack');
    const first = await upload({ update: 'on' }, content);
    expect(first.told).toMatch(/1 question left.*Every cell is empty: does it clear Asking price\?/s);
    const columns = await upload({ ...first.form, 'column.2.field': 'askingPrice', act: 'columns' }, content);
    expect(columns.told).toContain('Nothing to answer');
    expect([columns.form.update, columns.told.includes('Values that startups lack')]).toEqual(['on', false]);
    const before = await prisma.startup.findUniqueOrThrow({ where: { slug: 'kept' } });
    const shown = await upload({ ...columns.form, act: 'preview' }, content);
    expectPage(shown, 200, 'Updated1', 'What the first records set', 'cleared');
    expect(shown.told).toContain('Sets MRR (1 value), Asking price (1 cleared). All else stays.');
    const both = await upload({ ...shown.form, replace: 'on', act: 'preview' }, content);
    expect(both.told).toContain('An update in part removes no startup: choose one of these rules.');
    expect(both.text).toContain('type="checkbox" name="replace"');
    expect((await upload({ ...shown.form, save: '', act: 'import' }, content)).status).toBe(303);
    const { revision, updatedAt, ...after } = await prisma.startup.findUniqueOrThrow({
      where: { slug: 'kept' },
    });
    expect(after).toMatchObject({ revenueMrr: 1250n, askingPrice: null, customers: before.customers });
    await prisma.startup.update({ where: { slug: 'kept' }, data: { revenueMrr: before.revenueMrr } });
  });

  it('uses a stored mapping for the next file, until that is removed', async () => {
    site.nextMinute();
    expect(formOn((await op.get(UPLOAD)).text)).toMatchObject({ stored: '' });
    const changed = TABLE.replace('$900', '$950');
    const shown = await upload({ stored: 'CRM export' }, changed);
    expectPage(shown, 200, 'Created0Updated1Unchanged1');
    expect(shown.form).toMatchObject({ save: 'CRM export' });
    const back = await upload({ ...shown.form, act: 'columns' }, changed);
    expect(back.form).toMatchObject({ 'category.0.is': 'games' });
    // It is asked again only what the new file has beyond it: a column, a text, a row.
    const other = 'Company,MRR,Customers,Industry,Note,Price\nAcme,"$1,250.50",30,Ships,x,9\nTotal,$9,9,,,\n';
    const differs = await upload({ stored: 'CRM export' }, other);
    expect(differs.told).toMatch(/3 questions leftNext: Ships.*“Total”: is it a startup\?Choose/s);
    expect((await op.post(`${LIST}/mappings`, { name: 'CRM export' })).status).toBe(303);
    expect(await listMappings(prisma)).toEqual([]);
    expect((await send(op, { stored: 'CRM export' }, TABLE)).status).toBe(404);
  });

  it('stores a hundred mappings at most, and says so before it imports anything', async () => {
    site.nextMinute();
    const by = { mapping: {}, savedBy: op.accountId, savedAt: new Date(0) };
    const many = Array.from({ length: 99 }, (_, index) => ({ name: `full ${index}`, ...by }));
    await prisma.importMapping.createMany({ data: many });
    onTestFinished(async () => void (await prisma.importMapping.deleteMany()));
    // Each import takes the file with it.
    const preview = async () => {
      site.nextMinute();
      const first = answered(formOn((await send(op, {}, TABLE)).text));
      return formOn((await send(op, { ...first, 'category.0.is': 'games', act: 'preview' }, TABLE)).text);
    };
    const store = async (save: string, shown?: Fields) =>
      send(op, { ...(shown ?? (await preview())), act: 'import', save }, TABLE);
    expect((await store('the hundredth')).headers.location).toMatch(/notice=imported$/);
    const imports = await prisma.import.count();
    expectPage(await store('another'), 400, 'There are 100 mappings, the maximum: remove one first.');
    expect(await prisma.import.count()).toBe(imports);
    // One that replaces another is none more.
    expect((await store('the hundredth')).headers.location).toMatch(/notice=imported$/);
    expect(await prisma.importMapping.count()).toBe(100);
    // What is imported stays so where others store the hundredth meanwhile.
    await prisma.importMapping.delete({ where: { name: 'the hundredth' } });
    const shown = await preview();
    site.beforeTransaction(() => prisma.importMapping.create({ data: { name: 'of another', ...by } }));
    const alone = await store('mine', shown);
    expect(alone.headers.location).toMatch(/notice=imported-alone$/);
    expect(await prisma.import.count()).toBe(imports + 2);
    expect(await prisma.importMapping.findUnique({ where: { name: 'mine' } })).toBeNull();
  });

  it.each([
    ['is demoted', demoteAccount],
    ['is disabled', disableAccount],
  ])('imports nothing for somebody who %s when the import begins', async (what, end) => {
    const sender = await site.operator(`${what.replace(' ', '-')}-late@example.com`);
    const first = answered(formOn((await send(sender, {}, TABLE)).text));
    const { text } = await send(sender, { ...first, 'category.0.is': 'games', act: 'preview' }, TABLE);
    const imports = await prisma.import.count();
    const { database } = site;
    const connect = database.threadConnection;
    let ended: Promise<unknown> | undefined;
    // Its thread takes longer to start than this to be committed.
    vi.spyOn(database, 'threadConnection').mockImplementationOnce((kind) => {
      ended = end(site.acting, sender.accountId, 'left');
      return connect(kind);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { status } = await send(sender, { ...formOn(text), act: 'import' }, TABLE);
    expect(status).toBe(what === 'is demoted' ? 404 : 401);
    await ended;
    expect(await prisma.import.count()).toBe(imports);
  });

  it('can leave out a column that is named like a field, and a text that means no value', async () => {
    site.nextMinute();
    const table = 'name,MRR,customers,Industry\nAcme,$1,many,Oddities\nBeta,$2,more,AI\nTotal,$3,,\n';
    const first: Fields = { ...answered((await upload({}, table)).form), 'row.0.answer': 'leave out' };
    expect(first).toMatchObject({ 'column.2.name': 'customers', 'column.2.field': '' });
    const fields: Fields = { ...first, 'category.0.is': 'none', act: 'preview' };
    expect((await upload(fields, table)).told).toContain('Next: Customers');
    const asked = Object.keys(first).find((name) => /^default\./.test(name) && first[name] === 'customers');
    const shown = await upload({ ...fields, [`${asked?.replace('.field', '.value')}`]: '3' }, table);
    expectPage(shown, 200, 'Columns left outcustomers (2 of 2 values are not allowed');
    // A row that was answered is no warning: the four are about figures that no row has.
    expectPage(shown, 200, 'Rows left outtable.csv, line\u00a04: “Total”', 'Check 4 things in this file');
    const back = await upload({ ...shown.form, act: 'columns' }, table);
    expect(back.form).toMatchObject({ 'column.2.field': '', 'category.0.is': 'none' });
    expect((await upload({ ...shown.form, act: 'import' }, table)).status).toBe(303);
    const stored = await prisma.startup.findUnique({ where: { slug: 'acme' } });
    expect(stored).toMatchObject({ customers: 3, category: null });
  });

  it('says what is wrong with a file or its columns', async () => {
    site.nextMinute();
    const { form } = await upload({}, TABLE);
    const twice = await upload({ ...form, 'column.4.field': 'name', act: 'preview' }, TABLE);
    expect(twice.told).toContain('Another column is name: leave one of them out');
    const odd = { 'row.0.name': 'Total', 'row.0.answer': 'perhaps' };
    expectPage(await upload({ ...form, ...odd, act: 'preview' }, TABLE), 400, 'is damaged');
    expectPage(await send(op, {}), 400, 'Choose a file that is not empty.');
    expectPage(await upload({}, 'PK\x03\x04 and so on'), 400, 'got an Excel workbook');
    const script = '<script>alert(1)</script>';
    const { text } = await send(op, {}, `Company,${script}\n${script},1\n`, {}, `${script}.csv`);
    expect(text).not.toContain('<script>alert');
    const unreadable = { 'content-type': 'multipart/form-data; boundary=other' };
    expect((await send(op, {}, TABLE, unreadable)).status).toBe(400);
    expect((await op.post(UPLOAD)).status).toBe(415);
    for (const megabytes of [21, 60]) {
      expectPage(await upload({}, 'x'.repeat(megabytes * 1024 * 1024)), 413, 'A file may have 20 MB here');
    }
  });

  it('refuses a table that is too wide, and a form with too many parts or too long ones', async () => {
    site.nextMinute();
    const names = Array.from({ length: 501 }, (_, index) => `c${index}`);
    const wide = JSON.stringify([Object.fromEntries(names.map((one) => [one, 1]))]);
    const long = names.map((one) => `{"${one}":1}\n`).join('');
    for (const [name, content, got] of [
      ['a.csv', `${names}\n${names}\n`, 'header: got 501 columns'],
      ['a.json', wide, 'record: got 501 fields'],
      ['a.ndjson', long, 'header: got 501 columns'],
    ] as const) {
      expectPage(await send(op, {}, content, {}, name), 400, `${got}, allowed at most 500`);
    }
    const many = Object.fromEntries(Array.from({ length: 4_001 }, (_, index) => [`f${index}`, '']));
    for (const fields of [many, { long: 'x'.repeat(1_100_000) }, { ['n'.repeat(300)]: '' }]) {
      expect((await send(op, fields, TABLE)).status).toBe(413);
    }
  });

  it('has a page in proportion to the columns of a table, however alike they are', async () => {
    site.nextMinute();
    const pageOf = async (columns: number) => {
      const names = Array.from({ length: columns }, (_, index) => `Revenue ${'!'.repeat((index % 9) + 1)}`);
      const { text, told } = await upload({}, `name,${names.join()}\nAcme${',1'.repeat(columns)}\n`);
      expect(told).toContain(` and ${columns - 3} others may be it: which one?`);
      return text.length;
    };
    const some = await pageOf(50);
    expect(await pageOf(200)).toBeLessThan(4.5 * some);
  });

  // Last, as it removes what others expect.
  it('with removals needs the second factor again after 15 minutes', async () => {
    const boss = await site.operator('boss@example.com');
    const { app } = await setUpFactor(site, boss);
    const [, sample = ''] =
      /href="([^"]*)" download="startups\.csv"/.exec((await boss.get(UPLOAD)).text) ?? [];
    const { text: content } = await boss.get(sample);
    site.wait(15 * 60_000);
    const columns = formOn((await send(boss, {}, content)).text);
    const { text } = await send(boss, { ...columns, replace: 'on', yes: 'on', act: 'preview' }, content);
    expect(text).toContain('name="factor"');
    const apply = (factor: string) => send(boss, { ...formOn(text), factor, act: 'import' }, content);
    expectPage(await apply(''), 400, 'Enter a code of your second factor.');
    expect(await slugs()).toContain('kept');
    expect((await apply('000000')).status).toBe(400);
    expect((await apply(app())).headers.location).toContain('notice=imported');
    expect(await slugs()).not.toContain('kept');
  });
});

describe('a form that arrives while the right of its sender ends', () => {
  const TOKENS = '/dashboard/operator/tokens';
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
  const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${TABLE}\r\n--b--\r\n`;

  it.each([
    ['an upload of somebody who is demoted', UPLOAD, file, multipart, demoteAccount, 404],
    ['an upload of somebody who is disabled', UPLOAD, file, multipart, disableAccount, 303],
    ['a new token of somebody who is demoted', TOKENS, { name: 'late' }, {}, demoteAccount, 404],
    ['a new token of somebody who is disabled', TOKENS, { name: 'late' }, {}, disableAccount, 303],
  ])('changes nothing: %s', async (name, path, body, headers, end, expected) => {
    const sender = await site.operator(`${name.replaceAll(' ', '-')}@example.com`);
    const id = sender.accountId;
    const { status, text } = await sender.send('POST', path, body, headers, () =>
      end(site.acting, id, 'left'),
    );
    expect(status).toBe(expected);
    expect(text).not.toContain('href="/dashboard/operator');
    expect(await prisma.operatorToken.count({ where: { accountId: id } })).toBe(0);
  });
});

it('a token of an operator is shown once, listed without itself, and revoked', async () => {
  expectPage(await op.get('/dashboard/operator/tokens'), 200, 'No token yet');
  const created = await op.post('/dashboard/operator/tokens', { name: 'nightly' });
  const token = textOf(created, /<code id="token">(rvg_op_\w+)<\/code>/) ?? '';
  expect(token).toMatch(/^rvg_op_[0-9A-Za-z]{38}$/);
  const ask = async () => (await site.call('/import?x=1', { method: 'POST', key: token })).status;
  expect(await ask()).toBe(400);
  const { text } = await op.get('/dashboard/operator/tokens');
  expect(text).toContain(token.slice(0, 11));
  expect(text).not.toContain(token.slice(0, 13));
  const listed = async () =>
    rowsOf((await op.get('/dashboard/operator/tokens')).text, 'Newest first').map(
      ([name = '', state, by]) => [name.split('rvg')[0], state, by],
    );
  expect(await listed()).toEqual([['nightly', 'Active', 'op@example.com']]);
  const path = /href="([^"]*\/tok_\w+\/revoke)"/.exec(text)?.[1] ?? '';
  expect((await holder.get(path)).status).toBe(404);
  expect((await holder.post(path)).status).toBe(404);
  expect(textIn((await op.get(path)).text)).toMatch(
    /Requests of op@example\.com with nightly .*cannot be undone/s,
  );
  expect((await op.get('/dashboard/operator/tokens/tok_000000000000/revoke')).status).toBe(404);
  // Nothing has happened before it is confirmed.
  expect(await ask()).toBe(400);
  expect((await op.submit(path)).text).toContain('The token is revoked.');
  expect(await listed()).toEqual([['nightly', 'Revoked', 'op@example.com']]);
  expect(await ask()).toBe(404);
});
