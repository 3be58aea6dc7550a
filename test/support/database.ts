import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/db/open.ts';
import type { Waits } from '../../src/db/pool.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the names of this run's databases on the server begin with. */
    databasePrefix: string | undefined;
    /** The host and port of a pooler, by which tests reach the server. */
    pooler: string | undefined;
  }
}

/**
 * The embedded engine's code, compiled. Node shares it among all threads of a process as long as one of them holds
 * it: without this, each engine would be compiled and would warm up anew, which takes longer than most tests.
 */
export const engineCode: WebAssembly.Module = await WebAssembly.compile(
  readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite/pglite.wasm')),
);

/**
 * An empty, migrated database of its own: embedded and in memory, or on the PostgreSQL server of
 * TEST_DATABASE_URL where that is set. `close` removes it.
 *
 * @param waits those of requests by default.
 */
export async function openTestDatabase(waits?: Waits): Promise<Database & { url: string | undefined }> {
  const server = process.env.TEST_DATABASE_URL;
  const fail = (error: Error): void => {
    throw error;
  };
  if (server === undefined) {
    return {
      ...(await openDatabase({ kind: 'embedded', directory: undefined }, fail, undefined, waits)),
      url: undefined,
    };
  }
  const { url, drop } = await createTestDatabase(server);
  const database = await openDatabase({ kind: 'server', url }, fail, undefined, waits);
  return {
    ...database,
    url,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** Creates a migrated database beside the given one. */
export async function createTestDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const prefix = inject('databasePrefix') ?? 'revgate_test_';
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  const asAdmin = async (work: (admin: pg.Client) => Promise<unknown>): Promise<void> => {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await work(admin);
    await admin.end();
  };
  const pooler = inject('pooler');
  await asAdmin(async (admin) => {
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${prefix}template`);
    if (pooler !== undefined) {
      // No session is ours there, nor is its time zone.
      await admin.query(`ALTER DATABASE ${name} SET timezone = 'Asia/Kolkata'`);
    }
  });
  const drop = async (admin: pg.Client): Promise<void> => {
    // The server takes a moment to see that a connection was ended. One that it terminates meanwhile
    // fails where nobody listens any more.
    for (const until = Date.now() + 2_000; Date.now() < until && pooler === undefined; await wait(20)) {
      const open = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
      if (open.rowCount === 0) {
        break;
      }
    }
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  };
  const url = new URL(server);
  url.pathname = `/${name}`;
  url.host = pooler ?? url.host;
  return { url: url.href, drop: () => asAdmin(drop) };
}
