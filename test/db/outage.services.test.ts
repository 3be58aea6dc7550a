import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOperatorToken } from '../../src/access/accounts/operator-tokens.ts';
import { generateToken } from '../../src/access/keys/token.ts';
import { createUnsubscribeLinks } from '../../src/access/mails/saved-mail-settings.ts';
import { openDatabase } from '../../src/db/open.ts';
import { isUnavailable } from '../../src/db/unavailable.ts';
import { agentOf } from '../api/mcp/agent.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Answer } from '../support/gateway.ts';
import { record } from '../support/records.ts';
import { openProxy, type ProxyState } from '../support/servers/proxy.ts';
import { openSite, PASSWORD } from '../web/dashboard/site.ts';

const SECRET = 'a secret of thirty-two characters';

/** A database that is reached through a proxy, with the time limits of requests. */
async function openBehindProxy() {
  const address = new URL(await createTestDatabase());
  const proxy = await openProxy({ host: address.hostname, port: Number(address.port || 5432) });
  address.host = `127.0.0.1:${proxy.port}`;
  const database = await openDatabase({ kind: 'server', url: address.href }, () => {});
  onTestFinished(async () => {
    await proxy.turn('open');
    await database.close();
  });
  return { database, proxy };
}

type Site = Awaited<ReturnType<typeof openSite>>;

const isRefused = ({ status, text }: Answer): boolean =>
  status === 503 || text.includes('SERVICE_UNAVAILABLE');

/** One request of each kind that waits for the database, by its name. */
async function createRequests(site: Site) {
  const { key } = await site.key();
  // From now on it is in memory.
  await site.call('/api/v1/startups', { key });
  const agent = agentOf(site, key);
  const operator = await site.operator('ada@example.com');
  const { token } = await createOperatorToken(
    { ...site.acting, operators: [] },
    { name: 'nightly', account: operator.accountId },
  );
  const { token: csrfToken } = (await operator.get('/dashboard/graphql/session')).json.account;
  const unknownKey = () => generateToken(randomBytes);
  const unknownEmbedKey = () => generateToken(randomBytes, 'embed');
  const graphql = (query: string) => site.graphql(query, {}, { key });
  const tool = (name: string, params: object) => agent.send('tools/call', { name, arguments: params });
  return {
    /** Answered with the status 503. */
    whole: {
      'REST: history': () => site.call('/api/v1/startups/one/history', { key }),
      'REST: market': () => site.call('/api/v1/market', { key }),
      'REST: a key that is not in memory': () => site.call('/api/v1/startups', { key: unknownKey() }),
      'GraphQL: a key that is not in memory': () =>
        site.graphql('{ market { day } }', {}, { key: unknownKey() }),
      'MCP: a key that is not in memory': () => agentOf(site, unknownKey()).send('tools/list'),
      'feed: a key that is not in memory': () =>
        site.call(`/feeds/${'0'.repeat(64)}.atom?key=${unknownEmbedKey()}`),
      'import over HTTP': () =>
        site.call('/import', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(record('three')),
        }),
      'dashboard: keys': () => operator.get('/dashboard/keys'),
      'dashboard: a new key': () => operator.post('/dashboard/keys', { name: 'new' }),
      'dashboard: a startup': () => operator.get('/dashboard/explorer/one'),
      'dashboard: overview': () => operator.get('/dashboard/operator'),
      'dashboard: unsubscribe': () =>
        site.browser().get(createUnsubscribeLinks(SECRET).pathOf(operator.accountId)),
      'GraphiQL: the session': () => operator.get('/dashboard/graphql/session'),
      'GraphiQL: market': () =>
        operator.send('POST', '/dashboard/graphql', JSON.stringify({ query: '{ market { day } }' }), {
          'content-type': 'application/json',
          'x-csrf-token': csrfToken,
        }),
      'sign in': () => site.browser().signIn('ada@example.com', PASSWORD),
      'sign up': () => site.browser().signUp('eve@example.com'),
      'forgotten password': () => site.browser().forget('ada@example.com'),
    },
    /** Answered with the code, each in its way: a field of GraphQL is null, and a tool of MCP reports an error. */
    fields: {
      'GraphQL: history of a startup': () => graphql('{ startup(slug: "one") { history { day } } }'),
      'GraphQL: history of a list': () => graphql('{ startups { nodes { history { day } } } }'),
      'GraphQL: market': () => graphql('{ market { day } }'),
      'MCP: history': () => tool('get_startup', { slug: 'one', history: true }),
      'MCP: market': () => tool('read_market', {}),
    },
  } satisfies Record<string, Record<string, () => Promise<Answer>>>;
}

