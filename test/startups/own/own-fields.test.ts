import { describe, expect, it } from 'vitest';
import type { OwnKind } from '../../../src/startups/model/own-fields.ts';
import { addOwnField, type NewOwnField } from '../../../src/startups/own/declarations.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { insertRecords, record } from '../../support/records.ts';

/** A field of each kind, all indexed where the kind can be, with hostile names. */
const fields: readonly (NewOwnField & { readonly kind: OwnKind })[] = [
  { name: 'note', kind: 'text', label: 'Note "of ours"', description: 'What we say: """ \\ and ü' },
  { name: 'deck', kind: 'url' },
  { name: 'employees', kind: 'count', indexed: true },
  { name: 'valuation', kind: 'cents', indexed: true },
  { name: 'churn', kind: 'percent', indexed: true },
  { name: 'constructor', kind: 'number', indexed: true },
  { name: 'fragment', kind: 'date', indexed: true },
  { name: 'type', kind: 'boolean', indexed: true },
  { name: 'stage', kind: 'choice', indexed: true },
  { name: 'tags', kind: 'texts' },
  { name: 'unsorted', kind: 'cents' },
];

const database = await openTestDatabase();
await insertRecords(
  database,
  ['one', 'two', 'three', 'four'].map((slug) => record(slug)),
);
async function declareAndFill(): Promise<void> {
  for (const field of fields) {
    await addOwnField(database.prisma, field);
  }
  await database.prisma.ownField.update({
    where: { name: 'stage' },
    data: { choices: ["Series 'A'", 'Seed', '__proto__'] },
  });
  const set = (slug: string, own: object) =>
    database.prisma.$executeRawUnsafe(
      'UPDATE startups SET own = $1::jsonb WHERE slug = $2',
      JSON.stringify(own),
      slug,
    );
  await set('one', {
    note: 'Zoë\n"__proto__"',
    deck: 'https://a.example/deck',
    employees: 2 ** 31 - 1,
    valuation: Number.MAX_SAFE_INTEGER,
    churn: -0.5,
    constructor: 1e-7,
    fragment: Date.UTC(2020, 0, 2, 3, 4, 5, 6),
    type: true,
    stage: "Series 'A'",
    tags: ['a', 'ü'],
    unsorted: 12,
  });
  await set('two', { employees: 5, type: false, stage: 'Seed', fragment: -1, constructor: 3 });
  await set('three', { employees: 5, stage: '__proto__', valuation: 0, note: '' });
}

await declareAndFill();
const gateway = await openTestGateway({ database, limits: 100_000 });
const { key } = await gateway.key();

const ask = async (query: string, variables: object = {}) => {
  const { status, json } = await gateway.post({ query, variables }, { key });
  return { status, ...json };
};
const slugsOf = async (args: string): Promise<string[]> => {
  const { data, errors } = await ask(`{ startups(${args}) { page { slug } } }`);
  expect(errors).toBeUndefined();
  return data.startups.page.map(({ slug }: { slug: string }) => slug);
};

describe('fields that an operator declares', () => {
  it('are read with their types', async () => {
    const names = fields.map(({ name }) => name).join(' ');
    const { data } = await ask(`{ startupsBySlug(slugs: ["one", "two", "four"]) { own { ${names} } } }`);
    const [one, two, four] = data.startupsBySlug;
    expect(one.own).toEqual({
      note: 'Zoë\n"__proto__"',
      deck: 'https://a.example/deck',
      employees: 2 ** 31 - 1,
      valuation: Number.MAX_SAFE_INTEGER,
      churn: -0.5,
      constructor: 1e-7,
      fragment: '2020-01-02T03:04:05.006Z',
      type: true,
      stage: "Series 'A'",
      tags: ['a', 'ü'],
      unsorted: 12,
    });
    expect(two.own).toEqual({
      ...Object.fromEntries(fields.map(({ name }) => [name, null])),
      employees: 5,
      type: false,
      stage: 'Seed',
      fragment: '1969-12-31T23:59:59.999Z',
      constructor: 3,
    });
    expect(four.own).toEqual(Object.fromEntries(fields.map(({ name }) => [name, null])));
  });

  it.each([
    ['employees: { min: 5, max: 5 }', ['two', 'three']],
    ['employees: { min: 6 }', ['one']],
    ['employees: { min: null, max: 5 }', ['two', 'three']],
    ['valuation: { max: 0 }', ['three']],
    ['constructor: { min: 0.5 }', ['two']],
    ['fragment: { to: "1970-01-01" }', ['two']],
    ['fragment: { from: "2020-01-02T03:04:05.006Z" }', ['one']],
    ['type: false', ['two']],
    ['type: true', ['one']],
    ['type: null', ['one', 'two', 'three', 'four']],
    [`stage: { in: ["Seed", "Series 'A'"] }`, ['one', 'two']],
    ['stage: { in: ["__proto__"] }', ['three']],
    ['stage: { in: ["seed"] }', []],
    ['stage: { in: [] }', []],
    ['stage: { in: null }', ['one', 'two', 'three', 'four']],
    ['employees: { max: 5 }, stage: { in: ["Seed"] }', ['two']],
    ['', ['one', 'two', 'three', 'four']],
  ])('are filtered by { %s }', async (own, expected) => {
    expect(await slugsOf(`filter: { own: { ${own} } }, sort: REVENUE_DESC`)).toEqual(expected);
  });

  it.each([
    ['OWN_EMPLOYEES_DESC', ['one', 'two', 'three', 'four']],
    ['OWN_EMPLOYEES_ASC', ['two', 'three', 'one', 'four']],
    ['OWN_CONSTRUCTOR_DESC', ['two', 'one', 'three', 'four']],
    ['OWN_FRAGMENT_ASC', ['two', 'one', 'three', 'four']],
  ])('are sorted by %s, null last, ties in the order of import', async (sort, expected) => {
    expect(await slugsOf(`sort: ${sort}`)).toEqual(expected);
  });

  it('page by cursors in their order', async () => {
    const found: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { data } = await ask(
        `query Q($after: String) {
          startups(sort: OWN_EMPLOYEES_ASC, first: 1, after: $after) { nodes { slug } pageInfo { endCursor hasNextPage } }
        }`,
        { after },
      );
      found.push(data.startups.nodes[0].slug);
      ({ endCursor: after, hasNextPage: more } = data.startups.pageInfo);
    }
    expect(found).toEqual(['two', 'three', 'one', 'four']);
  });

  it.each([
    [
      'filter: { own: { employees: { min: 3, max: 2 } } }',
      'own.employees.min',
      'got 3, allowed: at most max (2)',
    ],
  ])('refuse { %s }', async (args, parameter, message) => {
    const { status, errors } = await ask(`{ startups(${args}) { page { slug } } }`);
    expect([status, errors[0].extensions.code, errors[0].extensions.details[0].parameter]).toEqual([
      200,
      'BAD_USER_INPUT',
      parameter,
    ]);
    expect(errors[0].message).toContain(message);
  });

  it('have summaries of what they filter, and history beside them', async () => {
    const { data, errors } = await ask(
      `{ startups(filter: { own: { employees: { max: 5 } } }) {
          page { slug category own { stage } history { day mrr: revenue { mrr } } } meta { total } facets { categories: category { value count } }
        } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.startups.meta.total).toBe(2);
  });
});
