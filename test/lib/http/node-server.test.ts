import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError, OperatorError } from '../../../src/lib/errors.ts';
import { listen, type NodeServer } from '../../../src/lib/http/node-server.ts';
import type { GatewayHandler, GatewayRequest } from '../../../src/lib/http/request-response.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { createGate } from '../../support/gate.ts';
import { LOCAL_SERVER, openTestGateway } from '../../support/gateway.ts';
import { only } from '../../support/only.ts';
import { record } from '../../support/records.ts';

const BODY_LIMIT = 100_000;

/** Serves a handler for one test. */
async function serve(
  handle: GatewayHandler,
  options: Partial<Parameters<typeof listen>[1]> = {},
): Promise<NodeServer> {
  const server = await listen(handle, { ...LOCAL_SERVER, ...options });
  closeAfterwards(() => server.close());
  return server;
}

/** Answers with what it saw of the request. */
const mirror: GatewayHandler = async (request) => {
  const { method, path, query, address } = request;
  const [agent, cookie] = [request.header('user-agent'), request.header('cookie')];
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'X-Mixed-Case', 'kept'],
    body: JSON.stringify({ method, path, query, address, agent, cookie }),
  };
};

/** Answers with the length of the body. */
const measure: GatewayHandler = async (request) => {
  try {
    return { status: 200, headers: [], body: String((await request.body(1_000)).length) };
  } catch (error) {
    return { status: error instanceof ApiError ? error.status : 500, headers: [], body: String(error) };
  }
};

interface Connection {
  readonly socket: Socket;
  /** What was received so far. */
  readonly text: () => string;
  readonly closed: Promise<unknown>;
}

