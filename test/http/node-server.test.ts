import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ApiError, OperatorError } from '../../src/errors.ts';
import type { GatewayHandler, GatewayRequest } from '../../src/handler.ts';
import { listen, type NodeServer } from '../../src/http/node-server.ts';
import { type Steps, timeSlices } from '../../src/time-slices.ts';
import { LOCAL_SERVER, openTestGateway, type TestGateway } from '../support/gateway.ts';
import { only } from '../support/only.ts';
import { record } from '../support/records.ts';

const BODY_LIMIT = 100_000;

/** Serves a handler for one test. */
async function serve(
  handle: GatewayHandler,
  options: Partial<Parameters<typeof listen>[1]> = {},
): Promise<NodeServer> {
  const server = await listen(handle, { ...LOCAL_SERVER, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Answers with what it saw of the request. */
const mirror: GatewayHandler = async (request) => {
  const { method, path, query, address } = request;
  const [agent, cookie] = [request.header('user-agent'), request.header('cookie')];
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'X-Mixed-Case': 'kept' },
    body: JSON.stringify({ method, path, query, address, agent, cookie }),
  };
};

/** Answers with the length of the body. */
const measure: GatewayHandler = async (request) => {
  try {
    return { status: 200, headers: {}, body: String((await request.body(1_000)).length) };
  } catch (error) {
    return { status: error instanceof ApiError ? error.status : 500, headers: {}, body: String(error) };
  }
};

interface Connection {
  readonly socket: Socket;
  /** What was received so far. */
  readonly text: () => string;
  readonly closed: Promise<unknown>;
}

/** A raw connection, closed after the test. */
async function open(url: string): Promise<Connection> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''));
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return { socket, text: () => text, closed };
}

/** Sends raw bytes and gives all that comes until the server closes. */
async function exchange(url: string, bytes: string): Promise<string> {
  const connection = await open(url);
  connection.socket.write(bytes);
  await connection.closed;
  return connection.text();
}

/**
 * Answered only once the server has heard of all that connections sent before, their end included: what comes
 * to it is read in the order in which it came.
 */
const fetchLater = async (server: NodeServer): Promise<unknown> =>
  (await fetch(`${server.url}/other`)).text();

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

/** Work that leaves no time of any turn to others. */
function* fillTurns(isOver: () => boolean): Steps<void> {
  while (!isOver()) {
    const end = performance.now() + 12;
    while (performance.now() < end);
    yield;
  }
}

