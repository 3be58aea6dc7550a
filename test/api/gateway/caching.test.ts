import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/access/keys/change.ts';
import { createTestClock } from '../../support/clock.ts';
import { type Answer, type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const clock = createTestClock();

const gateway = await openTestGateway({ clock, records: [record('one'), record('two')] });

const targets = [
  ['a REST list', '/api/v1/startups', 'Authorization'],
  ['a REST detail', '/api/v1/startups/one', 'Authorization'],
  [
    'GraphQL by GET',
    `/graphql?query=${encodeURIComponent('{ startup(slug: "one") { name rank } }')}`,
    'Authorization, Accept',
  ],
  ['changes', '/api/v1/changes', 'Authorization'],
  ['the market', '/api/v1/market', 'Authorization'],
] as const;

const ask = (target: string, key: string, tag?: string, more: CallOptions = {}): Promise<Answer> =>
  gateway.call(target, { key, ...more, headers: { ...(tag && { 'if-none-match': tag }), ...more.headers } });

describe.each(targets)('%s', (_name, target, vary) => {
  it('has a strong tag and may be kept by the client, which must ask again', async () => {
    const { key } = await gateway.key();
    const answer = await ask(target, key);
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toMatch(/^"[\w-]{27,}"$/);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.headers.vary).toBe(vary);
    const head = await ask(target, key, undefined, { method: 'HEAD' });
    expect(head.headers.etag).toBe(answer.headers.etag);
    expect((await ask(target, (await gateway.key()).key)).headers.etag).toBe(answer.headers.etag);
  });

  it.each<[string, (tag: string) => string]>([
    ['its tag', (tag) => tag],
    ['its tag, weakened', (tag) => `W/${tag}`],
    ['its tag, as Apache changes it with gzip', (tag) => tag.replace(/"$/, '-gzip"')],
    ['its tag, as Apache changes it with Brotli', (tag) => `W/${tag.replace(/"$/, '-br"')}`],
    ['a list with it', (tag) => `"a,b", W/"c" , ${tag}`],
    ['a star', () => ' * '],
  ])('is a 304 that costs 1 for %s', async (_form, header) => {
    const { key } = await gateway.key();
    const { headers } = await ask(target, key);
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(target, key, header(headers.etag as string), { method });
      expect([answer.status, answer.text]).toEqual([304, '']);
      expect(answer.headers).toMatchObject({
        etag: headers.etag,
        vary,
        'cache-control': 'private, no-cache',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': method === 'GET' ? '8' : '7',
        'access-control-allow-origin': '*',
      });
      expect(answer.headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
      expect(answer.headers).not.toHaveProperty('content-type');
    }
  });

  it.each(['"other"', 'W/"other"', '', '"', 'x*', '"*"'])('is a 200 for %j', async (tag) => {
    expect((await ask(target, (await gateway.key()).key, tag)).status).toBe(200);
  });

  it('is never a 304 without a good key or a budget', async () => {
    const { key, id } = await gateway.key();
    const address = '198.51.100.77';
    for (const other of [undefined, 'rvg_x']) {
      const answer = await gateway.call(target, { key: other, address, headers: { 'if-none-match': '*' } });
      expect([answer.status, answer.headers['cache-control']]).toEqual([401, 'no-store']);
      expect(answer.headers).not.toHaveProperty('etag');
    }
    await Promise.all(Array.from({ length: 10 }, () => ask(target, key)));
    const refused = await ask(target, key, '*');
    expect([refused.status, refused.headers['cache-control']]).toEqual([429, 'no-store']);
    await revokeKey(gateway.acting, id);
    await clock.advance(1_000);
    expect((await ask(target, key, '*')).status).toBe(401);
  });
});

it('a tag follows the data', async () => {
  const { key } = await gateway.key();
  const target = '/api/v1/startups/two';
  await clock.advance(1_000);
  const before = await ask(target, key);
  await gateway.database.prisma.startup.update({ where: { slug: 'two' }, data: { name: 'Another' } });
  await clock.advance(1_000);
  // By then what is kept in memory is being replaced. A key has ten requests.
  const askAgain = async () => ask(target, (await gateway.key()).key, before.headers.etag);
  await expect.poll(async () => (await askAgain()).status).toBe(200);
  const after = await askAgain();
  expect(after.json.data.name).toBe('Another');
  expect(after.headers.etag).not.toBe(before.headers.etag);
});

it('a tag is of one media type', async () => {
  const { key } = await gateway.key();
  const target = targets[2][1];
  const plain = await ask(target, key);
  const headers = { accept: 'application/graphql-response+json' };
  const typed = await ask(target, key, plain.headers.etag, { headers });
  expect(typed.status).toBe(200);
  expect(typed.text).toBe(plain.text);
  expect(typed.headers.etag).not.toBe(plain.headers.etag);
});

const post = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"query":"{ startup(slug: \\"one\\") { name } }"}',
};
const failing = encodeURIComponent('{ startups(page: 0) { meta { page } } }');
it.each<[string, string, CallOptions]>([
  ['an unknown slug', '/api/v1/startups/no-such', {}],
  ['a bad parameter', '/api/v1/startups?page=0', {}],
  ['an invalid operation', '/graphql?query=%7B', {}],
  ['an operation that failed with status 200', `/graphql?query=${failing}`, {}],
  ['another method', '/api/v1/startups', { method: 'PUT' }],
  ['OPTIONS', '/api/v1/startups', { method: 'OPTIONS' }],
  ['POST', '/graphql', post],
])('%s is nothing to keep', async (_name, target, options) => {
  const { key } = await gateway.key();
  const answer = await ask(target, key, '*', options);
  expect(answer.status).not.toBe(304);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers).not.toHaveProperty('etag');
});
