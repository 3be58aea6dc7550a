import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const gateway = await openTestGateway({ records: [record('one')], limits: 10_000 });
const { key } = await gateway.key();
const server = await gateway.listen();

const post = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  gateway.post(body, { key, headers: { accept: 'application/graphql-response+json', ...headers } });
const fetchWithKey = (input: string, init: RequestInit = {}): Promise<Response> =>
  fetch(input, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${key}` } });
const TYPENAME = JSON.stringify({ query: '{ __typename }' });

describe('the body of a GraphQL request', () => {
  it.each(['identity', 'Identity'])('may be sent with Content-Encoding: %s', async (encoding) => {
    const { status, json } = await post(TYPENAME, { 'content-encoding': encoding });
    expect([status, json.data]).toEqual([200, { __typename: 'Query' }]);
  });

  it.each(['gzip', 'br', 'identity, gzip', ''])('is refused with Content-Encoding: %s', async (encoding) => {
    const { status, json } = await post(TYPENAME, { 'content-encoding': encoding });
    expect([status, json.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may begin with one byte order mark', async () => {
    expect((await post(`\ufeff${TYPENAME}`)).json.data).toEqual({ __typename: 'Query' });
    expect((await post(`\ufeff\ufeff${TYPENAME}`)).status).toBe(400);
  });
});

it.each([
  ['body', { method: 'POST', body: Buffer.from('{"query":"{ __typename } # Caf\u00e9"}', 'latin1') }, ''],
  ['query', {}, '?query={__typename}%23Caf%E9'],
  ['variables', {}, '?query={__typename}&variables={"a":"Caf%E9"}'],
])('%s is refused if it is not UTF-8', async (parameter, options, query) => {
  const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
  const { status, json } = await gateway.call(`/graphql${query}`, { key, headers, ...options });
  expect([status, json.errors[0].message]).toEqual([400, expect.stringMatching(/UTF-8/)]);
  expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', details: [{ parameter }] });
});

it.each(['query', 'operationName', 'variables'])('%s is refused if a URL has it twice', async (name) => {
  const twice = `${name}={__typename}&${name}={__typename}`;
  const { status, json } = await gateway.call(`/graphql?query={__typename}&${twice}`, { key });
  expect(status).toBe(400);
  expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', details: [{ parameter: name }] });
});

it('media types have no case', async () => {
  const accept = 'APPLICATION/GRAPHQL-RESPONSE+JSON';
  const { status, headers } = await post('{"query":"{ x }"}', { accept });
  expect([status, headers['content-type']]).toEqual([400, `${accept.toLowerCase()}; charset=utf-8`]);
});

describe('operationName', () => {
  it('counts as absent if it is empty, over POST and GET', async () => {
    const params = { query: 'query A { startup(slug: "one") { slug } }', operationName: '' };
    const one = { data: { startup: { slug: 'one' } } };
    expect((await post(JSON.stringify(params))).json).toMatchObject(one);
    expect((await gateway.call(`/graphql?${new URLSearchParams(params)}`, { key })).json).toEqual(one);
  });

  const names = Array.from({ length: 23 }, (_, index) => `Q${index}`);
  const documentOf = (operations: string[]): string =>
    operations.map((name) => `query ${name} { __typename }`).join(' ');
  it.each([
    ['C', documentOf(['A', 'B']), 'got "C", allowed: one of A, B'],
    ['', documentOf(['A', 'B']), 'got null, allowed: one of A, B'],
    ['C', '{ __typename }', 'got "C", allowed: null, as the only operation of the document has no name'],
    ['C', documentOf(names), `got "C", allowed: one of ${names.slice(0, 20).join(', ')} and 3 more`],
    [
      'x'.repeat(5_000),
      documentOf(['A'.repeat(5_000)]),
      `got "${'x'.repeat(119)}…, allowed: one of ${'A'.repeat(60)}…`,
    ],
  ])('names what exists where it is unknown: %#', async (operationName, query, message) => {
    const { status, json } = await post(JSON.stringify({ query, operationName }));
    expect([status, json.errors[0].message]).toEqual([400, `operationName: ${message}`]);
    const details = [{ parameter: 'operationName' }];
    expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', details });
  });
});

describe('a number that a message quotes', () => {
  const LONG = '99999999999999999999';
  const list = (args: string, variables = '') =>
    `query ${variables && `(${variables})`} { startups(${args}) { meta { total } } }`;
  const [page, filter] = [list('page: $n', '$n: Int'), list('filter: $f', '$f: StartupFilter')];
  it.each<[string, string, string, RegExp]>([
    [
      'a variable that is no Int',
      page,
      `{"n": ${LONG}}`,
      /^Variable "\$n" got .+ 10{20}; Int cannot .+: 10{20}$/,
    ],
    ['a variable out of range', page, '{"n": -1.0e1}', /^page: got -10, allowed: an integer/],
    ['a bound', filter, '{"f": {"minMrr": 3, "maxMrr": 1.50}}', /^minMrr: got 3, .+ maxMrr \(1\.5\)$/],
    ['a bound beyond a double', list('filter: { minMrr: 1e400 }'), '{}', /^minMrr: got Infinity, allowed: a/],
    ['a literal that is no Int', list(`page: ${LONG}`), '{}', /^Int cannot represent non 32-bit .+: 9{20}$/],
  ])('is shown as JSON reads it: %s', async (_name, query, variables, message) => {
    const posted = await post(`{"query":${JSON.stringify(query)},"variables":${variables}}`);
    const got = await gateway.call(`/graphql?${new URLSearchParams({ query, variables })}`, { key });
    for (const { json } of [posted, got]) {
      expect(json.errors).toHaveLength(1);
      expect(json.errors[0].message).toMatch(message);
    }
  });
});

/** The public audits of GraphQL over HTTP, against a server that listens. */
describe('GraphQL over HTTP', () => {
  const audits = serverAudits({ url: () => `${server}/graphql`, fetchFn: fetchWithKey });

  it.each(audits.map(({ id, name, fn }) => ({ id, name, fn })))('$id $name', async ({ fn }) => {
    const result = await fn();
    expect('reason' in result ? result.reason : result.status).toBe('ok');
  });

  it.each(['mutation', 'subscription'])('a %s is refused as no part of the schema', async (operation) => {
    const headers = { accept: 'application/graphql-response+json' };
    const query = `${operation} { __typename }`;
    const code = 'GRAPHQL_VALIDATION_FAILED';
    for (const answer of [
      await gateway.graphql(query, {}, { key, headers }),
      await gateway.call(`/graphql?query=${encodeURIComponent(query)}`, { key, headers }),
    ]) {
      expect(answer).toMatchObject({ status: 400, json: { errors: [{ extensions: { code } }] } });
      expect(answer.json).not.toHaveProperty('data');
    }
  });
});
