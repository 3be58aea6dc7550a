import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Database, type DatabaseLocation, openDatabaseForCommand } from '../../../src/db/open.ts';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type Ended, type RunOptions, run, type Served, serve, testDirectory } from './process.ts';

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
export const servedPlaces: readonly { readonly name: string; open(): Promise<ServedPlace> }[] = [
  { name: 'a served embedded database', open: () => serveEmbedded(LIMITS) },
  ...(TEST_DATABASE_URL === undefined ? [] : [{ name: 'PostgreSQL', open: () => serveServer(LIMITS) }]),
];

/** Every place, also without a server: then each command opens the embedded database itself. */
export const testPlaces: readonly { readonly name: string; open(): Promise<OpenPlace> }[] = [
  ...servedPlaces,
  { name: 'an embedded database', open: openEmbedded },
];

/** The embedded database of a directory. */
const embeddedIn = (cwd: string) => ({ kind: 'embedded', directory: join(cwd, 'data') }) as const;

async function openEmbedded(): Promise<OpenPlace> {
  const cwd = testDirectory();
  const place = createPlace({ env: { DATA_DIR: 'data' }, cwd }, embeddedIn(cwd));
  return { ...place, served: undefined, clock: undefined };
}

async function serveEmbedded(
  settings: Record<string, string>,
  options: Pick<RunOptions, 'sampleCount'> = {},
): Promise<ServedPlace> {
  const cwd = testDirectory();
  return servePlace({ DATA_DIR: 'data', ...settings }, { ...options, cwd }, embeddedIn(cwd));
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
