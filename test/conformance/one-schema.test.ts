import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLObjectType } from 'graphql';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { GraphQLContext } from '../../src/api/graphql/execution/context.ts';
import { PreparedDocument, PreparedOperation } from '../../src/api/graphql/planning/prepared-document.ts';
import { schema } from '../../src/api/graphql/schema.ts';
import { operations } from '../../src/api/rest/endpoint-table.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

let gateway: TestGateway;
let key: string;
beforeEach(async () => {
  gateway = await openTestGateway({
    records: [record('one', { category: 'ai' }), record('two')],
    limits: 1_000,
  });
  ({ key } = await gateway.key());
});

type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

/** Replaces the resolver of a field until the test is over. */
function replaceResolver(type: string, field: string, replace: (resolve: Resolver) => Resolver): void {
  const definition = (schema.getType(type) as GraphQLObjectType).getFields()[field];
  if (definition === undefined) {
    throw new Error(`There is no ${type}.${field}`);
  }
  const { resolve = defaultFieldResolver } = definition;
  definition.resolve = replace(resolve);
  onTestFinished(() => {
    definition.resolve = resolve;
  });
}

it('a resolver that is replaced changes both surfaces, lists and details', async () => {
  replaceResolver('Startup', 'rank', () => () => 77);
  replaceResolver('Startup', 'name', () => () => 'Another name');
  const changed = { name: 'Another name', rank: 77 };
  for (let repetition = 0; repetition < 4; repetition += 1) {
    const query = '{ startups { nodes { name rank } } startup(slug: "one") { name rank } }';
    const { json } = await gateway.graphql(query, {}, { key });
    expect(json.data).toEqual({ startups: { nodes: [changed, changed] }, startup: changed });
    expect((await gateway.call('/api/v1/startups', { key })).json.data).toMatchObject([changed, changed]);
    expect((await gateway.call('/api/v1/startups/one', { key })).json.data).toMatchObject(changed);
  }
});

const list = { filter: { category: 'ai' }, sort: 'price-desc', limit: 3 };
const one = { slug: 'one' };
/** Requests to REST, with the root fields and histories that each resolves: the name of the document, and arguments. */
const executions = [
  ['/startups?category=ai&limit=3&sort=price-desc', ['RestStartups', list]],
  ['/summary?category=ai', ['RestSummary', { filter: { category: 'ai' } }]],
  ['/startups/one', ['RestStartup', one]],
  ['/startups/unknown', ['RestStartup', { slug: 'unknown' }]],
  ['/startups/one/history?fill=true', ['RestHistory', one], ['RestHistory', { fill: true }]],
  ['/market?category=ai', ['RestMarket', { category: 'ai' }]],
  ['/changes?limit=5', ['RestChanges', { first: 5 }]],
  ['/limits', ['RestLimits', {}]],
  ['/startups?limit=11'],
] as const;

it('each operation of REST that runs a document is compared with it', () => {
  const left = Object.values(operations).filter((operation) => {
    const path = new RegExp(`^${operation.path.replace('{slug}', '[^/]+')}($|\\?)`);
    return 'document' in operation && !executions.some(([asked, ran]) => ran && path.test(asked));
  });
  expect(
    left.map(({ path }) => path),
    'Add a request to each of these to `executions`',
  ).toEqual([]);
});

it('each REST response executes its own document, once', async () => {
  const executed: unknown[] = [];
  const observe = (type: string, field: string): void =>
    replaceResolver(type, field, (resolve) => (root, args, context, info) => {
      executed.push([info.operation.name?.value, args]);
      return resolve(root, args, context, info);
    });
  for (const field of Object.keys((schema.getQueryType() as GraphQLObjectType).getFields())) {
    observe('Query', field);
  }
  observe('Startup', 'history');
  for (let repetition = 0; repetition < 4; repetition += 1) {
    for (const [path, ...expected] of executions) {
      await gateway.call(`/api/v1${path}`, { key });
      expect(executed.splice(0), path).toMatchObject(expected);
    }
  }
});

it('masks an unexpected error on both surfaces, and logs it with the id of its request', async () => {
  replaceResolver('Startup', 'slug', () => () => {
    throw new Error('the inside');
  });
  for (let repetition = 0; repetition < 4; repetition += 1) {
    const rest = await gateway.call('/api/v1/startups/one', { key });
    const [code, message] = ['INTERNAL_SERVER_ERROR', 'Internal server error'];
    expect(rest).toMatchObject({ status: 500, json: { error: { code, message } } });
    const graphql = await gateway.graphql('{ startup(slug: "one") { slug } }', {}, { key });
    expect(graphql.json.errors).toMatchObject([{ message, extensions: { code } }]);
    for (const answer of [rest, graphql]) {
      expect(answer.text).not.toContain('the inside');
      const id = answer.headers['x-request-id'] ?? '';
      expect(gateway.logs.some((text) => text.includes(id) && text.includes('the inside'))).toBe(true);
    }
  }
});

it.each([
  ['finding it in its document', PreparedDocument.prototype, 'operation'],
  ['planning it', PreparedOperation.prototype, 'plan'],
] as const)('masks and logs an unexpected error of preparing an operation: %s', async (_what, of, method) => {
  const failing = vi.spyOn(of as unknown as Record<string, () => never>, method).mockImplementation(() => {
    throw new TypeError('the inside');
  });
  onTestFinished(() => failing.mockRestore());
  const params = { name: 'get_startup', arguments: { slug: 'one' } };
  const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const error = { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' };
  const extensions = { code: error.code };
  for (const [answer, status, masked] of [
    [await gateway.call('/api/v1/startups/one', { key }), 500, { error }],
    [
      await gateway.graphql('{ startup(slug: "one") { slug } }', {}, { key }),
      500,
      { errors: [{ message: error.message, extensions }] },
    ],
    [
      await gateway.call('/mcp', { method: 'POST', key, headers, body: rpc }),
      200,
      { result: { isError: true, structuredContent: { error: extensions } } },
    ],
  ] as const) {
    expect([answer.status, answer.json]).toMatchObject([status, masked]);
    expect(answer.text).not.toContain('the inside');
    const id = answer.headers['x-request-id'] ?? '';
    const [logged, ...others] = gateway.logs.filter(
      (text) => text.includes(id) && text.includes('the inside'),
    );
    expect([JSON.parse(logged ?? ''), others]).toMatchObject([
      { requestId: id, msg: 'a request failed' },
      [],
    ]);
    // The client reports this id to the operator.
    expect(answer.text).toContain(id);
  }
});