it.each([
  ['whole', 'Content-Length: 2\r\n\r\n{}'],
  ['cut off', 'Content-Length: 1000\r\n\r\n{'],
])('a client that has gone is still known, and its body, %s, awaited no longer', async (_what, rest) => {
  let [begin, goOn] = [(): void => {}, (): void => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const gone = new Promise<void>((resolve) => (goOn = resolve));
  let seen = {};
  const server = await serve(async (request) => {
    if (request.path === '/other') {
      return mirror(request);
    }
    begin();
    await gone;
    const body = await request.body(BODY_LIMIT).catch(({ code }: ApiError) => code);
    seen = { address: request.address, body };
    return { status: 200, headers: {}, body: '' };
  });
  const { socket } = await open(server.url);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${rest}`);
  await begun;
  socket.destroy();
  await fetchLater(server);
  goOn();
  await expect.poll(() => seen).toEqual({ address: '127.0.0.1', body: 'BAD_USER_INPUT' });
});

describe('a request', () => {
  it('reaches the gateway as it was sent', async () => {
    const { url } = await serve(mirror);
    const text = await exchange(
      url,
      'GET /a%20b/%2e?x=1&y=a+b?c HTTP/1.1\r\nHost: x\r\nUSER-AGENT: test\r\nConnection: close\r\n\r\n',
    );
    expect(JSON.parse(bodyOf(text))).toEqual({
      method: 'GET',
      path: '/a%20b/%2e',
      query: 'x=1&y=a+b?c',
      address: '127.0.0.1',
      agent: 'test',
    });
  });

  it('is answered with the headers of the gateway, in their spelling, and a length', async () => {
    const { url } = await serve(mirror);
    const text = await exchange(url, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/\r\nX-Mixed-Case: kept\r\n/);
    expect(text).toMatch(new RegExp(`\r\nContent-Length: ${bodyOf(text).length}\r\n`));
    expect(text).toMatch(/\r\nDate: /);
    expect(text).not.toMatch(/\r\n(Server|X-Powered-By):/i);
  });

  it('of HEAD gets the headers and the length of GET, and no body', async () => {
    const { url } = await serve(async () => ({ status: 200, headers: {}, body: 'é'.repeat(10) }));
    const text = await exchange(url, 'HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/\r\nContent-Length: 20\r\n/);
    expect(bodyOf(text)).toBe('');
  });

  it('that is answered with 204 gets no length', async () => {
    const { url } = await serve(async () => ({ status: 204, headers: { Allow: 'GET' }, body: '' }));
    const text = await exchange(url, 'OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 204 /);
    expect(text).not.toMatch(/Content-Length|Transfer-Encoding/i);
  });

  it("finds the client's address behind the trusted number of proxies", async () => {
    const forwarded = { 'X-Forwarded-For': '1.1.1.1, 203.0.113.7' };
    const untrusting = await serve(mirror);
    expect(await (await fetch(untrusting.url, { headers: forwarded })).json()).toMatchObject({
      address: '127.0.0.1',
    });
    const trusting = await serve(mirror, { trustedProxies: 1 });
    expect(await (await fetch(trusting.url, { headers: forwarded })).json()).toMatchObject({
      address: '203.0.113.7',
    });
    // A header sent twice is one list.
    const text = await exchange(
      trusting.url,
      'GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 203.0.113.8\r\nConnection: close\r\n\r\n',
    );
    expect(JSON.parse(bodyOf(text))).toMatchObject({ address: '203.0.113.8' });
  });

  const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === '::1'),
  );
  only(hasIPv6, 'an IPv6 loopback address').it('may come over IPv6', async () => {
    const { url } = await serve(mirror, { host: '::1' });
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await (await fetch(url)).json()).toMatchObject({ address: '::1' });
  });
});

describe('a body', () => {
  const post = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  const chunk = (length: number): string => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`;
  const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

  it('is read up to its limit, whole or in chunks', async () => {
    const { url } = await serve(measure);
    const connection = await open(url);
    connection.socket.write(`${post(1_000)}${'x'.repeat(1_000)}`);
    await expect.poll(connection.text).toMatch(/\r\n\r\n1000$/);
    connection.socket.write(`${CHUNKED}${chunk(400)}${chunk(600)}0\r\n\r\n`);
    await expect.poll(connection.text).toMatch(/\r\n\r\n1000HTTP\/1\.1 200 [\s\S]+\r\n\r\n1000$/);
  });

  it('that says it is too long is refused before it comes', async () => {
    const { url } = await serve(measure);
    const connection = await open(url);
    connection.socket.write(post(1_001));
    await expect.poll(connection.text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('that grows too long in chunks is refused at once', async () => {
    const { url } = await serve(measure);
    const connection = await open(url);
    connection.socket.write(`${CHUNKED}${chunk(600)}${chunk(600)}`);
    await expect.poll(connection.text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('that nobody read leaves the connection fit for the next request', async () => {
    const { url } = await serve(mirror);
    const connection = await open(url);
    connection.socket.write(`${post(100_000)}${'x'.repeat(100_000)}`);
    connection.socket.write('GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await connection.closed;
    expect(connection.text().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(connection.text()).toContain('"path":"/next"');
  });

  it('that is truncated ends its request and nothing else', async () => {
    const ends: unknown[] = [];
    let begin = (): void => {};
    const handle: GatewayHandler = async (request) => {
      begin();
      const read = request.path === '/unread' ? undefined : request.body(1_000);
      await read?.catch((error: unknown) => ends.push(error));
      return mirror(request);
    };
    const { url } = await serve(handle);
    for (const path of ['/read', '/unread']) {
      const connection = await open(url);
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      connection.socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf`);
      await begun;
      connection.socket.resetAndDestroy();
      await connection.closed;
    }
    await expect.poll(() => ends).toHaveLength(1);
    expect((await fetch(url)).status).toBe(200);
  });

  it.each([
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['an invalid chunk', `${CHUNKED}zz\r\n`],
    ['no request at all', 'hello\r\n\r\n'],
  ])('with %s is refused and the connection closed', async (_name, bytes) => {
    const { url } = await serve(measure);
    expect(statusOf(await exchange(url, bytes))).toBe(400);
  });
});

describe('a slow client', () => {
  it('does not delay others', async () => {
    const { url } = await serve(measure);
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(url)));
    for (const { socket } of slow) {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
    }
    const answer = await fetch(url, { method: 'POST', body: 'whole' });
    expect(await answer.text()).toBe('5');
    expect(slow.map(({ text }) => text())).toEqual(slow.map(() => ''));
  });
});

describe('the signal of a request', () => {
  /** Node warns of an emitter with more listeners than it should have. */
  const collectWarnings = (): string[] => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    return warnings;
  };

  it('is aborted when the client goes away, of each request that it waits for', async () => {
    const warnings = collectWarnings();
    const signals: AbortSignal[] = [];
    const requests: GatewayRequest[] = [];
    const server = await serve(async (request) => {
      if (request.path === '/other') {
        return mirror(request);
      }
      const signal = request.disconnected();
      signals.push(signal);
      requests.push(request);
      await once(signal, 'abort');
      return { status: 200, headers: {}, body: '' };
    });
    const { socket } = await open(server.url);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(32));
    await expect.poll(() => signals.length).toBe(32);
    await fetchLater(server);
    expect(signals.filter(({ aborted }) => aborted)).toEqual([]);
    expect(requests.filter(({ isDisconnected }) => isDisconnected)).toEqual([]);
    socket.destroy();
    await expect.poll(() => signals.filter(({ aborted }) => aborted).length).toBe(32);
    expect(requests.filter(({ isDisconnected }) => isDisconnected).length).toBe(32);
    expect(warnings).toEqual([]);
  });

  it('is not aborted once the request is answered, and leaves nothing on the connection', async () => {
    const warnings = collectWarnings();
    const signals: AbortSignal[] = [];
    const { url } = await serve((request) => {
      signals.push(request.disconnected());
      return mirror(request);
    });
    const connection = await open(url);
    // One after another, and more of them than a connection may have at a time.
    for (let count = 1; count <= 60; count += 1) {
      connection.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await expect.poll(() => connection.text().split('HTTP/1.1 200').length).toBe(count + 1);
    }
    connection.socket.end();
    await connection.closed;
    expect(signals.filter(({ aborted }) => aborted)).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('a client that pipelines', () => {
  const pipelined = (count: number): string => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count);

  it('has 32 requests answered at a time, and gets every response', async () => {
    let started = 0;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const server = await serve(async (request) => {
      started += request.path === '/' ? 1 : 0;
      await (request.path === '/' && released);
      return mirror(request);
    });
    const { socket, text } = await open(server.url);
    socket.write(pipelined(100));
    await expect.poll(() => started).toBe(32);
    socket.write(pipelined(100));
    await fetchLater(server);
    expect(started).toBe(32);
    release();
    await expect.poll(() => text().match(/HTTP\/1\.1 200/g)?.length).toBe(200);
  });

  it('is disconnected when hundreds of its requests wait, and others are served', async () => {
    let started = 0;
    const server = await serve((request) => {
      started += 1;
      return request.path === '/' ? new Promise(() => {}) : mirror(request);
    });
    const { socket, closed } = await open(server.url);
    socket.write(pipelined(1_000));
    await closed;
    expect(started).toBe(32);
    expect((await fetch(`${server.url}/other`)).status).toBe(200);
  });
});

it('a client that does not read its response is disconnected', async () => {
  const body = Buffer.alloc(20_000_000);
  const server = await serve(async () => ({ status: 200, headers: {}, body }), { stallTimeoutMs: 200 });
  const { socket, closed } = await open(server.url);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  // The client hears of it only when it reads on.
  await expect.poll(() => server.connections).toBe(0);
  socket.resume();
  await closed;
});

it('a handler that throws costs its own connection only, and is reported', async () => {
  const errors: unknown[] = [];
  const server = await serve(
    async (request) => {
      if (request.path === '/') {
        throw new Error('boom');
      }
      return mirror(request);
    },
    { onError: (error) => errors.push(error) },
  );
  await expect(fetch(server.url)).rejects.toThrow();
  expect(errors).toEqual([new Error('boom')]);
  expect((await fetch(`${server.url}/other`)).status).toBe(200);
});

describe('closing', () => {
  /** A handler whose answers wait. */
  function gate() {
    let [begin, release] = [(): void => {}, (): void => {}];
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handle = async (request: GatewayRequest) => {
      begin();
      await released;
      return mirror(request);
    };
    return { handle, begun, release };
  }

  it('finishes requests in progress, announces the end of the connection, and rejects new ones', async () => {
    const { handle, begun, release } = gate();
    const server = await listen(handle, LOCAL_SERVER);
    const connection = await open(server.url);
    connection.socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
    let isClosed = false;
    const closing = server.close().then(() => {
      isClosed = true;
    });
    await expect(fetch(server.url)).rejects.toThrow();
    expect(isClosed).toBe(false);
    release();
    await closing;
    await connection.closed;
    expect(connection.text()).toMatch(/\r\nConnection: close\r\n/i);
    expect(connection.text()).toContain('"path":"/a"');
  });

  it('does not wait for connections that are idle, silent or only begin a request', async () => {
    const server = await listen(mirror, LOCAL_SERVER);
    const idle = await open(server.url);
    idle.socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(idle.text).toContain('"path":"/a"');
    const silent = await open(server.url);
    const beginning = await open(server.url);
    beginning.socket.write('GET / HT');
    await fetchLater(server);
    await server.close();
    await Promise.all([idle.closed, silent.closed, beginning.closed]);
    // It would wait for half a minute.
  }, 15_000);
});

describe('a port that cannot be used', () => {
  const expectError = async (options: Partial<typeof LOCAL_SERVER>, line: RegExp): Promise<void> => {
    const failure = await listen(mirror, { ...LOCAL_SERVER, ...options }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as OperatorError).lines).toEqual([expect.stringMatching(line)]);
  };

  it('is reported with a fix', async () => {
    const { url } = await serve(mirror);
    const port = Number(new URL(url).port);
    await expectError({ port }, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use: .+PORT`));
    await expectError({ host: '192.0.2.1' }, /^HOST 192\.0\.2\.1 is no address of this machine: /);
    await expectError({ host: 'nowhere.invalid' }, /HOST|nowhere\.invalid/);
  });
});

describe('a gateway over HTTP', () => {
  let gateway: TestGateway;
  let server: NodeServer;
  let key = '';
  beforeAll(async () => {
    gateway = await openTestGateway({
      records: [record('one'), record('two')],
      limits: { standard: 1_000, premium: 1_000 },
    });
    server = await listen(gateway.handle, LOCAL_SERVER);
    key = (await gateway.key()).key;
  });
  afterAll(async () => {
    await server?.close();
    await gateway?.close();
  });

  const head = (more: string, target = '/graphql', method = 'POST'): string =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
  const JSON_TYPE = 'Content-Type: application/json\r\n';

  it('answers both surfaces', async () => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const rest = await fetch(`${server.url}/api/v1/startups?limit=1`, { headers });
    expect(await rest.json()).toMatchObject({ data: [{ slug: 'one' }], meta: { total: 2 } });
    const body = JSON.stringify({ query: '{ startups { meta { total } } }' });
    const graphql = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
    expect(await graphql.json()).toMatchObject({ data: { startups: { meta: { total: 2 } } } });
    for (const answer of [rest, graphql]) {
      expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('answers both surfaces while every turn of the event loop is full, so that lists wait for another', async () => {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    onTestFinished(end);
    const others = timeSlices.run(fillTurns(() => isOver));
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const rest = await fetch(`${server.url}/api/v1/startups?limit=1`, { headers });
    expect(await rest.json()).toMatchObject({ data: [{ slug: 'one' }], meta: { total: 2 } });
    const body = JSON.stringify({ query: '{ startups { meta { total } } }' });
    const graphql = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
    expect(await graphql.json()).toMatchObject({ data: { startups: { meta: { total: 2 } } } });
    end();
    await others;
  });

  it('charges a client that disconnects for the request it sent', async () => {
    let begin = (): void => {};
    const { url } = await serve((request) => {
      begin();
      return gateway.handle(request);
    });
    const own = await gateway.key();
    const headOf = (line: string): string =>
      `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.key}\r\n`;
    const requests = [
      // Before its body, and without waiting for the answer.
      `${headOf('POST /graphql')}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"query":`,
      `${headOf('GET /api/v1/startups')}\r\n`,
    ];
    for (const text of requests) {
      const { socket } = await open(url);
      // Until the server has the head, there is no request.
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      socket.write(text);
      await begun;
      socket.destroy();
    }
    const answered = () =>
      gateway.logs.filter((text) => text.includes('"answered"') && text.includes(own.id));
    await expect.poll(answered).toHaveLength(2);
    const { headers } = await gateway.call('/api/v1/startups', { key: own.key });
    expect(headers['x-ratelimit-remaining']).toBe('997');
  });

  it('refuses a body above its limit with 413, in the form and with the headers of any answer', async () => {
    const whole = await open(server.url);
    whole.socket.write(head(`${JSON_TYPE}Content-Length: ${BODY_LIMIT + 1}\r\n`));
    const chunked = await open(server.url);
    chunked.socket.write(head(`${JSON_TYPE}Transfer-Encoding: chunked\r\n`));
    chunked.socket.write(`${(BODY_LIMIT + 1).toString(16)}\r\n${' '.repeat(BODY_LIMIT + 1)}\r\n0\r\n\r\n`);
    for (const { text } of [whole, chunked]) {
      await expect.poll(text).toMatch(/^HTTP\/1\.1 413 [\s\S]+"code":"PAYLOAD_TOO_LARGE"/);
      expect(text()).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
      expect(text()).toMatch(/\r\nAccess-Control-Allow-Origin: \*\r\n/);
    }
  });

  it('takes a body of exactly its limit', async () => {
    const body = JSON.stringify({ query: '{ __typename }' }).padEnd(BODY_LIMIT);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ data: { __typename: 'Query' } });
  });

  it('sends 100 Continue to a client that waits for it, after checking its key and length', async () => {
    const body = JSON.stringify({ query: '{ __typename }' });
    const connection = await open(server.url);
    connection.socket.write(head(`${JSON_TYPE}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`));
    await expect.poll(connection.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    connection.socket.write(body);
    await expect.poll(connection.text).toContain('{"data":{"__typename":"Query"}');
  });

  it.each([
    ['no key', 401, `POST /graphql HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 10\r\n`],
    ['too long a body', 413, undefined],
  ])('refuses one with %s by %i, without asking for the body', async (_name, status, start) => {
    const text = await exchange(
      server.url,
      `${start ?? head(`${JSON_TYPE}Content-Length: ${BODY_LIMIT + 1}\r\n`).slice(0, -2)}Expect: 100-continue\r\n\r\n`,
    );
    // What follows on this connection could be taken for the body, so it is closed.
    expect(statusOf(text)).toBe(status);
    expect(text).not.toContain('100 Continue');
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });

  it('keeps a connection through refusals with unread bodies', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ports = new Set<number | undefined>();
    for (let i = 0; i < 5; i++) {
      const sent = request(`${server.url}/graphql`, { agent, method: 'POST' });
      sent.end('x'.repeat(50_000));
      const [answer] = await once(sent, 'response');
      expect(answer.statusCode).toBe(401);
      ports.add(sent.socket?.localPort);
      answer.resume();
      await once(answer, 'end');
    }
    expect(ports.size).toBe(1);
  });

  it.each(['//api/v1/startups', '/api/v1/../v1/startups', '/API/v1/startups', '/%61pi/v1/startups', '*'])(
    'answers the target %s with a JSON 404',
    async (target) => {
      const text = await exchange(server.url, head('Connection: close\r\n', target, 'GET'));
      expect(statusOf(text)).toBe(404);
      expect(JSON.parse(bodyOf(text)).error.code).toBe('NOT_FOUND');
    },
  );

  it.each(['http://x/api/v1/startups?limit=1', 'HTTPS://x:443/api/v1/startups?limit=1'])(
    'answers the target %s in absolute form as its path',
    async (target) => {
      const text = await exchange(server.url, head('Connection: close\r\n', target, 'GET'));
      expect(statusOf(text)).toBe(200);
      expect(JSON.parse(bodyOf(text)).meta.limit).toBe(1);
    },
  );

  it.each([
    ['POST', '/graphql'],
    ['GET', '/api/v1/startups'],
  ])('refuses an expectation of %s %s that it cannot meet', async (method, target) => {
    const text = await exchange(server.url, head('Expect: x\r\nConnection: close\r\n', target, method));
    expect(statusOf(text)).toBe(417);
    expect(text).toMatch(/"message":"Expect: got \\"x\\", allowed: 100-continue"/);
    expect(text).toContain('"code":"EXPECTATION_FAILED"');
    expect(text).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
  });

  it('rejects a body that does not arrive, with an error in the usual form', async () => {
    const slow = await serve(gateway.handle, { bodyTimeoutMs: 100 });
    const text = await exchange(slow.url, `${head(`${JSON_TYPE}Content-Length: 100\r\n`)}{"query":`);
    expect(statusOf(text)).toBe(408);
    expect(text).toContain('"code":"REQUEST_TIMEOUT"');
    expect(text).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });

  it('does not take a client that disconnects within its body for an error of its own', async () => {
    const own = await gateway.key();
    const { socket } = await open(server.url);
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.key}\r\n${JSON_TYPE}Content-Length: 100\r\n\r\n{"que`,
    );
    await expect.poll(() => gateway.queries.some((sql) => sql.includes('"api_keys"'))).toBe(true);
    socket.resetAndDestroy();
    const logged = () => gateway.logs.find((text) => text.includes('"answered"') && text.includes(own.id));
    await expect.poll(logged).toContain('"status":400');
    expect(gateway.logs.filter((text) => text.includes('"level":50'))).toEqual([]);
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const get = await exchange(server.url, head('Connection: close\r\n', '/api/v1/startups', 'GET'));
    const answer = await exchange(server.url, head('Connection: close\r\n', '/api/v1/startups', 'HEAD'));
    const length = (text: string) => /\r\nContent-Length: (\d+)/.exec(text)?.[1];
    expect([statusOf(answer), bodyOf(answer)]).toEqual([200, '']);
    expect(length(answer)).toBe(length(get));
    expect(Number(length(get))).toBe(bodyOf(get).length);
  });
});
