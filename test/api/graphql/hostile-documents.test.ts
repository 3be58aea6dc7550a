import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { expectCheap } from '../../support/cost.ts';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const gateway = await openTestGateway({ records: [record('one')], limits: 100_000 });
const { key } = await gateway.key();

const repeat = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(' ');

const many = (count: number, text: string): string => repeat(count, () => text);

const TOO_COMPLEX = { code: 'OPERATION_TOO_COMPLEX' };

const headers = { accept: 'application/graphql-response+json' };
let sent = 0;
/** Sends a document, never the same text twice, so that each time all of it is read. */
function send(query: string): Promise<Answer> {
  sent += 1;
  return gateway.graphql(`${query} #${sent}`, {}, { key, headers });
}

/** About as many tokens as allowed, and none that has to be compared with another. */
const ORDINARY = `{ startupsBySlug(slugs: [${repeat(1_900, (i) => `"s${i}"`)}]) { name } }`;

/** Sends a document, which must not take many times as long as an ordinary one. */
async function sendTimed(query: string): Promise<Answer> {
  let answer: Answer | undefined;
  await expectCheap(
    async () => {
      answer = await send(query);
    },
    () => send(ORDINARY),
    15,
  );
  return answer as Answer;
}

const aliased = (count: number, text: string): string => repeat(count, (i) => `a${i}: ${text}`);
const chain = repeat(20, (i) => `fragment F${i} on Query { a { ...F${i + 1} } }`);
const A60 = `{ ${aliased(7, 'startups { ...F }')} } fragment F on StartupConnection { page { ${aliased(10, 'name')} } }`;
const long = `{ startups { ...F } } fragment F on StartupConnection { page { ${'a'.repeat(101)}: name } }`;

it.each<[string, string, string]>([
  ['tokens', 'too many', `{ startups { page { ${many(2000, 'name')} } } }`],
  ['lines', 'before many errors', `{ ${repeat(99, (i) => `nothing${i}${'\n'.repeat(900)}`)} }`],
  ['lines', 'of comments', `${'#\r'.repeat(2_000)} { __typename }`],
  ['operations', 'of one fragment', `${repeat(51, (i) => `query A${i} { ...F }`)} fragment F on Query { a }`],
  ['depth', 'in selections', `{ startups ${many(16, '{ a')} ${many(16, '}')} }`],
  ['depth', 'through a chain of fragments', `{ ...F0 } ${chain} fragment F20 on Query { a }`],
  ['depth', 'through inline fragments', `{ a ${many(20, '{ ... { a')} ${many(20, '} }')} }`],
  ['aliases', 'too many', `{ startups { page { ${aliased(61, 'name')} } } }`],
  ['aliases', 'of __typename', `{ ${aliased(61, '__typename')} }`],
  ['aliases', 'multiplied by fragments', A60],
  [
    'aliases',
    'in fragments of fragments',
    `{ ...A ...B } fragment A on Query { ${aliased(31, '__typename')} } fragment B on Query { ...A ...A }`,
  ],
  ['aliases', 'in __schema', `{ ...__schema } fragment __schema on Query { ${aliased(61, '__typename')} }`],
  ['characters in an alias', 'too many', long],
  ['directives', 'on fields', `{ ${many(51, '__typename @skip(if: false)')} }`],
  ['directives', 'on one field', `{ __typename ${many(51, '@skip(if: false)')} }`],
  ['directives', 'on the operation', `query ${many(51, '@a')} { __typename }`],
  ['directives', 'on a fragment', `{ __typename } fragment F on Query ${many(51, '@a')} { __typename }`],
  ['fragments', 'too many', `{ __typename } ${repeat(51, (i) => `fragment F${i} on Query { __typename }`)}`],
  ['introspections', 'too many', `{ ${aliased(2, '__schema { types { name } }')} }`],
])('refuses %s: %s', async (measure, _name, query) => {
  const { status, json } = await sendTimed(query);
  expect(status).toBe(400);
  const message = new RegExp(`^The operation has \\d+ ${measure}, allowed: at most \\d+$`);
  expect(json.errors).toMatchObject([{ message: expect.stringMatching(message), extensions: TOO_COMPLEX }]);
});

