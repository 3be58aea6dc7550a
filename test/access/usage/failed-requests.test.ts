import { describe, expect, it } from 'vitest';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { DEFAULT_LIMITS } from '../../../src/access/limits/tiers.ts';
import { readFailures } from '../../../src/access/usage/failures.ts';
import { readUsageByOrigin } from '../../../src/access/usage/read.ts';
import { toolsWith } from '../../../src/api/mcp/tools.ts';
import { isKnownParameter } from '../../../src/api/rest/known-parameters.ts';
import { openApiDocument } from '../../../src/api/rest/openapi.ts';
import { agentOf } from '../../api/mcp/agent.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';

const database = await openTestDatabase();
const SECRET = 'hunter2';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** A gateway; its failed requests are stored when it is closed, as at a stop. */
const open = (limits = 1_000) => openTestGateway({ database, limits, records: [] });
/** Each group in one line, sorted. */
const linesOf = async (keyId: string): Promise<string[]> => {
  const groups = await readFailures(database.prisma, keyId, Date.now());
  return groups
    .map(
      ({ code, target, requests, status, parameters }) =>
        `${requests} × ${status} ${code} ${target}: ${parameters}`,
    )
    .sort();
};
const everything = async (): Promise<string> =>
  JSON.stringify((await database.pool.query('SELECT * FROM key_failures')).rows);

describe('the failed requests of a key', () => {
  it('are listed for REST by endpoint, without the values in the path', async () => {
    const gateway = await open();
    const { key, id } = await gateway.key();
    const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const get = (path: string) => gateway.call(`/api/v1${path}`, { key, headers });
    await get(`/startups?limit=${SECRET}&sort=${SECRET}&${SECRET}=1&also-${SECRET}=2&$${SECRET}=3`);
    await get(`/startups/${SECRET}`);
    await get(`/startups/${SECRET}-2`);
    const last = await get(`/startups/${SECRET}/history?last=${SECRET}`);
    await get(`/${SECRET}`);
    await get('/startups?limit=1');
    await gateway.call('/api/v1/market', { key, method: 'POST' });
    await gateway.close();
    expect(await linesOf(id)).toEqual([
      '1 × 400 BAD_USER_INPUT /api/v1/startups/{slug}/history: last',
      '1 × 400 BAD_USER_INPUT /api/v1/startups: limit, sort, 3 unknown',
      '1 × 404 NOT_FOUND /api/v1/…: ',
      '1 × 405 METHOD_NOT_ALLOWED /api/v1/market: ',
      '2 × 404 NOT_FOUND /api/v1/startups/{slug}: ',
    ]);
    const history = (await readFailures(database.prisma, id, Date.now())).find(({ target }) =>
      target.endsWith('history'),
    );
    expect(history).toMatchObject({ requestId: last.headers['x-request-id'], traceId: TRACE });
    expect(await everything()).not.toContain(SECRET);
  });

  it('are listed for GraphQL by operation, and counted with the status of their error where that of the response is 200', async () => {
    const gateway = await open();
    const { key, id } = await gateway.key();
    const ask = (query: string, variables: object = {}, more = {}) =>
      gateway.graphql(query, variables, { key, ...more });
    const list =
      'query Page($limit: Int, $slug: String! = "a") { startups(limit: $limit) { nodes { slug } } startup(slug: $slug) { slug } }';
    await ask(list, { limit: 0 });
    await ask(list, { limit: SECRET, slug: { [SECRET]: SECRET } });
    await ask(
      `{ startups(filter: { search: "${SECRET}", minRevenue: 2, maxRevenue: 1 }, limit: 99) { nodes { slug } } }`,
    );
    await ask('query Typo { startup(slug: "x") { nme } }', {}, { operationName: 'Typo' });
    await ask(`query { ${SECRET} }`, {}, { operationName: `<b>${SECRET}</b>` });
    await ask(`{ dataset { total } }`, {}, { operationName: SECRET });
    await ask(`{ ${SECRET}`);
    await ask('{ changes(since: "expired") { next } }');
    await gateway.post(`{ "${SECRET}`, { key });
    await gateway.post({ documentId: `sha256:${hashDocument(SECRET)}` }, { key });
    await gateway.post({ query: '{ dataset { total } }', variables: SECRET }, { key });
    await ask('{ dataset { total } }');
    const { text: metrics } = await gateway.call('/metrics', { address: '127.0.0.1' });
    await gateway.close();
    expect(await linesOf(id)).toEqual([
      '1 × 400 BAD_USER_INPUT /graphql Page: $limit, $slug',
      '1 × 400 BAD_USER_INPUT /graphql Page: limit',
      '1 × 400 BAD_USER_INPUT /graphql: body',
      '1 × 400 BAD_USER_INPUT /graphql: limit, minRevenue',
      '1 × 400 BAD_USER_INPUT /graphql: operationName',
      '1 × 400 BAD_USER_INPUT /graphql: since',
      '1 × 400 BAD_USER_INPUT /graphql: variables',
      '1 × 400 GRAPHQL_PARSE_FAILED /graphql: ',
      '1 × 400 GRAPHQL_VALIDATION_FAILED /graphql Typo: ',
      '1 × 400 GRAPHQL_VALIDATION_FAILED /graphql: ',
      '1 × 404 DOCUMENT_NOT_FOUND /graphql: ',
    ]);
    const usage = await database.pool.query(
      'SELECT status, sum(requests)::int AS requests FROM key_usage WHERE key_id = $1 GROUP BY 1 ORDER BY 1',
      [id],
    );
    const counted = usage.rows.map(({ status, requests }) => [status, requests]);
    expect(counted).toEqual([
      [200, 1],
      [400, 10],
      [404, 1],
    ]);
    const metered = metrics.matchAll(
      /^revgate_requests_total\{surface="graphql",status="(\d+)"\} ([1-9]\d*)$/gm,
    );
    expect([...metered].map(([, status, requests]) => [Number(status), Number(requests)]).sort()).toEqual(
      counted,
    );
    expect(await everything()).not.toContain(SECRET);
  });

  it('are listed for agents by tool', async () => {
    const gateway = await open();
    const { key, id } = await gateway.key();
    const agent = agentOf(gateway, key);
    await agent.call('search_startups', { limit: SECRET, [SECRET]: 1, fields: SECRET });
    await agent.call('get_startup', { slug: SECRET });
    await agent.call(SECRET, { slug: SECRET });
    await agent.post(`{ "${SECRET}"`);
    await agent.send('tools/list', {}, { headers: { 'mcp-protocol-version': SECRET } });
    await agent.send('tools/list');
    await agent.call('read_market');
    await gateway.close();
    expect(await linesOf(id)).toEqual([
      '1 × 400 BAD_USER_INPUT /mcp search_startups: fields, limit, 1 unknown',
      '1 × 400 BAD_USER_INPUT /mcp: ',
      '1 × 400 BAD_USER_INPUT /mcp: body',
      '1 × 400 BAD_USER_INPUT /mcp: name',
      '1 × 404 NOT_FOUND /mcp get_startup: ',
    ]);
    expect(await everything()).not.toContain(SECRET);
  });

  it('are one row for all that are over the limit', async () => {
    const gateway = await open(1);
    const { key, id } = await gateway.key();
    for (const path of ['/startups', '/startups', '/market', '/startups/x', `/${SECRET}`]) {
      await gateway.call(`/api/v1${path}`, { key });
    }
    await gateway.graphql('query Named { dataset { total } }', {}, { key });
    await gateway.close();
    expect(await linesOf(id)).toEqual(['5 × 429 RATE_LIMITED : ']);
  });

  it('are none without a key, of a client that left, or of a request that succeeded', async () => {
    const gateway = await open();
    const { key, id } = await gateway.key();
    await gateway.call('/api/v1/startups');
    await gateway.call('/api/v1/startups', { key: `${key.slice(0, -1)}x` });
    await gateway.call('/api/v1/startups?limit=0', { key, isDisconnected: true });
    await gateway.call('/api/v1/startups', { key });
    await gateway.close();
    expect(await linesOf(id)).toEqual([]);
  });

  it('have names of bounded length and of harmless characters', async () => {
    const gateway = await open();
    const { key, id } = await gateway.key();
    const long = `O${'x'.repeat(5_000)}`;
    const named = `query ${long}($${long}: Int!) { startups(limit: $${long}) { nodes { slug } } }`;
    await gateway.graphql(named, {}, { key });
    const query = Array.from({ length: 90 }, (_, i) => `%3Cb%3E${i}=1`).join('&');
    await gateway.call(`/api/v1/startups?${query}`, { key });
    await gateway.close();
    const name = long.slice(0, 60);
    expect(await linesOf(id)).toEqual([
      '1 × 400 BAD_USER_INPUT /api/v1/startups: 90 unknown',
      `1 × 400 BAD_USER_INPUT /graphql ${name}: $${name}`,
    ]);
  });
});

