import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { disableKey, revokeKey } from '../../../src/access/keys/change.ts';
import { generateToken } from '../../../src/access/keys/token.ts';
import { createTestClock } from '../../support/clock.ts';
import { type Answer, type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const clock = createTestClock();

const gateway = await openTestGateway({ clock, records: [record('one'), record('two')] });

const LIST = '/api/v1/startups';
const QUERY = '{ startups { meta { total } } }';

function expectBudget(answer: Answer, limit: number, remaining: number): void {
  expect(answer.headers).toMatchObject({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'ratelimit-policy': `"default";q=${limit};w=60`,
  });
  const reset = Number(answer.headers['x-ratelimit-reset']);
  // Each test begins a window of its own, in which no time passes.
  expect(reset).toBe(Math.ceil(clock.now() / 1000) + 60);
  expect(answer.headers.ratelimit).toBe(`"default";r=${remaining};t=60`);
}

/** The budget in an answer to POST, which is that of its headers, and the cost where it is known. */
function expectExtension({ headers, json }: Answer, remaining: number, cost?: number): void {
  const resetAt = new Date(Number(headers['x-ratelimit-reset']) * 1000).toISOString();
  const rateLimit = { limit: 10, remaining, resetAt, ...(cost !== undefined && { cost }) };
  expect(json.extensions).toEqual({ rateLimit });
}

let addresses = 0;
/** An address that nothing was sent from yet. */
const freshAddress = (): string => `198.51.100.${++addresses}`;

describe('authentication', () => {
  const invalidToken = 'Bearer error="invalid_token"';
  const unsent = /^An API key is required\. Send it as a header: Authorization: Bearer <API_KEY>\. /;
  const malformed = /^This is not an API key: .*complete/;
  const unknown = /^This API key does not exist, or it has expired or was revoked\. /;
  const sent = (authorization: string): CallOptions => ({ headers: { authorization } });
  it.each<[string, CallOptions, string, RegExp]>([
    ['no key', {}, 'Bearer', unsent],
    ['another scheme', sent('Basic dXNlcjpwYXNz'), 'Bearer', unsent],
    ['the scheme without a key', sent('Bearer'), 'Bearer', unsent],
    ['a malformed key', { key: 'rvg_short' }, invalidToken, malformed],
    ['a key with a typing error', { key: `rvg_${'0'.repeat(37)}1` }, invalidToken, malformed],
    ['a well-formed unknown key', { key: generateToken(randomBytes) }, invalidToken, unknown],
    ['a huge header', sent(`Bearer ${'x'.repeat(15_000)}`), invalidToken, malformed],
    ['a binary header', sent('bearer \u0000\u00ff\u0001'), invalidToken, malformed],
  ])("answers %s with 401 in the surface's own form", async (_name, options, challenge, message) => {
    const address = freshAddress();
    const rest = await gateway.call(LIST, { ...options, address });
    const { error } = rest.json;
    expect([rest.status, error.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/\. Ask the operator of this service for a key$/);
    expect(error.requestId).toBe(rest.headers['x-request-id']);
    const graphql = await gateway.graphql(QUERY, {}, { ...options, address });
    const [first] = graphql.json.errors;
    expect([graphql.status, first.extensions.code, first.message]).toEqual([401, error.code, error.message]);
    expectExtension(graphql, 8, 1);
    for (const [answer, remaining] of [[rest, 9] as const, [graphql, 8] as const]) {
      expect(answer.headers['www-authenticate']).toBe(challenge);
      expectBudget(answer, 10, remaining);
    }
  });

  it.each([`Bearer  %`, 'bearer   %', 'BEARER %'])('accepts a key that is sent as %s', async (form) => {
    const { key } = await gateway.key();
    const headers = { authorization: form.replace('%', key) };
    expect((await gateway.call(LIST, { headers })).status).toBe(200);
    expect((await gateway.graphql(QUERY, {}, { headers })).status).toBe(200);
  });

  it.each(['', '/nothing', '/startups/', '/startups/one/history'])(
    'requires a key first at /api/v1%s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const answer = await gateway.call(`/api/v1${path}`, { method, address: freshAddress() });
        expect(answer.status).toBe(401);
      }
    },
  );

  it('meters those without a key by address, then refuses with 429 and no challenge', async () => {
    const address = freshAddress();
    const { key } = await gateway.key();
    const options = [...Array<CallOptions>(12).fill({}), { key }];
    for (const [at, more] of options.entries()) {
      const { status, headers } = await gateway.call(LIST, { address, ...more });
      expect(status).toBe(at < 10 ? 401 : at < 12 ? 429 : 200);
      expect(Object.hasOwn(headers, 'www-authenticate')).toBe(status === 401);
    }
  });

  it('refuses a disabled key or account with 403 and the reason, on a budget of its own', async () => {
    const text = 'This API key is disabled under the acceptable-use policy';
    const { acting } = gateway;
    const { id: accountId } = await createAccount(acting, { name: 'Ada' });
    const [byKey, byAccount] = [await gateway.key(), await gateway.key()];
    await acting.prisma.apiKey.update({ where: { id: byAccount.id }, data: { accountId } });
    const reasonsOf = async (key: string): Promise<unknown[]> => {
      await clock.advance(1_000);
      const rest = await gateway.call(LIST, { key });
      const graphql = await gateway.graphql(QUERY, {}, { key });
      const [error] = graphql.json.errors;
      expect([rest.status, rest.json.error.code]).toEqual([403, 'ACCESS_DISABLED']);
      expect([graphql.status, error.extensions.code]).toEqual([403, 'ACCESS_DISABLED']);
      return [rest.json.error.message, error.message];
    };
    await gateway.call(LIST, { key: byKey.key });
    await disableKey(acting, byKey.id, 'resold the "data" <b>');
    await clock.advance(1_000);
    expectBudget(await gateway.call(LIST, { key: byKey.key }), 10, 9);
    expect(await reasonsOf(byKey.key)).toEqual(Array(2).fill(`${text}: resold the "data" <b>`));
    await disableAccount(acting, accountId, 'shared its keys');
    expect(await reasonsOf(byAccount.key)).toEqual(Array(2).fill(`${text}: shared its keys`));
    for (const disabledReason of ['two\nlines', 'x'.repeat(501)]) {
      await acting.prisma.apiKey.update({ where: { id: byKey.id }, data: { disabledReason } });
      expect(await reasonsOf(byKey.key)).toEqual([text, text]);
    }
  });
});

