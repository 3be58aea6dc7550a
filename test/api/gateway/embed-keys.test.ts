import { describe, expect, it } from 'vitest';
import { disableKey } from '../../../src/access/keys/change.ts';
import { hashDocument } from '../../../src/access/keys/documents/list.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { createTestClock } from '../../support/clock.ts';
import { type Answer, type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const PAGE = 'https://example.com';
const LOCAL = 'http://localhost:3000';
const FOREIGN = 'https://evil.example';
const LIST = '{ startups(limit: 1) { nodes { slug } } }';
const THREE =
  '{ a: startup(slug: "one") { slug } b: startup(slug: "one") { slug } c: startup(slug: "one") { slug } }';
const BROKEN = 'query ($limit: Int) { startups(limit: $limit) { nodes { slug } } }';
const OTHER = '{ dataset { total } }';
const id = (text: string): string => `sha256:${hashDocument(text)}`;

const gateway = await openTestGateway({ clock: createTestClock(), records: [record('one')], embedLimit: 25 });

/** An embed key of both pages, with documents. */
async function newKey(tier = 'standard') {
  const key = await gateway.key({ tier, origins: [PAGE, LOCAL] });
  await gateway.publish(key.id, LIST, THREE, BROKEN);
  return key;
}

interface From extends CallOptions {
  origin?: string;
  variables?: object;
}
/** GETs a document from a page. */
function get(key: string, text = LIST, { origin = PAGE, variables = {}, headers, ...more }: From = {}) {
  const query = new URLSearchParams({ documentId: id(text), variables: JSON.stringify(variables) });
  return gateway.call(`/graphql?${query}`, { key, ...more, headers: { origin, ...headers } });
}
const codeOf = ({ json }: Answer): unknown => (json.errors?.[0].extensions ?? json.error).code;
const remaining = ({ headers }: Answer): string[] =>
  [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']].map(String);

describe('an embed key', () => {
  it.each([PAGE, LOCAL])('answers published documents to a page of %s, also from caches', async (origin) => {
    const { key } = await newKey();
    expect(key).toMatch(/^rvg_pub_/);
    const answer = await get(key, LIST, { origin });
    expect([answer.status, answer.json]).toEqual([200, { data: { startups: { nodes: [{ slug: 'one' }] } } }]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      vary: 'Authorization, Accept, Origin',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      'access-control-allow-origin': '*',
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '9',
    });
    const headers = { 'if-none-match': answer.headers.etag ?? '' };
    const known = await get(key, LIST, { origin, headers });
    expect([known.status, known.text]).toEqual([304, '']);
    expect(known.headers['cache-control']).toBe('public, max-age=60');
    const head = await get(key, LIST, { origin, method: 'HEAD' });
    expect([head.status, head.headers.etag]).toEqual([200, answer.headers.etag]);
  });

  it.each([
    ['an unknown document', 404, (key: string) => get(key, OTHER)],
    ['invalid variables', 200, (key: string) => get(key, BROKEN, { variables: { limit: 99 } })],
    ['a foreign origin', 403, (key: string) => get(key, LIST, { origin: FOREIGN })],
  ])('has its errors kept by nobody: %s', async (_what, status, ask) => {
    const { key } = await newKey();
    const answer = await ask(key);
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(answer.headers.vary).toContain('Origin');
    expect(answer.json.data).toBeUndefined();
  });

  it.each([
    ['another', FOREIGN],
    ['null', 'null'],
    ['a longer one', `${PAGE}.evil.example`],
    ['another port', `${PAGE}:8443`],
    ['another scheme', 'http://example.com'],
    ['several', `${PAGE}, ${FOREIGN}`],
    ['none', ''],
  ])('answers 403 to an origin that is %s', async (_what, origin) => {
    const { key } = await newKey();
    const answer = await get(key, LIST, { origin });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    expect(remaining(answer)).toEqual(['10', '9']);
    expect(answer.text).not.toContain(`"${PAGE}"`);
    expect(answer.json.errors[0].message).toMatch(
      ['null', ''].includes(origin)
        ? / Send the request from a web page at one of them\.$/
        : / To allow this one, create an embed key for it in the dashboard\.$/,
    );
  });

  it('answers 403 where there is no Origin at all', async () => {
    const headers = { referer: `${PAGE}/page`, 'sec-fetch-site': 'same-origin' };
    const { key } = await newKey();
    const answer = await gateway.call(`/graphql?documentId=${id(LIST)}`, { key, headers });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });

  it.each(['startups', 'startups/one', 'nothing'])('is refused at /api/v1/%s', async (name) => {
    const path = `/api/v1/${name}`;
    const { key } = await newKey();
    const answer = await gateway.call(path, { key, headers: { origin: PAGE } });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'DOCUMENT_NOT_TRUSTED']);
    expect(answer.headers['cache-control']).toBe('no-store');
    const foreign = await gateway.call(path, { key, headers: { origin: FOREIGN } });
    expect([foreign.status, codeOf(foreign)]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });
});

describe('the budgets of an embed key', () => {
  /** Parallel requests of five clients. */
  const getFromFive = (key: string, count: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => get(key, LIST, { address: `192.0.2.${i % 5}` })));

  it('are the limit of its tier for each client, and a common limit', async () => {
    const { key } = await newKey('premium');
    const first = await get(key, THREE);
    // The tighter one is told.
    expect(remaining(first)).toEqual(['25', '22']);
    const answers = await getFromFive(key, 40);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(22);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(18);
    for (const { headers } of refused) {
      expect(headers).toMatchObject({ 'retry-after': '60', 'cache-control': 'no-store' });
    }
    const other = await get(key, LIST, { address: '198.51.100.1' });
    expect([other.status, codeOf(other), ...remaining(other)]).toEqual([429, 'RATE_LIMITED', '25', '0']);
  });

  it('are not used up by pages of other origins, nor by scripts without one', async () => {
    const { key } = await newKey();
    const strangers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        get(key, LIST, { origin: i % 2 === 0 ? FOREIGN : '', address: `203.0.113.${i % 6}` }),
      ),
    );
    expect(strangers.every(({ status }) => status === 403)).toBe(true);
    // They pay for themselves.
    const spent = await get(key, LIST, { origin: FOREIGN, address: '203.0.113.0' });
    expect([spent.status, ...remaining(spent)]).toEqual([429, '10', '0']);
    const guests = await getFromFive(key, 25);
    expect(guests.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('a change of an embed key', () => {
  it('tells pages that it is disabled, without the reason for its holder', async () => {
    const { id: keyId, key } = await newKey();
    await disableKey(gateway.acting, keyId, 'a reason for its holder');
    const refused = await get(key, THREE);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'ACCESS_DISABLED']);
    expect(refused.text).not.toContain('a reason for its holder');
  });

  it('rotates it into another embed key of the same pages, documents and budget', async () => {
    const { id: keyId, key } = await newKey();
    await get(key, THREE);
    const next = await rotateKey(gateway.acting, keyId, '24h');
    expect(next.key).toMatch(/^rvg_pub_[0-9A-Za-z]{38}$/);
    expect(remaining(await get(next.key))).toEqual(['10', '6']);
    expect((await get(next.key, LIST, { origin: FOREIGN })).status).toBe(403);
  });
});