describe('the use of an embed key', () => {
  const PAGE = 'https://example.com';
  const LIST = '{ startups(limit: 1) { nodes { slug } } }';

  it('is counted by origin, and by no origin that a client made up', async () => {
    const gateway = await open();
    const embed = await gateway.key({ origins: [PAGE, 'https://other.example'] });
    await gateway.publish(embed.id, LIST);
    const ask = (origin: string | undefined, documentText = LIST) =>
      gateway.call(`/graphql?documentId=${documentId(hashDocument(documentText))}`, {
        key: embed.key,
        headers: origin === undefined ? {} : { origin },
      });
    await ask(PAGE);
    await ask(PAGE);
    await ask(PAGE, '{ dataset { total } }');
    await ask('https://other.example');
    await ask(undefined);
    for (let index = 0; index < 20; index += 1) {
      await ask(`https://${SECRET}-${index}.example`);
    }
    const plain = await gateway.key();
    await gateway.call('/api/v1/startups', { key: plain.key, headers: { origin: PAGE } });
    await gateway.close();
    const since = new Date(Date.now() - 7_200_000);
    expect(await readUsageByOrigin(database.prisma, embed.id, since)).toEqual([
      { origin: 'other', requests: 21, refused: 0, errors: 21 },
      { origin: PAGE, requests: 3, refused: 0, errors: 1 },
      { origin: 'https://other.example', requests: 1, refused: 0, errors: 0 },
    ]);
    expect(await readUsageByOrigin(database.prisma, plain.id, since)).toEqual([]);
    expect(await linesOf(embed.id)).toEqual([
      '1 × 404 DOCUMENT_NOT_FOUND /graphql: ',
      '21 × 403 ORIGIN_NOT_ALLOWED /graphql: ',
    ]);
  });
});

it('knows the parameters of every endpoint and tool', () => {
  const paths = Object.values(openApiDocument(DEFAULT_LIMITS).paths) as {
    get?: { parameters?: readonly { name?: string }[] };
  }[];
  const names = [
    ...paths.flatMap(({ get }) => get?.parameters ?? []).flatMap(({ name }) => name ?? []),
    ...toolsWith([]).flatMap(({ inputSchema }) => Object.keys(inputSchema.properties as object)),
  ];
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !isKnownParameter(name, 'rest', []))).toEqual([]);
});
