// How much CPU time the most expensive operation of each cost takes in one turn of the event loop, and how long it takes.
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

/** What each list asks for beside what it matches, and what a list costs then. */
const kinds = {
  'whole records': {
    reads: 1,
    fields: `meta { total } page { ${RECORD} }`,
    few: 'meta { total } page { slug description }',
  },
  stats: {
    reads: 2,
    fields: `stats { ${['growth', 'mrr', 'multiple', 'price', 'revenue'].map((name) => name + FIGURES).join(' ')} }`,
    few: 'stats { growth { p90 } mrr { p90 } multiple { p90 } price { p90 } revenue { p90 } }',
  },
  facets: {
    reads: 2,
    fields: `facets { ${counts.map((name) => `${name} { value count }`).join(' ')} }`,
    few: 'facets { category { count } country { count } teamSize { count } }',
  },
};
kinds['stats and facets'] = {
  reads: 3,
  fields: `${kinds.stats.fields} ${kinds.facets.fields}`,
  few: `${kinds.stats.few} ${kinds.facets.few}`,
};

/** An operation of lists that nobody has asked for before. */
function operation({ reads, fields, few }, cost, next) {
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
  const lists = names.map(
    (name) => `${name}: startups(filter: $${name}, sort: LISTED_DESC) { ${count > MANY ? few : fields} }`,
  );
  const declared = names.map((name) => `$${name}: StartupFilter`);
  return JSON.stringify({
    query: `query Worst(${declared.join(', ')}) { ${lists.join(' ')} }`,
    variables: Object.fromEntries(names.map((name, index) => [name, filters[index]])),
  });
}

/** The largest catalogue that is asked for. */
export async function runWorst({ rows, largeRows }, open) {
  const database = await open(largeRows ?? rows);
  const server = await startTarget('revgate', { DATABASE_URL: database.url }, watchTurns);
  const url = `http://127.0.0.1:${server.port}/graphql`;
  const headers = { Authorization: `Bearer ${database.key}`, 'Content-Type': 'application/json' };
  const next = createStream('W5', { ...database, seed: 1 });
  const results = [];
  for (const [kind, parts] of Object.entries(kinds)) {
    for (const cost of COSTS.filter((one) => one >= parts.reads)) {
      let [stall, longest, worst] = [0, 0, 0];
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        const body = operation(parts, cost, next);
        await server.longestStall();
        const startedAt = performance.now();
        const response = await fetch(url, { method: 'POST', headers, body });
        const { errors } = await response.json();
        longest = Math.max(longest, performance.now() - startedAt);
        worst = errors === undefined ? worst : errors[0].extensions.code;
        stall = Math.max(stall, await server.longestStall());
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
