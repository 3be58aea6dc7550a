// The benchmark: every goal with what was measured for it. Usually run as ./run.sh; see --help.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { openDatabase } from './lib/database.mjs';
import { goalsOf } from './lib/goals.mjs';
import { progress } from './lib/measure.mjs';
import { readOptions } from './lib/options.mjs';
import { isPinned, RESULTS } from './lib/processes.mjs';
import { describe } from './lib/report.mjs';
import { runFairness } from './parts/fairness.mjs';
import { runFlood } from './parts/flood.mjs';
import { runGrowth } from './parts/growth.mjs';
import { runHistory } from './parts/history.mjs';
import { runLoads, runSearch } from './parts/loads.mjs';
import { runPath } from './parts/path.mjs';
import { runReady } from './parts/ready.mjs';
import { runWorst } from './parts/worst.mjs';
import { runWrites } from './parts/writes.mjs';

const options = readOptions();
const out = options.out || `${RESULTS}benchmark`;
const databases = new Map();

/** The database with so many startups; opened once. */
function open(rows) {
  const database = databases.get(rows) ?? openDatabase(rows, options.categories);
  databases.set(rows, database);
  return database;
}

const parts = {
  loads: runLoads,
  search: runSearch,
  history: runHistory,
  writes: runWrites,
  ready: runReady,
  growth: runGrowth,
  worst: runWorst,
  flood: runFlood,
  path: runPath,
  fairness: runFairness,
};

const { client } = await open(options.rows);
const { rows: version } = await client.query('SHOW server_version');
const results = {
  machine: {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model.trim() || process.arch,
    cores: cpus().length,
    node: process.versions.node,
    postgres: version[0].server_version.split(' ')[0],
    pinned: isPinned,
    peers: JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).dependencies,
  },
  options,
};
for (const part of options.parts) {
  progress(`Part: ${part}`);
  results[part] = await parts[part](options, open);
  // After each part, so that a run that is stopped has not measured for nothing.
  const { machine, ...rest } = results;
  const text = JSON.stringify({ machine, goals: goalsOf(results), ...rest }, null, 1);
  writeFileSync(`${out}.json`, `${text}\n`);
  writeFileSync(`${out}.md`, describe(results));
}
process.stdout.write(describe(results));
for (const database of databases.values()) {
  await (await database).client.end();
}
process.exit(0);