describe('limits', () => {
  it('tells a rejected client that nothing is left, and when to retry', async () => {
    const { key } = await gateway.key();
    await Promise.all(Array.from({ length: 10 }, () => gateway.call(LIST, { key })));
    const message = /^Rate limit exceeded: 0 of 10 are left\. Retry after \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
    for (const path of [LIST, `${LIST}/one/history`]) {
      const rest = await gateway.call(path, { key });
      expect([rest.status, rest.json.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(rest.json.error.message).toMatch(message);
      expect(rest.headers['retry-after']).toBe('60');
      expectBudget(rest, 10, 0);
    }
    const graphql = await gateway.graphql(QUERY, {}, { key });
    expect([graphql.status, graphql.json.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(graphql.json.errors[0].message).toMatch(message);
    expect(graphql.headers['retry-after']).toBe('60');
    expect(graphql.json.data).toBeUndefined();
    // What it costs was not read.
    expectExtension(graphql, 0);
  });

  it('are told in every answer to POST, and in none to GET, which stays the same while the data does', async () => {
    const { key } = await gateway.key();
    const headers = { 'content-type': 'text/plain' };
    const notJson = await gateway.call('/graphql', { method: 'POST', key, headers, body: QUERY });
    expect(notJson.status).toBe(415);
    expectExtension(notJson, 9, 1);
    for (const query of [QUERY, '{']) {
      const answer = await gateway.call(`/graphql?query=${encodeURIComponent(query)}`, { key });
      expect(answer.json).not.toHaveProperty('extensions');
    }
  });

  it('refuses an operation that does not fit what remains, and takes 1 of that', async () => {
    const { key } = await gateway.key();
    const reads = (count: number): string =>
      `{ ${Array.from({ length: count }, (_, i) => `a${i}: startups { meta { page } }`).join(' ')} }`;
    expectBudget(await gateway.graphql(reads(8), {}, { key }), 10, 2);
    const refused = await gateway.graphql(reads(3), {}, { key });
    expect([refused.status, refused.json.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.json.errors[0].message).toContain('this request costs 3, and 2 of 10 are left');
    expectBudget(refused, 10, 1);
    expectExtension(refused, 1, 3);
    expectBudget(await gateway.graphql(reads(1), {}, { key }), 10, 0);
  });

  const costly = encodeURIComponent('{ a: startups { meta { page } } b: startups { meta { page } } }');
  it.each([
    ['POST /graphql', '/graphql', JSON.stringify({ query: decodeURIComponent(costly) })],
    ['GET /graphql', `/graphql?query=${costly}`, undefined],
    ['REST', `${LIST}/one/history`, undefined],
    [
      'MCP',
      '/mcp',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"summarize_startups","arguments":{}}}',
    ],
  ])('refuses what does not fit once, and then unread: %s', async (_surface, path, body) => {
    const { key } = await gateway.key();
    await Promise.all(Array.from({ length: 9 }, () => gateway.call(LIST, { key })));
    const send = () =>
      gateway.call(path, {
        key,
        ...(body !== undefined && {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        }),
      });
    const refused = await send();
    expect(refused.text).toMatch(/this request costs [23], and 1 of 10 are left/);
    expectBudget(refused, 10, 0);
    // Its cost is unknown, as it is not read.
    const unread = await send();
    expect(unread.text).toMatch(/Rate limit exceeded: 0 of 10 are left/);
    expectBudget(unread, 10, 0);
  });
});

describe('methods and paths', () => {
  it('OPTIONS lists the allowed methods', async () => {
    const { key } = await gateway.key();
    const rest = await gateway.call(LIST, { key, method: 'OPTIONS' });
    expect([rest.status, rest.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const graphql = await gateway.call('/graphql', { key, method: 'OPTIONS' });
    expect([graphql.status, graphql.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  it.each([
    ['PUT', LIST],
    ['POST', `${LIST}/one/history`],
    ['DELETE', '/api/v1/changes'],
  ])('%s on the REST resource %s is a 405', async (method, path) => {
    const { key } = await gateway.key();
    const answer = await gateway.call(path, { key, method });
    expect([answer.status, answer.json.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    expectBudget(answer, 10, 9);
  });

  it.each([
    '',
    '/',
    '/startups/',
    '/startups/%ff',
    '/startups/one/two',
    '/startups/one/history/',
    '/changes/',
    '/startups/one/history/history',
    '/startups/one/histories',
    '/startups//history',
    '/Startups',
    '/startups/%zz/history',
  ])('nothing is at /api/v1%s', async (path) => {
    const { key } = await gateway.key();
    const answer = await gateway.call(`/api/v1${path}`, { key });
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
    expectBudget(answer, 10, 9);
  });

  it('any origin may read every answer of the API, without credentials', async () => {
    const { key } = await gateway.key();
    const origin = { origin: 'https://example.com' };
    for (const answer of [
      await gateway.call(LIST, { key, headers: origin }),
      await gateway.call(LIST, { headers: origin, address: freshAddress() }),
      await gateway.graphql('{', {}, { key, headers: origin }),
    ]) {
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      const exposed = (answer.headers['access-control-expose-headers'] ?? '').split(', ');
      const limit = ['Limit', 'Remaining', 'Reset'].map((name) => `X-RateLimit-${name}`);
      const named = [...limit, 'ETag', 'Link', 'Retry-After', 'X-Request-Id'];
      expect(named.filter((name) => !exposed.includes(name))).toEqual([]);
    }
  });

  it.each([LIST, '/graphql'])(
    'preflight of %s costs nothing and allows every header of a client',
    async (path) => {
      const preflight = await gateway.call(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
        address: freshAddress(),
      });
      expect(preflight.status).toBe(204);
      expectBudget(preflight, 10, 10);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': [
          'Authorization',
          'Content-Type',
          'If-None-Match',
          'x-request-id',
          'X-Requested-With',
          'Cache-Control',
          'Pragma',
          'Last-Event-ID',
          'traceparent',
          'tracestate',
          'baggage',
          'sentry-trace',
          'apollographql-client-name',
          'apollographql-client-version',
          'apollo-require-preflight',
          'Mcp-Protocol-Version',
          'Mcp-Method',
          'Mcp-Name',
          'Mcp-Session-Id',
          '*',
        ].join(', '),
        'access-control-max-age': '7200',
      });
    },
  );
});

it('a parallel burst over both surfaces is admitted up to the limit exactly, and no more of it is prepared', async () => {
  const { key } = await gateway.key();
  await gateway.call(LIST, { key });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      i % 2 === 0 ? gateway.call(LIST, { key }) : gateway.graphql(QUERY, {}, { key }),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([9, 191]);
  for (const { json } of refused.filter(({ json }) => json.error === undefined)) {
    // What was prepared states its cost.
    expect(json.extensions.rateLimit).not.toHaveProperty('cost');
  }
});

it('a key that is revoked while its body arrives reads nothing', async () => {
  const { id, key } = await gateway.key();
  const answer = await gateway.post('', {
    key,
    body: async () => {
      await revokeKey(gateway.acting, id);
      await clock.advance(1_000);
      await setTimeout(1_050);
      return JSON.stringify({ query: QUERY });
    },
  });
  expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  expect(answer.json).not.toHaveProperty('data');
});

describe('logs', () => {
  it('show no key that a client puts into a path, percent-encoded once or twice, and no endless path', async () => {
    const { key } = await gateway.key();
    const encode = (text: string, of: RegExp) =>
      text.replace(of, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    const letters = encode(key, /[^%]/g);
    const keys = [key, letters, encode(key, /[a-m_]/g), letters.replaceAll('%', '%25')];
    gateway.logs.length = 0;
    for (const sent of [...keys, 'caf%C3%A9%20%41']) {
      await gateway.call(`${LIST}/${sent}`, { key });
    }
    const paths = gateway.logs.map((line) => JSON.parse(line).path);
    expect(paths).toEqual([...keys.map(() => `${LIST}/rvg_…`), `${LIST}/caf%C3%A9%20%41`]);
    for (const path of [`/${key}`, `/docs/x${key}?key=${key}`, `/${'x'.repeat(5_000)}`]) {
      expect((await gateway.call(path, { key })).status).toBe(404);
    }
    expect(gateway.logs.join('')).not.toContain(key.slice(8, 20));
    expect(gateway.logs.join('')).not.toContain('x'.repeat(500));
  });

  it('carry the id of the trace that a request belongs to', async () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    gateway.logs.length = 0;
    for (const trace of [`00-${id}`, `00-${'0'.repeat(32)}`, 'x']) {
      await gateway.call('/health', { headers: { traceparent: `${trace}-00f067aa0ba902b7-01` } });
    }
    expect(gateway.logs.map((line) => JSON.parse(line).traceId)).toEqual([id, undefined, undefined]);
  });

  it.each([
    ['REST', '/api/v1/startups', '', 'rest'],
    ['GraphQL', '/graphql', JSON.stringify({ query: QUERY }), 'graphql'],
    ['a page', '/health', '', 'page'],
  ])('record a request to %s whose client left as 499', async (_name, path, body, surface) => {
    const { key } = await gateway.key();
    const count = async (): Promise<number> => {
      const { text } = await gateway.call('/metrics', { address: '127.0.0.1' });
      const series = new RegExp(`revgate_requests_total\\{surface="${surface}",status="499"\\} (\\d+)`);
      return Number(series.exec(text)?.[1] ?? 0);
    };
    const before = await count();
    gateway.logs.length = 0;
    const method = body === '' ? 'GET' : 'POST';
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await gateway.raw(path, { method, body, headers, isDisconnected: true });
    expect(gateway.logs.map((line) => JSON.parse(line))).toMatchObject([{ status: 499, level: 30 }]);
    expect(await count()).toBe(before + 1);
  });
});
