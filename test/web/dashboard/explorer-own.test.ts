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
