// How long imports take, and how lists fare meanwhile. Run after `npm run build`:
//   [TEST_DATABASE_URL=postgres://…] node bench/import.mjs [rows for PostgreSQL's large one]
// Serves on the embedded database and on PostgreSQL, imports and restores while 200 lists a second are asked
// for at an even rate (a list that waits does not delay the next; each has a bound of its own, so that none
// is known beforehand), and prints markdown.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { TEST_DATABASE_URL, PATH } = process.env;
const ROWS = 100_000;
const LIST_EVERY_MS = 5;
const REST_MS = 2000;
const large = Number(process.argv[2] ?? 1_000_000);
const directory = mkdtempSync(join(tmpdir(), 'revgate-bench-'));

try {
  await main();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function main() {
  const ndjson = join(directory, 'small.ndjson');
  await run(['sample', '--count', String(ROWS), '--seed', '9'], {}, ndjson);
  const csv = join(directory, 'small.csv');
  writeFileSync(csv, toCsv(readFileSync(ndjson, 'utf8')));
  const changed = join(directory, 'changed.ndjson');
  writeFileSync(changed, readFileSync(ndjson, 'utf8').replaceAll('"customers":', '"customers":1'));

  console.log('| database | meanwhile | seconds | lists | p50 ms | p99 ms | slowest ms |');
  console.log('| --- | --- | --: | --: | --: | --: | --: |');
  const backup = join(directory, 'backup.gz');
  const nothing = ['nothing', undefined];
  const cases = [
    ['import of NDJSON, all new', ['import', ndjson]],
    nothing,
    ['import of NDJSON, all changed', ['import', changed]],
    ['import of NDJSON, all changed back', ['import', ndjson]],
    ['import of NDJSON, nothing changed', ['import', ndjson]],
    ['backup', ['backup', backup, '--yes']],
    ['restore', ['restore', backup, '--yes']],
  ];
  const csvCases = [['import of CSV, all new', ['import', csv]]];
  await measure('embedded', { DATA_DIR: join(directory, 'data') }, cases);
  await measure('embedded', { DATA_DIR: join(directory, 'data2') }, csvCases);
  if (TEST_DATABASE_URL !== undefined) {
    await withDatabase((env) => measure('PostgreSQL', env, cases));
    await withDatabase((env) => measure('PostgreSQL', env, csvCases));
    if (large > 0) {
      const file = join(directory, 'large.ndjson');
      await run(['sample', '--count', String(large), '--seed', '9'], {}, file);
      const largeCases = [['import of NDJSON, all new', ['import', file]]];
      await withDatabase((env) => measure('PostgreSQL', env, largeCases, large));
    }
  }
}

/** Serves, and measures one command after another. */
async function measure(name, env, cases, rows = ROWS) {
  const served = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      PATH,
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PREMIUM: '1000000',
      SNAPSHOT_INTERVAL: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise((resolve) => {
      let text = '';
      served.stdout.on('data', (chunk) => {
        text += chunk;
        const found = /Listening on (\S+)\. Try/.exec(text);
        if (found !== null) {
          resolve(found[1]);
        }
      });
    });
    const key = (
      await run(['keys', 'create', '--name', 'bench', '--tier', 'premium', '--accept-policy'], env)
    ).trim();
    for (const [what, command] of cases) {
      const lists = askForLists(`${url}/api/v1/startups?limit=10&minRevenue=`, key);
      const startedAt = performance.now();
      await (command === undefined ? sleep(REST_MS) : run(command, env));
      const seconds = (performance.now() - startedAt) / 1000;
      // The catalogue of the new rows follows an import, and is part of it.
      await sleep(REST_MS);
      const times = await lists.stop();
      const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))]?.toFixed(0);
      console.log(
        `| ${name} | ${what}, ${rows.toLocaleString('en')} | ${seconds.toFixed(1)} | ${times.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`,
      );
    }
  } finally {
    served.kill('SIGTERM');
    await once(served, 'exit');
  }
}

/** Asks at an even rate, whatever the answers take. */
function askForLists(address, key) {
  const times = [];
  const open = new Set();
  let asked = 0;
  const timer = setInterval(() => {
    // Steps over all revenues there are, the same in every run.
    asked += 1;
    const bound = Math.floor(10 ** (((asked * 0.618034) % 1) * 7));
    const startedAt = performance.now();
    const call = fetch(`${address}${bound}`, { headers: { Authorization: `Bearer ${key}` } })
      .then(async (answer) => {
        await answer.text();
        times.push(answer.status === 200 ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
      })
      .catch(() => times.push(Number.POSITIVE_INFINITY))
      .finally(() => open.delete(call));
    open.add(call);
  }, LIST_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return times.sort((a, b) => a - b);
    },
  };
}

async function withDatabase(work) {
  const name = `revgate_bench_${process.pid}`;
  const url = new URL(TEST_DATABASE_URL);
  url.pathname = `/${name}`;
  const admin = new pg.Client({ connectionString: TEST_DATABASE_URL });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  try {
    await work({ DATABASE_URL: url.href });
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

async function run(args, env, output) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let faults = '';
  child.stderr.on('data', (chunk) => {
    faults += chunk;
  });
  if (output === undefined) {
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
  } else {
    child.stdout.pipe(createWriteStream(output));
  }
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new Error(`${args.join(' ')} exited with ${code}: ${faults}`);
  }
  return text;
}

function toCsv(ndjson) {
  const records = ndjson
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const paths = Object.entries(records[0]).flatMap(([name, value]) =>
    name === 'revenue' ? Object.keys(value).map((inner) => `revenue.${inner}`) : [name],
  );
  const cell = (value) => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = records.map((record) =>
    paths.map((path) => cell(path.split('.').reduce((value, name) => value[name], record))).join(','),
  );
  return `${paths.join(',')}\n${rows.join('\n')}\n`;
}
