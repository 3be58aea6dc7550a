import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addOwnField, type NewOwnField } from '../../../src/startups/own/declarations.ts';
import type { Answer } from '../../support/gateway.ts';
import { decoded, textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { openSite } from './site.ts';

const PATH = '/dashboard/explorer';
const HOSTILE = '"><script>alert(1)</script>';

const fields: readonly (NewOwnField & { readonly choices?: string[] })[] = [
  { name: 'note', kind: 'text', label: `N ${HOSTILE}`, description: `What we say ${HOSTILE}` },
  { name: 'deck', kind: 'url' },
  { name: 'employees', kind: 'count', label: 'Staff', indexed: true },
  { name: 'raised', kind: 'cents', indexed: true },
  { name: 'churn', kind: 'percent', indexed: true },
  { name: 'score', kind: 'number', indexed: true },
  { name: 'lastAudit', kind: 'date', indexed: true },
  { name: 'audited', kind: 'boolean', indexed: true },
  { name: 'stage', kind: 'choice', indexed: true, choices: ['Seed', 'Series A', 'Angels, friends'] },
  { name: 'tags', kind: 'texts' },
  { name: 'empty', kind: 'count', label: 'Nobody knows' },
];

const site = await openSite({
  records: ['one', 'two', 'three'].map((slug) => record(slug, { name: slug.toUpperCase() })),
});
const { prisma, pool } = site.database;
const ada = await site.member('ada@example.com');
const { key } = await site.key();

async function declare(field: (typeof fields)[number]): Promise<void> {
  const { choices = [], ...declared } = field;
  await addOwnField(prisma, declared);
  await prisma.ownField.update({ where: { name: field.name }, data: { choices } });
}

beforeAll(async () => {
  for (const field of fields) {
    await declare(field);
  }
  const set = (slug: string, own: object) =>
    pool.query('UPDATE startups SET own = $1 WHERE slug = $2', [JSON.stringify(own), slug]);
  await set('one', {
    note: `=${HOSTILE}`,
    deck: 'https://deck.example/one',
    employees: 12,
    raised: 123_456_789,
    churn: 2.5,
    score: 1e-7,
    lastAudit: Date.UTC(2026, 3, 2),
    audited: true,
    stage: 'Seed',
    tags: ['=calm', 'a,b'],
  });
  await set('two', { employees: 3, raised: 0, audited: false, stage: 'Series A', score: -5 });
  await noticed('StartupOwn');
});
beforeEach(() => site.nextMinute());

/** Waits until the schema has a text. */
const noticed = (text: string, isThere = true) =>
  vi.waitFor(async () => {
    await site.notice();
    expect((await site.call('/schema.graphql')).text.includes(text)).toBe(isThere);
  }, 10_000);

const see = (query: string): Promise<Answer> => ada.get(`${PATH}${query}`);
const choose = (...ids: string[]) =>
  see(`?${new URLSearchParams([['columns', ''], ...ids.map((id) => ['columns', id])])}`);
const headingsOf = ({ text }: Answer): string[] =>
  [...text.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, cell = '']) => textIn(cell));

it('shows the declared fields of a startup among its facts', async () => {
  const page = await see('/one');
  const text = textIn(page.text);
  for (const fact of [
    `N ${HOSTILE}: =${HOSTILE}`,
    'Deckdeck.example/one',
    'Staff12',
    'Raised$1.2M',
    'Churn2.5%',
    'Score0.0000001',
    'AuditedYes',
    'StageSeed',
    'Tags=calm, a,b',
  ]) {
    expect(text).toContain(fact);
  }
  expect(page.text).not.toContain('<script>alert');
  expect(text).not.toContain('Nobody knows');
  // The request beside them returns them too.
  expect(text).toContain('lastAudit');
  expect((await see('/three')).text).not.toContain('<h2>More</h2>');
});

