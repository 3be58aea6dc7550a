import { expect, it, vi } from 'vitest';
import { hashDocument } from '../../../src/access/keys/documents/list.ts';
import { addField, removeField } from '../../../src/api/own-fields/actions.ts';
import { addOwnField, readOwnFields } from '../../../src/startups/own/declarations.ts';
import { openTestDatabase } from '../../support/database.ts';
import { onPostgres } from '../../support/only.ts';
import { openServedPlace } from './databases.ts';

const place = await openServedPlace();
const run = (...args: string[]) => place.run('fields', ...args);
/** Asks until the node has noticed what is declared: the first error's code, or nothing. */
const expectCode = (key: string, params: Record<string, string>, code: string | undefined): Promise<void> =>
  vi.waitFor(async () => {
    await place.clock.advance(2_000);
    const answer = await (await place.get(key, `/graphql?${new URLSearchParams(params)}`)).json();
    expect(answer.errors?.[0].extensions.code).toBe(code);
  }, 10_000);
const lines = (...texts: string[]): string => `${texts.join('\n')}\n`;

it('fields are declared, listed, labelled and removed while a server runs', async () => {
  const { id, key } = await place.createKey();
  expect(await run('list')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'There are no fields of your own yet. Declare one: npx revgate fields add NAME KIND\n',
  });
  expect(await run('add', 'annualProfit', 'cents', '--sortable')).toEqual({
    code: 0,
    stdout:
      'Declared annualProfit ("Annual profit", cents, sortable). Imports fill it as own.annualProfit.\n',
    stderr: '',
  });
  const added = await run('add', 'note', 'text', '--label', 'Our note', '--description', 'What we found.');
  expect(added.stdout).toBe('Declared note ("Our note", text). Imports fill it as own.note.\n');
  expect((await run('label', 'note', 'A note')).stdout).toBe('Field note is called "A note" now.\n');
  expect((await run('list')).stdout).toBe(
    lines(
      'NAME          KIND   SORTABLE  LABEL',
      'annualProfit  cents  yes       Annual profit',
      'note          text   –         A note',
    ),
  );

  const query = '{ startups(sort: OWN_ANNUAL_PROFIT_DESC) { page { own { annualProfit } } } }';
  await expectCode(key, { query }, undefined);
  const text = `query Profits ${query}`;
  const file = place.write('profits.json', JSON.stringify([text]));
  expect((await place.run('documents', 'publish', file, '--key', id)).code).toBe(0);
  expect(await run('remove', 'annualProfit', '--yes')).toEqual({
    code: 1,
    stdout: '',
    stderr: lines(
      `revgate: 1 published document would fail without "annualProfit", of "a test" (${id}). Nothing was changed.`,
      'revgate: To remove it all the same, add --force.',
    ),
  });
  expect((await run('remove', 'annualProfit', '--yes', '--force')).stdout).toBe(
    'Removed annualProfit, of which 0 startups had a value.\n',
  );
  await expectCode(key, { query }, 'GRAPHQL_VALIDATION_FAILED');
  await expectCode(key, { documentId: `sha256:${hashDocument(text)}` }, 'GRAPHQL_VALIDATION_FAILED');
  const { stdout: audit } = await place.run('audit', '--limit', '5');
  expect(audit).toMatch(/field\.remove [\s\S]* field\.label [\s\S]* field\.add /);
  await run('remove', 'note', '--yes');
});

it('a backup has them with their values, and a restore serves both again', async () => {
  const { key } = await place.createKey();
  await run('add', 'rating', 'number', '--sortable');
  const line =
    '{"name":"Acme","paymentProvider":"stripe","revenue":{"last30Days":1,"mrr":1,"total":1},' +
    '"customers":1,"activeSubscriptions":1,"onSale":false}';
  expect(await place.run('import', place.write('acme.ndjson', line))).toMatchObject({ code: 0 });
  await place.use(({ pool }) => pool.query(`UPDATE startups SET own = '{"rating": 4.5}'`));
  const backup = `${place.cwd}/own.backup.gz`;
  expect((await place.run('backup', backup)).code).toBe(0);
  expect((await run('remove', 'rating', '--yes')).stdout).toBe(
    'Removed rating, of which 1 startup had a value.\n',
  );
  const query = '{ startups(filter: { own: { rating: { min: 4.5 } } }) { page { own { rating } } } }';
  await expectCode(key, { query }, 'GRAPHQL_VALIDATION_FAILED');
  expect((await place.run('restore', backup, '--yes')).code).toBe(0);
  await expectCode(key, { query }, undefined);
  const answer = await place.get(key, `/graphql?${new URLSearchParams({ query })}`);
  expect((await answer.json()).data.startups.page).toEqual([{ own: { rating: 4.5 } }]);
  await run('remove', 'rating', '--yes');
});

it.each([
  [['add', 'Employees', 'count'], 'name: got "Employees", allowed: 1 to 40 letters and digits'],
  [['add', '__proto__', 'count'], 'name: got "__proto__", allowed: 1 to 40 letters and digits'],
  [['add', 'askingPrice', 'cents'], 'name: got "askingPrice", which is a name of ours'],
  [['add', 'askingprice', 'cents'], 'name: got "askingprice", which is a name of ours'],
  [['add', 'revenue', 'cents'], 'name: got "revenue", which is a name of ours'],
  [['add', 'history', 'cents'], 'name: got "history", which is a name of ours'],
  [['add', 'x', 'money'], 'kind of "x": got "money", allowed: one of text, url, count'],
  [['add', 'x', 'constructor'], 'kind of "x": got "constructor", allowed: one of text, url, count'],
  [['add', 'x', 'text', '--sortable'], '"x" cannot be sortable: its kind is text, allowed: count, cents'],
  [['add', 'x', 'text', '--label', 'a\nb'], 'label of "x": got "a\\nb", allowed: 1 to 60 characters'],
  [['label', 'x', 'y'], 'There is no field "x".'],
  [['remove', 'x', '--yes'], 'There is no field "x".'],
])('%j is refused', async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect((await run('list', '--json')).stdout).toBe('[]\n');
});

it('a name is unique whatever its case', async () => {
  await run('add', 'oneField', 'count');
  const { code, stderr } = await run('add', 'onefield', 'count');
  expect([code, stderr]).toEqual([
    1,
    'revgate: There is a field "oneField" already: names are unique, whatever their case.\n',
  ]);
  await run('remove', 'oneField', '--yes');
});

onPostgres.it('nothing is declared or removed while an import is being applied', async () => {
  const database = await openTestDatabase();
  await addOwnField(database.prisma, { name: 'rating', kind: 'number' });
  const applying = await database.openClient();
  await applying.query('BEGIN; LOCK TABLE startups IN SHARE ROW EXCLUSIVE MODE');
  const context = { prisma: database.prisma, now: Date.now, actor: 'a test' };
  const message = 'An import is being applied: try again when it has ended. Nothing was changed.';
  await Promise.all([
    expect(removeField(context, 'rating')).rejects.toThrow(message),
    expect(addField(context, { name: 'other', kind: 'count' })).rejects.toThrow(message),
  ]);
  expect(await readOwnFields(database.prisma)).toHaveLength(1);
  await applying.query('COMMIT');
  expect(await removeField(context, 'rating')).toMatchObject({ startups: 0 });
});
