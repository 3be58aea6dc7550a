import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openEmbedded } from '../../src/db/embedded.ts';
import { type Database, openDatabase, openDatabaseForCommand } from '../../src/db/open.ts';
import { temporaryDirectory, testDirectory } from '../cli/process.ts';
import { record } from '../support/records.ts';

const OPEN = new URL('../../dist/db/open.js', import.meta.url).href;

/** Lets what was sent arrive, and be answered if it can be. */
const pause = (ms = 100): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether a promise has settled, after a moment. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  return (await Promise.race([promise, pause().then(() => pending)])) === pending;
}

describe('an embedded engine that breaks', () => {
  it('says so, ends its connections, and can be closed', async () => {
    const faults: string[] = [];
    const engine = await openEmbedded(undefined, ({ message }) => faults.push(message));
    const stream = engine.stream();
    const ended = once(stream, 'close');
    // What no connection sends.
    engine.port().postMessage(5);
    await ended;
    expect(faults).toHaveLength(1);
    await engine.close();
  });

  it('fails the queries of its database instead of keeping them waiting', async () => {
    const faults: Error[] = [];
    const database = await openDatabase({ kind: 'embedded', directory: undefined }, (error) =>
      faults.push(error),
    );
    const running = database.pool.query('SELECT count(*) FROM generate_series(1, 100000000)');
    const { port } = database.threadConnection() as { port: MessagePort };
    port.postMessage(5);
    await expect(running).rejects.toThrow();
    expect(faults.length).toBeGreaterThan(0);
    await database.close();
  });
});

it('a first start on a disk that is too small says so, and leaves nothing in the way of the next', async (context) => {
  const directory = testDirectory();
  const mount = (...args: string[]): number | null => spawnSync('mount', [...args, directory]).status;
  if (mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs') !== 0) {
    context.skip('no file system may be mounted here');
  }
  onTestFinished(() => void spawnSync('umount', [directory]));
  await expect(openEmbedded(directory, () => {})).rejects.toThrow(
    /^The disk of .+ is full: free some of it, and start again\. Nothing there was removed\.$/,
  );
  mount('-o', 'remount,size=200m');
  const engine = await openEmbedded(directory, () => {});
  await engine.close();
});

describe('the embedded engine', () => {
  let database: Database;
  let one: pg.Client;
  let two: pg.Client;
  beforeAll(async () => {
    database = await openDatabase({ kind: 'embedded', directory: undefined }, () => {});
    one = await database.connect();
    two = await database.connect();
    await one.query('CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT)');
  });
  afterAll(async () => {
    await one.end();
    await two.end();
    await database.close();
  });
  beforeEach(async () => {
    await one.query('TRUNCATE things');
  });

  const count = async (client: Pick<pg.Client, 'query'>): Promise<number> =>
    Number((await client.query('SELECT count(*) FROM things')).rows[0].count);

  it('keeps others out while one is inside a transaction', async () => {
    await one.query('BEGIN');
    await one.query('INSERT INTO things VALUES (1)');
    const others = [count(two), count(database.pool)];
    expect(await Promise.all(others.map(isPending))).toEqual([true, true]);
    await one.query('INSERT INTO things VALUES (2)');
    await one.query('COMMIT');
    expect(await Promise.all(others)).toEqual([2, 2]);
  });

  it('shows nobody what was rolled back', async () => {
    await one.query('BEGIN');
    await one.query('INSERT INTO things VALUES (1)');
    const other = count(two);
    await one.query('ROLLBACK');
    expect(await other).toBe(0);
  });

  it('goes on after an error, inside a transaction too', async () => {
    await expect(one.query('SELECT * FROM nowhere')).rejects.toThrow('nowhere');
    expect(await count(one)).toBe(0);
    await one.query('BEGIN');
    await one.query('INSERT INTO things VALUES (1)');
    await expect(one.query('INSERT INTO things VALUES ($1)', ['x'])).rejects.toThrow('invalid input');
    await expect(count(one)).rejects.toThrow('current transaction is aborted');
    // It still is that connection's transaction.
    const other = count(two);
    expect(await isPending(other)).toBe(true);
    await one.query('ROLLBACK');
    expect(await other).toBe(0);
    await expect(one.query('INSERT INTO things VALUES (1), (1)')).rejects.toThrow('duplicate key');
    expect(await count(one)).toBe(0);
  });

  it.each([
    ['ended', (client: pg.Client) => client.end()],
    // As when its thread or process dies.
    [
      'lost',
      async (client: pg.Client) =>
        void (client as unknown as { connection: pg.Connection }).connection.stream.destroy(),
    ],
  ])('a connection that is %s inside a transaction leaves neither rows nor lock', async (_name, leave) => {
    const client = await database.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO things VALUES (1)');
    const waiting = count(two);
    expect(await isPending(waiting)).toBe(true);
    await leave(client);
    expect(await waiting).toBe(0);
    await one.query('INSERT INTO things VALUES (1)');
    expect(await count(two)).toBe(1);
  });

  it('a connection that leaves while its query runs does not disturb the others', async () => {
    const client = await database.connect();
    const abandoned = client.query('SELECT count(*) FROM generate_series(1, 500000)').catch(() => 'gone');
    await pause(20);
    (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
    expect(await count(two)).toBe(0);
    await abandoned;
  });

  it('answers many connections at once, each with its own answers', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => database.connect()));
    const answers = await Promise.all(
      clients.map(async (client, c) => {
        const numbers: number[] = [];
        for (let i = 0; i < 20; i++) {
          const { rows } = await client.query('SELECT $1::int AS n', [c * 100 + i]);
          numbers.push(rows[0].n);
        }
        return numbers;
      }),
    );
    expect(answers).toEqual(clients.map((_, c) => Array.from({ length: 20 }, (_, i) => c * 100 + i)));
    await Promise.all(clients.map((client) => client.end()));
  });

  it('carries values and answers of megabytes, and every character', async () => {
    const text = 'aé𝔸\n'.repeat(500_000);
    await one.query('INSERT INTO things VALUES (1, $1)', [text]);
    const { rows } = await two.query('SELECT text FROM things');
    expect(rows[0].text === text).toBe(true);
  });

  it('gives and takes times in UTC', async () => {
    const { rows } = await database.pool.query(
      `SELECT current_setting('TimeZone') AS zone, timestamptz '2024-05-01T00:00:00+02:00' AS at`,
    );
    expect(rows).toEqual([{ zone: 'UTC', at: new Date('2024-04-30T22:00:00Z') }]);
  });

  it('does not block the event loop while it computes', async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);
    const at = Date.now();
    await two.query('SELECT count(*) FROM generate_series(1, 2000000)');
    clearInterval(timer);
    // A share of what would be possible, for a busy machine.
    expect(ticks).toBeGreaterThan((Date.now() - at) / 5 / 5);
  });
});

