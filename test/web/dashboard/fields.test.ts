import { beforeEach, expect, it, vi } from 'vitest';
import { hashDocument } from '../../../src/access/keys/documents/list.ts';
import { readOwnFields } from '../../../src/startups/own/declarations.ts';
import { rowsOf } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { expectPage, openSite, textOf } from './site.ts';

const PATH = '/dashboard/operator/fields';

const site = await openSite({ records: [record('one'), record('two'), record('three')] });
const { prisma } = site.database;
const op = await site.operator('op@example.com');
const { id: keyId, key } = await op.createKey({ name: 'billing' });

/** Until the gateway has loaded what is declared. */
const WAITING_MS = 10_000;

beforeEach(async () => {
  site.nextMinute();
  await prisma.ownField.deleteMany();
});

const declared = async () => (await readOwnFields(prisma)).map(({ name }) => name);
const fill = (slug: string, own: object) =>
  prisma.$executeRawUnsafe('UPDATE startups SET own = $1::jsonb WHERE slug = $2', JSON.stringify(own), slug);

it('adds a field, changes its label, and removes it after saying how many startups have a value', async () => {
  expectPage(await op.get(PATH), 200, 'No fields yet');
  const added = await op.submit(PATH, {
    name: ' employees ',
    kind: 'count',
    label: ' Full-time <staff> ',
    description: '',
    sortable: 'on',
  });
  expectPage(added, 200, 'The field was added.');
  await op.submit(PATH, { name: 'pitchDeck', kind: 'url', label: '', description: 'What we got.' });
  await fill('one', { employees: 3 });
  await fill('two', { employees: 0, pitchDeck: 'https://deck.example' });
  const rows = async () =>
    rowsOf((await op.get(PATH)).text, 'In the order in which they were added').map((row) => row.slice(0, 3));
  expect(await rows()).toEqual([
    ['Full-time &lt;staff&gt;own.employees', 'count', 'Yes'],
    ['Pitch deckown.pitchDeck', 'url', 'No'],
  ]);
  await vi.waitFor(async () => {
    await site.notice();
    const { json } = await site.post({ query: '{ startup(slug: "one") { own { employees } } }' }, { key });
    expect(json.data?.startup).toEqual({ own: { employees: 3 } });
  }, WAITING_MS);

  expectPage(await op.get(`${PATH}/employees/edit`), 200, 'Full-time &lt;staff&gt;');
  const labelled = await op.submit(`${PATH}/employees/edit`, { label: 'Staff' });
  expectPage(labelled, 200, 'The label was changed.');
  expect((await rows())[0]?.[0]).toBe('Staffown.employees');

  const asked = await op.get(`${PATH}/employees/remove`);
  expectPage(asked, 200, 'Staff is removed with its values: 2 startups have one.', 'Remove field');
  expectPage(await op.submit(`${PATH}/employees/remove`), 200, 'The field was removed with its values.');
  expect(await declared()).toEqual(['pitchDeck']);
  expectPage(await op.get(`${PATH}/pitchDeck/remove`), 200, 'removed with its values: 1 startup has one.');
  await op.submit(`${PATH}/pitchDeck/remove`);
  const { text } = await op.get('/dashboard/operator/audit');
  for (const action of ['Declared field', 'Renamed field', 'Removed field']) {
    expect(text).toContain(action);
  }
});

it.each([
  [{ name: 'Employees', kind: 'count' }, 'name: got "Employees", allowed: 1 to 40 letters and digits'],
  [{ name: 'askingPrice', kind: 'cents' }, 'which is a name of ours: choose another one.'],
  [{ name: 'x', kind: 'money' }, 'kind of "x": got "money", allowed: one of text, url, count'],
  [{ name: 'x', kind: 'text', sortable: 'on' }, '"x" cannot be sortable: its kind is text'],
  [{ name: 'x', kind: 'text', label: 'x'.repeat(61) }, 'label of "x": got'],
  [{}, 'name: got "", allowed: 1 to 40 letters and digits'],
])('shows the form again with what is wrong: %j', async (form: Record<string, string>, message) => {
  const page = await op.post(PATH, form);
  expectPage(page, 400, 'role="alert"', message);
  expect(page.text.includes('name="sortable" checked')).toBe(form.sortable !== undefined);
  expect(textOf(page, /id="name"[^>]*? value="(\w+)"/)).toBe(form.name);
  expect(await declared()).toEqual([]);
});

it('asks again before it removes what published documents use, and names their keys', async () => {
  await op.submit(PATH, { name: 'stage', kind: 'choice', sortable: 'on' });
  const document = 'query Stages { startups { page { own { stage } } } }';
  const params = new URLSearchParams({ documentId: `sha256:${hashDocument(document)}` });
  /** Waits until a request of the document has an error, or none. */
  const expectCode = (code: string | undefined) =>
    vi.waitFor(async () => {
      await site.notice();
      const { json } = await site.call(`/graphql?${params}`, { key });
      expect(json.errors?.[0].extensions.code).toBe(code);
    }, WAITING_MS);
  await vi.waitFor(async () => {
    await site.notice();
    expectPage(await op.submit(`/dashboard/keys/${keyId}/documents`, { document }), 200, 'Published.');
  }, WAITING_MS);
  await expectCode(undefined);

  const asked = await op.post(`${PATH}/stage/remove`);
  expectPage(
    asked,
    400,
    `1 published document would fail without "stage", of "billing" (${keyId}). Nothing was changed.`,
    'Remove it all the same',
  );
  expect(await declared()).toEqual(['stage']);
  expect(asked.text).toContain('<input type="hidden" name="force" value="yes"');
  expectPage(await op.submit(`${PATH}/stage/remove`, { force: 'yes' }), 200, 'The field was removed');
  await expectCode('GRAPHQL_VALIDATION_FAILED');
});

it('has a page for a field of any name', async () => {
  await op.submit(PATH, { name: 'new', kind: 'text' });
  expectPage(await op.get(`${PATH}/new`), 200, 'Add field');
  expectPage(await op.get(`${PATH}/new/edit`), 200, 'Edit field new');
  await op.submit(`${PATH}/new/remove`);
  for (const page of ['edit', 'remove']) {
    expect((await op.get(`${PATH}/new/${page}`)).status).toBe(404);
    expect((await op.post(`${PATH}/new/${page}`, { label: 'x' })).status).toBe(404);
  }
});
