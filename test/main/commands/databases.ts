import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Database, type DatabaseLocation, openDatabaseForCommand } from '../../../src/db/open.ts';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type Ended, type RunOptions, run, type Served, serve, testDirectory } from './process.ts';

/** Where commands under test find their database. */
export interface TestPlace<Place extends OpenPlace = OpenPlace> {
  readonly name: string;
  readonly isServed: boolean;
  /** Opens it until the test or the file that does so has ended. */
  open(): Promise<Place>;
}

export interface OpenPlace {
  /** The environment of a command. */
  readonly env: Record<string, string>;
  /** The directory for files, which relative paths start from. */
  readonly cwd: string;
  readonly served: Served | undefined;
  /** Whose time it is, where there is a server: it notices what commands do when a second has passed. */
  readonly clock: TestClock | undefined;
  /** The time of commands, the same; else that of this machine. */
  readonly now?: () => number;
  /** Works on the database as a command does. */
  use<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Writes a file there, and gives its name. */
  write(name: string, content: string | Buffer): string;
  /** Runs a command there. */
  run(...args: string[]): Promise<Ended>;
  /** Runs a command that succeeds, with --json, and gives what it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted, not typed.
  json(...args: string[]): Promise<any>;
  /** Creates a key of the standard tier, unless other options are given. */
  createKey(...options: string[]): Promise<{ id: string; key: string; tier: string; name: string }>;
}

const { TEST_DATABASE_URL } = process.env;

/** A database that a server serves meanwhile: embedded, or that of TEST_DATABASE_URL where it is set. */
export type ServedPlace = OpenPlace & {
  readonly served: Served;
  readonly clock: TestClock;
  /** Sends a GET request with a key; by default for the list. */
  get(key: string, target?: string, headers?: Record<string, string>): Promise<Response>;
};

/** Serves an empty database, with these settings, until the test or the file that opens it has ended. */
export function openServedPlace(
  env: Record<string, string> = {},
  options: Pick<RunOptions, 'sampleCount'> = {},
): Promise<ServedPlace> {
  return TEST_DATABASE_URL === undefined ? serveEmbedded(env, options) : serveServer(env);
}

/** Only so long after its start, a server notices changes within a second. */
const START_MS = 2_000;

/** Enough for tests that ask until something is there. */
const LIMITS = { RATE_LIMIT_PREMIUM: '1000' };

/** Every place with a server; PostgreSQL only where TEST_DATABASE_URL names one. */
export const servedPlaces: readonly TestPlace<ServedPlace>[] = [
  { name: 'a served embedded database', isServed: true, open: () => serveEmbedded(LIMITS) },
  ...(TEST_DATABASE_URL === undefined
    ? []
    : [{ name: 'PostgreSQL', isServed: true, open: () => serveServer(LIMITS) }]),
];

/** Every place, also without a server: then each command opens the embedded database itself. */
export const testPlaces: readonly TestPlace[] = [
  ...servedPlaces,
  { name: 'an embedded database', isServed: false, open: openEmbedded },
];

async function openEmbedded(): Promise<OpenPlace> {
  const cwd = testDirectory();
  const location = { kind: 'embedded', directory: join(cwd, 'data') } as const;
  return {
    ...createPlace({ env: { DATA_DIR: 'data' }, cwd }, location),
    served: undefined,
    clock: undefined,
  };
}

async function serveEmbedded(
  settings: Record<string, string>,
  options: Pick<RunOptions, 'sampleCount'> = {},
): Promise<ServedPlace> {
  const cwd = testDirectory();
  const location = { kind: 'embedded', directory: join(cwd, 'data') } as const;
  return servePlace({ DATA_DIR: 'data', ...settings }, { ...options, cwd }, location);
}

async function serveServer(settings: Record<string, string>): Promise<ServedPlace> {
  const url = await createTestDatabase();
  return servePlace({ DATABASE_URL: url, ...settings }, { cwd: testDirectory() }, { kind: 'server', url });
}

async function servePlace(
  env: Record<string, string>,
  options: { cwd: string; sampleCount?: number },
  location: DatabaseLocation,
): Promise<ServedPlace> {
  const clock = createTestClock();
  const { cwd } = options;
  const served = await serve(env, { ...options, ...clock });
  await clock.advance(START_MS);
  return {
    ...createPlace({ env, cwd, now: clock.now }, location),
    served,
    clock,
    get: (key, target = '/api/v1/startups', headers = {}) =>
      fetch(served.url + target, { headers: { Authorization: `Bearer ${key}`, ...headers } }),
  };
}

/** What places with and without a server have. */
function createPlace<Options extends { env: Record<string, string>; cwd: string; now?: () => number }>(
  options: Options,
  location: DatabaseLocation,
) {
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json'], options);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^.+\n$/);
    return JSON.parse(stdout);
  };
  return {
    ...options,
    use: <T>(work: (database: Database) => Promise<T>) => using(location, work),
    write(name: string, content: string | Buffer): string {
      writeFileSync(join(options.cwd, name), content);
      return name;
    },
    run: (...args: string[]) => run(args, options),
    json,
    createKey: (...more: string[]) => json(...CREATE_KEY, ...more),
  };
}

/** A command that creates a key. The last of options with the same name counts. */
export const CREATE_KEY = ['keys', 'create', '--name', 'a test', '--tier', 'standard', '--accept-policy'];

async function using<T>(location: DatabaseLocation, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabaseForCommand(location, { mayCreate: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Everything about the startups but what differs from import to import, with their last points and the last market,
 * which belong to them.
 */
export async function contentsOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ content: string }>(
    `SELECT count(*) || ' ' || md5(coalesce(string_agg(
         (to_jsonb(s) - '{id,revision,created_at,updated_at}'::text[])::text
           || (SELECT (to_jsonb(p) - '{startup_id,day}'::text[])::text FROM startup_points AS p
               WHERE startup_id = s.id ORDER BY day DESC LIMIT 1),
         ',' ORDER BY slug), ''))
       || (SELECT coalesce((to_jsonb(m) - 'day')::text, '') FROM market_days AS m
           WHERE category = '' ORDER BY day DESC LIMIT 1) AS content
     FROM startups AS s`,
  );
  return rows[0]?.content ?? '';
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
  await expect.poll(() => place.use(leftovers), { interval: 200 }).toEqual([]);
}

/** The same, and expects the startups to be what {@link contentsOf} gave. */
export async function expectContents(place: OpenPlace, contents: string | undefined): Promise<void> {
  await expect
    .poll(
      () =>
        place.use(async (database) => ({
          left: await leftovers(database),
          contents: await contentsOf(database),
        })),
      { interval: 200 },
    )
    .toEqual({ left: [], contents });
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
