import { gunzipSync } from 'node:zlib';
import { buildClientSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../support/clock.ts';
import { type CallOptions, openTestGateway } from '../../support/gateway.ts';

const gateway = await openTestGateway({ clock: createTestClock() });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
let addresses = 0;
const freshAddress = (): string => `198.51.100.${++addresses}`;

/** Where the page finds a file. */
async function pathOf(name: string): Promise<string> {
  const { text } = await gateway.call('/graphql', { headers: { accept: BROWSER } });
  const [stem, type] = name.split('.');
  return new RegExp(`/graphiql/${stem}\\.[0-9a-f]{16}\\.${type}`).exec(text)?.[0] ?? '';
}

describe('the page', () => {
  it.each(['GET', 'HEAD'])('answers %s of a browser, at no cost to its address', async (method) => {
    const address = freshAddress();
    for (const _time of [1, 2]) {
      const page = await gateway.call('/graphql', { method, address, headers: { accept: BROWSER } });
      expect(page.status).toBe(200);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '10',
        vary: 'Authorization, Accept, Cookie',
      });
    }
  });

  it('allows scripts from this server only, and no frame', async () => {
    const { headers, text } = await gateway.call('/graphql', { headers: { accept: BROWSER } });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'self';/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(text).not.toMatch(/<script(?![^>]*src=)|https?:|{{|undefined/);
  });

  it.each<[string, CallOptions, string?]>([
    ['a program', { headers: { accept: '*/*' } }],
    ['a client without Accept', {}],
    ['a client that prefers JSON', { headers: { accept: 'text/html;q=0.5, application/json' } }],
    ['a client that refuses pages', { headers: { accept: 'text/html;q=0' } }],
    ['a key', { headers: { accept: BROWSER, authorization: 'Bearer rvg_wrong' } }],
    ['another method', { headers: { accept: BROWSER }, method: 'POST' }],
    ...['query={__typename}', 'documentId=sha256:0', 'extensions={}'].map(
      (query): [string, CallOptions, string] => [query, { headers: { accept: BROWSER } }, query],
    ),
  ])('is not for %s', async (_name, options, query = '') => {
    const answer = await gateway.call(`/graphql?${query}`, { ...options, address: freshAddress() });
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([401, '9']);
  });

  it('charges a key that is sent with it like any request', async () => {
    const { key } = await gateway.key();
    const answer = await gateway.call('/graphql', { key, headers: { accept: BROWSER } });
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([400, '9']);
  });
});

describe('its files', () => {
  it('contain the schema that is served', async () => {
    const { body } = await gateway.raw(await pathOf('schema.json'));
    const known = buildClientSchema(JSON.parse(gunzipSync(body as Buffer).toString('utf8')));
    const { text } = await gateway.call('/schema.graphql');
    expect(`${printSchema(lexicographicSortSchema(known))}\n`).toBe(text);
  });

  it.each(['', 'page.html', 'start.js', '../main.js', '..%2fgateway.js', 'start.0000000000000000.js'])(
    'nothing else is there: %s',
    async (name) => {
      const answer = await gateway.call(`/graphiql/${name}`);
      expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
    },
  );

  it('are only read', async () => {
    const answer = await gateway.call(await pathOf('start.js'), { method: 'POST' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
