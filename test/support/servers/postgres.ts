import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../src/db/open.ts';
import { missing } from './redis.ts';

// Two numbers: this one, and that of a run.
const LOCK = 0x72766774;
const PREFIX = /^revgate_run_(\d+)_/;

/** Where the tests' tables are, as an operator may have them: not in `public`, and by a name that has to be quoted. */
export const SCHEMA = '"Gate"';

/** Makes a copy of a database, or an empty one, whose connections work in a schema of its own. */
export async function createDatabase(admin: pg.Client, name: string, template?: string): Promise<void> {
  await admin.query(`CREATE DATABASE ${name} ${template === undefined ? '' : `TEMPLATE ${template}`}`);
  await admin.query(`ALTER DATABASE ${name} SET search_path = ${SCHEMA}`);
}

/**
 * Before a run on PostgreSQL: makes the migrated database that those of the tests are copies of. Afterwards: drops
 * all of them, and what is left of runs that were killed.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL as string;
  const admin = await connectPostgres(server);
  const run = randomInt(2 ** 31);
  // Held until this connection ends, however it does: by it other runs know that this one lives.
  await admin.query('SELECT pg_advisory_lock($1, $2)', [LOCK, run]);
  await dropDatabases(admin, (owner) => !owner.isAlive);
  const prefix = `revgate_run_${run}_`;
  await makeTemplate(admin, server, `${prefix}template`);
  project.provide('databasePrefix', prefix);
  return async () => {
    await dropDatabases(admin, (owner) => owner.run === run || !owner.isAlive);
    await admin.end();
  };
}

async function makeTemplate(admin: pg.Client, server: string, name: string): Promise<void> {
  await createDatabase(admin, name);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const client = await connectPostgres(url.href);
  await client.query(`DROP SCHEMA public; CREATE SCHEMA ${SCHEMA}`);
  await client.end();
  const database = await openDatabase({ kind: 'server', url: url.href }, () => {});
  await database.close();
}

async function dropDatabases(
  admin: pg.Client,
  isDone: (owner: { run: number; isAlive: boolean }) => boolean,
): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>('SELECT datname FROM pg_database');
  const alive = await admin.query<{ run: number }>(
    "SELECT objid::int AS run FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2",
    [LOCK],
  );
  const living = new Set(alive.rows.map(({ run }) => run));
  for (const { datname } of rows) {
    const run = Number(PREFIX.exec(datname)?.[1] ?? Number.NaN);
    if (!Number.isNaN(run) && isDone({ run, isAlive: living.has(run) })) {
      await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
  }
}

async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    throw missing('PostgreSQL', 'TEST_DATABASE_URL', url, error);
  }
  return client;
}
