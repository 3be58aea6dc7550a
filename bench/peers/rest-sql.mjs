// What an expert writes by hand where there is no gateway: Fastify, prepared SQL, answers by schema.
// No keys, no limits.
import Fastify from 'fastify';
import pg from 'pg';
import { schemas, toCard, toMeta, toRecord } from './record.mjs';
import { countStatement, detailStatement, listStatement } from './sql.mjs';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  options: '-c timezone=UTC',
});
const app = Fastify();

function addList(path, shape, present) {
  app.get(path, { schema: schemas[shape] }, async ({ query: { sort, page, ...filter } }) => {
    const operation = { filter, sort, page };
    const [list, count] = await Promise.all([
      pool.query(listStatement(operation, shape)),
      pool.query(countStatement(operation)),
    ]);
    return { data: list.rows.map(present), meta: toMeta(count.rows[0].total, page) };
  });
}

addList('/cards', 'cards', toCard);
addList('/startups', 'records', toRecord);
app.get('/startups/:slug', { schema: schemas.detail }, async ({ params }, reply) => {
  const { rows } = await pool.query(detailStatement(params.slug));
  return rows.length === 0 ? reply.code(404).send({}) : { data: toRecord(rows[0]) };
});
app.get('/ready', async () => ({}));

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
