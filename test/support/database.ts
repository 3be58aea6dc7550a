import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/db/embedded/embedded.ts';
import { COMMAND_WAITS, type Database, openDatabase } from '../../src/db/open.ts';
import type { Waits } from '../../src/db/pool.ts';
import type { DatabaseKind } from '../../src/db/transaction.ts';
import { closeAfterwards } from './closing.ts';
import { createDatabase } from './servers/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the names of this run's databases on the server begin with. */
    databasePrefix: string | undefined;
    /** The host and port of a pooler, by which tests reach the server. */
    pooler: string | undefined;
  }
}

const fail = (error: Error): void => {
  throw error;
};

/**
 * The embedded engine's code, compiled. Node shares it among all threads of a process as long as one of them holds
 * it: without this, each engine would be compiled and would warm up anew, which takes longer than most tests.
 */
export const engineCode: WebAssembly.Module = await WebAssembly.compile(
  readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite/pglite.wasm')),
);

/** Those of requests, for tests of what happens when the database does not answer. */
export const REQUEST_WAITS: Waits = { connection: 1_500, use: 1_500 };

/** A database of a test. */
export interface TestDatabase extends Database {
  /** Undefined where it is embedded. */
  readonly url: string | undefined;
  /** A connection of its own, ended with the test or the file that asks for it. */
  openClient(): Promise<pg.Client>;
}

const usualKind: DatabaseKind = process.env.TEST_DATABASE_URL === undefined ? 'embedded' : 'server';

/**
 * An empty, migrated database of its own. It is closed and removed after the test or the file that opens it.
 *
 * @param waits those of a command by default, so that a busy machine fails no test.
 * @param kind embedded and in memory, or on the server of TEST_DATABASE_URL, which is the default where that is set.
 */
export async function openTestDatabase(
  waits: Waits = COMMAND_WAITS,
  kind: DatabaseKind = usualKind,
): Promise<TestDatabase> {
  const url = kind === 'embedded' ? undefined : await createTestDatabase();
  const location =
    url === undefined
      ? ({ kind: 'embedded', directory: undefined, engine: await takeEngine() } as const)
      : ({ kind: 'server', url } as const);
  const database = await openDatabase(location, fail, { waits });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= database.close();
    return closed;
  };
  closeAfterwards(close);
  return {
    ...database,
    url,
    async openClient() {
      const client = await database.connect();
      closeAfterwards(() => client.end());
      return client;
    },
    close,
  };
}

/** Engines without data, for the next tests: opening one takes longer than most tests. */
const emptied: EmbeddedEngine[] = [];
let intact: string | undefined;

/** An engine with an empty, migrated database. Closing it keeps it for another test, unless its tables were changed. */
async function takeEngine(): Promise<EmbeddedEngine> {
  const engine = emptied.pop() ?? (await openEmbedded(undefined, fail));
  const query = async (sql: string) => {
    const client = new pg.Client({ user: 'postgres', stream: () => engine.stream() });
    await client.connect();
    return client.query<{ tables: string }>(sql).finally(() => client.end());
  };
  const readTables = async () => (await query(TABLES)).rows[0]?.tables;
  intact ??= await readTables();
  return {
    ...engine,
    async close() {
      if ((await readTables()) === intact) {
        await query(EMPTY);
        emptied.push(engine);
      } else {
        await engine.close();
      }
    },
  };
}

/** What the tables are, without their rows. */
const TABLES = `SELECT md5(string_agg(part, ' ' ORDER BY part)) AS tables FROM (
  SELECT concat(attrelid::regclass, attnum, attname, atttypid, attnotnull)
    FROM pg_attribute WHERE attrelid >= 16384 AND NOT attisdropped
  UNION ALL SELECT concat(tgname, tgenabled) FROM pg_trigger
  UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint
  UNION ALL SELECT prosrc FROM pg_proc WHERE oid >= 16384
  UNION ALL SELECT concat(migration_name, checksum) FROM _prisma_migrations
) AS parts (part)`;

/** Removes all rows, past every trigger. Deleting the rows of a small table is faster than replacing its files. */
const EMPTY = `DO $$ DECLARE one regclass; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT oid FROM pg_class WHERE oid >= 16384 AND relkind = 'r' AND pg_table_is_visible(oid)
      AND relname NOT IN ('_prisma_migrations', 'revisions') LOOP
    IF pg_relation_size(one) > 100000 THEN
      EXECUTE format('TRUNCATE %s CASCADE', one);
    ELSE
      EXECUTE format('DELETE FROM %s', one);
    END IF;
  END LOOP;
  PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE oid >= 16384 AND relkind = 'S';
  UPDATE revisions SET value = CASE name WHEN 'epoch' THEN floor(random() * 9007199254740991) ELSE 0 END;
  UPDATE _prisma_migrations SET id = gen_random_uuid();
END $$`;

/** The URL of a migrated database on the server of TEST_DATABASE_URL, which is dropped after the test or the file. */
export async function createTestDatabase(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL as string;
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
    await createDatabase(admin, name, `${prefix}template`);
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
  closeAfterwards(() => asAdmin(drop));
  const url = new URL(server);
  url.pathname = `/${name}`;
  url.host = pooler ?? url.host;
  return url.href;
}
