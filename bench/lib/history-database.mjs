// A scratch database of startups with a point for each of the last 90 days, made in SQL.
import { writeFileSync } from 'node:fs';
import { connect, createKey, SERVER } from './database.mjs';
import { RESULTS } from './processes.mjs';

/** Points of each startup, one a day until today. */
const POINTS = 90;

const STARTUPS = `
  INSERT INTO startups (
    slug, name, payment_provider, category, revenue_last_30_days, revenue_mrr, revenue_total, customers,
    active_subscriptions, on_sale
  )
  SELECT 'startup-' || n, 'Startup ' || n, 'stripe', 'saas', n * 7919 % 10000000, n * 104729 % 8000000, n * 1000, n % 5000,
    n % 4000, n % 3 = 0
  FROM generate_series(1::bigint, $1::bigint) AS n`;
// Day by day, as imports would write them: the points of one startup lie far apart.
const HISTORY = `
  INSERT INTO startup_points
  SELECT id, day, revenue_last_30_days + extract(day FROM day)::int, revenue_mrr, revenue_total, customers,
    active_subscriptions, asking_price, on_sale
  FROM generate_series($1::date - ${POINTS - 1}, $1::date, '1 day') AS day, startups
  ON CONFLICT DO NOTHING`;
// A day without a row is as the day before it.
const MARKET = `
  INSERT INTO market_days SELECT $1::date - ${POINTS - 1}, '', count(*), count(*) FILTER (WHERE on_sale),
    sum(revenue_last_30_days), max(revenue_last_30_days), sum(revenue_mrr), max(revenue_mrr) FROM startups
  ON CONFLICT DO NOTHING`;

/** The database with so many startups and their points, which is made anew each day. */
export async function openHistoryDatabase(rows) {
  const name = `revgate_bench_history_${rows}`;
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  const today = new Date().toISOString().slice(0, 10);
  const server = await connect(SERVER);
  const { rows: found } = await server.query(
    "SELECT shobj_description(oid, 'pg_database') AS made FROM pg_database WHERE datname = $1",
    [name],
  );
  const isThere = found[0]?.made === today;
  if (!isThere) {
    process.stderr.write(`Filling ${name} …\n`);
    await server.query(`DROP DATABASE IF EXISTS ${name}`);
    await server.query(`CREATE DATABASE ${name}`);
  }
  // A command of the project makes the tables.
  const key = await createKey({ DATABASE_URL: url });
  const client = await connect(url);
  if (!isThere) {
    await client.query(STARTUPS, [rows]);
    await client.query(HISTORY, [today]);
    await client.query(MARKET, [today]);
    await client.query('VACUUM ANALYZE');
    await server.query(`COMMENT ON DATABASE ${name} IS '${today}'`);
  }
  await server.end();
  const slugsFile = `${RESULTS}${name}.slugs`;
  const { rows: slugs } = await client.query('SELECT slug FROM startups ORDER BY id');
  writeFileSync(slugsFile, slugs.map(({ slug }) => slug).join('\n'));
  return { url, rows, client, slugsFile, slugs: slugs.map(({ slug }) => slug), key };
}
