import type { GraphQLObjectType } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { schema } from '../../../src/api/graphql/schema.ts';
import type { OwnKind } from '../../../src/startups/model/own-fields.ts';
import {
  addOwnField,
  labelOwnField,
  type NewOwnField,
  newNameError,
  removeOwnField,
} from '../../../src/startups/own/declarations.ts';
import { agentOf } from '../../api/mcp/agent.ts';
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
/** The values of the first startup, as surfaces have them. */
const OWN = {
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
};

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
  await set('one', { ...OWN, fragment: Date.parse(OWN.fragment) });
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
    expect(one.own).toEqual(OWN);
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

  it.each([1, 2, 3])('are filtered by variables, at use %d as before', async () => {
    const filter = { own: { employees: { min: 5, max: 5 }, stage: { in: ['Seed', '__proto__'] } } };
    const { data, errors } = await ask(
      'query Q($filter: StartupFilter!) { startups(filter: $filter, sort: OWN_EMPLOYEES_ASC) { page { slug } } }',
      { filter },
    );
    expect(errors).toBeUndefined();
    expect(data.startups.page).toEqual([{ slug: 'two' }, { slug: 'three' }]);
  });

  it.each([
    [{ own: { constructor: { min: 'x' } } }, 'min', 'got "x", allowed: a number'],
    [{ own: { note: 'x' } }, 'note', 'unknown field of StartupOwnFilter'],
    [
      { own: { Employees: { min: 1 } } },
      'Employees',
      'unknown field of StartupOwnFilter (did you mean "employees"?)',
    ],
    [{ own: { employees: 5 } }, 'employees', 'got 5, allowed: an object of the type OwnRange'],
    [{ own: { stage: { in: [1] } } }, 'in', 'got 1, allowed: a text'],
  ])('refuse the variable %j', async (filter, parameter, message) => {
    const { errors } = await ask(
      'query Q($filter: StartupFilter!) { startups(filter: $filter) { page { slug } } }',
      { filter },
    );
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', details: [{ parameter }] });
    expect(errors[0].extensions.details[0].message).toContain(message);
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
    [
      'filter: { own: { valuation: { min: 1e400 } } }',
      'own.valuation.min',
      'got Infinity, allowed: a finite number',
    ],
    [
      'filter: { own: { valuation: { min: 1, max: -1e400 } } }',
      'own.valuation.max',
      'got -Infinity, allowed: a finite number',
    ],
    [
      'filter: { own: { fragment: { from: "2021-01-01", to: "2020-01-01" } } }',
      'own.fragment.from',
      'got "2021-01-01T00:00:00.000Z", allowed: at most to (2020-01-01T00:00:00.000Z)',
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

describe('REST', () => {
  const get = async (path: string) => {
    const { status, json } = await gateway.call(path, { key });
    return { status, ...json };
  };
  it('has own as the last member of details', async () => {
    const { data } = await get('/api/v1/startups/one');
    expect(Object.keys(data).at(-1)).toBe('own');
    expect(data.own).toEqual(OWN);
    expect(Object.keys(data.own)).toEqual(fields.map(({ name }) => name));
  });

  it('has own in lists only with include', async () => {
    const without = await get('/api/v1/startups?limit=1');
    expect(without.data[0]).not.toHaveProperty('own');
    const { data } = await get('/api/v1/startups?limit=1&include=own');
    expect(Object.keys(data[0]).at(-1)).toBe('own');
    expect({ ...data[0], own: undefined }).toEqual({ ...without.data[0], own: undefined });
  });

  it.each([
    ['own.employees.min=5&own.employees.max=5', ['two', 'three']],
    ['own.constructor.min=0.5', ['two']],
    ['own.fragment.to=1970-01-01', ['two']],
    ['own.type=false', ['two']],
    ["own.stage=Seed,Series%20'A'", ['one', 'two']],
    ['own.stage=__proto__', ['three']],
    ['own.stage=seed', []],
    ['sort=own.employees-asc', ['two', 'three', 'one', 'four']],
    ['sort=own.constructor-desc', ['two', 'one', 'three', 'four']],
  ])('answers ?%s', async (query, expected) => {
    const { data } = await get(`/api/v1/startups?${query}`);
    expect(data.map(({ slug }: { slug: string }) => slug)).toEqual(expected);
    const isSort = query.startsWith('sort');
    const summary = await get(`/api/v1/summary${isSort ? '' : `?${query}`}`);
    expect(summary.meta.total).toBe(expected.length);
  });

  it.each([
    ['own.employees.min=x', 'own.employees.min', 'got "x", allowed: a decimal number'],
    ['own.employees.min=3&own.employees.max=2', 'own.employees.min', 'got 3, allowed: at most max (2)'],
    ['own.fragment.from=never', 'own.fragment.from', 'got "never", allowed: a date'],
    ['own.stage=', 'own.stage', 'got "", allowed: at most 100 values such as Series'],
    ['own.note=x', 'own.note', 'unknown parameter'],
    ['own.employes.min=3', 'own.employes.min', 'unknown parameter (did you mean "own.employees.min"?)'],
    ['include=all', 'include', 'got "all", allowed: one of own'],
    ['sort=own.note-desc', 'sort', 'got "own.note-desc"'],
  ])('refuses ?%s', async (query, parameter, message) => {
    const { status, error } = await get(`/api/v1/startups?${query}`);
    expect([status, error.code, error.details[0].parameter]).toEqual([400, 'BAD_USER_INPUT', parameter]);
    expect(error.details[0].message).toContain(message);
  });

  it('has own in changes and in each line of a snapshot', async () => {
    const { data } = await get('/api/v1/changes');
    const [change] = data.filter(({ slug }: { slug: string }) => slug === 'one');
    expect(change.startup.own).toEqual(OWN);
    const snapshots = await gateway.key({ snapshot: true });
    const { text } = await gateway.call('/api/v1/snapshot', { key: snapshots.key });
    const line = JSON.parse(text.slice(0, text.indexOf('\n')));
    expect(line.own).toEqual(OWN);
    expect(Object.keys(line).at(-1)).toBe('own');
  });

  it('is described by OpenAPI and the schema that are served', async () => {
    const { text: schema } = await gateway.call('/schema.graphql');
    expect(schema).toContain('type StartupOwn {');
    expect(schema).toContain('OWN_EMPLOYEES_DESC');
    const { json } = await gateway.call('/openapi.json');
    expect(Object.keys(json.components.schemas.Own.properties)).toEqual(fields.map(({ name }) => name));
    const names = json.paths['/startups'].get.parameters.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['include', 'own.employees.min', 'own.stage']));
    expect(json.components.schemas.StartupDetail.required).toContain('own');
    expect(json.components.schemas.Startup.required).not.toContain('own');
  });
});

describe('agents', () => {
  it('read declared fields, filter and sort by them', async () => {
    const agent = agentOf(gateway, key);
    const found = await agent.call('search_startups', {
      'own.employees.max': 5,
      'own.stage': ['Seed', '__proto__'],
      sort: 'own.employees-asc',
      fields: ['own.stage', 'own.fragment', 'own.valuation'],
    });
    expect(found.content[0].text).toContain('1. "TWO" (two); own.fragment 1969-12-31; own.stage "Seed"');
    expect(found.content[0].text).toContain('2. "THREE" (three); own.valuation $0; own.stage "__proto__"');
    const one = await agent.call('get_startup', { slug: 'one' });
    expect(one.structuredContent.data.own).toMatchObject({ employees: 2 ** 31 - 1, tags: ['a', 'ü'] });
    expect(one.content[0].text).toContain('own.valuation $90,071,992,547,409.91');
    const summary = await agent.call('summarize_startups', { 'own.type': true });
    expect(summary.content[0].text).toContain('1 startup found.');
  });
});

describe('two nodes', () => {
  it('serve what is declared, relabelled and removed within 10 seconds, and fail no request meanwhile', async () => {
    const other = await openTestGateway({ database, limits: 100_000 });
    const nodes = [gateway, other];
    const statusOf = async (node: typeof gateway, query: string): Promise<string | undefined> =>
      (await node.post({ query }, { key })).json.errors?.[0].extensions.code;
    let isDone = false;
    const failures: unknown[] = [];
    const others = nodes.map(async (node) => {
      while (!isDone) {
        const code = await statusOf(node, '{ startups { page { own { employees } } } }');
        failures.push(...(code === undefined ? [] : [code]));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    const served = (query: string, code?: string) =>
      vi.waitFor(async () => {
        expect(await Promise.all(nodes.map((node) => statusOf(node, query)))).toEqual([code, code]);
      }, 10_000);
    const query = '{ startups(sort: OWN_ADDED_DESC) { page { own { added } } } }';
    await addOwnField(database.prisma, { name: 'added', kind: 'number', indexed: true });
    await served(query);
    await labelOwnField(database.prisma, 'added', 'Added later');
    await vi.waitFor(async () => {
      for (const node of nodes) {
        expect((await node.call('/schema.graphql')).text).toContain('Added later. A field of this service');
      }
    }, 10_000);
    await database.prisma.$transaction((transaction) => removeOwnField(transaction, 'added'));
    await served(query, 'GRAPHQL_VALIDATION_FAILED');
    isDone = true;
    await Promise.all(others);
    expect(failures).toEqual([]);
  });
});

it('no declared field has the name of one of ours, whatever its case', async () => {
  const ours = Object.keys((schema.getType('Startup') as GraphQLObjectType).getFields());
  expect(ours.length).toBeGreaterThan(30);
  for (const name of ours.flatMap((one) => [one, one.toLowerCase()])) {
    expect(newNameError([], name), name).toContain('which is a name of ours');
  }
});
