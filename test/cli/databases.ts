import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Database, type DatabaseLocation, openDatabaseForCommand } from '../../src/db/open.ts';
import { sampleNdjson } from '../../src/startups/sample.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Served, serve, stop, temporaryDirectory } from './process.ts';

/** Where commands under test find their database, and whether a server holds it meanwhile. */
export interface TestPlace {
  readonly name: string;
  open(): Promise<OpenPlace>;
}

export interface OpenPlace {
  /** The environment of a command. */
  readonly env: Record<string, string>;
  /** The directory for files. */
  readonly directory: string;
  readonly served: Served | undefined;
  /** Works on the database as a command does. */
  use<T>(work: (database: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const { TEST_DATABASE_URL } = process.env;

/** Every place that can be had here; PostgreSQL only where TEST_DATABASE_URL names a server. */
export const testPlaces: readonly TestPlace[] = [
  { name: 'a served embedded database', open: () => openEmbeddedPlace(true) },
  { name: 'an embedded database', open: () => openEmbeddedPlace(false) },
  ...(TEST_DATABASE_URL === undefined
    ? []
    : [{ name: 'PostgreSQL', open: () => openServerPlace(TEST_DATABASE_URL) }]),
];

async function openEmbeddedPlace(isServed: boolean): Promise<OpenPlace> {
  const { path, remove } = temporaryDirectory();
  const env = { DATA_DIR: join(path, 'data') };
  const served = isServed ? await serve(env) : undefined;
  return {
    env,
    directory: path,
    served,
    use: (work) => using({ kind: 'embedded', directory: env.DATA_DIR }, work),
    async close() {
      await stop(served);
      remove();
    },
  };
}

async function openServerPlace(server: string): Promise<OpenPlace> {
  const { path, remove } = temporaryDirectory();
  const { url, drop } = await createTestDatabase(server);
  const served = await serve({ DATABASE_URL: url });
  return {
    env: { DATABASE_URL: url },
    directory: path,
    served,
    use: (work) => using({ kind: 'server', url }, work),
    async close() {
      await stop(served);
      await drop();
      remove();
    },
  };
}

async function using<T>(location: DatabaseLocation, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabaseForCommand(location, () => {});
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Everything about the startups but what differs from import to import. */
export async function contentsOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ content: string }>(
    `SELECT count(*) || ' ' || md5(coalesce(string_agg((to_jsonb(s) - 'id' - 'revision')::text, ',' ORDER BY slug), ''))
       AS content FROM startups AS s`,
  );
  return rows[0]?.content ?? '';
}

/** What an import has left behind. */
export async function leftovers({ pool }: Database): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT relname FROM pg_class WHERE relname LIKE 'import\\_%'
     UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'revgate_next'`,
  );
  return rows;
}

/**
 * Waits until nothing of an import is left. Each look is a connection of its own: an embedded database tidies up
 * after one that was killed once no other process is connected to it.
 */
export async function expectNothingLeft(place: OpenPlace): Promise<void> {
  await expect.poll(() => place.use(leftovers), { timeout: 20_000, interval: 200 }).toEqual([]);
}

/** Two inputs of which the second changes every record of the first and has more. */
export function twoInputs(count: number): { first: string; second: string } {
  return {
    first: [...sampleNdjson({ count, seed: 1 })].join(''),
    second: [...sampleNdjson({ count: Math.round(count * 1.3), seed: 1 })]
      .join('')
      .replaceAll('"customers":', '"customers":1'),
  };
}

/** A number from 0 to 1; printed with a failing test so that it can be told what happened. */
export function randomPart(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}
