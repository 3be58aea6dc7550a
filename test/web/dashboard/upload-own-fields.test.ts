import { beforeEach, describe, expect, it } from 'vitest';
import { addOwnField, removeOwnField } from '../../../src/startups/own/declarations.ts';
import { rowsOf, textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { expectPage, openSite } from './site.ts';
import { type Fields, formOn, sendUpload } from './upload-form.ts';

// Columns that are fields of the operators' own, in an upload.

const site = await openSite({ records: [record('kept')] });
const { prisma } = site.database;
const op = await site.operator('op@example.com');

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