/** All at once: together they wait no longer than one of them. */
async function sendAll<T>(
  requests: Readonly<Record<string, () => Promise<Answer>>>,
  read: (answer: Answer) => T,
): Promise<Record<string, T>> {
  const sent = Object.entries(requests).map(async ([name, send]) => [name, read(await send())] as const);
  return Object.fromEntries(await Promise.all(sent));
}

const everyOne = <T>(requests: object, value: T): Record<string, T> =>
  Object.fromEntries(Object.keys(requests).map((name) => [name, value]));

describe.each<[string, ProxyState]>([
  ['refuses connections', 'refused'],
  ['closes each connection, as a pooler without a server does', 'closed'],
  // The time limits of the pool end this: those for a connection, and for its use.
  ['never responds', 'frozen'],
  ['crashes during a statement', 'gone'],
])('while the database %s', (_, state) => {
  it('each request that needs it gets SERVICE_UNAVAILABLE, and none is logged as an error', async () => {
    const { database, proxy } = await openBehindProxy();
    const site = await openSite({ database, records: [record('one')], limits: 10_000, secret: SECRET });
    onTestFinished(() => site.close());
    const { whole, fields } = await createRequests(site);
    await proxy.turn(state);

    expect(await sendAll(whole, ({ status, headers }) => [status, headers['retry-after']])).toEqual(
      everyOne(whole, [503, '5']),
    );
    expect(await sendAll(fields, ({ status, text }) => [status, text.match(/[A-Z]+_[A-Z_]+/)?.[0]])).toEqual(
      everyOne(fields, [200, 'SERVICE_UNAVAILABLE']),
    );
    const messages = site.logs.map((line) => JSON.parse(line).msg);
    expect(messages).not.toContain('a request failed');
    expect(messages).not.toContain('the dashboard failed');

    await proxy.turn('open');
    for (const send of Object.values({ ...whole, ...fields })) {
      // Until all connections from before are closed.
      await expect.poll(async () => isRefused(await send())).toBe(false);
    }
  });

  it('each way to use it fails with an error that says so', async () => {
    const { database, proxy } = await openBehindProxy();
    const { prisma, pool, background, connect } = database;
    const ways = {
      model: () => prisma.account.findMany(),
      'raw query': () => prisma.$queryRaw`SELECT 1`,
      'raw statement': () => prisma.$executeRaw`SELECT 1`,
      'raw query of text': () => prisma.$queryRawUnsafe('SELECT 1'),
      'several in a transaction': () =>
        prisma.$transaction([prisma.account.count(), prisma.$queryRaw`SELECT 1`]),
      transaction: () => prisma.$transaction((transaction) => transaction.$queryRaw`SELECT 1`),
      pool: () => pool.query('SELECT 1'),
      background: () => background.query('SELECT 1'),
      'a connection': async () => {
        const client = await connect();
        await client.query('SELECT 1').finally(() => client.end());
      },
    };
    // Open connections, and new ones.
    await Promise.all(Object.values(ways).map((use) => use()));
    await proxy.turn(state);
    for (const _attempt of [1, 2]) {
      const errors = await Promise.all(
        Object.entries(ways).map(async ([name, use]) => [
          name,
          await use().then(() => 'none', isUnavailable),
        ]),
      );
      expect(Object.fromEntries(errors)).toEqual(everyOne(ways, true));
    }
  });
});
