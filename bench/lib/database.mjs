// Scratch databases with sample startups, made once and used again, on the server of BENCH_DATABASE_URL.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { delay, PROJECT, RESULTS, readToEnd, startCommand } from './processes.mjs';

const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const SEED = 42;
const CREATE_KEY = 'keys create --name bench --tier premium --accept-policy --json'.split(' ');
// Raised when what follows makes other data.
const VERSION = 'revgate benchmark 3';

// What an expert gives the peer: an index for each order that is asked, one for each bound, and ranks
// that need no counting. The gateway uses none of them.
const EXPERT = `
  CREATE INDEX ON startups (revenue_last_30_days DESC, id);
  CREATE INDEX ON startups (category, revenue_last_30_days DESC, id);
  CREATE INDEX ON startups (first_listed_for_sale_at DESC NULLS LAST, id);
  CREATE INDEX ON startups (revenue_mrr, growth_30d);
  CREATE INDEX ON startups (growth_30d, revenue_mrr);
  CREATE INDEX ON startups (asking_price, revenue_mrr, growth_30d) WHERE asking_price IS NOT NULL;
  CREATE MATERIALIZED VIEW bench_ranks AS
    SELECT id, rank() OVER (ORDER BY revenue_total DESC)::int AS rank FROM startups WHERE active;
  CREATE UNIQUE INDEX ON bench_ranks (id) INCLUDE (rank);`;

async function connect(url) {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  return client;
}

/**
 * The database with so many startups, filled by the commands of a checkout if it is not there yet.
 *
 * @param project the checkout; another one than this has databases of its own.
 */
export async function openDatabase(rows, project = PROJECT) {
  const name = `revgate_bench_${project === PROJECT ? '' : 'before_'}${rows}`;
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  const env = { DATABASE_URL: url };
  const version = `${VERSION}, tables ${digestOfTables(project)}`;
  const server = await connect(SERVER);
  try {
    const { rows: found } = await server.query(
      "SELECT shobj_description(oid, 'pg_database') AS version FROM pg_database WHERE datname = $1",
      [name],
    );
    if (found[0]?.version !== version) {
      process.stderr.write(`Filling ${name} …\n`);
      await server.query(`DROP DATABASE IF EXISTS ${name}`);
      await server.query(`CREATE DATABASE ${name}`);
      await importSample(rows, env, project);
      const client = await connect(url);
      await client.query(EXPERT);
      await client.end();
      await server.query(`COMMENT ON DATABASE ${name} IS '${version}'`);
    }
  } finally {
    await server.end();
  }
  const client = await connect(url);
  // Also where the rows were there: what an earlier run has written slows down index-only scans.
  await client.query('VACUUM ANALYZE');
  const slugsFile = `${RESULTS}${name}.slugs`;
  const { rows: slugs } = await client.query('SELECT slug FROM startups ORDER BY id');
  writeFileSync(slugsFile, slugs.map(({ slug }) => slug).join('\n'));
  const creating = startCommand(project, CREATE_KEY, env, ['ignore', 'pipe', 'inherit']);
  const { key } = JSON.parse(await readToEnd(creating, 'keys create'));
  return { url, client, slugsFile, slugs: slugs.map(({ slug }) => slug), key };
}

/** Until a release the tables are edited in place, and a checkout refuses a database with others. */
function digestOfTables(project) {
  const directory = join(project, 'prisma/migrations');
  const files = readdirSync(directory, { recursive: true }).filter((name) => name.endsWith('.sql'));
  const sql = files.sort().map((name) => readFileSync(join(directory, name), 'utf8'));
  return createHash('sha256').update(sql.join('')).digest('hex').slice(0, 12);
}

/** `revgate sample | revgate import -`, with every fifth startup in one category, as in real catalogues. */
async function importSample(rows, env, project) {
  const start = (args, stdio) => startCommand(project, args, env, stdio);
  const sample = start(['sample', '--count', String(rows), '--seed', String(SEED)], ['ignore', 'pipe', 2]);
  const load = start(['import', '-'], ['pipe', 'pipe', 2]);
  const ended = readToEnd(load, 'import');
  await pipeline(sample.stdout, enlargeCategory, load.stdin);
  await ended;
}

async function* enlargeCategory(chunks) {
  let count = 0;
  for await (const line of createInterface({ input: chunks })) {
    count += 1;
    yield `${count % 5 === 0 ? line.replace(/"category":"[^"]*"/, '"category":"saas"') : line}\n`;
  }
}

/** Waits until what an earlier target has left running is over. */
export async function drain(client) {
  for (let quiet = 0; quiet < 2; ) {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()
        AND datname = current_database() AND backend_type = 'client backend'`,
    );
    quiet = rows.length === 0 ? quiet + 1 : 0;
    await delay(50);
  }
}
