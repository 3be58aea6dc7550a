// Makes the cluster that every new embedded database is a copy of: initialising one and replaying all
// migrations at a first start would take seconds and hundreds of megabytes, copying it does not.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { packCluster } from '../dist/db/embedded/template.js';
import { migrate, readMigrations } from '../dist/db/migrate.js';

const template = new URL('../dist/db/embedded/template.gz', import.meta.url);
const stamp = new URL('../dist/db/embedded/template.version', import.meta.url);
const migrations = readMigrations(new URL('../prisma/migrations/', import.meta.url));

/** What the template is made of and by: where none of it has changed, the one that is there is right. */
function currentVersion() {
  const hash = createHash('sha256');
  for (const file of [
    '../package.json',
    './template.mjs',
    '../dist/db/embedded/template.js',
    '../dist/db/migrate.js',
  ]) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    hash.update(file.endsWith('.json') ? JSON.parse(text).dependencies['@electric-sql/pglite'] : text);
  }
  for (const { name, checksum } of migrations) {
    hash.update(`${name} ${checksum}\n`);
  }
  return hash.digest('hex');
}

async function makeCluster(directory) {
  const db = await PGlite.create(directory);
  // As much of a client as the migrations need.
  const query = async (sql, parameters) =>
    parameters === undefined ? (await db.exec(sql)).at(-1) : await db.query(sql, parameters);
  await migrate({ query }, 'embedded', migrations);
  // Each copy replaces them by its own.
  await db.exec(`UPDATE "_prisma_migrations" SET id = 'template ' || migration_name`);
  // Nobody makes a second database in an embedded one: its templates are two thirds of its files.
  await db.exec('UPDATE pg_database SET datistemplate = false');
  for (const name of ['template0', 'template1']) {
    await db.exec(`DROP DATABASE ${name}`);
  }
  // Shut down, the copies have nothing to recover.
  await db.close();
}

/** Makes the template if there is none, or another engine or other migrations made it. Vitest does so before a run. */
export async function setup() {
  const version = currentVersion();
  if (existsSync(template) && existsSync(stamp) && readFileSync(stamp, 'utf8') === version) {
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'revgate-template-'));
  try {
    await makeCluster(directory);
    const unfinished = new URL('template.unfinished', template);
    writeFileSync(unfinished, packCluster(directory));
    renameSync(unfinished, template);
    writeFileSync(stamp, version);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await setup();
}
