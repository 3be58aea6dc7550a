import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/open.ts';

/**
 * An empty, migrated database of its own: embedded and in memory, or on the PostgreSQL server of
 * TEST_DATABASE_URL where that is set. `close` removes it.
 */
export async function openTestDatabase(): Promise<Database & { url: string | undefined }> {
  const server = process.env.TEST_DATABASE_URL;
  const fail = (error: Error): void => {
    throw error;
  };
  if (server === undefined) {
    return { ...(await openDatabase({ kind: 'embedded', directory: undefined }, fail)), url: undefined };
  }
  const { url, drop } = await createTestDatabase(server);
  const database = await openDatabase({ kind: 'server', url }, fail);
  return {
    ...database,
    url,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** Creates an empty database beside the given one. */
export async function createTestDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `revgate_test_${randomBytes(6).toString('hex')}`;
  const run = async (sql: string): Promise<void> => {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(sql);
    await admin.end();
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}