describe('columns of declared fields', () => {
  it('are offered, and shown once they are chosen', async () => {
    const before = await see('');
    expect(before.text).toMatch(/id="column-own-employees"[^>]*value="own-employees"/);
    expect(headingsOf(before)).not.toContain('Staff');
    const chosen = await choose('own-employees', 'own-raised', 'own-empty', 'country');
    expect(headingsOf(await ada.get(chosen.headers.location ?? PATH))).toEqual(
      expect.arrayContaining(['Staff', 'Raised']),
    );
    // A column that is empty in all rows is left out.
    expect(headingsOf(await see(''))).not.toContain('Nobody knows');
    expect((await see('')).text).toMatch(/id="column-own-employees"[^>]* checked/);
    await choose();
    expect(headingsOf(await see(''))).not.toContain('Staff');
  });

  it('are in the CSV, with amounts in dollars, and without formulas', async () => {
    await choose('own-note', 'own-raised', 'own-score', 'own-lastAudit', 'own-tags', 'own-audited');
    const { text } = await see('');
    await choose();
    const [, data = ''] = /href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(text) ?? [];
    const [head = '', ...rows] = decoded(decodeURIComponent(data)).split('\r\n');
    expect(head).toContain(`,"N ""><script>alert(1)</script>",Raised (USD),Score,Last audit,Audited,Tags`);
    expect(rows.find((row) => row.startsWith('ONE'))).toContain(
      `"'=""><script>alert(1)</script>",1234567.89,1e-7,2026-04-02,true,"'=calm, a,b"`,
    );
    expect(rows.find((row) => row.startsWith('TWO'))).toContain(',,0,-5,,false,');
    expect(text).not.toContain('<script>alert');
  });

  it('are in the requests beside the list, which return them', async () => {
    await choose('own-employees');
    const { text } = await see('?limit=1&page=2');
    await choose();
    const [, path = ''] = /(\/api\/v1\/startups\?[^'"<&\s]*(?:&amp;[^'"<&\s]*)*include=own)/.exec(text) ?? [];
    const { json } = await site.call(path.replaceAll('&amp;', '&'), { key });
    expect([json.meta.page, json.meta.limit]).toEqual([2, 1]);
    expect(Object.keys(json.data[0].own)).toContain('employees');
    expect(text).toMatch(/own[\s\S]{0,60}employees/);
  });
});

/** The names of the startups that a page lists. */
const listed = ({ text }: Answer): string[] =>
  [...text.matchAll(/<th scope="row">.*?href="\/dashboard\/explorer\/(\w+)"/g)].map(([, slug = '']) => slug);
const chipsOf = ({ text }: Answer): string[] =>
  [...text.matchAll(/<a id="chip-own[^"]*"[^>]*>(.*?)<\/a>/g)].map(([, chip = '']) => textIn(chip));

describe('filters by declared fields', () => {
  it.each([
    ['own.employees.min=3', ['one', 'two'], ['Remove Staff ≥ 3 ✕']],
    ['own.employees.min=4&own.employees.max=12', ['one'], ['Remove Staff 4–12 ✕']],
    ['own.raised.max=100000', ['two'], ['Remove Raised ≤ $1,000 ✕']],
    ['own.churn.min=2.5', ['one'], ['Remove Churn ≥ 2.5% ✕']],
    ['own.score.max=0', ['two'], ['Remove Score ≤ 0 ✕']],
    ['own.lastAudit.from=2026-04-02', ['one'], ['Remove Last audit from 2026-04-02 ✕']],
    [
      'own.lastAudit.from=2026-04-01&own.lastAudit.to=2026-04-03',
      ['one'],
      ['Remove Last audit 2026-04-01 to 2026-04-03 ✕'],
    ],
    ['own.audited=false', ['two'], ['Remove Audited: No ✕']],
    ['own.stage=Seed,Series A', ['one', 'two'], ['Remove Stage: Seed ✕', 'Remove Stage: Series A ✕']],
    ['own.stage=Series A&onSale=false', ['two'], ['Remove Stage: Series A ✕']],
  ])('%s', async (query, slugs, chips) => {
    const address = `?${new URLSearchParams(query)}`.replaceAll('%2C', ',');
    const page = await see(address);
    expect([page.status, page.headers.location]).toEqual([200, undefined]);
    expect(listed(page).sort()).toEqual(slugs);
    expect(chipsOf(page)).toEqual(chips);
    // Each removes its own.
    const [, href = ''] = /<a id="chip-own[^"]*" href="([^"]*)"/.exec(page.text) ?? [];
    expect((await ada.get(decoded(href))).status).toBe(200);
    // REST returns the same.
    const { json } = await site.call(`/api/v1/startups${address}`, { key });
    expect(json.data.map(({ slug }: { slug: string }) => slug).sort()).toEqual(slugs);
  });

  it('have controls, which send amounts in dollars and several values on their own', async () => {
    const { text } = await see('?own.raised.min=123456789&own.stage=Seed&own.audited=true');
    expect(text).toMatch(/name="own\.raised\.minDollars"[^>]*value="1,234,567\.89"/);
    expect(text).toMatch(/name="own\.stage" value="Seed" checked/);
    // A comma would separate values.
    expect(text).not.toContain('value="Angels, friends"');
    expect(text).toMatch(/<option value="true" selected[^>]*>Yes</);
    expect(text).toMatch(
      /name="own\.lastAudit\.from"[^>]*type="date"|type="date"[^>]*name="own\.lastAudit\.from"/,
    );
    const sent =
      '?own.raised.minDollars=1.2M&own.raised.maxDollars=&own.stage=Seed&own.stage=Series+A&own.audited=';
    expect((await see(sent)).headers.location).toBe(
      `${PATH}?own.raised.min=120000000&own.stage=Seed,Series+A`,
    );
  });

  it.each([
    ['own.employees.min=5&own.employees.max=1', 'The minimum, 5, is above the maximum, 1'],
    ['own.raised.minDollars=much', '“much” is not valid. Use an amount in US dollars'],
    [
      'own.lastAudit.from=2026-05-01&own.lastAudit.to=2026-04-01',
      'The first day, 2026-05-01, is after the last one, 2026-04-01',
    ],
    ['own.nothing.min=1', 'This service has no such field any more'],
    ['own.note=x', 'This service has no such field any more, or none to filter by'],
    ['include=own', 'There is no such filter'],
  ])('%s is told as an error beside the list without it', async (query, message) => {
    const page = await see(`?${query}`);
    expect(page.status).toBe(400);
    expect(textIn(page.text)).toContain(message);
    expect(listed(page).sort()).toEqual(['one', 'three', 'two']);
  });
});

it('sorts by declared fields, by an order or a heading', async () => {
  await choose('own-employees');
  const page = await see('?sort=own.employees-asc');
  await choose();
  expect(listed(page)).toEqual(['two', 'one', 'three']);
  expect(page.text).toMatch(/<option value="own\.employees-asc" selected[^>]*>Staff, lowest</);
  expect(page.text).toContain('<option value="own.lastAudit-desc">Last audit, latest</option>');
  expect(page.text).toMatch(/id="sort-own-employees" href="[^"]*sort=own\.employees-desc"/);
  // Embedded elements have no declared fields yet.
  expect(page.text).not.toContain('Embed this list');
});

it('shows the GraphQL request of a list with such filters, which returns it', async () => {
  const { text } = await see(
    '?own.lastAudit.from=2026-04-02&own.stage=Seed&own.audited=true&sort=own.raised-desc',
  );
  const [, code = ''] =
    /<code[^>]*>((?:(?!<\/code>)[\s\S])*OWN_RAISED_DESC[\s\S]*?)<\/code>/.exec(text) ?? [];
  const [query = ''] = /\{[\s\S]*\}/.exec(textIn(code)) ?? [];
  const { json } = await site.graphql(query, {}, { key });
  expect(json.data.startups.meta.total).toBe(1);
});

describe('a saved search by a declared field', () => {
  const SEARCHES = '/dashboard/shortlist/searches';
  const query = 'own.grade.min=2&sort=own.grade-desc';

  it('is counted and opened, and says so once the field was removed', async () => {
    await declare({ name: 'grade', kind: 'count', indexed: true });
    await pool.query(`UPDATE startups SET own = own || '{"grade": 3}' WHERE slug = 'two'`);
    await noticed('OWN_GRADE_DESC');
    expect(textIn((await ada.get(`${SEARCHES}/new?${query}`)).text)).toContain(
      'Grade ≥ 2Grade, highest first',
    );
    await ada.submit(SEARCHES, { name: 'Good ones', query });
    const before = await ada.get(SEARCHES);
    expect(textIn(before.text)).toMatch(/Good onesGrade ≥ 2 · Grade, highest first1/);
    expect(listed(await see(`?${query}`))).toEqual(['two']);

    await prisma.ownField.delete({ where: { name: 'grade' } });
    await noticed('OWN_GRADE_DESC', false);
    site.nextMinute();
    const after = await ada.get(SEARCHES);
    expect(after.status).toBe(200);
    expect(textIn(after.text)).toContain('All startups · Ignored, as the field was removed: grade');
    expect((await ada.get(`${SEARCHES}/edit?name=Good+ones`)).status).toBe(200);
    const opened = await see(`?${query}`);
    expect(opened.status).toBe(400);
    expect(textIn(opened.text)).toContain('own.grade.min: This service has no such field any more');
    expect(listed(opened).sort()).toEqual(['one', 'three', 'two']);
  });
});
