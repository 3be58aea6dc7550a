import { beforeEach, expect, it, vi } from 'vitest';
import { addOwnField, type NewOwnField } from '../../../src/startups/own/declarations.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { textIn } from '../../support/html.ts';
import { insertRecords, record } from '../../support/records.ts';

const PATH = '/docs/service-fields';

const database = await openTestDatabase();
await insertRecords(
  database,
  ['one', 'two', 'three'].map((slug) => record(slug)),
);
const gateway = await openTestGateway({ database, limits: 100_000 });
const { key } = await gateway.key();
const { prisma, pool } = database;

const textOf = async (path: string): Promise<string> => (await gateway.call(path)).text;
const set = (slug: string, own: object) =>
  pool.query('UPDATE startups SET own = $1 WHERE slug = $2', [JSON.stringify(own), slug]);

/** Declares these fields only, and waits until pages know them. */
async function declare(...fields: readonly (NewOwnField & { readonly choices?: string[] })[]): Promise<void> {
  await prisma.ownField.deleteMany();
  for (const { choices = [], ...field } of fields) {
    await addOwnField(prisma, field);
    await prisma.ownField.update({ where: { name: field.name }, data: { choices } });
  }
  await vi.waitFor(async () => {
    const text = await textOf('/schema.graphql');
    expect(text.includes('StartupOwn')).toBe(fields.length > 0);
    for (const { name } of fields) {
      expect(text).toContain(`  ${name}: `);
    }
  }, 10_000);
}

beforeEach(() => declare());

it('is a page only of a service that has declared fields', async () => {
  const before = await textOf('/docs/startup-record');
  expect((await gateway.call(PATH)).status).toBe(404);
  expect(await textOf('/llms.txt')).not.toContain('service-fields');
  expect(before).not.toContain('service-fields');

  await declare({ name: 'note', kind: 'text', label: 'Our <note>' });
  expect((await gateway.call(PATH)).status).toBe(200);
  expect(await textOf('/llms.txt')).toMatch(/^- \[Fields of this service\]\(.*service-fields\.md\): /m);
  expect(await textOf('/docs/startup-record')).toContain(`href="${PATH}"`);
  expect(textIn(await textOf(PATH))).toContain('Our <note>. A field of this service: a text');
  expect(await textOf('/docs?q=our+note')).toContain(`${PATH}#own.note`);

  await declare();
  expect((await gateway.call(PATH)).status).toBe(404);
  expect(await textOf('/docs/startup-record')).toBe(before);
});

it('says what each field is, and how lists are filtered and sorted by it', async () => {
  await declare(
    { name: 'employees', kind: 'count', indexed: true, label: 'Staff', description: 'Full-time' },
    { name: 'raised', kind: 'cents' },
    { name: 'lastAudit', kind: 'date', indexed: true },
    { name: 'stage', kind: 'choice', indexed: true, choices: ['Seed', 'Series A'] },
    { name: 'audited', kind: 'boolean', indexed: true },
  );
  const page = await textOf(`${PATH}.md`);
  for (const line of [
    '- `own.employees` · integer · nullable · at least 0 · GraphQL `Int`: Staff: Full-time. A field of this service: an integer from 0. Null when unknown.',
    '- `own.raised` · integer · nullable · US cents · GraphQL `Cents`: ',
    ' Values: `Seed` and `Series A`.',
    '| `own.employees` | `own.employees.min` and `own.employees.max` | `employees: OwnRange` | `own.employees-desc` and `own.employees-asc` | `OWN_EMPLOYEES_DESC` and `OWN_EMPLOYEES_ASC` |',
    '| `own.lastAudit` | `own.lastAudit.from` and `own.lastAudit.to` | `lastAudit: OwnDateRange` | ',
    '| `own.stage` | `own.stage` | `stage: OwnValues` |  |  |',
    '| `own.audited` | `own.audited` | `audited: Boolean` |  |  |',
  ]) {
    expect(page).toContain(line);
  }
  expect(page).not.toContain('| `own.raised`');
});

it.each<[NewOwnField & { choices?: string[] }, unknown, number]>([
  [{ name: 'employees', kind: 'count', indexed: true }, 12, 1],
  [{ name: 'lastAudit', kind: 'date', indexed: true }, Date.UTC(2026, 3, 2), 1],
  [{ name: 'audited', kind: 'boolean', indexed: true }, true, 1],
  [{ name: 'stage', kind: 'choice', indexed: true, choices: ['Pre-seed, angels', 'Seed'] }, 'Seed', 1],
  [{ name: 'stage', kind: 'choice', indexed: true }, 'Seed', 3],
  [{ name: 'note', kind: 'text' }, 'a', 3],
])('has a request of REST and one of GraphQL that return the same: %j', async (field, value, startups) => {
  await set('two', { [field.name]: value });
  await declare(field);
  const page = await textOf(`${PATH}.md`);
  const [, url = ''] = /curl .*'https?:\/\/[^/]+(\/.*)'/.exec(page) ?? [];
  const [, query = ''] = /```graphql\n([\s\S]*?)```/.exec(page) ?? [];
  const rest = await gateway.call(url, { key });
  const graphql = await gateway.graphql(query, {}, { key });
  expect([rest.status, graphql.json.errors]).toEqual([200, undefined]);
  const inRest = rest.json.data.map(({ name, own }: { name: string; own: object }) => ({ name, own }));
  expect(graphql.json.data.startups.page).toEqual(inRest);
  expect(inRest).toHaveLength(startups);
});
