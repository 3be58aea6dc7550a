// What an expert writes by hand where there is no gateway: Fastify, prepared SQL, answers by schema.
// No keys, no limits.
import Fastify from 'fastify';
import pg from 'pg';
import { schemas, toCard, toMeta, toPoint, toRecord } from './record.mjs';
import {
  countStatement,
  detailStatement,
  historyStatement,
  listStatement,
  similarStatement,
} from './sql.mjs';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  // Lower than by default, so that one wrong letter in a name is found.
  options: '-c timezone=UTC -c pg_trgm.word_similarity_threshold=0.5',
});
const app = Fastify();

function addList(path, shape, present) {
  app.get(path, { schema: schemas[shape] }, async ({ query: { sort, page, ...filter } }) => {
    const operation = { filter, sort, page };
    const [list, count] = await Promise.all([
      pool.query(listStatement(operation, shape)),
      pool.query(countStatement(operation)),
    ]);
    const { total } = count.rows[0];
    if (total === 0 && filter.search !== undefined) {
      const { rows } = await pool.query(similarStatement(operation, shape));
      return { data: rows.map(present), meta: toMeta(rows.length, page) };
    }
    return { data: list.rows.map(present), meta: toMeta(total, page) };
  });
}

addList('/cards', 'cards', toCard);
addList('/startups', 'records', toRecord);
app.get('/startups/:slug', { schema: schemas.detail }, async ({ params }, reply) => {
  const { rows } = await pool.query(detailStatement(params.slug));
  return rows.length === 0 ? reply.code(404).send({}) : { data: toRecord(rows[0]) };
});
app.get('/histories', { schema: schemas.histories }, async ({ query }) => {
  const slugs = query.slugs.split(',');
  const { rows } = await pool.query(historyStatement(slugs));
  const histories = new Map(slugs.map((slug) => [slug, []]));
  for (const row of rows) {
    histories.get(row.slug).push(toPoint(row));
  }
  return { data: slugs.map((slug) => ({ slug, history: histories.get(slug) })) };
});
app.get('/ready', async () => ({}));

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