it.each([
  ['a cycle of fragments', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
  ['a fragment that spreads itself', '{ ...A } fragment A on Query { startups { meta { page } } ...A }'],
  ['deep introspection', `{ __schema { types { fields ${many(2, '{ type { fields')} { name } } } } } } } }`],
  ['a hundred errors', `{ ${repeat(100, (i) => `nothing${i}`)} }`],
  [
    'overlapping fields',
    `{ startups { page { ${many(100, 'name')} } } startups(page: 2) { page { name } } }`,
  ],
])('refuses %s as invalid, promptly', async (_name, query) => {
  const { status, json } = await sendTimed(query);
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
});

it.each([
  [
    repeat(101, (i) => `nothing${i}`),
    'The operation has more than 100 validation errors, allowed: at most 100',
  ],
  // Fields of which some differ are compared with each other.
  [
    `startups { page { ${many(1900, 'name')} name: slug } }`,
    'The operation selects fields of the same name too often to compare them',
  ],
])('refuses a document as too complex: $1', async (selection, message) => {
  const { status, json } = await sendTimed(`{ ${selection} }`);
  expect([status, json.errors]).toEqual([400, [{ message, extensions: TOO_COMPLEX }]]);
});

const inFragments = repeat(
  49,
  (i) => `fragment F${i} on Query { startups { page { ${many(20, 'name')} } } }`,
);
const twice = `fragment A on StartupConnection { ${many(100, 'edges { ...B }')} }
  fragment B on StartupEdge { ${many(500, 'cursor')} }`;
const types = '{ types { fields { name args { name type { name } } type { name ofType { name } } } } }';
it.each([
  ['equal fields', `{ startups { page { ${many(1980, 'name')} } } }`],
  ['equal fields with arguments', `{ ${many(180, 'startups(page: 1, limit: 1) { meta { page } }')} }`],
  ['equal fields through fragments', `{ ${repeat(49, (i) => `...F${i}`)} } ${inFragments}`],
  ['a fragment in each of many equal fields, twice', `{ ${many(100, 'startups { ...A }')} } ${twice}`],
  ['a nested value', `{ startups(filter: ${'['.repeat(950)}${']'.repeat(950)}) { meta { page } } }`],
  ['sixty introspected types', `{ __schema ${types} }`],
])('bears %s', async (_name, query) => {
  expect((await sendTimed(query)).status).toBeLessThan(500);
});

it('caps the reads of an operation whatever its budget', async () => {
  const query = `{ ${repeat(60, (i) => `a${i}: startups { meta { page } }`)} startups { meta { page } } }`;
  const answer = await gateway.graphql(query, {}, { key });
  expect(answer.json.errors[0].message).toBe('The operation has 61 reads, allowed: at most 60');
});

it('answers what clients ask of several types before they introspect', async () => {
  const document =
    '{ schema: __type(name: "__Schema") { fields { name } } type: __type(name: "__Type") { fields { name } } }';
  const { json } = await gateway.graphql(document, {}, { key });
  expect(json.data.schema.fields).toContainEqual({ name: 'queryType' });
  expect(json.data.type.fields).toContainEqual({ name: 'fields' });
});

it('answers the introspection query that clients send', async () => {
  expect((await send(getIntrospectionQuery())).json.errors).toBeUndefined();
});

describe('JSON that is nested deeply', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const post = (body: string): Promise<Answer> => gateway.post(body, { key });

  it.each([
    ['the body', () => post(`{"query":"{ __typename }","variables":{"a":${nested(5_000)}}}`), 'body'],
    [
      'variables of GET',
      () => gateway.call(`/graphql?query={__typename}&variables=${nested(65)}`, { key }),
      'variables',
    ],
  ] as const)('is refused in %s, by its name', async (_name, ask, parameter) => {
    const { status, json } = await ask();
    expect(status).toBe(400);
    expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', details: [{ parameter }] });
    expect(json.errors[0].message).toContain('JSON nested at most 64 levels deep');
  });

  it('is taken up to 64 levels; brackets in strings are none', async () => {
    const { json } = await post(
      `{"query":"{ __typename }","variables":{"b":${nested(62)},"a":"${'['.repeat(100)}\\"{"}}`,
    );
    expect(json).toMatchObject({ data: { __typename: 'Query' } });
  });
});

