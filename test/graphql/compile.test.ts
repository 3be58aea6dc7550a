import fc from 'fast-check';
import { defaultFieldResolver, type GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PrismaClient } from '../../src/db/generated/client/client.ts';
import { GraphQLContext } from '../../src/graphql/context.ts';
import { createEngine, type Engine } from '../../src/graphql/engine.ts';
import { writeGlobalId } from '../../src/graphql/global-id.ts';
import { schema } from '../../src/graphql/schema.ts';
import type { Catalogue } from '../../src/startups/catalogue/catalogue.ts';
import { type LiveCatalogue, openCatalogue } from '../../src/startups/catalogue/live.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRecords, record } from '../support/records.ts';

const leaves = [
  ...['id', 'name', 'slug', 'description', 'country', 'foundedDate', 'category', 'paymentProvider'],
  ...['teamSize', 'customers', 'askingPrice', 'growth30d', 'multiple', 'rank', 'onSale', '__typename'],
  ...['active', 'createdAt', 'updatedAt'],
];
/** Fields that fail for some of the records: one that may be null, and one that may not. */
const failing = ['growth30d', 'customers'];

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let live: LiveCatalogue;
let catalogue: Catalogue;
const undo: (() => void)[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  await insertRecords(
    database,
    ['one', 'two', 'three', 'four'].map((slug, index) =>
      record(slug, {
        category: index % 2 === 0 ? 'ai' : null,
        description: 'é'.repeat(index * 90),
        foundedDate: '2024-05-01T00:00:00.000Z',
        teamSize: '2-5',
        onSale: index > 1,
        askingPrice: index > 1 ? 12_345 * index : null,
      }),
    ),
  );
  await database.pool.query(
    `INSERT INTO startup_points SELECT id, day, id + extract(day FROM day)::int, 2, 3, 4, 5, NULL, false
     FROM startups, unnest(ARRAY['2024-04-20', '2024-05-03', '2024-05-09', '2024-05-18']::date[]) AS day WHERE id % 3 < 2`,
  );
  await database.pool.query(
    `INSERT INTO market_days SELECT day, category, 4, 2, 30, 5, 20, 3
     FROM unnest(ARRAY['2024-05-01', '2024-05-12']::date[]) AS day, unnest(ARRAY['', 'ai']) AS category`,
  );
  live = await openCatalogue({
    connect: () => database.threadConnection(),
    now: () => Date.now(),
    onError: () => {},
  });
  ({ catalogue } = live.pin());
  const fields = (schema.getType('Startup') as GraphQLObjectType).getFields();
  for (const name of failing) {
    const field = fields[name];
    if (field === undefined) {
      throw new Error(`There is no Startup.${name}`);
    }
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (startup, ...rest) => {
      if (startup.slug === 'two') {
        throw new Error(`${name} is not to be had`);
      }
      return startup.slug === 'three' ? null : resolve(startup, ...rest);
    };
    undo.push(() => {
      field.resolve = resolve;
    });
  }
});
afterAll(async () => {
  for (const restore of undo) {
    restore();
  }
  await live.close();
  await database.close();
});

const nodeId = writeGlobalId(1);
const alias = fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 4 });
const directive = fc.constantFrom('', '', '', '@include(if: $yes)', '@skip(if: $yes)', '@include(if: $no)');
/** An alias belongs to one field, so that fields of one response name can always be merged. */
const leaf = fc
  .tuple(fc.constantFrom(...leaves), alias, directive)
  .map(([name, prefix, suffix]) => `${prefix === undefined ? '' : `${prefix}_${name}: `}${name} ${suffix}`);
