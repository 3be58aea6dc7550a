// How much CPU time the most expensive operation of each cost takes in one turn of the event loop, and how long it takes.
import { openHistoryDatabase } from '../lib/history-database.mjs';
import { progress } from '../lib/measure.mjs';
import { createStream } from '../lib/operations.mjs';
import { startTarget, watchTurns } from '../lib/targets.mjs';

/** What one request may cost, to the whole limit of a premium key. */
const COSTS = [1, 2, 3, 10, 30, 60];
const REPEATS = 5;

const FIGURES = '{ count min median p90 max sum }';
/** Of more lists than this, fewer fields are asked for: a document has at most 2,000 tokens. */
const MANY = 15;
const RECORD = `slug name description website country foundedDate category targetAudience paymentProvider
  revenue { last30Days mrr total } customers activeSubscriptions askingPrice multiple rank growth30d growthMRR30d
  profitMarginLast30Days visitorsLast30Days revenuePerVisitor teamSize fundingStatus`;
const counts = [
  'category',
  'country',
  'fundingStatus',
  'onSale',
  'paymentProvider',
  'targetAudience',
  'teamSize',
];

/** The kinds of lists: what each selects, what it selects where there are many, and what it costs. */
const lists = {
  'lists of whole records': {
    reads: 1,
    fields: `meta { total } page { ${RECORD} }`,
    few: 'meta { total } page { slug description }',
  },
  'lists of stats': {
    reads: 2,
    fields: `stats { ${['growth', 'mrr', 'multiple', 'price', 'revenue'].map((name) => name + FIGURES).join(' ')} }`,
    few: 'stats { growth { p90 } mrr { p90 } multiple { p90 } price { p90 } revenue { p90 } }',
  },
  'lists of facets': {
    reads: 2,
    fields: `facets { ${counts.map((name) => `${name} { value count }`).join(' ')} }`,
    few: 'facets { category { count } country { count } teamSize { count } }',
  },
};
lists['lists of stats and facets'] = {
  reads: 3,
  fields: `${lists['lists of stats'].fields} ${lists['lists of facets'].fields}`,
  few: `${lists['lists of stats'].few} ${lists['lists of facets'].few}`,
};

/** An operation of lists that nobody has asked for before. */
function listOperation({ reads, fields, few }, cost, { next }) {
  const count = Math.floor(cost / reads);
  const names = Array.from({ length: count }, (_, index) => `f${index}`);
  // Nearly everything matches, and each bound has to be looked at.
  const filters = names.map(() => {
    const { minMrr, maxMrr, minGrowth, maxGrowth } = next().filter;
    return {
      minMrr: minMrr % 1000,
      maxMrr: maxMrr + 10 ** 12,
      minGrowth: minGrowth - 9,
      maxGrowth: maxGrowth + 9,
    };
  });
  const fieldsOf = names.map(
    (name) => `${name}: startups(filter: $${name}, sort: LISTED_DESC) { ${count > MANY ? few : fields} }`,
  );
  const declared = names.map((name) => `$${name}: StartupFilter`);
  return {
    query: `query Worst(${declared.join(', ')}) { ${fieldsOf.join(' ')} }`,
    variables: Object.fromEntries(names.map((name, index) => [name, filters[index]])),
  };
}

/** An operation that selects the same field as often as its cost allows. */
function repeat(cost, reads, fieldAt, fragment = '') {
  const count = Math.floor(cost / reads);
  const fields = Array.from({ length: count }, (_, index) => `f${index}: ${fieldAt(index)}`);
  return { query: `query Worst { ${fields.join(' ')} } ${fragment}` };
}

const POINT = 'day revenue { last30Days mrr total } customers activeSubscriptions askingPrice onSale';
const EVERY_FIELD = `fragment F on Startup { ${RECORD} }`;

/** Operations on a large catalogue. */
const catalogueKinds = {
  ...Object.fromEntries(
    Object.entries(lists).map(([kind, list]) => [
      kind,
      { reads: list.reads, operation: (cost, context) => listOperation(list, cost, context) },
    ]),
  ),
  'records by slug': {
    reads: 1,
    operation: (cost, { slugs }) =>
      repeat(
        cost,
        1,
        (index) => `startupsBySlug(slugs: ${JSON.stringify(slugs.slice(index, index + 10))}) { ...F }`,
        EVERY_FIELD,
      ),
  },
  changes: {
    reads: 1,
    operation: (cost) =>
      repeat(cost, 1, () => 'changes(first: 100) { edges { cursor node { slug kind at } } next }'),
  },
};

/** Operations on the points of 90 days. */
const historyKinds = {
  histories: {
    reads: 2,
    operation: (cost) =>
      repeat(
        cost,
        2,
        (index) => `startups(page: ${index + 1}) { page { slug history(fill: true) { ...F } } }`,
        `fragment F on StartupPoint { ${POINT} }`,
      ),
  },
  'the market': {
    reads: 1,
    operation: (cost) =>
      repeat(
        cost,
        1,
        () => 'market { ...F }',
        'fragment F on MarketDay { day count onSale revenue { sum median } mrr { sum median } }',
      ),
  },
};

/** Asks for the operations of some kinds, at each cost. */
async function measureKinds(kinds, database) {
  const server = await startTarget('revgate', { DATABASE_URL: database.url }, watchTurns);
  const url = `http://127.0.0.1:${server.port}/graphql`;
  const headers = { Authorization: `Bearer ${database.key}`, 'Content-Type': 'application/json' };
  const context = { ...database, next: createStream('W5', { ...database, seed: 1 }) };
  const results = [];
  for (const [kind, { reads, operation }] of Object.entries(kinds)) {
    for (const cost of COSTS.filter((one) => one >= reads)) {
      let [stall, longest, worst] = [0, 0, 0];
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        const body = JSON.stringify(operation(cost, context));
        await server.askAbout();
        const startedAt = performance.now();
        const response = await fetch(url, { method: 'POST', headers, body });
        const { errors } = await response.json();
        longest = Math.max(longest, performance.now() - startedAt);
        worst = errors === undefined ? worst : errors[0].extensions.code;
        stall = Math.max(stall, await server.askAbout());
      }
      results.push({ rows: database.rows, kind, cost, stall, longest, error: worst || undefined });
      progress(
        `${kind}, cost ${cost}: ${stall.toFixed(0)} ms of CPU time in one turn${worst ? `, ${worst}` : ''}`,
      );
    }
  }
  await server.stop();
  return results;
}

/** The largest catalogue that is measured, and histories of the smaller one. */
export async function runWorst({ rows, largeRows }, open) {
  const catalogue = await measureKinds(catalogueKinds, await open(largeRows ?? rows));
  const database = await openHistoryDatabase(rows);
  const history = await measureKinds(historyKinds, database);
  await database.client.end();
  return [...catalogue, ...history];
}