/** A raw connection, closed after the test. @param from the address that the client has. */
async function open(url: string, from?: string): Promise<Connection> {
  const { port, hostname } = new URL(url);
  const host = hostname.replace(/[[\]]/g, '');
  const socket = connect({ port: Number(port), host, ...(from !== undefined && { localAddress: from }) });
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

it.each([
  ['whole', 'Content-Length: 2\r\n\r\n{}'],
  ['cut off', 'Content-Length: 1000\r\n\r\n{'],
])('a client that has gone is still known, and its body, %s, awaited no longer', async (_what, rest) => {
  const [begun, gone] = [createGate(), createGate()];
  let seen = {};
  const server = await serve(async (request) => {
    if (request.path === '/other') {
      return mirror(request);
    }
    begun.open();
    await gone.opened;
    const body = await readBody(request, BODY_LIMIT).catch(({ code }: ApiError) => code);
    seen = { address: request.address, body };
    return { status: 200, headers: [], body: '' };
  });
  const { socket } = await open(server.url);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${rest}`);
  await begun.opened;
  socket.destroy();
  await fetchLater(server);
  gone.open();
  await expect.poll(() => seen).toEqual({ address: '127.0.0.1', body: 'BAD_USER_INPUT' });
});

const readBody = async (request: GatewayRequest, limit: number): Promise<Buffer> => request.body(limit);

describe('a request', () => {
  const WITHOUT_LENGTH = /^(?![\s\S]*(Content-Length|Transfer-Encoding))/i;

  it('reaches the gateway as it was sent, and is answered with its headers in their spelling, and a length', async () => {
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
    expect(text).toMatch(/\r\nX-Mixed-Case: kept\r\n/);
    expect(text).toMatch(new RegExp(`\r\nContent-Length: ${bodyOf(text).length}\r\n`));
    expect(text).toMatch(/\r\nDate: /);
    expect(text).not.toMatch(/\r\n(Server|X-Powered-By):/i);
  });

  it.each([
    ['HEAD', 200, 'é'.repeat(10), /\r\nContent-Length: 20\r\n/],
    // HEAD of a stream has no length.
    ['HEAD', 200, '', WITHOUT_LENGTH],
    ['GET', 200, '', /\r\nContent-Length: 0\r\n/],
    ['OPTIONS', 204, '', WITHOUT_LENGTH],
    ['GET', 304, '', WITHOUT_LENGTH],
  ])('of %s that is answered with %i gets no body', async (method, status, body, head) => {
    const { url } = await serve(async () => ({ status, headers: [], body }));
    const text = await exchange(url, `${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([statusOf(text), text, bodyOf(text)]).toEqual([status, expect.stringMatching(head), '']);
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

describe('the header Host', () => {
  it.each([
    ['missing', ''],
    ['sent twice', 'Host: x\r\nHost: x\r\n'],
    ['sent twice in two spellings', 'Host: x\r\nAccept: */*\r\nhOST: y\r\n'],
  ])('%s, is refused with 400, and the connection is closed', async (_what, headers) => {
    const paths: string[] = [];
    const { url } = await serve((request) => {
      paths.push(request.path);
      return mirror(request);
    });
    const text = await exchange(url, `GET / HTTP/1.1\r\n${headers}\r\n`);
    expect(text).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\nDate: .+\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n$/,
    );
    expect(paths).toEqual([]);
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

  it('is refused above its limit, also where all of it is there before it is asked for', async () => {
    const { url } = await serve(async (request) => {
      await new Promise(setImmediate);
      return measure(request);
    });
    const { socket, text } = await open(url);
    socket.write(`${CHUNKED}${chunk(600)}${chunk(600)}0\r\n\r\n`);
    await expect.poll(text).toMatch(/^HTTP\/1\.1 413 /);
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

  it('that nobody read must arrive in time, too, or the connection is closed', async () => {
    const { url } = await serve(mirror, { bodyTimeoutMs: 100 });
    const whole = await open(url);
    whole.socket.write(`${post(4)}half`);
    await expect.poll(whole.text).toMatch(/^HTTP\/1\.1 200 /);
    const slow = await open(url);
    slow.socket.write(`${post(100)}half`);
    await slow.closed;
    expect(slow.text()).toMatch(/^HTTP\/1\.1 200 /);
    whole.socket.write('GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await whole.closed;
    expect(whole.text()).toContain('"path":"/next"');
  });

  it('that is truncated ends its request and nothing else', async () => {
    const ends: unknown[] = [];
    let begun = createGate();
    const handle: GatewayHandler = async (request) => {
      begun.open();
      const read = request.path === '/unread' ? undefined : readBody(request, 1_000);
      await read?.catch((error: unknown) => ends.push(error));
      return mirror(request);
    };
    const { url } = await serve(handle);
    for (const path of ['/read', '/unread']) {
      const connection = await open(url);
      begun = createGate();
      connection.socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf`);
      await begun.opened;
      connection.socket.resetAndDestroy();
      await connection.closed;
    }
    await expect.poll(() => ends).toHaveLength(1);
    expect((await fetch(url)).status).toBe(200);
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

  it('is aborted when the client goes away, and none of its later requests starts', async () => {
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
      return { status: 200, headers: [], body: '' };
    });
    const { socket } = await open(server.url);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(32));
    await fetchLater(server);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    expect(requests.map(({ isDisconnected }) => isDisconnected)).toEqual([false]);
    socket.destroy();
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true]);
    await fetchLater(server);
    expect(requests.map(({ isDisconnected }) => isDisconnected)).toEqual([true]);
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
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const post = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n{}\n`;
  const pathsOf = (text: string): string[] =>
    [...text.matchAll(/"path":"([^"]+)"/g)].map(([, path = '']) => path);

  it.each([
    ['bodies', post],
    ['no bodies', get],
  ])(
    'requests with %s has one in progress at a time, and gets every response in order',
    async (_what, request) => {
      const started: string[] = [];
      const release = createGate();
      const server = await serve(async (request) => {
        started.push(request.path);
        await (request.path === '/other' || release.opened);
        return mirror(request);
      });
      const { socket, text } = await open(server.url);
      const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
      const bytes = paths.map(request).join('');
      // Cut where headers end, too.
      const cut = bytes.indexOf('\r\n\r\n') + 2;
      socket.write(bytes.slice(0, cut));
      await fetchLater(server);
      socket.write(bytes.slice(cut));
      await fetchLater(server);
      expect(started.filter((path) => path !== '/other')).toEqual(['/0']);
      release.open();
      await expect.poll(() => pathsOf(text()).length).toBe(200);
      expect(pathsOf(text())).toEqual(paths);
    },
  );

  it('gets the response to a request that arrives with the long body of another', async () => {
    const server = await serve(async (request) => {
      if (request.path === '/long') {
        // Until node:http has stopped reading.
        await fetchLater(server);
        await request.body(BODY_LIMIT);
      }
      return mirror(request);
    });
    const { socket, text } = await open(server.url);
    const length = 60_000;
    socket.write(`POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${' '.repeat(length)}`);
    socket.write(get('/next') + post('/last'));
    await expect.poll(() => pathsOf(text())).toEqual(['/long', '/next', '/last']);
  });

  it('is read no further while its first request is in progress, and others are served', async () => {
    let started = 0;
    const release = createGate();
    const server = await serve(async (request) => {
      started += 1;
      await (request.path === '/other' || release.opened);
      return mirror(request);
    });
    const { socket } = await open(server.url);
    // More than the operating system keeps for a connection.
    socket.write(get('/').repeat(1_000_000));
    for (let times = 0; times < 3; times += 1) {
      await fetchLater(server);
    }
    expect(started).toBe(4);
    expect(socket.writableLength).toBeGreaterThan(0);
    socket.destroy();
    release.open();
    await fetchLater(server);
    // None of its other requests, except one that started before the end of the connection was known.
    expect(started).toBeLessThanOrEqual(6);
  });

  it('has its next request started when it has read the response before', async () => {
    const body = Buffer.alloc(20_000_000);
    const started: string[] = [];
    const server = await serve((request) => {
      started.push(request.path);
      return request.path === '/other'
        ? mirror(request)
        : Promise.resolve({ status: 200, headers: [], body, isShared: true });
    });
    const { socket } = await open(server.url);
    socket.pause();
    socket.write(get('/1') + get('/2'));
    await fetchLater(server);
    expect(started).toEqual(['/1', '/other']);
    socket.resume();
    await expect.poll(() => started).toEqual(['/1', '/other', '/2']);
  });
});

describe('bytes that wait for clients', () => {
  const BYTES = 10_000_000;
  /** Sends one request that is answered with so many bytes, and reads nothing. */
  const ask = async (server: NodeServer, bytes: number): Promise<Connection> => {
    const connection = await open(server.url);
    connection.socket.pause();
    connection.socket.write(`GET /${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return connection;
  };
  const body = Buffer.alloc(BYTES);
  const answerWith =
    (isShared: boolean): GatewayHandler =>
    async ({ path }) => ({
      status: 200,
      headers: [],
      body: body.subarray(0, Number(path.slice(1))),
      isShared,
    });

  it('are limited over all connections: the one that has most of them is closed', async () => {
    const server = await serve(answerWith(false), { mostWaitingBytes: BYTES });
    await ask(server, BYTES - 1_000_000);
    await expect.poll(() => server.connections).toBe(1);
    await ask(server, BYTES - 2_000_000);
    await expect.poll(() => server.connections).toBe(1);
    // Others are served.
    const answer = await fetch(`${server.url}/10`);
    expect((await answer.arrayBuffer()).byteLength).toBe(10);
  });

  it.each([
    ['by their own addresses', 0, (from: string) => [from, ''] as const],
    ['behind a proxy', 1, (from: string) => ['127.0.0.1', `X-Forwarded-For: ${from}\r\n`] as const],
  ])(
    'of many unfinished bodies cut off no response of another client, %s',
    async (_how, trustedProxies, as) => {
      const handle: GatewayHandler = async (request) => {
        const bytes = Number(request.path.slice(1));
        await (bytes === 0 && readBody(request, BYTES).catch(() => {}));
        return { status: 200, headers: [], body: Buffer.alloc(bytes) };
      };
      const server = await serve(handle, { mostWaitingBytes: BYTES, trustedProxies });
      const begin = async (from: string, head: string) => {
        const [address, header] = as(from);
        const connection = await open(server.url, address);
        connection.socket.pause();
        connection.socket.write(`${head} HTTP/1.1\r\nHost: x\r\n${header}`);
        return connection;
      };
      // It reads slowly.
      const victim = await begin('127.0.0.2', `GET /${BYTES / 2}`);
      victim.socket.write('\r\n');
      await expect.poll(() => server.connections).toBe(1);
      // Each holds a fraction of that.
      const attackers = await Promise.all(
        Array.from({ length: 60 }, async () => {
          const attacker = await begin('127.0.0.3', 'POST /');
          attacker.socket.write(`Content-Length: 200000\r\n\r\n${'x'.repeat(150_000)}`);
          attacker.socket.resume();
          return attacker;
        }),
      );
      await expect.poll(() => attackers.filter(({ socket }) => socket.destroyed).length).toBeGreaterThan(10);
      victim.socket.resume();
      await expect.poll(() => bodyOf(victim.text()).length).toBe(BYTES / 2);
    },
  );

  it('are counted as they are sent: a character may take several', async () => {
    const text = '€'.repeat(BYTES / 2);
    const handle: GatewayHandler = () => Promise.resolve({ status: 200, headers: [], body: text });
    const server = await serve(handle, { mostWaitingBytes: BYTES });
    const { socket } = await ask(server, 0);
    await expect.poll(() => socket.destroyed || server.connections === 0).toBe(true);
  });

  it('do not include those that responses share', async () => {
    const server = await serve(answerWith(true), { mostWaitingBytes: BYTES });
    const asking = await Promise.all([ask(server, BYTES), ask(server, BYTES), ask(server, BYTES)]);
    await (await fetch(`${server.url}/10`)).arrayBuffer();
    for (const { socket, text } of asking) {
      socket.resume();
      await expect.poll(() => bodyOf(text()).length).toBe(BYTES);
    }
  });

  it('include bodies that have not arrived completely, also those that arrive slowly', async () => {
    const server = await serve(
      async (request) => {
        await readBody(request, BYTES).catch(() => {});
        return mirror(request);
      },
      { mostWaitingBytes: 100_000 },
    );
    const { socket } = await open(server.url);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n');
    for (let sent = 0; sent < 480_000 && socket.writable; sent += 20_000) {
      socket.write('x'.repeat(20_000));
      await fetchLater(server);
    }
    expect(socket.writable).toBe(false);
  });
});

it('a client that does not read its response is disconnected', async () => {
  const body = Buffer.alloc(20_000_000);
  const begun = createGate();
  const handle: GatewayHandler = async () => {
    begun.open();
    return { status: 200, headers: [], body };
  };
  const server = await serve(handle, { stallTimeoutMs: 200 });
  const { socket, closed } = await open(server.url);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await begun.opened;
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

it('closing does not wait for connections that are idle, silent or only begin a request', async () => {
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
  // After half a minute, they would get a 408.
  expect([silent.text(), beginning.text()]).toEqual(['', '']);
}, 60_000);

it('a port that cannot be used is reported with a fix', async () => {
  const expectError = async (options: Partial<typeof LOCAL_SERVER>, line: RegExp): Promise<void> => {
    const failure = await listen(mirror, { ...LOCAL_SERVER, ...options }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as OperatorError).lines).toEqual([expect.stringMatching(line)]);
  };
  const { url } = await serve(mirror);
  const port = Number(new URL(url).port);
  await expectError({ port }, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use: .+PORT`));
  await expectError({ host: '192.0.2.1' }, /^HOST 192\.0\.2\.1 is no address of this machine: /);
  await expectError({ host: 'nowhere.invalid' }, /HOST|nowhere\.invalid/);
});

const gateway = await openTestGateway({ records: [record('one'), record('two')], limits: 1_000 });
const { key } = await gateway.key();
const server = await serve(gateway.handle);

describe('a gateway over HTTP', () => {
  const head = (more: string, target = '/graphql', method = 'POST'): string =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
  const JSON_TYPE = 'Content-Type: application/json\r\n';

  it('charges a client that disconnects for the request it sent', async () => {
    let begun = createGate();
    const { url } = await serve((request) => {
      begun.open();
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
      begun = createGate();
      socket.write(text);
      await begun.opened;
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
});
