import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Answer, openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const gateway = await openTestGateway({ records: [record('one')], limits: 10 });

/** What the reference says about each code, such as `REST 400 · GraphQL 400 or 200`. */
const documented = new Map(
  [...readFileSync('docs/reference/errors.md', 'utf8').matchAll(/^- `([A-Z_]+)` · (.*?\d`): /gm)].map(
    ([, code, facts = '']) => [code, facts.replaceAll('`', '')],
  ),
);

type Send = (accept: string) => Promise<Answer>;
const rest =
  (path: string, options: object = {}): Send =>
  async () =>
    gateway.call(path, { key: (await gateway.key()).key, ...options });
const graphql =
  (query: string, options: object = {}): Send =>
  async (accept) =>
    gateway.graphql(query, {}, { key: (await gateway.key()).key, ...options, headers: { accept } });
const post =
  (body: string, headers: object): Send =>
  async (accept) =>
    gateway.post(body, { key: (await gateway.key()).key, headers: { accept, ...headers } });

const wide = `{ ${Array.from({ length: 61 }, (_, at) => `a${at}: __typename`).join(' ')} }`;

/** Requests that get a code, over the surfaces that have it. */
const requests: { code: string; rest?: Send; graphql?: Send }[] = [
  {
    code: 'BAD_USER_INPUT',
    rest: rest('/api/v1/startups?limit=0'),
    graphql: graphql('{ startups(limit: 0) { nodes { slug } } }'),
  },
  { code: 'GRAPHQL_PARSE_FAILED', graphql: graphql('{') },
  { code: 'GRAPHQL_VALIDATION_FAILED', graphql: graphql('{ nothing }') },
  {
    code: 'UNAUTHENTICATED',
    rest: rest('/api/v1/startups', { key: 'x' }),
    graphql: graphql('{ __typename }', { key: 'x' }),
  },
  { code: 'NOT_FOUND', rest: rest('/api/v1/startups/nothing') },
  {
    code: 'METHOD_NOT_ALLOWED',
    rest: rest('/api/v1/startups', { method: 'PUT' }),
    graphql: async () => gateway.call('/graphql', { key: (await gateway.key()).key, method: 'PUT' }),
  },
  { code: 'OPERATION_TOO_COMPLEX', graphql: graphql(wide) },
  { code: 'UNSUPPORTED_MEDIA_TYPE', graphql: post('{}', { 'content-type': 'text/plain' }) },
  {
    code: 'DOCUMENT_NOT_FOUND',
    graphql: post(JSON.stringify({ documentId: `sha256:${'0'.repeat(64)}` }), {}),
  },
];

it.each(requests)('a request that gets $code has the documented status', async ({ code, ...surfaces }) => {
  const facts = documented.get(code) ?? '';
  const found: string[] = [];
  if (surfaces.rest !== undefined) {
    const { status, json } = await surfaces.rest('application/json');
    expect(json.error.code).toBe(code);
    found.push(`REST ${status}`);
  }
  if (surfaces.graphql !== undefined) {
    const typed = await surfaces.graphql('application/graphql-response+json');
    const plain = await surfaces.graphql('application/json');
    expect([typed, plain].map(({ json }) => json.errors[0].extensions.code)).toEqual([code, code]);
    found.push(`GraphQL ${typed.status}${plain.status === typed.status ? '' : ` or ${plain.status}`}`);
  } else {
    expect(facts).not.toContain('GraphQL');
  }
  for (const fact of found) {
    expect(facts.split(' · ')).toContain(fact);
  }
});

it('documents that a field with an expired cursor, or with a history that cannot be read, leaves the status at 200', () => {
  // test/conformance/changes.test.ts and history.test.ts send these requests.
  expect(documented.get('CURSOR_EXPIRED')).toBe('REST 410 · GraphQL 200');
  expect(documented.get('SERVICE_UNAVAILABLE')).toBe('REST 503 · GraphQL 503 or 200');
});
