import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { promoteAccount } from '../../src/access/accounts/change.ts';
import { createOperatorToken } from '../../src/access/accounts/operator-tokens.ts';
import { revokeKey } from '../../src/access/keys/change.ts';
import { generateToken } from '../../src/access/keys/token.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { begin } from '../../src/db/transaction.ts';
import { isUnavailable } from '../../src/db/unavailable.ts';
import { startCluster } from '../support/cluster.ts';
import { createTestDatabase } from '../support/database.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { createTestKey } from '../support/keys.ts';
import { onPostgres } from '../support/only.ts';
import { insertRecords, record } from '../support/records.ts';
import { readRevisions } from '../support/revisions.ts';
import { openProxy } from '../support/servers/proxy.ts';

/** A gateway that reaches a database through a proxy; by default one of its own. */
async function openBehindProxy(place?: string) {
  const url = place ?? (await createTestDatabase());
  const address = new URL(url);
  const proxy = await openProxy({ host: address.hostname, port: Number(address.port || 5432) });
  address.host = `127.0.0.1:${proxy.port}`;
  const database = await openDatabase({ kind: 'server', url: address.href }, () => {});
  await insertRecords(database, [record('one'), record('two')]);
  const gateway = await openTestGateway({ database, limits: 10_000 });
  onTestFinished(async () => {
    await proxy.turn('open');
    await gateway.close();
    await database.close();
  });
  return { gateway, proxy, url };
}

/** A database of its own, not through a proxy. */
async function openDirect(): Promise<Database> {
  const url = await createTestDatabase();
  const database = await openDatabase({ kind: 'server', url }, () => {});
  onTestFinished(() => database.close());
  return database;
}

const LIST = '/api/v1/startups';

const list = async (gateway: TestGateway, key: string): Promise<string[] | number> => {
  const { status, json } = await gateway.call(LIST, { key });
  return status === 200 ? json.data.map(({ slug }: { slug: string }) => slug).sort() : status;
};

/**
 * Renames a startup, adds one, makes a key and revokes one, past the gateway. Each such call raises the revisions by
 * as much.
 */
async function change(url: string, change: { from: string; to: string; added: string; revoked: string }) {
  const database = await openDatabase({ kind: 'server', url }, () => {});
  const context = { prisma: database.prisma, now: Date.now, actor: 'a test', randomBytes };
  try {
    await database.pool.query('UPDATE startups SET slug = $2 WHERE slug = $1', [change.from, change.to]);
    await insertRecords(database, [record(change.added)]);
    const { key } = await createTestKey(context);
    await revokeKey(context, change.revoked);
    return { key, revisions: await readRevisions(database.pool) };
  } finally {
    await database.close();
  }
}

/** Reads startups without a pause; the returned function ends that, and gives each status and Retry-After it met. */
function readAlways(gateway: TestGateway, key: () => string): () => Promise<string[]> {
  const met = new Set<string>();
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const reading = (async () => {
    while (!over.signal.aborted) {
      const { status, headers } = await gateway.call(LIST, { key: key() });
      met.add(`${status} ${headers['retry-after'] ?? '-'}`);
      await wait(5);
    }
  })();
  return async () => {
    over.abort();
    await reading;
    return [...met].sort();
  };
}

