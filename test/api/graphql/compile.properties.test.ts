import fc from 'fast-check';
import {
  defaultFieldResolver,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import {
  createEngine,
  type Engine,
  type GraphQLParams,
  type Operation,
} from '../../../src/api/graphql/execution/engine.ts';
import { schema } from '../../../src/api/graphql/schema.ts';
import type { PrismaClient } from '../../../src/db/generated/client/client.ts';
import { openCatalogue } from '../../../src/startups/catalogue/live-catalogue.ts';
import { createBuilder } from '../../../src/startups/catalogue/load/catalogue-builder.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openTestDatabase } from '../../support/database.ts';
import { insertRecords, record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { generatedDocument } from './generated-documents.ts';

/** How many documents are generated; TEST_RUNS times as many, 20,000, in the exhaustive suite. */
const DOCUMENTS = process.env.TEST_RUNS === undefined ? 200 : 1_000;

/** Fields that can fail for some of the records: one that may be null, and one that may not. */
const failing = ['growth30d', 'customers'];
let areFieldsFailing = false;
let isDatabaseUp = true;

const database = await openTestDatabase();
await insertRecords(
  database,
  ['one', 'two', 'three', 'four', ...Array.from({ length: 20 }, (_, index) => `more-${index}`)].map(
    (slug, index) =>
      record(slug, {
        category: index % 2 === 0 ? 'ai' : null,
        description: 'é'.repeat((index % 4) * 90),
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
const live = await openCatalogue(
  createBuilder(() => database.threadConnection()),
  { now: () => Date.now(), onError: () => {} },
);
closeAfterwards(() => live.close());
const prisma = openReads();
const startupFields = (schema.getType('Startup') as GraphQLObjectType<{ slug: string }>).getFields();
for (const name of failing) {
  const field = startupFields[name] as GraphQLField<{ slug: string }, unknown>;
  const { resolve = defaultFieldResolver } = field;
  closeAfterwards(() => void Object.assign(field, { resolve }));
  field.resolve = (startup, ...rest) => {
    if (areFieldsFailing && startup.slug === 'two') {
      throw new Error(`There is no ${name}`);
    }
    return areFieldsFailing && startup.slug === 'three' ? null : resolve(startup, ...rest);
  };
}

const variables = fc.record(
  {
    from: fc.constantFrom('2024-05-01', '2024-05-09', null),
    to: fc.constantFrom('2024-05-10', '2024-05-20'),
    last: fc.constantFrom(1, 90, null),
    fill: fc.constantFrom(true, false, null),
    category: fc.constantFrom('AI', null),
  },
  { requiredKeys: [] },
);
const flags = fc.record(
  { yes: fc.boolean(), no: fc.boolean(), maybe: fc.boolean() },
  { requiredKeys: ['yes', 'no'] },
);
const firsts = fc.record({ first: fc.constantFrom(1, 2, 3) });
/** The variables of each run of a document: it is compiled at the third. */
const runsOfDocument = fc.array(
  fc.tuple(variables, flags, firsts).map((parts) => Object.assign({}, ...parts)),
  { minLength: 4, maxLength: 4 },
);
const rarely = fc.integer({ min: 0, max: 9 }).map((value) => value === 9);

interface Outcome {
  /** The result as clients get it: text, errors with places and extensions. */
  readonly text: string;
  readonly data: ExecutionResult['data'];
  readonly hasErrors: boolean;
  /** The reads of the database. */
  readonly reads: readonly string[];
}

/** The reads of the database by one run. */
let reads: string[] = [];

/** A database that can be down. It reads nothing twice: the data does not change. */
function openReads(): PrismaClient {
  const known = new Map<string, Promise<unknown>>();
  const client = database.prisma.$extends({
    query: {
      $allOperations({ model, operation, args, query }) {
        const read = `${model} ${operation} ${JSON.stringify(args)}`;
        reads.push(read);
        if (!isDatabaseUp) {
          return Promise.reject(new Error('The database is down.'));
        }
        const result = known.get(read) ?? query(args);
        known.set(read, result);
        return result;
      },
    },
  });
  return client as unknown as PrismaClient;
}

/**
 * Runs a planned operation. The order in which fields fail depends on time slices and the database, and GraphQL leaves it
 * open, so errors are sorted.
 */
async function outcomeOf(engine: Engine, operation: Operation): Promise<Outcome> {
  reads = [];
  const { data, errors } = await engine.run(operation, REQUEST, OWNER);
  const sorted = errors
    ?.map((error) => ({ ...error.toJSON(), path: pathWithin(data, error.path) }))
    .toSorted((one, other) => (String(one.path) < String(other.path) ? -1 : 1));
  return { text: JSON.stringify({ data, errors: sorted }), data, hasErrors: errors !== undefined, reads };
}

/** The path of an error. Where two records fail, their list is null and GraphQL reports one of them, leaving open which. */
function pathWithin(data: ExecutionResult['data'], path: GraphQLError['path']) {
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted, not typed.
  let value: any = data;
  return path?.map((step) => {
    const isOpen = value == null && typeof step === 'number';
    value = value?.[step];
    return isOpen ? 'any' : step;
  });
}

const OWNER = { ownerId: 'a key' };
const REQUEST = { id: 'a request', isDisconnected: false, disconnected: () => new AbortController().signal };

let newDocuments = 0;

/** Compares an operation's result with that of graphql-js. */
async function compare(engine: Engine, params: GraphQLParams): Promise<Outcome> {
  const compiled = await outcomeOf(engine, engine.prepare(params));
  // A document is not compiled when it is first used.
  newDocuments += 1;
  const first = { ...params, query: `${params.query} # ${newDocuments}` };
  const expected = await outcomeOf(engine, engine.prepare(first));
  const { text, reads } = compiled;
  const once = [...new Set(reads)];
  expect({ text, reads }, JSON.stringify(params)).toEqual({ text: expected.text, reads: once });
  return compiled;
}

// On a busy machine, one of two runs could reach the deadline.
const options = { catalogue: live, prisma, report: () => {}, now: Date.now, timeout: 600_000 };

it('generated operations, compiled or with conditions, give the data, errors and nulls of graphql-js, and read nothing twice', async () => {
  const engine = createEngine(options);
  const seen = { data: 0, errors: 0, read: 0, readWithErrors: 0 };
  const documents = fc.asyncProperty(
    generatedDocument,
    runsOfDocument,
    rarely,
    rarely,
    async ({ query, operations }, variablesOfRuns, isDown, isFailing) => {
      [isDatabaseUp, areFieldsFailing] = [!isDown, isFailing];
      for (const variables of variablesOfRuns) {
        for (const operationName of operations) {
          const { data, hasErrors, reads } = await compare(engine, { query, operationName, variables });
          seen.data += data && !hasErrors ? 1 : 0;
          seen.errors += data && hasErrors ? 1 : 0;
          seen.read += reads.length > 0 ? 1 : 0;
          seen.readWithErrors += reads.length > 0 && hasErrors ? 1 : 0;
        }
      }
    },
  );
  await fc.assert(documents, runs(DOCUMENTS));
  // Otherwise the documents would prove little.
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(DOCUMENTS / 10);
}, 1_800_000);

it.each([
  [
    'that spell a path',
    `{ eu: startup(slug: "one") { history_a: history(from: "2024-05-01", to: "2024-05-04") { day } }
      a_eu: startup(slug: "three") { history(from: "2024-05-01", to: "2024-05-20") { day } } }`,
  ],
  [
    'of variables that every object has',
    `query ($__proto__: Boolean, $constructor: Int = 2, $valueOf: Int) {
      startups(first: $constructor) { page { slug history(fill: $__proto__, last: $valueOf) { day } } } }`,
  ],
  [
    'that every object has',
    `{ constructor: startups(limit: 2) { propertyIsEnumerable: page { hasOwnProperty: history { day }
      valueOf: slug toString: name toLocaleString: rank toJSON: onSale then: customers length: category } }
      isPrototypeOf: startup(slug: "four") { slug } }`,
  ],
  ['around the name of the prototype', '{ startups(limit: 1) { __proto__: page { __proto__: slug } } }'],
])('names %s change nothing, however often the operation is used', async (_name, query) => {
  const engine = createEngine(options);
  [isDatabaseUp, areFieldsFailing] = [true, false];
  const texts = new Set<string>();
  for (let use = 1; use <= 4; use += 1) {
    const operation = engine.prepare({ query, operationName: null, variables: {} });
    texts.add((await outcomeOf(engine, operation)).text);
  }
  expect(texts.size).toBe(1);
});

it.each([
  // Interpreted twice, then compiled, unless it has conditions.
  [
    'one with conditions',
    'query ($x: Boolean = true) { startups { page { slug @include(if: $x) } } }',
    [1, 1, 1, 1],
  ],
  ['a compiled one', '{ startups { page { slug } } }', [1, 1, 2, 1]],
])('%s that fails runs again only for a client that is there', async (_name, query, expected) => {
  const request = { ...REQUEST };
  let disconnects = false;
  let runs = 0;
  const list = () => {
    runs += 1;
    request.isDisconnected = disconnects;
    throw new Error('no list');
  };
  const failing = Object.create(live.current(), { list: { value: list } });
  const engine = createEngine({ ...options, catalogue: { current: () => failing } });
  const counts: number[] = [];
  for (disconnects of [false, false, false, true]) {
    runs = 0;
    const operation = engine.prepare({ query, operationName: null, variables: {} });
    expect((await engine.run(operation, request, OWNER)).errors).toHaveLength(1);
    counts.push(runs);
  }
  expect(counts).toEqual(expected);
});