const startup = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 1, arbitrary: fc.constant('revenue { mrr total }') },
    { weight: 1, arbitrary: leaf.map((one) => `... on Startup { ${one} }`) },
    { weight: 1, arbitrary: leaf.map((one) => `... on Node { ... on Startup { ${one} } id }`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('...Some', '...Some @include(if: $no)', '...Past', '...Past @skip(if: $no)'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'history { day customers revenue { mrr } }',
        'history { __typename onSale @include(if: $no) paid: revenue { total } day @skip(if: $no) }',
        'h_history: history(last: 3, fill: $yes) { day askingPrice }',
        'g_history: history(from: $from, to: $to, last: $last, fill: $fill) { day customers }',
        'g_history: history(from: $from, to: $to, last: $last, fill: $fill) @skip(if: $no) { at: day ...Point }',
        'l_history: history(from: "2024-05-02", to: "2024-05-20") @include(if: $yes) { day ...Point }',
        'n_history: history(from: null, last: null, fill: null) @include(if: $no) { day }',
      ),
    },
  ),
  { minLength: 1, maxLength: 6 },
);
const connection = fc.array(
  fc.oneof(
    startup.map((fields) => `page { ${fields.join(' ')} }`),
    startup.map((fields) => `nodes { ${fields.join(' ')} }`),
    startup.map((fields) => `edges { cursor node { ${fields.join(' ')} } }`),
    fc.constantFrom(
      'meta { total page limit hasMore }',
      'pageInfo { hasNextPage endCursor }',
      'stats { growth { count max } }',
      'facets { category { value count } }',
    ),
  ),
  { minLength: 1, maxLength: 3 },
);
const root = fc
  .tuple(
    alias,
    fc.oneof(
      fc
        .tuple(fc.constantFrom('', '(limit: 2)', '(first: $first)', '(filter: { onSale: $yes })'), connection)
        .map(([args, fields]) => ['startups', `${args} { ${fields.join(' ')} }`] as const),
      fc
        .tuple(fc.constantFrom('one', 'two', 'three', 'none'), startup)
        .map(([slug, fields]) => ['startup', `(slug: "${slug}") { ${fields.join(' ')} }`] as const),
      startup.map(
        (fields) => ['startupsBySlug', `(slugs: ["four", "two", "none"]) { ${fields.join(' ')} }`] as const,
      ),
      fc
        .tuple(fc.constantFrom('', '(first: 3)', '(first: $first)'), startup)
        .map(
          ([args, fields]) =>
            [
              'changes',
              `${args} { edges { cursor node { slug kind at startup { ${fields.join(' ')} } } } pageInfo { hasNextPage endCursor } next }`,
            ] as const,
        ),
      fc.constant(['dataset', '{ total version importedAt }'] as const),
      fc
        .constantFrom('(category: AI)', '(category: $category, from: $from, to: $to)', '(to: "2024-05-20")')
        .map((args) => ['market', `${args} { day count mrr { sum median } __typename }`] as const),
      startup.map(
        (fields) => ['node', `(id: "${nodeId}") { id ... on Startup { ${fields.join(' ')} } }`] as const,
      ),
      startup.map(
        (fields) =>
          [
            'nodes',
            `(ids: ["${nodeId}", "none"]) { __typename ... on Startup { ${fields.join(' ')} } }`,
          ] as const,
      ),
    ),
  )
  .map(([prefix, [name, rest]]) => ({ prefix, name, rest }));
const document = fc.array(root, { minLength: 1, maxLength: 3 }).map((fields) => {
  const selections = fields.map(
    ({ prefix = 'x', name, rest }, index) => `${prefix}${index}: ${name} ${rest}`,
  );
  return `query Q($yes: Boolean! = true, $no: Boolean! = false, $first: Int, $from: Date, $to: Date = "2024-05-20", $last: Int = 4, $fill: Boolean = true, $category: Category = AI) { ${selections.join(' ')} used: __typename @include(if: $yes) @skip(if: $no) more: startups(first: $first) { ...on StartupConnection { nodes { ...Some ...Past @include(if: $no) } } } never: startup(slug: "four") @include(if: $no) { history(from: $from, to: $to, last: $last, fill: $fill) { ...Point } } neither: market(category: $category) @include(if: $no) { day } }
fragment Some on Startup { slug xHandle rank }
fragment Past on Startup { h_history: history(last: 3, fill: $yes) { day onSale } }
fragment Point on StartupPoint { customers revenue { mrr last30Days } }`;
});