onPostgres.describe('a database that fails', () => {
  it('over to a standby that lacks its last commits is followed, without a restart', async () => {
    const primary = await startCluster();
    const standby = await primary.standby();
    const { gateway, proxy } = await openBehindProxy(primary.url);
    const [kept, unused] = [await gateway.key(), await gateway.key()];
    const [lost, revoked] = [await gateway.key(), await gateway.key()];
    /** What keys get once the gateway has caught up. */
    const expectLists = async (keys: { key: string }[], expected: string[] | number) => {
      for (const { key } of keys) {
        await expect.poll(() => list(gateway, key)).toEqual(expected);
      }
    };
    await expectLists([kept, lost, revoked], ['one', 'two']);
    await standby.catchUp(primary);
    await standby.detach();

    // What the standby never gets.
    const old = await change(primary.url, { from: 'one', to: 'old-one', added: 'old', revoked: lost.id });
    await expectLists([kept], ['old', 'old-one', 'two']);
    await expectLists([lost], 401);
    // Found since the last change of a key: these are remembered.
    const known = [kept.key, revoked.key, old.key];
    const expectKnown = async () => {
      for (const key of known) {
        expect(await list(gateway, key)).toEqual(['old', 'old-one', 'two']);
      }
    };
    await expectKnown();

    const endKnown = readAlways(gateway, () => kept.key);
    const endUnknown = readAlways(gateway, () => generateToken(randomBytes));
    await primary.stop('immediate');
    await expectKnown();
    const refused = await gateway.call(LIST, { key: unused.key });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(refused.json.error.code).toBe('SERVICE_UNAVAILABLE');

    await standby.promote();
    const now = await change(standby.url, { from: 'two', to: 'new-two', added: 'new', revoked: revoked.id });
    // By its revisions alone, nothing has changed.
    expect(now.revisions).toEqual(old.revisions);
    proxy.target = { host: '127.0.0.1', port: standby.port };
    proxy.disconnect();

    await expectLists([kept], ['new', 'new-two', 'one']);
    await expectLists([revoked, old], 401);
    await expectLists([unused, lost, now], ['new', 'new-two', 'one']);
    expect((await gateway.call('/api/v1/startups/old', { key: kept.key })).status).toBe(404);
    expect(await endKnown()).toEqual(['200 -']);
    expect(await endUnknown()).toEqual(['401 -', '503 5']);
  });

  it.each([
    ['ends all connections', 'disconnect'],
    ['lets all connections go silent', 'silenceOpen'],
  ] as const)(
    'for a while, and %s, makes nodes read what changed, and all after a crash',
    async (_, fail) => {
      const server = await startCluster();
      const { gateway, proxy } = await openBehindProxy(server.url);
      const { key } = await gateway.key();
      await expect.poll(() => list(gateway, key)).toEqual(['one', 'two']);
      const direct = await openDatabase({ kind: 'server', url: server.url }, () => {});
      // No revision shows this change: only reading everything again does.
      await direct.pool.query(`ALTER TABLE startups DISABLE TRIGGER USER;
      UPDATE startups SET slug = 'unseen' WHERE slug = 'two'; ALTER TABLE startups ENABLE TRIGGER USER`);
      proxy[fail]();
      await direct.pool.query("UPDATE startups SET slug = 'changed' WHERE slug = 'one'");
      await direct.close();
      await expect.poll(() => list(gateway, key)).toEqual(['changed', 'two']);
      await server.stop('immediate');
      await server.start();
      await expect.poll(() => list(gateway, key)).toEqual(['changed', 'unseen']);
    },
  );

  it('to hear of the end of a connection ends its transaction within a minute, and shares no setting of it', async () => {
    const database = await openDirect();
    const show = async (from: Pick<Client, 'query'>, name: string): Promise<string> =>
      (await from.query(`SHOW ${name}`)).rows[0][name];
    const client = await database.connect();
    const before = await show(client, 'idle_in_transaction_session_timeout');
    await begin(client, 'server');
    expect(await show(client, 'idle_in_transaction_session_timeout')).toBe('1min');
    expect(await show(client, 'tcp_keepalives_idle')).toBe('10');
    await client.query('COMMIT');
    expect(await show(client, 'idle_in_transaction_session_timeout')).toBe(before);
    await client.end();
    const inTransaction = await database.prisma.$transaction(
      (prisma) => prisma.$queryRaw`SELECT current_setting('statement_timeout') AS value`,
    );
    expect(inTransaction).toEqual([{ value: '1500ms' }]);
  });

  it('to answer a statement of a transaction in time is unavailable, whoever gives up first', async () => {
    const database = await openDirect();
    const slow = database.prisma.$transaction(async (prisma) => {
      await prisma.$executeRaw`SELECT set_config('statement_timeout', '50ms', true)`;
      await prisma.$queryRaw`SELECT 1 FROM pg_sleep(3600)`;
    });
    const plain = database.pool.query("BEGIN; SET LOCAL statement_timeout = '50ms'; SELECT pg_sleep(3600)");
    const failures = await Promise.allSettled([slow, plain]);
    expect(failures.map((one) => 'reason' in one && isUnavailable(one.reason))).toEqual([true, true]);
  });

  it('to answer in time is asked to give up the statement', async () => {
    const database = await openDirect();
    await expect(database.pool.query('SELECT pg_sleep(3600)')).rejects.toThrow('Connection terminated');
    const running = () =>
      database.background.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(3600)' AND state = 'active'`,
      );
    await expect.poll(async () => (await running()).rowCount).toBe(0);
  });

  it.each([
    ['that is killed', 'disconnects'],
    ['that does not answer any more', 'falls silent'],
  ])('%s during an import is a 503 within seconds, and nothing is written', async (_name, how) => {
    const { gateway, proxy, url } = await openBehindProxy();
    const id = 'acc_ada000000000';
    const data = { id, email: 'ada@example.com', emailVerified: true };
    await gateway.database.prisma.account.create({ data });
    await promoteAccount(gateway.acting, id);
    const operator = { ...gateway.acting, operators: [] };
    const { token } = await createOperatorToken(operator, { name: 'nightly', account: id });
    const address = await gateway.listen();
    const direct = await openDatabase({ kind: 'server', url }, () => {});
    onTestFinished(() => direct.close());
    const locking = await direct.connect();
    await locking.query('BEGIN; LOCK TABLE startups IN ROW EXCLUSIVE MODE');
    const answer = fetch(`${address}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify([record('three')]),
    });
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LOCK TABLE%' AND state = 'active'`;
    await expect.poll(async () => (await direct.pool.query(waiting)).rowCount).toBe(1);
    const since = performance.now();
    if (how === 'falls silent') {
      await proxy.turn('frozen');
    } else {
      proxy.disconnect();
    }
    const { status, headers } = await answer;
    const after = performance.now() - since;
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    // By itself, TCP would give up after minutes.
    expect(after).toBeLessThan(20_000);
    await proxy.turn('open');
    await locking.query('ROLLBACK');
    await locking.end();
    const { rowCount } = await direct.pool.query('SELECT FROM startups');
    expect(rowCount).toBe(2);
  });
});
