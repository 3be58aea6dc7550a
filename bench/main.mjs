// The benchmark: runs the parts of the options, and writes a report. Usually run as ./run.sh; see --help.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { openDatabase } from './lib/database.mjs';
import { readOptions } from './lib/options.mjs';
import { isPinned, PROJECT, RESULTS } from './lib/processes.mjs';
import { describe } from './lib/report.mjs';
import { progress } from './lib/rounds.mjs';
import { runLoads } from './parts/loads.mjs';
import { runPath } from './parts/path.mjs';

const options = readOptions();
const out = `${RESULTS}benchmark`;
const databases = new Map();

/** The database of a checkout with so many startups; opened once. */
function open(rows, project = PROJECT) {
  const name = `${rows} ${project}`;
  const database = databases.get(name) ?? openDatabase(rows, project);
  databases.set(name, database);
  return database;
}

const parts = { loads: runLoads, path: runPath };

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
  },
  options,
};
for (const part of options.parts) {
  progress(`Part: ${part}`);
  results[part] = await parts[part](options, open);
  // After each part, so that a run that is stopped has not measured for nothing.
  writeFileSync(`${out}.json`, `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(`${out}.md`, describe(results));
}
process.stdout.write(describe(results));
process.exit(0);
