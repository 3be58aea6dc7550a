import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { parse } from 'graphql';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  type ClientOptions,
  createClient,
  type Fetch,
  RevgateError,
  type StoredResponse,
} from '../../client/dist/index.js';
import { documentId, hashDocument } from '../../src/access/keys/documents/list.ts';
import { closeAfterwards } from '../support/closing.ts';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const slugs = Array.from({ length: 25 }, (_, index) => `s-${index}`);

const gateway = await openTestGateway({
  records: slugs.map((slug, index) =>
    record(slug, {
      revenue: { last30Days: 100 - index, mrr: 1, total: 1 },
      category: index < 12 ? 'ai' : 'saas',
    }),
  ),
  limits: { standard: 3, premium: 60 },
});
const url = await gateway.listen();
/** Each request with the status of its response; 0 if it was not sent. */
let sent: string[] = [];
/** What happens to the next requests in place of their responses. */
let failures: (Response | Error)[] = [];
beforeEach(() => {
  [sent, failures] = [[], []];
  // Windows of the limit end only where a test lets them.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

const watched: Fetch = async (target, init) => {
  const failure = failures.shift();
  if (failure instanceof Error) {
    sent.push(`${init.method} ${target.slice(url.length)} 0`);
    throw failure;
  }
  const response = failure ?? (await fetch(target, init));
  sent.push(`${init.method} ${target.slice(url.length)} ${response.status}`);
  return response;
};

async function open(
  tier: 'standard' | 'premium' = 'premium',
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const { key } = await gateway.key({ tier });
  return createClient({ url, key, fetch: watched, ...options });
}

async function failureOf(promise: Promise<unknown>): Promise<RevgateError> {
  const error = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RevgateError);
  return error as RevgateError;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

/** Sets the clock forward, of the gateway and of the client. */
const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

it('has no dependencies, and at most 6 kB compressed', () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../client/${name}`, import.meta.url), 'utf8');
  const { dependencies, peerDependencies, exports } = JSON.parse(read('package.json'));
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  expect(exports['.'].default.default).toBe('./dist/index.js');
  expect(gzipSync(read('dist/index.js')).length).toBeLessThanOrEqual(6_000);
  expect(read('dist/index.js')).not.toMatch(/^import /m);
});

describe('createClient', () => {
  it.each([
    [{}, 'url: missing, allowed: the address of a gateway, such as https://api.example.com; key: missing'],
    [{ url: 'api.example.com', key: 'rvg_1' }, 'url: got "api.example.com", allowed: '],
    [{ url: 'ftp://api.example.com', key: 'rvg_1' }, 'url: got "ftp://api.example.com", allowed: '],
    [{ url: 'https://me:secret@example.com', key: 'rvg_1' }, 'url: invalid, allowed: '],
    [{ url: 'https://example.com', key: 'rvg_1\n' }, 'key: invalid, allowed: an API key'],
  ])('says what is wrong with %j', (options, message) => {
    try {
      createClient(options as ClientOptions);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RevgateError);
      expect(error).toMatchObject({ code: 'INVALID_OPTIONS', message: expect.stringContaining(message) });
      expect(String(error)).not.toMatch(/secret|rvg_1/);
    }
  });

  it.each(['', '/', '/api/v1', '/api/v1/'])('accepts a url that ends with %j', async (end) => {
    const client = await open('premium', { url: `${url}${end}` });
    await client.startup('s-1');
    await client.query('{ dataset { total } }');
    expect(sent).toEqual(['GET /api/v1/startups/s-1 200', 'POST /graphql 200']);
  });
});

describe('REST', () => {
  it('reads lists, startups, history, the market and changes', async () => {
    const client = await open();
    const query = { category: 'saas', sort: 'revenue-asc', limit: 2, page: undefined } as const;
    const { data, meta } = await client.list(query);
    expect([data.map(({ slug }) => slug), meta.total]).toEqual([['s-24', 's-23'], 13]);
    expect(await client.startup('s-1')).toMatchObject({ slug: 's-1', teamSize: null });
    expect(await client.history('s-1', { last: 1 })).toMatchObject({
      data: [{ revenue: { last30Days: 99 } }],
      meta: { count: 1 },
    });
    const summary = await client.summary({ category: ['ai', 'saas'] });
    expect(summary.data.facets.category).toMatchObject([
      { value: 'saas', count: 13 },
      { value: 'ai', count: 12 },
    ]);
    expect(await client.market({ category: 'ai' })).toEqual({
      data: expect.any(Array),
      meta: { from: expect.any(String), to: expect.any(String), count: expect.any(Number) },
    });
    const pages = await collect(client.changes({ limit: 20 }));
    expect(pages.map((page) => page.data.length)).toEqual([20, 5]);
    const since = pages.at(-1)?.meta.next;
    expect(await collect(client.changes({ since }))).toMatchObject([{ data: [], meta: { hasMore: false } }]);
  });

  it('iterates over a whole list, within the limit that the headers state', async () => {
    const waits: number[] = [];
    const onWait = (seconds: number): void => {
      waits.push(seconds);
      pass(seconds);
    };
    const client = await open('standard', { onWait });
    const found: string[] = [];
    for (const walk of [1, 2]) {
      for await (const { slug } of client.startups(walk === 1 ? {} : { category: 'ai', page: 2 })) {
        found.push(slug);
        if (found.length === 20) {
          pass(59);
        }
      }
    }
    expect(found).toEqual([...slugs, 's-10', 's-11']);
    // The limit was used up by the third page, so the client waited rather than being refused.
    expect(sent.map((line) => line.slice(-3))).toEqual(['200', '200', '200', '200']);
    expect(waits).toEqual([1]);
  });

  it('waits as long as a 429 says', async () => {
    const { key } = await gateway.key();
    const client = createClient({ url, key, fetch: watched, onWait: pass });
    await Promise.all([1, 2, 3].map(() => gateway.call('/api/v1/startups', { key })));
    pass(59);
    expect((await client.list({ limit: 1 })).data).toHaveLength(1);
    expect(sent.map((line) => line.slice(-3))).toEqual(['429', '200']);
  });

  it('repeats a GET after a network error and a 503, a few times', async () => {
    const client = await open('premium', { retries: 2 });
    const unavailable = () => new Response('<html>', { status: 503, headers: { 'Retry-After': '0.01' } });
    failures = [unavailable(), unavailable()];
    expect(await client.startup('s-2')).toMatchObject({ slug: 's-2' });
    failures = [unavailable(), unavailable(), unavailable()];
    expect(await failureOf(client.startup('s-2'))).toMatchObject({ code: 'INVALID_RESPONSE', status: 503 });
    expect(sent).toHaveLength(6);
    failures = [new TypeError('fetch failed')];
    await client.startup('s-3');
    expect(sent.slice(6)).toEqual(['GET /api/v1/startups/s-3 0', 'GET /api/v1/startups/s-3 200']);
  });

  it('repeats nothing else', async () => {
    const client = await open();
    const code = 'SERVICE_UNAVAILABLE';
    failures = [
      Response.json({ errors: [{ message: 'No', extensions: { code } }] }, { status: 503 }),
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
    ];
    const ask = () => failureOf(client.query('{ dataset { total } }'));
    expect(await ask()).toMatchObject({ code, status: 503 });
    const message = `${url}: connect ECONNREFUSED`;
    expect(await ask()).toMatchObject({ code: 'NETWORK_ERROR', status: 0, message });
    await failureOf(client.startup('nobody'));
    expect(sent).toHaveLength(3);
    const impatient = await open('standard', { retries: 0 });
    const statuses = await Promise.allSettled([1, 2, 3, 4].map(() => impatient.market()));
    expect(statuses.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'RATE_LIMITED', status: 429 } },
    ]);
  });

  it('rejects with the code, the status, the details and the request id', async () => {
    const client = await open();
    const error = await failureOf(client.list({ limit: 50, minPrice: 2, maxPrice: 1 }));
    expect(error).toMatchObject({
      name: 'RevgateError',
      code: 'BAD_USER_INPUT',
      status: 400,
      message: expect.stringMatching(/^limit: got 50, allowed: an integer from 1 to 10; minPrice: got 2, /),
      details: [{ parameter: 'limit', message: expect.any(String) }, { parameter: 'minPrice' }],
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    const { key } = await gateway.key();
    const wrong = createClient({ url: `${url}/`, key: `${key}x` });
    const refused = await failureOf(wrong.startup('s-1'));
    expect(refused).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    expect(JSON.stringify(refused) + refused.stack).not.toContain(key);
  });

  it('keeps responses in a store of the caller, and asks whether they have changed', async () => {
    const store = new Map<string, StoredResponse>();
    const client = await open('premium', { store });
    const first = await client.startup('s-1');
    expect([...store.keys()]).toEqual([`${url}/api/v1/startups/s-1`]);
    expect(await client.startup('s-1')).toEqual(first);
    expect(sent.map((line) => line.slice(-3))).toEqual(['200', '304']);
  });

  it('ends with its signal, also while it waits', async () => {
    const { key } = await gateway.key();
    await Promise.all([1, 2, 3].map(() => gateway.call('/api/v1/startups', { key })));
    const stop = new AbortController();
    const onWait = () => stop.abort(new Error('enough'));
    const client = createClient({ url, key, fetch: watched, onWait });
    const { signal } = stop;
    await expect(client.list({}, { signal })).rejects.toThrow('enough');
    await expect(collect(client.startups({}, { signal }))).rejects.toThrow('enough');
    expect(sent.map((line) => line.slice(-3))).toEqual(['429']);
    const aborted = (await open()).query('{ dataset { total } }', {}, { signal: AbortSignal.timeout(0) });
    await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

const TEXT = `query Named($slug: String! = "s-1", $filter: StartupFilter, $with: Boolean!) {
  one: startup(slug: $slug) { ...Names @include(if: $with) ... on Startup { slug } revenue { mrr } }
  startups(filter: { minRevenue: 90.5, categories: [AI, SAAS] }, sort: REVENUE_DESC, first: 2) { nodes { slug } }
  other: startups(filter: $filter) { ... @skip(if: false) { meta { total } } }
}
fragment Names on Startup { name xHandle }`;

describe('GraphQL', () => {
  const variables = { filter: { xHandle: null, category: 'AI' }, with: true };
  const result = {
    one: { name: 's-1', xHandle: null, slug: 's-1', revenue: { mrr: 1 } },
    startups: { nodes: [{ slug: 's-0' }, { slug: 's-1' }] },
    other: { meta: { total: 12 } },
  };

  it('runs the text of a document, and one that was parsed', async () => {
    const client = await open();
    const { one, ...others } = await client.query<typeof result>(TEXT, variables);
    expect({ one: { ...one, name: 's-1' }, ...others }).toEqual(result);
    const parsed = await client.query(parse(TEXT, { noLocation: true }), variables);
    expect(parsed).toEqual({ one, ...others });
  });

  it('runs the named operation of a document, published or not', async () => {
    const { id, key } = await gateway.key({ tier: 'premium' });
    const text = 'query A { dataset { total } } query B { startup(slug: "s-1") { slug } }';
    await gateway.publish(id, text);
    const client = createClient({ url, key, fetch: watched });
    for (const document of [text, { documentId: hashDocument(text) }]) {
      const { startup } = await client.query<{ startup: object }>(document, {}, { operationName: 'B' });
      expect(startup).toEqual({ slug: 's-1' });
      const { code, details } = await failureOf(client.query(document));
      expect([code, details?.[0]?.parameter]).toEqual(['BAD_USER_INPUT', 'operationName']);
    }
    expect(sent.map((line) => line.slice(0, 4))).toEqual(['POST', 'POST', 'GET ', 'GET ']);
  });

  it('prints every construct of a document as a parser would read it', async () => {
    const texts: string[] = [];
    const client = createClient({
      url,
      key: 'rvg_any',
      fetch: async (_target, { body }) => {
        texts.push(JSON.parse(String(body)).query);
        return Response.json({ data: {} });
      },
    });
    const document = `query A($a: [Int!]! = [1, -2] @d(x: null), $b: In = { s: "a\\"\\n", t: """block "text" """, e: NONE, o: {} }) @e {
      a: f(x: 1.5e3, y: $a, z: true, w: []) @skip(if: $b) { ...F @d ... on T @x { g } ... { h } }
    }
    fragment F on T @y { i }
    mutation { m }
    subscription S { s }`;
    const options = { noLocation: true };
    await client.query(parse(document, options));
    const withoutBlock = (name: string, value: unknown) => (name === 'block' ? undefined : value);
    const plain = (text: string): unknown => JSON.parse(JSON.stringify(parse(text, options), withoutBlock));
    expect(plain(texts[0] ?? '')).toEqual(plain(document));
  });

  it('requests a published document by its id, with GET, and one that graphql-codegen published', async () => {
    const { id, key } = await gateway.key({ tier: 'premium' });
    const hash = hashDocument(TEXT);
    await gateway.publish(id, TEXT);
    const client = createClient({ url, key, fetch: watched });
    const published = await client.query({ documentId: documentId(hash) }, variables);
    expect(published).toMatchObject({ startups: result.startups });
    const generated = Object.assign(new String('{ wrong }'), { __meta__: { hash } });
    expect(await client.query(generated as object, variables)).toEqual(published);
    expect(sent.every((line) => line.startsWith('GET /graphql?documentId='))).toBe(true);
    expect(sent.join()).not.toContain(key);
    // Too long for a URL.
    await client.query({ documentId: hash }, { ...variables, slug: 'x'.repeat(4_000) });
    expect(sent.at(-1)).toBe('POST /graphql 200');
    const unknown = await failureOf(client.query({ documentId: hashDocument('{ other }') }));
    expect([unknown.code, unknown.status]).toEqual(['DOCUMENT_NOT_FOUND', 404]);
  });

  it('rejects with the details of every invalid argument', async () => {
    const client = await open();
    const error = await failureOf(client.query('{ startups(limit: 50, page: 0) { meta { total } } }'));
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT', status: 400 });
    expect(error.message).toMatch(/page: got 0.*limit: got 50/);
    expect(error.details).toMatchObject([{ parameter: 'page' }, { parameter: 'limit' }]);
  });
});

it('waits at most an hour, whatever a response states', async () => {
  const waits: number[] = [];
  let stop = new AbortController();
  const client = await open('premium', {
    onWait(seconds) {
      waits.push(seconds);
      stop.abort(new Error('enough'));
    },
  });
  failures = [new Response(null, { status: 503, headers: { 'Retry-After': '99999999999' } })];
  await expect(client.startup('s-1', { signal: stop.signal })).rejects.toThrow('enough');
  const rateLimit = { RateLimit: '"default";r=0;t=99999999999' };
  const headers = { 'X-RateLimit-Reset': '1', 'X-RateLimit-Remaining': '0', ...rateLimit };
  failures = [Response.json({ data: {} }, { headers })];
  await client.startup('s-1');
  const again = new AbortController();
  stop = again;
  await expect(client.startup('s-1', { signal: again.signal })).rejects.toThrow('enough');
  expect(waits).toEqual([3600, 3600]);
});

it('takes no data from a redirect to another origin, and sends nothing there', async () => {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{"data":{"slug":"false"}}');
  });
  const elsewhere = await listenFor(other);
  const redirecting = await listenFor(
    createServer((_request, response) => response.writeHead(307, { Location: `${elsewhere}/data` }).end()),
  );
  const client = createClient({ url: redirecting, key: 'rvg_any' });
  for (const answer of [client.startup('s-1'), client.query('{ dataset { total } }')]) {
    expect(await failureOf(answer)).toMatchObject({
      code: 'INVALID_RESPONSE',
      status: 307,
      message: `${redirecting} redirects to ${elsewhere}/data: set url to the address of the gateway itself`,
    });
  }
  expect(asked).toEqual([]);
  // With a fetch that follows redirects all the same.
  const following = createClient({
    url: redirecting,
    key: 'rvg_any',
    fetch: (target, init) => fetch(target, { ...init, redirect: 'follow' }),
  });
  expect(await failureOf(following.startup('s-1'))).toMatchObject({ code: 'INVALID_RESPONSE', status: 200 });
});

async function listenFor(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterwards(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('rejects what is not a response of the API', async () => {
  const client = await open();
  failures = [new Response('Hello'), Response.json({ other: 1 }), new Response(null, { status: 404 })];
  while (failures.length > 0) {
    expect(await failureOf(client.market())).toMatchObject({ code: 'INVALID_RESPONSE' });
  }
});

describe('a snapshot', () => {
  const openAllowed = async (options: Partial<ClientOptions> = {}) => {
    const { key } = await gateway.key({ tier: 'premium', snapshot: true });
    return createClient({ url, key, fetch: watched, ...options });
  };

  it('yields all startups, and where the changes continue', async () => {
    const client = await openAllowed();
    const snapshot = client.snapshot();
    expect(snapshot.cursor).toBeUndefined();
    const found = await collect(snapshot);
    expect(found.map(({ slug, active }) => [slug, active])).toEqual(slugs.map((slug) => [slug, true]));
    const [changes] = await collect(client.changes({ since: snapshot.cursor as string }));
    expect([changes?.data, changes?.meta.hasMore]).toEqual([[], false]);
  });

  it('can be left early, and is not waited for until the next hour', async () => {
    const waits: number[] = [];
    const client = await openAllowed({ onWait: (seconds) => waits.push(seconds) });
    for await (const { slug } of client.snapshot()) {
      expect(slug).toBe('s-0');
      break;
    }
    const { code, status } = await failureOf(collect(client.snapshot()));
    expect([code, status, waits]).toEqual(['RATE_LIMITED', 429, []]);
  });

  it('rejects for a key that may not have it, and for a response that lacks its end', async () => {
    const client = await open();
    const codeOf = async () => (await failureOf(collect(client.snapshot()))).code;
    expect(await codeOf()).toBe('SNAPSHOT_NOT_ALLOWED');
    const headers = { link: '</api/v1/changes?since=abc>; rel="next"' };
    failures = [new Response('{"slug":"a"}\n{"slug"', { headers })];
    expect(await codeOf()).toBe('NETWORK_ERROR');
    failures = [new Response('<html>')];
    expect(await codeOf()).toBe('INVALID_RESPONSE');
  });
});