// Several processes take turns, each with an engine to start.
describe('an embedded database in a directory', { timeout: 120_000 }, () => {
  function newDirectory(): string {
    const { path, remove } = temporaryDirectory();
    onTestFinished(remove);
    return join(path, 'data');
  }

  /** Runs a script with an open `database` of a process of its own, until it says that it is done. */
  async function startScript(open: string, body: string): Promise<ChildProcess> {
    const { path, remove } = temporaryDirectory();
    onTestFinished(remove);
    const file = join(path, 'script.mjs');
    writeFileSync(
      file,
      `import * as db from ${JSON.stringify(OPEN)};
      const database = await db.${open};
      ${body};
      console.log('done');
      process.stdin.resume();`,
    );
    const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('The script ended.')));
    ended.catch(() => {});
    await Promise.race([once(child.stdout, 'data'), ended]);
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  const slugs = async (database: Database): Promise<string[]> =>
    (await database.prisma.startup.findMany({ orderBy: { id: 'asc' } })).map(({ slug }) => slug);

  const insert = (slug: string): string =>
    `await client.query("INSERT INTO startups (slug, name, payment_provider, revenue_last_30_days, revenue_mrr, revenue_total, customers, active_subscriptions, on_sale) VALUES ('${slug}', 'x', 'stripe', 1, 1, 1, 1, 1, false)")`;

  it('keeps what was committed when its process is killed, and nothing else', async () => {
    const directory = newDirectory();
    const location = JSON.stringify({ kind: 'embedded', directory });
    const child = await startScript(
      `openDatabase(${location}, () => {})`,
      `const client = await database.connect(); ${insert('kept')}; await client.query('BEGIN'); ${insert('lost')}`,
    );
    await expect(openDatabase({ kind: 'embedded', directory }, () => {})).rejects.toThrow(
      `is held by process ${child.pid}`,
    );
    await kill(child);
    const database = await openDatabase({ kind: 'embedded', directory }, () => {});
    expect(await slugs(database)).toEqual(['kept']);
    await database.close();
    // Closed in order, it can be opened at once.
    const again = await openDatabase({ kind: 'embedded', directory }, () => {});
    expect(await slugs(again)).toEqual(['kept']);
    await again.close();
  });

  it('that is shared serves other processes, and survives their death', async () => {
    const directory = newDirectory();
    const location = { kind: 'embedded', directory } as const;
    const database = await openDatabase(location, () => {});
    await database.share();
    expect(statSync(join(directory, '.s.PGSQL.5432')).mode & 0o777).toBe(0o600);

    const guest = await openDatabaseForCommand(location, () => {});
    await guest.prisma.startup.create({
      data: {
        slug: record('guest').slug,
        name: 'x',
        paymentProvider: 'stripe',
        revenueLast30Days: 1n,
        revenueMrr: 1n,
        revenueTotal: 1n,
        customers: 1,
        activeSubscriptions: 1,
        onSale: false,
      },
    });
    await guest.close();
    expect(await slugs(database)).toEqual(['guest']);

    const child = await startScript(
      `openDatabaseForCommand(${JSON.stringify(location)}, () => {})`,
      `const client = await database.connect(); await client.query('BEGIN'); ${insert('lost')}`,
    );
    const waiting = slugs(database);
    expect(await isPending(waiting)).toBe(true);
    await kill(child);
    expect(await waiting).toEqual(['guest']);
    await database.close();
    expect(() => statSync(join(directory, '.s.PGSQL.5432'))).toThrow('ENOENT');
    expect(() => statSync(join(directory, 'revgate.lock'))).toThrow('ENOENT');
  });
});
