// The honest peer in memory: every record is an object, every order an array, and nothing else is done:
// no keys, no limits, no GraphQL, no changes of the data. Answers are serialised for each request.
import Fastify from 'fastify';
import pg from 'pg';
import { schemas, toMeta, toRecord } from './record.mjs';
import './sql.mjs';

const client = new pg.Client({ connectionString: process.env.DATABASE_URL, options: '-c timezone=UTC' });
await client.connect();
const { rows } = await client.query(
  `SELECT startups.*, rank FROM startups LEFT JOIN bench_ranks USING (id)
    ORDER BY revenue_last_30_days DESC, id`,
);
await client.end();

const records = rows.map(toRecord);
const bySlug = new Map(records.map((record) => [record.slug, record]));
const all = orderOf(records);
const byCategory = new Map();
for (const record of records) {
  const group = byCategory.get(record.category) ?? [];
  group.push(record);
  byCategory.set(record.category, group);
}
for (const [category, group] of byCategory) {
  byCategory.set(category, orderOf(group));
}

/** Records, highest revenue first, beside that revenue, for a search that touches numbers only. */
function orderOf(sorted) {
  return { records: sorted, revenue: Float64Array.from(sorted, ({ revenue }) => revenue.last30Days) };
}

/** How many come before the first one whose revenue is below (or, if inclusive, not above) a bound. */
function countDown(revenue, bound, inclusive) {
  let [low, high] = [0, revenue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (revenue[middle] > bound || (inclusive && revenue[middle] === bound)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

const app = Fastify();
app.get('/startups', { schema: schemas.records }, async ({ query }) => {
  const { category, minRevenue = 0, maxRevenue = Number.MAX_SAFE_INTEGER, page } = query;
  const { records, revenue } = category === undefined ? all : (byCategory.get(category) ?? orderOf([]));
  const first = countDown(revenue, maxRevenue, false);
  const end = countDown(revenue, minRevenue, true);
  const start = first + (page - 1) * 10;
  return {
    data: records.slice(start, Math.min(start + 10, end)),
    meta: toMeta(end - first, page),
  };
});
app.get('/startups/:slug', { schema: schemas.detail }, async ({ params }, reply) => {
  const data = bySlug.get(params.slug);
  return data === undefined ? reply.code(404).send({}) : { data };
});
app.get('/ready', async () => ({}));

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
