// Scratch databases with sample startups, made once and used again, on the server of BENCH_DATABASE_URL.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { PROJECT, RESULTS, runCommand, spawnOn } from './processes.mjs';
import { createRandom } from './random.mjs';

const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const SEED = 42;
const CREATE_KEY = 'keys create --name bench --tier premium --accept-policy --json'.split(' ');
// Raised when what follows makes other data.
const VERSION = 'revgate benchmark 2';

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
 * The database with so many startups, made and filled through the project's own commands if it is not
 * there yet.
 *
 * @param project the checkout whose commands fill it; another one than this has databases of its own.
 * @returns its address, a client, a file of slugs, a key, and where it came from.
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
  return {
    url,
    rows,
    client,
    slugsFile,
    slugs: slugs.map(({ slug }) => slug),
    key: JSON.parse(await runCommand(CREATE_KEY, env, project)).key,
  };
}

/** Until a release the tables are edited in place, and a checkout refuses a database with others. */
function digestOfTables(project) {
  const directory = join(project, 'prisma/migrations');
  const files = readdirSync(directory, { recursive: true }).filter((name) => name.endsWith('.sql'));
  const hash = createHash('sha256');
  for (const name of files.sort()) {
    hash.update(readFileSync(join(directory, name)));
  }
  return hash.digest('hex').slice(0, 12);
}

/** `revgate sample | revgate import -`. */
async function importSample(rows, env, project) {
  const options = { cwd: project, env: { ...process.env, ...env } };
  const start = (args, stdio) => spawnOn(['node', 'dist/cli/main.js', ...args], { ...options, stdio });
  const sample = start(['sample', '--count', String(rows), '--seed', String(SEED)], ['ignore', 'pipe', 2]);
  const load = start(['import', '-'], ['pipe', 'ignore', 2]);
  const ended = once(load, 'exit');
  const lines = createInterface({ input: sample.stdout });
  await pipeline(skewCategories(lines), load.stdin);
  const [code] = await ended;
  if (code !== 0) {
    throw new Error(`The import ended with ${code}`);
  }
}

const CATEGORIES =
  `saas ai ecommerce fintech developer-tools marketing education health-fitness games entertainment
  productivity analytics social-media travel real-estate legal recruiting sales security crypto-web3
  iot-hardware design-tools no-code mobile-apps content-creation community customer-support news-magazines
  green-tech utilities marketplace`.split(/\s+/);

/**
 * Gives the categories the sizes that they have in real catalogues: the first holds a fifth, the last less than a
 * hundredth.
 */
async function* skewCategories(lines) {
  const random = createRandom(SEED);
  const weights = CATEGORIES.map((name, index) => [name, 1 / (index + 1.5)]);
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  for await (const line of lines) {
    const record = JSON.parse(line);
    let rest = random() * sum;
    const [category] =
      weights.find(([, weight]) => {
        rest -= weight;
        return rest < 0;
      }) ?? weights[0];
    record.category &&= category;
    yield `${JSON.stringify(record)}\n`;
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
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sets the revenue and growth of one startup a second, each time of another one, until it is stopped. */
export function startWrites(url, rows) {
  const random = createRandom(7);
  const writing = connect(url);
  const timer = setInterval(async () => {
    const client = await writing;
    await client.query(
      `UPDATE startups SET revenue_last_30_days = revenue_last_30_days + $2, revenue_mrr = revenue_mrr + $2,
        revenue_total = revenue_total + $2, growth_30d = growth_30d + 1 WHERE id = $1`,
      [1 + Math.floor(random() * rows), Math.floor(random() * 1_000_000)],
    );
  }, 1000);
  return {
    async stop() {
      clearInterval(timer);
      await (await writing).end();
    },
  };
}