it.each([
  ['search', 'filter: { search: $text }', `a${'\u0345'.repeat(20_000)}${'\u0334'.repeat(20_000)}`],
  ['search', 'filter: { search: $text }', '\ufdfa'.repeat(30_000)],
  ['xHandle', 'filter: { xHandle: $text }', 'a'.repeat(90_000)],
  ['country', 'filter: { country: $text }', 'A'.repeat(90_000)],
  ['after', 'after: $text', 'A'.repeat(90_000)],
])('a long %s in each of many lists is refused at once: %#', async (name, args, text) => {
  const lists = repeat(59, (i) => `a${i}: startups(${args}) { meta { total } }`);
  const query = `query ($text: String) { ${lists} }`;
  await expectCheap(
    async () => {
      const { status, json } = await gateway.graphql(query, { text }, { key, headers });
      expect([status, json.errors[0].extensions.details]).toMatchObject([400, [{ parameter: name }]]);
    },
    () => send(ORDINARY),
    15,
  );
});

describe('variables with many errors', () => {
  const query = 'query ($f: StartupFilter) { startups(filter: $f) { meta { total } } }';
  const named = (count: number, letters: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}${'a'.repeat(letters)}`, 1]));

  it('are refused with short messages that keep their reason', async () => {
    const { status, json, text } = await gateway.graphql(query, { f: named(30, 3_000) }, { key, headers });
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(json.errors[0].message).toMatch(/^Variable "\$f" got .+ … .+ by type "StartupFilter"\.$/);
    expect(text.length).toBeLessThan(20_000);
  });

  it('are refused at once if an object has more names than any input could', async () => {
    await expectCheap(
      async () => {
        const { status, json } = await gateway.graphql(query, { f: named(8_000, 0) }, { key, headers });
        expect(status).toBe(400);
        expect(json.errors[0].message).toContain('with at most 500 names in an object');
      },
      () => send(ORDINARY),
      15,
    );
  });
});

it.each([
  ['query ($s: String = "a") { startup(slug: $s) { name } }', { s: null }],
  ['query ($s: [String!] = ["a"]) { startupsBySlug(slugs: $s) { name } }', { s: null }],
  ['query ($i: ID = "a") { node(id: $i) { id } }', { i: null }],
  ['query ($i: [ID!] = ["a"]) { nodes(ids: $i) { id } }', { i: null }],
  ['query ($i: Boolean = true) { startups @include(if: $i) { nodes { name } } }', { i: null }],
])('null for a variable whose default was to stand there is an input error: %s', async (query, variables) => {
  const before = gateway.logs.length;
  const { status, json } = await gateway.graphql(query, variables, { key, headers });
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
  expect(gateway.logs.slice(before).filter((line) => line.includes('"level":50'))).toEqual([]);
});

it('a condition of @include is not read where @skip excludes the field, as in execution', async () => {
  const query =
    'query ($i: Boolean = true) { __typename startups @skip(if: true) @include(if: $i) { nodes { name } } }';
  const { status, json } = await gateway.graphql(query, { i: null }, { key, headers });
  expect([status, json.data]).toEqual([200, { __typename: 'Query' }]);
});
