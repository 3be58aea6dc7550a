import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
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

  it('to hear of the end of a connection gives up its locks within a minute, and the statement of a request at once', async () => {
    const { url, drop } = await createTestDatabase(server);
    onTestFinished(drop);
    const database = await openDatabase({ kind: 'server', url }, () => {});
    const client = await database.connect();
    const show = async (from: { query: typeof client.query }, name: string): Promise<string> =>
      (await from.query(`SHOW ${name}`)).rows[0][name];
    expect(await show(client, 'idle_in_transaction_session_timeout')).toBe('1min');
    expect(await show(client, 'tcp_keepalives_idle')).toBe('10');
    expect(await show(client, 'statement_timeout')).toBe('0');
    expect(await show(database.pool as never, 'statement_timeout')).toBe('1500ms');
    await client.end();
    await database.close();
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
