import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Database, type DatabaseLocation, openDatabaseForCommand } from '../../../src/db/open.ts';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { createTestClock } from '../../support/clock.ts';
import { createTestDatabase } from '../../support/database.ts';
import { run, serve, testDirectory } from './process.ts';

const { TEST_DATABASE_URL } = process.env;

/** Only so long after its start, a server notices changes within a second. */
const START_MS = 2_000;

/** Enough for tests that ask until something is there. */
const LIMITS = { RATE_LIMIT_PREMIUM: '1000' };

/** A database, with a directory in which commands run. */
function createPlace<Options extends { env: Record<string, string>; cwd: string; now?: () => number }>(
  options: Options,
  location: DatabaseLocation,
) {
  /** Runs a command that succeeds, with --json, and gives what it prints. */
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json'], options);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^.+\n$/);
    return JSON.parse(stdout);
  };
  return {
    ...options,
    json,
    run: (...args: string[]) => run(args, options),
    /** Works on the database as a command does. */
    use: <T>(work: (database: Database) => Promise<T>) => using(location, work),
    /** Writes a file there, and gives its name. */
    write(name: string, content: string | Buffer): string {
      writeFileSync(join(options.cwd, name), content);
      return name;
    },
    /** Creates a key of the standard tier, unless other options are given. */
    createKey: (...more: string[]): Promise<{ id: string; key: string; tier: string; name: string }> =>
      json(...CREATE_KEY, ...more),
  };
}

/** The same while a server has the database. It notices what commands do when a second of its clock has passed. */
async function servePlace(settings: Record<string, string>, isEmbedded: boolean, sampleCount?: number) {
  const [clock, cwd] = [createTestClock(), testDirectory()];
  const location: DatabaseLocation = isEmbedded
    ? embeddedIn(cwd)
    : { kind: 'server', url: await createTestDatabase() };
  const env = {
    ...(location.kind === 'server' ? { DATABASE_URL: location.url } : { DATA_DIR: 'data' }),
    ...settings,
  };
  const served = await serve(env, { cwd, ...clock, ...(sampleCount !== undefined && { sampleCount }) });
  await clock.advance(START_MS);
  return {
    ...createPlace({ env, cwd, now: clock.now }, location),
    served,
    clock,
    /** Sends a GET request with a key; by default for the list. */
    get: (key: string, target = '/api/v1/startups') =>
      fetch(served.url + target, { headers: { Authorization: `Bearer ${key}` } }),
  };
}

const embeddedIn = (cwd: string) => ({ kind: 'embedded', directory: join(cwd, 'data') }) as const;

export type ServedPlace = Awaited<ReturnType<typeof servePlace>>;
export type OpenPlace = ReturnType<typeof createPlace> & Partial<Pick<ServedPlace, 'served' | 'clock'>>;

/**
 * Serves an empty database, with these settings, until the test or the file that opens it has ended: embedded, or that
 * of TEST_DATABASE_URL where it is set.
 */
export const openServedPlace = (settings: Record<string, string> = {}, sampleCount?: number) =>
  servePlace(settings, TEST_DATABASE_URL === undefined, sampleCount);

/** Every place, also without a server: then each command opens the embedded database itself. */
export const testPlaces: readonly { readonly name: string; open(): Promise<OpenPlace> }[] = [
  { name: 'a served embedded database', open: () => servePlace(LIMITS, true) },
  ...(TEST_DATABASE_URL === undefined ? [] : [{ name: 'PostgreSQL', open: () => servePlace(LIMITS, false) }]),
  {
    name: 'an embedded database',
    async open() {
      const cwd = testDirectory();
      return createPlace({ env: { DATA_DIR: 'data' }, cwd }, embeddedIn(cwd));
    },
  },
];

/** A command that creates a key. The last of options with the same name counts. */
export const CREATE_KEY = ['keys', 'create', '--name', 'a test', '--tier', 'standard', '--accept-policy'];

/** Works on a database as a command does. */
export async function using<T>(
  location: DatabaseLocation,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabaseForCommand(location, { mayCreate: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** All rows of all tables that a backup holds, numbers included; revisions apart, which only ever rise. */
export async function everything({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ content: string }>(
    `SELECT (SELECT md5(string_agg((to_jsonb(s) - 'revision')::text, ',' ORDER BY id)) FROM startups AS s)
       || (SELECT coalesce(json_agg(k ORDER BY id), '[]')::text FROM api_keys AS k)
       || (SELECT coalesce(json_agg(d ORDER BY family_id, hash), '[]')::text FROM documents AS d)
       || (SELECT coalesce(json_agg(i ORDER BY id), '[]')::text FROM imports AS i)
       || (SELECT md5(json_agg(p ORDER BY startup_id, day)::text) FROM startup_points AS p)
       || (SELECT coalesce(json_agg(r ORDER BY slug), '[]')::text FROM startup_removals AS r)
       || (SELECT coalesce(json_agg(g ORDER BY startup_id), '[]')::text FROM removed_startups AS g)
       || (SELECT coalesce(json_agg(u ORDER BY day), '[]')::text FROM unchanged_startups AS u)
       || (SELECT coalesce(json_agg(m ORDER BY day, category), '[]')::text FROM market_days AS m) AS content`,
  );
  return rows[0]?.content ?? '';
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