const variables = fc.record(
  {
    first: fc.integer({ min: 1, max: 10 }),
    from: fc.constantFrom('2024-05-01', '2024-05-09', null),
    to: fc.constantFrom('2024-05-10', '2024-05-20'),
    last: fc.constantFrom(1, 90, null),
    fill: fc.constantFrom(true, false, null),
    category: fc.constantFrom('AI', null),
  },
  { requiredKeys: [] },
);

/**
 * The result as clients get it: text, errors with places and extensions. And the reads of the database: which of two fails
 * first is left to chance, so errors after a read are sorted.
 */
async function resultOf(
  engine: Engine,
  query: string,
  variables: { readonly [name: string]: unknown },
  isDatabaseUp: boolean,
): Promise<{ result: string; reads: string[] }> {
  const operation = engine.prepare({ query, operationName: null, variables });
  const reads: string[] = [];
  const prisma = database.prisma.$extends({
    query: {
      $allOperations({ model, operation, args, query }) {
        reads.push(`${model} ${operation} ${JSON.stringify(args)}`);
        return isDatabaseUp ? query(args) : Promise.reject(new Error('The database is down.'));
      },
    },
  });
  const context = new GraphQLContext('request-1', catalogue, operation, prisma as unknown as PrismaClient, {
    isDisconnected: false,
    disconnected: () => new AbortController().signal,
  });
  const result = await engine.run(operation, context);
  const errors =
    reads.length === 0
      ? result.errors
      : result.errors?.toSorted((one, other) => (String(one.path) < String(other.path) ? -1 : 1));
  return { result: JSON.stringify({ ...result, errors }), reads };
}

it("a compiled operation gives the interpreter's data, errors, nulls and extensions, and reads nothing twice, however often it is run", async () => {
  const reported: unknown[] = [];
  const compiling = createEngine((error) => reported.push(error));
  const interpreting = createEngine(() => {}, Date.now, false);
  const seen = { data: 0, errors: 0, nothing: 0, read: 0, readWithErrors: 0 };
  await fc.assert(
    fc.asyncProperty(
      document,
      variables,
      fc.constantFrom(true, true, false),
      async (query, variables, isDatabaseUp) => {
        const { result: expected, reads } = await resultOf(interpreting, query, variables, isDatabaseUp);
        for (let run = 0; run < 4; run += 1) {
          const compiled = await resultOf(compiling, query, variables, isDatabaseUp);
          expect(compiled.result, query).toBe(expected);
          expect(compiled.reads, query).toEqual([...new Set(compiled.reads)]);
        }
        const { data, errors } = JSON.parse(expected);
        seen.data += data && !errors ? 1 : 0;
        seen.errors += data && errors ? 1 : 0;
        seen.nothing += data ? 0 : 1;
        seen.read += reads.length > 0 ? 1 : 0;
        seen.readWithErrors += reads.length > 0 && errors ? 1 : 0;
      },
    ),
    { numRuns: 60 },
  );
  // Otherwise the documents would prove little.
  expect(seen.data).toBeGreaterThan(5);
  expect(seen.errors).toBeGreaterThan(5);
  expect(seen.read).toBeGreaterThan(5);
  expect(seen.readWithErrors).toBeGreaterThan(5);
});

it('a compiled operation that fails is not run again for a client that has disconnected', async () => {
  const engine = createEngine(() => {});
  let isDisconnected = false;
  let runs = 0;
  const query = '{ startups { page { slug } } again: startups { page { slug } } }';
  const operation = engine.prepare({ query, operationName: null, variables: {} });
  const run = () => {
    const failing = Object.create(catalogue, {
      list: {
        value: () => {
          runs += 1;
          throw new Error('no list');
        },
      },
    });
    const client = { isDisconnected, disconnected: () => new AbortController().signal };
    return engine.run(operation, new GraphQLContext('id', failing, operation, database.prisma, client));
  };
  const runsOf = async (): Promise<number> => {
    runs = 0;
    expect((await run()).errors).toHaveLength(2);
    return runs;
  };
  // Interpreted twice, then compiled.
  expect([await runsOf(), await runsOf(), await runsOf()]).toEqual([2, 2, 4]);
  isDisconnected = true;
  expect(await runsOf()).toBe(2);
});
