import type { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { begin } from '../../src/db/transaction.ts';
import { revokeKey } from '../../src/keys/revoke.ts';
import { createTestDatabase } from '../support/database.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { onPostgres } from '../support/only.ts';
import { openProxy } from '../support/proxy.ts';
import { insertRecords, record } from '../support/records.ts';

const server = process.env.TEST_DATABASE_URL ?? '';

/** A gateway that reaches a database through a proxy. */
async function openBehindProxy() {
  const { url, drop } = await createTestDatabase(server);
  const address = new URL(url);
  const proxy = await openProxy({ host: address.hostname, port: Number(address.port || 5432) });
  address.host = `127.0.0.1:${proxy.port}`;
  const database = await openDatabase({ kind: 'server', url: address.href }, () => {});
  await insertRecords(database, [record('one'), record('two')]);
  const gateway = await openTestGateway({ database, limits: { standard: 10_000, premium: 10_000 } });
  onTestFinished(async () => {
    proxy.isSilent = false;
    await gateway.close();
    await database.close();
    await drop();
  });
  return { gateway, proxy, url };
}

/** A database of its own, not through a proxy. */
async function openDirect(): Promise<Database> {
  const { url, drop } = await createTestDatabase(server);
  const database = await openDatabase({ kind: 'server', url }, () => {});
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  return database;
}

const list = async (gateway: TestGateway, key: string): Promise<string[] | number> => {
  const { status, json } = await gateway.call('/api/v1/startups', { key });
  return status === 200 ? json.data.map(({ slug }: { slug: string }) => slug).sort() : status;
};

onPostgres.describe('a database that fails', () => {
  it('over to one that lacks commits, and gives their revisions away anew, is read again', async () => {
    const { gateway, proxy, url } = await openBehindProxy();
    const [kept, revoked] = [await gateway.key(), await gateway.key()];
    await expect.poll(() => list(gateway, kept.key)).toEqual(['one', 'two']);
    expect(await list(gateway, revoked.key)).toEqual(['one', 'two']);

    // What a server says that was behind when it took over.
    const direct = await openDatabase({ kind: 'server', url }, () => {});
    await direct.pool.query("UPDATE startups SET slug = 'other' WHERE slug = 'two'");
    await revokeKey({ prisma: direct.prisma, now: Date.now, actor: 'a test' }, revoked.id);
    await direct.pool.query("UPDATE revisions SET value = 1 WHERE name IN ('dataset', 'keys')");
    await direct.pool.query("UPDATE startups SET revision = 1 WHERE slug = 'other'");
    await direct.close();
    proxy.disconnect();

    await expect.poll(() => list(gateway, kept.key)).toEqual(['one', 'other']);
    await expect.poll(() => list(gateway, revoked.key)).toBe(401);
  });

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

  it('to answer in time is asked to give up the statement', async () => {
    const database = await openDirect();
    await expect(database.pool.query('SELECT pg_sleep(3600)')).rejects.toThrow('Connection terminated');
    const running = () =>
      database.background.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(3600)' AND state = 'active'`,
      );
    await expect.poll(async () => (await running()).rowCount).toBe(0);
  });

  it('silently, without the end of a connection, is left after 5 seconds', async () => {
    const { gateway, proxy, url } = await openBehindProxy();
    const { key } = await gateway.key();
    await expect.poll(() => list(gateway, key)).toEqual(['one', 'two']);
    proxy.silenceOpen();
    const direct = await openDatabase({ kind: 'server', url }, () => {});
    await direct.pool.query("UPDATE startups SET slug = 'other' WHERE slug = 'two'");
    await direct.close();
    await expect.poll(() => list(gateway, key)).toEqual(['one', 'other']);
  });

  it('to answer at all is a 503 for what needs it, within seconds, and noticed again at once', async () => {
    const { gateway, proxy } = await openBehindProxy();
    const [known, unknown] = [await gateway.key(), await gateway.key()];
    await expect.poll(() => list(gateway, known.key)).toEqual(['one', 'two']);
    proxy.isSilent = true;
    expect(await list(gateway, known.key)).toEqual(['one', 'two']);
    const refused = await gateway.call('/api/v1/startups', { key: unknown.key });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(refused.json.error.code).toBe('SERVICE_UNAVAILABLE');
    proxy.isSilent = false;
    proxy.disconnect();
    await expect.poll(() => list(gateway, unknown.key)).toEqual(['one', 'two']);
  });
});
