import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLObjectType } from 'graphql';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { GraphQLContext } from '../../src/api/graphql/execution/context.ts';
import { schema } from '../../src/api/graphql/schema.ts';
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
    const list = { filter: { category: 'ai' }, sort: 'price-desc', limit: 3 };
    const one = { slug: 'one' };
    for (const [path, ...expected] of [
      ['startups?category=ai&limit=3&sort=price-desc', ['RestStartups', list]],
      ['startups/one', ['RestStartup', one]],
      ['startups/unknown', ['RestStartup', { slug: 'unknown' }]],
      ['startups/one/history?fill=true', ['RestHistory', one], ['RestHistory', { fill: true }]],
      ['market?category=ai', ['RestMarket', { category: 'ai' }]],
      ['changes?limit=5', ['RestChanges', { first: 5 }]],
      ['startups?limit=11'],
    ] as const) {
      await gateway.call(`/api/v1/${path}`, { key });
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
