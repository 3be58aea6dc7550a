import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type pg from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.ts';
import { COMMAND_WAITS, type Database, openDatabase, openDatabaseForCommand } from '../../src/db/open.ts';
import { createThreadClient } from '../../src/db/thread.ts';
import type { OperatorError } from '../../src/lib/errors.ts';
import { testDirectory } from '../main/commands/process.ts';
import { closeAfterwards } from '../support/closing.ts';
import { startScript } from './script.ts';

const OPEN = new URL('../../dist/db/open.js', import.meta.url).href;

/** Ends a connection without a word, as when its thread or process dies. */
const lose = (client: pg.Client): void => {
  (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
};

/** Whether a promise is kept waiting while whoever has the session uses it many times. */
async function isKeptWaiting(promise: Promise<unknown>, use: () => Promise<unknown>): Promise<boolean> {
  const settled = vi.fn();
  promise.then(settled, settled);
  for (let times = 0; times < 10; times += 1) {
    await use();
  }
  return settled.mock.calls.length === 0;
}

describe('an embedded engine that breaks', () => {
  it('says so, fails the queries under way, ends its connections, and can be closed', async () => {
    const onError = vi.fn();
    const database = await openDatabase({ kind: 'embedded', directory: undefined }, onError);
    const running = database.pool.query('SELECT count(*) FROM generate_series(1, 100000000)');
    const { port } = database.threadConnection() as { port: MessagePort };
    const ended = once(port, 'close');
    // What no connection sends.
    port.postMessage(5);
    await expect(running).rejects.toThrow();
    await ended;
    // The error of a thread can arrive later than the end of its connections.
    await expect.poll(() => onError.mock.calls.length).toBe(1);
    await database.close();
  });

  it('can be closed while it opens its directory again', async () => {
    const directory = testDirectory();
    let uses = Number.POSITIVE_INFINITY;
    const engine = await openEmbedded(directory, () => {
      uses = engine.uses();
    });
    engine.port('own').postMessage(5);
    // What was not on the disk is lost, which counts as a use.
    await expect.poll(() => engine.uses() > uses).toBe(true);
    await engine.close();
    const again = await openEmbedded(directory, () => {});
    await again.close();
  });

  it.each([
    ['the version', 'PG_VERSION', 'not a version', 'PGlite failed to initialize properly'],
    ['the control file', 'global/pg_control', '', 'Aborted(). Build with -sASSERTIONS for more info.'],
  ])('reports what the engine says where %s is damaged', async (_what, file, content, said) => {
    const directory = testDirectory();
    await (await openEmbedded(directory, () => {})).close();
    writeFileSync(join(directory, 'pg', file), content);
    const [line] = await openEmbedded(directory, () => {}).then(String, ({ lines }: OperatorError) => lines);
    expect(line).toBe(
      `The embedded database in ${directory} does not open (${said}). Nothing in it was removed.`,
    );
    expect(readFileSync(join(directory, 'pg', file), 'utf8')).toBe(content);
  });
});

const memory = await openDatabase({ kind: 'embedded', directory: undefined }, () => {});
closeAfterwards(() => memory.close());
const [one, two] = [await memory.connect(), await memory.connect()];
closeAfterwards(() => Promise.all([one.end(), two.end()]));
await one.query('CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT)');

describe('the embedded engine', () => {
  beforeEach(async () => {
    await one.query('TRUNCATE things');
  });

  const count = async (client: Pick<pg.Client, 'query'>): Promise<number> =>
    Number((await client.query('SELECT count(*) FROM things')).rows[0].count);

  it('makes others wait while one is inside a transaction, and shows them what it left', async () => {
    await one.query('BEGIN; INSERT INTO things VALUES (1)');
    const others = [count(two), count(memory.pool)];
    for (const other of others) {
      expect(await isKeptWaiting(other, () => one.query('SELECT 1'))).toBe(true);
    }
    await one.query('INSERT INTO things VALUES (2)');
    await one.query('COMMIT');
    expect(await Promise.all(others)).toEqual([2, 2]);
  });

  it('continues after an error, inside a transaction too', async () => {
    await expect(one.query('SELECT * FROM nowhere')).rejects.toThrow('nowhere');
    await one.query('BEGIN; INSERT INTO things VALUES (1)');
    await expect(one.query('INSERT INTO things VALUES ($1)', ['x'])).rejects.toThrow('invalid input');
    await expect(count(one)).rejects.toThrow('current transaction is aborted');
    // It still is that connection's transaction.
    const other = count(two);
    expect(await isKeptWaiting(other, () => one.query('SELECT 1').catch(() => {}))).toBe(true);
    await one.query('ROLLBACK');
    expect(await other).toBe(0);
  });

  it.each([
    ['ended', (client: pg.Client) => client.end()],
    ['lost', async (client: pg.Client) => lose(client)],
  ])('a connection that is %s inside a transaction leaves neither rows nor lock', async (_name, leave) => {
    const client = await memory.connect();
    await client.query('BEGIN; INSERT INTO things VALUES (1)');
    const waiting = count(two);
    expect(await isKeptWaiting(waiting, () => client.query('SELECT 1'))).toBe(true);
    await leave(client);
    expect(await waiting).toBe(0);
  });

  it('a connection that leaves while its query runs does not disturb the others', async () => {
    const client = await memory.connect();
    const begun = once(client, 'notice');
    const abandoned = client
      .query("DO $$ BEGIN RAISE NOTICE 'begun'; PERFORM count(*) FROM generate_series(1, 500000); END $$")
      .catch(() => 'gone');
    await begun;
    lose(client);
    expect(await count(two)).toBe(0);
    await abandoned;
  });

  it('carries values and answers of megabytes, and every character', async () => {
    const text = 'aé𝔸\n'.repeat(500_000);
    await one.query('INSERT INTO things VALUES (1, $1)', [text]);
    const { rows } = await two.query('SELECT text FROM things');
    expect(rows[0].text === text).toBe(true);
  });

  it('gives and takes times in UTC', async () => {
    const { rows } = await memory.pool.query(
      `SELECT current_setting('TimeZone') AS zone, timestamptz '2024-05-01T00:00:00+02:00' AS at`,
    );
    expect(rows).toEqual([{ zone: 'UTC', at: new Date('2024-04-30T22:00:00Z') }]);
  });
});

it('the limits of waits are those of requests only when a server has started', async () => {
  const waits = COMMAND_WAITS;
  const database = await openDatabase({ kind: 'embedded', directory: undefined }, () => {}, { waits });
  const { options } = database.pool;
  expect(options.connectionTimeoutMillis).toBe(30_000);
  const owner = await database.connect();
  await owner.query('BEGIN');
  const ofStart = database.pool.query('SELECT 1 AS one');
  database.beginServing();
  expect(options.connectionTimeoutMillis).toBe(1_500);
  await expect(database.pool.query('SELECT 1')).rejects.toThrow('Connection terminated');
  await owner.end();
  expect((await ofStart).rows).toEqual([{ one: 1 }]);
  await database.close();
});

describe('an embedded database in a directory', async () => {
  const path = testDirectory();
  const directory = join(path, 'data');
  const location = { kind: 'embedded', directory } as const;
  /** What a first start said where the disk is too small; undefined where no small disk can be made. */
  let fullDisk: string | undefined;

  const mount = (...args: string[]): boolean => spawnSync('mount', [...args, path]).status === 0;
  /** What the database has reported. */
  const errors: string[] = [];
  const open = (options: { guestPatienceMs?: number } = {}) =>
    openDatabase({ ...location, ...options }, ({ message }) => errors.push(message));
  // One database for all tests, as each process has an engine to start.
  let database: Database;
  const slugs = async (): Promise<string[]> =>
    (await database.prisma.startup.findMany({ orderBy: { id: 'asc' } })).map(({ slug }) => slug);

  const insertOf = (slug: string): string =>
    `INSERT INTO startups (slug, name, payment_provider, revenue_last_30_days, revenue_mrr, revenue_total, customers, active_subscriptions, on_sale) VALUES ('${slug}', 'x', 'stripe', 1, 1, 1, 1, 1, false)`;

  if (mount('-t', 'tmpfs', '-o', 'size=12m', 'tmpfs')) {
    closeAfterwards(() => void spawnSync('umount', [path]));
    fullDisk = await open().then(String, ({ message }: Error) => message);
    mount('-o', 'remount,size=80m');
  }
  const script = startScript(`
    import { openDatabase } from ${JSON.stringify(OPEN)};
    const database = await openDatabase(${JSON.stringify(location)}, () => {});
    const client = await database.connect();
    await client.query("${insertOf('kept')}");
    await client.query("BEGIN; ${insertOf('lost')}");
    console.log('done');`);
  expect(await script.nextLine().finally(() => script.kill())).toBe('done');
  database = await open();
  closeAfterwards(() => database.close());
  /** What was there after the end of the process that held it first. */
  const left = await slugs();
  database.beginServing();

  it('says so where the disk is full, keeps what was committed, and opens again when there is room', async (context) => {
    if (fullDisk === undefined) {
      context.skip('no file system may be mounted here');
    }
    // A first start leaves nothing in the way of the next.
    expect(fullDisk).toMatch(
      /^The disk of .+ is full: free some of it, and start again\. Nothing .+ removed\.$/,
    );
    const filler = join(path, 'filler');
    errors.length = 0;
    const { bavail, bsize } = statfsSync(path);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 1_000_000));
    const log = "SELECT pg_logical_emit_message(true, '', repeat('x', 1000000)) FROM generate_series(1, 40)";
    const written = database.pool.query(`${insertOf('lost')}; ${log}`);
    await expect(written).rejects.toThrow('No space left on device');
    await expect.poll(() => errors.join()).toMatch(/stopped.+No space left on device/);
    await expect(database.pool.query('SELECT 1')).rejects.toThrow();
    await expect.poll(() => errors.join()).toContain('is full: free some of it');
    rmSync(filler);
    await expect.poll(() => slugs().catch(String)).toEqual(['kept']);
    await database.pool.query(insertOf('written'));
    await database.pool.query("DELETE FROM startups WHERE slug = 'written'");
  });

  it('keeps what was committed when its process is killed, and nothing else', () => {
    expect(left).toEqual(['kept']);
  });

  it('counts its uses, also by other processes, but not polls', async () => {
    const { polled } = database;
    const poll = await polled.connect();
    const guest = await openDatabaseForCommand(location);
    for (const [session, counts] of [
      [poll, false],
      [guest.pool, true],
      [database.pool, true],
    ] as const) {
      const isCounted = async (): Promise<boolean> => {
        const before = polled.uses?.();
        await session.query('SELECT 1');
        return polled.uses?.() !== before;
      };
      // What other sessions left behind may count at first.
      await expect.poll(isCounted).toBe(counts);
    }
    await poll.end();
    await guest.close();
  });

  it('keeps the temporary tables of an import when a command in a second terminal ends', async () => {
    const { port } = database.threadConnection('import') as { port: MessagePort };
    const importing = createThreadClient({ port });
    await importing.connect();
    await importing.query('CREATE TEMP TABLE import_staged (id integer)');
    const guest = await openDatabaseForCommand(location);
    const killed = await guest.connect();
    await killed.query('CREATE TEMP TABLE import_of_guest (id integer)');
    lose(killed);
    await guest.close();
    await importing.query('INSERT INTO import_staged VALUES (1)');
    await importing.end();
    const tables = "SELECT relname FROM pg_class WHERE relname LIKE 'import\\_%' AND relpersistence = 't'";
    await expect.poll(async () => (await database.pool.query(tables)).rows).toEqual([]);
  });

  it('ends a guest that begins a transaction and does nothing, so that others are served', async () => {
    await database.close();
    database = await open({ guestPatienceMs: 1_000 });
    database.beginServing();
    const guest = await openDatabaseForCommand(location, { mayCreate: true });
    const idle = await guest.connect();
    const ended = new Promise((resolve) => idle.once('end', resolve));
    await idle.query("BEGIN; DELETE FROM startups WHERE slug = 'kept'");
    expect(await slugs()).toEqual(['kept']);
    await ended;
    await expect(idle.query('COMMIT')).rejects.toThrow(/Connection terminated|not queryable/);
    await guest.close();

    // It can be opened again at once when it was closed, although somebody in a second terminal does nothing.
    const other = await openDatabaseForCommand(location, { mayCreate: true });
    const client = await other.connect();
    const disconnected = new Promise((resolve) => client.once('end', resolve));
    await database.close();
    await disconnected;
    await other.close();
    // Neither socket nor lock are left.
    expect(readdirSync(directory)).toEqual(['pg']);
    database = await open();
    expect(await slugs()).toEqual(['kept']);
    database.beginServing();
  });
});
