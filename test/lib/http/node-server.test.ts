import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ApiError, OperatorError } from '../../../src/lib/errors.ts';
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

const ok = () => ({ status: 200, headers: [] as string[], body: '' });

/** Answers with what it saw of the request. */
const mirror: GatewayHandler = async (request) => {
  const { method, path, query, address } = request;
  const [agent, cookie] = [request.header('user-agent'), request.header('cookie')];
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', 'X-Mixed-Case', 'kept'],
    body: JSON.stringify({ method, path, query, address, agent, cookie, sign: '€' }),
  };
};

/** Handles requests, but answers those of `fetchLater` at once. */
const beside =
  (handle: GatewayHandler): GatewayHandler =>
  (request) =>
    request.path === '/other' ? mirror(request) : handle(request);

const readBody = async (request: GatewayRequest, limit: number): Promise<Buffer> => request.body(limit);

interface Connection {
  readonly socket: Socket;
  /** What was received so far. */
  readonly text: () => string;
  readonly closed: Promise<unknown>;
}

/** A raw connection, closed after the test. @param from the address that the client has. */
async function open({ url }: { url: string }, bytes = '', from?: string): Promise<Connection> {
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
  socket.write(bytes);
  return { socket, text: () => text, closed };
}

/** Sends raw bytes and gives all that comes until the server closes. */
async function exchange(server: { url: string }, bytes: string): Promise<string> {
  const connection = await open(server, bytes);
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
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/"path":"([^"]+)"/g)].map(([, path = '']) => path);

const CLOSE = 'Connection: close';
const message = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const get = (path = '/', ...headers: string[]): string => message(`GET ${path}`, ...headers);
const post = (path: string, length: number, body = 'x'.repeat(length)): string =>
  message(`POST ${path}`, `Content-Length: ${length}`) + body;
const chunk = (length: number): string => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`;

it.each([
  ['whole', post('/', 2, '{}')],
  ['cut off', post('/', 1_000, '{')],
])('a client that has gone is still known, and its body, %s, awaited no longer', async (_what, bytes) => {
  const [begun, gone] = [createGate(), createGate()];
  let seen = {};
  const server = await serve(
    beside(async (request) => {
      begun.open();
      await gone.opened;
      const body = await readBody(request, BODY_LIMIT).catch(({ code }: ApiError) => code);
      seen = { address: request.address, body };
      return ok();
    }),
  );
  const { socket } = await open(server, bytes);
  await begun.opened;
  socket.destroy();
  await fetchLater(server);
  gone.open();
  await expect.poll(() => seen).toEqual({ address: '127.0.0.1', body: 'BAD_USER_INPUT' });
});

describe('a request', () => {
  const WITHOUT_LENGTH = /^(?![\s\S]*(Content-Length|Transfer-Encoding))/i;

  it('reaches the gateway as it was sent, and is answered with its headers in their spelling, and a length', async () => {
    const text = await exchange(
      await serve(mirror),
      get('/a%20b/%2e?x=1&y=a+b?c', 'USER-AGENT: test', 'X-Forwarded-For: 1.1.1.1', CLOSE),
    );
    expect(JSON.parse(Buffer.from(bodyOf(text), 'latin1').toString())).toEqual({
      method: 'GET',
      path: '/a%20b/%2e',
      query: 'x=1&y=a+b?c',
      address: '127.0.0.1',
      agent: 'test',
      sign: '€',
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
    const server = await serve(async () => ({ status, headers: [], body }));
    const text = await exchange(server, message(`${method} /`, CLOSE));
    expect([statusOf(text), text, bodyOf(text)]).toEqual([status, expect.stringMatching(head), '']);
  });

  it("has the client's address behind a trusted proxy, whose header may be sent twice", async () => {
    const forwarded = ['1.1.1.1', '203.0.113.8'].map((address) => `X-Forwarded-For: ${address}`);
    const text = await exchange(await serve(mirror, { trustedProxies: 1 }), get('/', ...forwarded, CLOSE));
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

  it.each([
    ['no Host', ''],
    ['two Hosts', 'Host: x\r\nHost: x\r\n'],
    ['two Hosts in two spellings', 'Host: x\r\nAccept: */*\r\nhOST: y\r\n'],
  ])('with %s is refused with 400, and the connection is closed', async (_what, headers) => {
    const paths: string[] = [];
    const server = await serve((request) => {
      paths.push(request.path);
      return mirror(request);
    });
    expect(await exchange(server, `GET / HTTP/1.1\r\n${headers}\r\n`)).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\nDate: .+\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n$/,
    );
    expect(paths).toEqual([]);
  });
});

describe('a body', () => {
  const CHUNKED = message('POST /', 'Transfer-Encoding: chunked');

  it('is read up to its limit, whole or in chunks, also where all of it is there before it is asked for', async () => {
    const server = await serve(async (request) => {
      await new Promise(setImmediate);
      return readBody(request, 1_000).then(
        ({ length }) => ({ ...ok(), body: String(length) }),
        ({ status }: ApiError) => ({ ...ok(), status }),
      );
    });
    const { socket, text } = await open(server, post('/', 1_000));
    await expect.poll(text).toMatch(/\r\n\r\n1000$/);
    socket.write(`${CHUNKED}${chunk(400)}${chunk(600)}0\r\n\r\n`);
    await expect.poll(text).toMatch(/\r\n\r\n1000HTTP\/1\.1 200 [\s\S]+\r\n\r\n1000$/);
    const other = await open(server, `${CHUNKED}${chunk(600)}${chunk(600)}0\r\n\r\n`);
    await expect.poll(other.text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('that nobody read leaves the connection fit for the next request, or must arrive in time, too', async () => {
    const server = await serve(mirror, { bodyTimeoutMs: 1_000 });
    const whole = await open(server, post('/', 100_000) + get('/soon') + post('/late', 4, 'half'));
    await expect.poll(() => pathsOf(whole.text())).toEqual(['/', '/soon', '/late']);
    expect(await exchange(server, post('/', 100, 'half'))).toMatch(/^HTTP\/1\.1 200 /);
    whole.socket.write(get('/next', CLOSE));
    await whole.closed;
    expect(whole.text()).toContain('"path":"/next"');
  });

  it('that nobody reads is taken before its client reads the response', async () => {
    const server = await serve(async () => ({ ...ok(), body: Buffer.alloc(20_000_000) }));
    const { socket, text } = await open(server);
    socket.pause();
    socket.write(post('/', 10_000_000));
    await once(socket, 'drain');
    socket.resume();
    await expect.poll(() => bodyOf(text()).length).toBe(20_000_000);
  });

  it('that is truncated ends its request and nothing else', async () => {
    const ends: unknown[] = [];
    let begun = createGate();
    const server = await serve(async (request) => {
      begun.open();
      const read = request.path === '/unread' ? undefined : readBody(request, 1_000);
      await read?.catch((error: unknown) => ends.push(error));
      return ok();
    });
    for (const path of ['/read', '/unread']) {
      begun = createGate();
      const connection = await open(server, post(path, 50, 'half'));
      await begun.opened;
      connection.socket.resetAndDestroy();
      await connection.closed;
    }
    await expect.poll(() => ends).toHaveLength(1);
    expect((await fetch(server.url)).status).toBe(200);
  });
});

describe('the signal of a request', () => {
  it('is aborted when the client goes away, and none of its later requests starts', async () => {
    const seen: { signal: AbortSignal; request: GatewayRequest }[] = [];
    const server = await serve(
      beside(async (request) => {
        const signal = request.disconnected();
        seen.push({ signal, request });
        await once(signal, 'abort');
        return ok();
      }),
    );
    const states = () => seen.map(({ signal, request }) => [signal.aborted, request.isDisconnected]);
    const { socket } = await open(server, get().repeat(32));
    await fetchLater(server);
    expect(states()).toEqual([[false, false]]);
    socket.destroy();
    await expect.poll(states).toEqual([[true, true]]);
    await fetchLater(server);
    expect(seen).toHaveLength(1);
  });

  it('is not aborted once the request is answered, and leaves nothing on the connection', async () => {
    // Node warns of an emitter with more listeners than it should have.
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const signals: AbortSignal[] = [];
    const server = await serve((request) => {
      signals.push(request.disconnected());
      return mirror(request);
    });
    const connection = await open(server);
    // One after another, and more of them than a connection may have at a time.
    for (let count = 1; count <= 60; count += 1) {
      connection.socket.write(get());
      await expect.poll(() => connection.text().split('HTTP/1.1 200').length).toBe(count + 1);
    }
    connection.socket.end();
    await connection.closed;
    expect(signals.filter(({ aborted }) => aborted)).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('a client that pipelines', () => {
  it.each([
    ['requests with bodies', (path: string) => post(path, 3, '{}\n')],
    ['requests without', (path: string) => get(path)],
  ])('%s has one in progress, and gets every response in order', async (_what, request) => {
    const started: string[] = [];
    const release = createGate();
    const server = await serve(
      beside(async (request) => {
        started.push(request.path);
        await release.opened;
        return mirror(request);
      }),
    );
    const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
    const bytes = paths.map(request).join('');
    // Cut where headers end, too.
    const cut = bytes.indexOf('\r\n\r\n') + 2;
    const { socket, text } = await open(server, bytes.slice(0, cut));
    await fetchLater(server);
    socket.write(bytes.slice(cut));
    await fetchLater(server);
    expect(started).toEqual(['/0']);
    release.open();
    await expect.poll(() => pathsOf(text()).length).toBe(200);
    expect(pathsOf(text())).toEqual(paths);
  });

  it('gets the response to a request that arrives with the long body of another', async () => {
    const server = await serve(async (request) => {
      if (request.path === '/long') {
        // Until node:http has stopped reading.
        await fetchLater(server);
        await request.body(BODY_LIMIT);
      }
      return mirror(request);
    });
    const { socket, text } = await open(server, post('/long', 60_000));
    socket.write(get('/next') + post('/last', 3));
    await expect.poll(() => pathsOf(text())).toEqual(['/long', '/next', '/last']);
  });

  it('is read no further while its first request is in progress, and others are served', async () => {
    let started = 0;
    const release = createGate();
    const server = await serve(
      beside(async () => {
        started += 1;
        await release.opened;
        return ok();
      }),
    );
    // More than the operating system keeps for a connection.
    const { socket } = await open(server, get().repeat(1_000_000));
    for (let times = 0; times < 3; times += 1) {
      await fetchLater(server);
    }
    expect(started).toBe(1);
    expect(socket.writableLength).toBeGreaterThan(0);
    socket.destroy();
    release.open();
    await fetchLater(server);
    // None of its other requests, except one that started before the end of the connection was known.
    expect(started).toBeLessThanOrEqual(2);
  });

  it('has its next request started when it has read the response before', async () => {
    const body = Buffer.alloc(20_000_000);
    const started: string[] = [];
    const server = await serve(
      beside(async ({ path }) => {
        started.push(path);
        return { ...ok(), body, isShared: true };
      }),
    );
    const { socket } = await open(server);
    socket.pause();
    socket.write(get('/1') + get('/2'));
    await fetchLater(server);
    expect(started).toEqual(['/1']);
    socket.resume();
    await expect.poll(() => started).toEqual(['/1', '/2']);
  });
});

describe('bytes that wait for clients', () => {
  const BYTES = 10_000_000;
  const body = Buffer.alloc(BYTES);
  /** Serves the path's number of bytes. */
  const serveBytes = (isShared: boolean) =>
    serve(async ({ path }) => ({ ...ok(), body: body.subarray(0, Number(path.slice(1))), isShared }), {
      mostWaitingBytes: BYTES,
    });
  /** Sends one request that is answered with so many bytes, and reads nothing. */
  const ask = async (server: NodeServer, bytes: number): Promise<Connection> => {
    const connection = await open(server);
    connection.socket.pause();
    connection.socket.write(get(`/${bytes}`));
    return connection;
  };

  it('are limited over all connections: the one that has most of them is closed', async () => {
    const server = await serveBytes(false);
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
  ])('of unfinished bodies cut off no response of another client, %s', async (_how, trustedProxies, as) => {
    const handle: GatewayHandler = async (request) => {
      const bytes = Number(request.path.slice(1));
      await (bytes === 0 && readBody(request, BYTES).catch(() => {}));
      return { ...ok(), body: Buffer.alloc(bytes) };
    };
    const server = await serve(handle, { mostWaitingBytes: BYTES, trustedProxies });
    const begin = async (from: string, line: string) => {
      const [address, header] = as(from);
      const connection = await open(server, '', address);
      connection.socket.pause();
      connection.socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${header}`);
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
  });

  it('are counted as they are sent: a character may take several', async () => {
    const server = await serve(async () => ({ ...ok(), body: '€'.repeat(BYTES / 2) }), {
      mostWaitingBytes: BYTES,
    });
    const { socket } = await ask(server, 0);
    await expect.poll(() => socket.destroyed || server.connections === 0).toBe(true);
  });

  it('do not include those that responses share', async () => {
    const server = await serveBytes(true);
    const asking = await Promise.all([ask(server, BYTES), ask(server, BYTES), ask(server, BYTES)]);
    await fetchLater(server);
    for (const { socket, text } of asking) {
      socket.resume();
      await expect.poll(() => bodyOf(text()).length).toBe(BYTES);
    }
  });

  it('include bodies that have not arrived completely, also those that arrive slowly', async () => {
    const server = await serve(
      beside(async (request) => {
        await readBody(request, BYTES).catch(() => {});
        return ok();
      }),
      { mostWaitingBytes: 100_000 },
    );
    const { socket } = await open(server, post('/', 500_000, ''));
    for (let sent = 0; sent < 480_000 && socket.writable; sent += 20_000) {
      socket.write('x'.repeat(20_000));
      await fetchLater(server);
    }
    expect(socket.writable).toBe(false);
  });
});

describe('a stream', () => {
  const TIMEOUT_MS = 300;

  /** Serves a stream for each request; `errors` are those that the server reports. */
  async function serveStream(
    create: () => Readable,
    more: { streamTimeoutMs?: number; wholeStreamMs?: number } = {},
  ) {
    const errors: unknown[] = [];
    const streams: Readable[] = [];
    const handle: GatewayHandler = async () => {
      const stream = create();
      streams.push(stream);
      return { ...ok(), stream };
    };
    const onError = (error: unknown) => errors.push(error);
    const { url } = await serve(handle, { onError, streamTimeoutMs: TIMEOUT_MS, ...more });
    return { url, errors, streams };
  }

  const endless = (): Readable =>
    new Readable({
      read() {
        this.push(Buffer.alloc(65_536, 'a'));
      },
    });

  it('sends a stream as the client reads it, and then the next response', async () => {
    const { url, errors } = await serveStream(() => Readable.from(['one ', 'two']));
    for (let request = 1; request <= 2; request += 1) {
      const response = await fetch(url);
      expect([response.headers.get('content-length'), await response.text()]).toEqual([null, 'one two']);
    }
    expect(errors).toEqual([]);
  });

  it.each([
    ['nothing', 0],
    ['less than 64 kB a second', 1_000],
  ])('disconnects a client that reads %s, which is no error', async (_how, bytes) => {
    const { url, errors, streams } = await serveStream(endless);
    const { socket } = await open({ url });
    socket.pause();
    socket.write(get());
    // So that the connection is never silent.
    const reading = setInterval(() => bytes > 0 && socket.read(bytes), TIMEOUT_MS / 10);
    await expect.poll(() => streams[0]?.destroyed).toBe(true);
    expect(errors).toEqual([]);
    clearInterval(reading);
    socket.destroy();
  });

  it('disconnects a client that does not read all in time, however fast it reads', async () => {
    const { url, errors, streams } = await serveStream(endless, { wholeStreamMs: TIMEOUT_MS });
    const response = await fetch(url);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect([streams[0]?.destroyed, errors]).toEqual([true, []]);
  });

  it('lets a client wait for a server that is slow', async () => {
    // The checks of its speed run when the test lets their time pass.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const parts = [createGate(), createGate(), createGate()];
    async function* slowly() {
      for (const part of parts) {
        await part.opened;
        yield 'a';
      }
    }
    const { url, errors } = await serveStream(() => Readable.from(slowly()), { streamTimeoutMs: 60_000 });
    const reading = fetch(url).then(({ body }) => (body as ReadableStream<Uint8Array>).getReader());
    const read = async () => (await (await reading).read()).value;
    for (const part of parts) {
      part.open();
      expect(await read()).toEqual(new Uint8Array(Buffer.from('a')));
      vi.advanceTimersByTime(180_000);
    }
    expect(await read()).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('ends a stream whose client leaves, which is no error', async () => {
    const { url, errors, streams } = await serveStream(endless);
    const leaving = new AbortController();
    const response = await fetch(url, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await expect.poll(() => streams[0]?.destroyed).toBe(true);
    expect(errors).toEqual([]);
  });

  it('reports the error of a stream, whose response lacks its end', async () => {
    const error = new Error('no more');
    async function* failing() {
      yield 'one';
      throw error;
    }
    const { url, errors } = await serveStream(() => Readable.from(failing()));
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(errors).toEqual([error]);
  });
});

it('a client that does not read its response is disconnected', async () => {
  const begun = createGate();
  const handle: GatewayHandler = async () => {
    begun.open();
    return { ...ok(), body: Buffer.alloc(20_000_000) };
  };
  const server = await serve(handle, { stallTimeoutMs: 200 });
  const { socket, closed } = await open(server);
  socket.pause();
  socket.write(get());
  await begun.opened;
  // The client hears of it only when it reads on.
  await expect.poll(() => server.connections).toBe(0);
  socket.resume();
  await closed;
});

it('a handler that throws costs its own connection only, and is reported', async () => {
  const errors: unknown[] = [];
  const handle = beside(() => Promise.reject(new Error('boom')));
  const server = await serve(handle, { onError: (error) => errors.push(error) });
  await expect(fetch(server.url)).rejects.toThrow();
  expect(errors).toEqual([new Error('boom')]);
  await fetchLater(server);
});

it('closing tells the client of a request in progress that no other one will be answered', async () => {
  const [begun, release] = [createGate(), createGate()];
  const server = await listen(async () => {
    begun.open();
    await release.opened;
    return ok();
  }, LOCAL_SERVER);
  const { text, closed } = await open(server, get());
  await begun.opened;
  const closing = server.close();
  release.open();
  await Promise.all([closing, closed]);
  expect(text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/);
});

it('closing does not wait for connections that are idle, silent or only begin a request', async () => {
  const server = await listen(mirror, LOCAL_SERVER);
  const idle = await open(server, get('/a'));
  await expect.poll(idle.text).toContain('"path":"/a"');
  const [silent, beginning] = [await open(server), await open(server, 'GET / HT')];
  await fetchLater(server);
  await server.close();
  await Promise.all([idle.closed, silent.closed, beginning.closed]);
  // After half a minute, they would get a 408.
  expect([silent.text(), beginning.text()]).toEqual(['', '']);
}, 60_000);

it('a port that cannot be used is reported with a fix', async () => {
  const port = Number(new URL((await serve(mirror)).url).port);
  for (const [options, line] of [
    [{ port }, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use: .+PORT`)],
    [{ host: '192.0.2.1' }, /^HOST 192\.0\.2\.1 is no address of this machine: /],
    [{ host: 'nowhere.invalid' }, /HOST|nowhere\.invalid/],
  ] as const) {
    const failure = await listen(mirror, { ...LOCAL_SERVER, ...options }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as OperatorError).lines).toEqual([expect.stringMatching(line)]);
  }
});

const gateway = await openTestGateway({ records: [record('one'), record('two')], limits: 1_000 });
const { key } = await gateway.key();
const server = await serve(gateway.handle);

describe('a gateway over HTTP', () => {
  const JSON_TYPE = 'Content-Type: application/json';
  const authorized = (line: string, ...headers: string[]): string =>
    message(line, `Authorization: Bearer ${key}`, ...headers);
  const posted = (...headers: string[]): string => authorized('POST /graphql', JSON_TYPE, ...headers);

  it('charges a client that disconnects for the request it sent', async () => {
    let begun = createGate();
    const server = await serve((request) => {
      begun.open();
      return gateway.handle(request);
    });
    const own = await gateway.key();
    for (const bytes of [
      // Before its body, and without waiting for the answer.
      `${posted('Content-Length: 1000')}{"query":`,
      authorized('GET /api/v1/startups'),
    ]) {
      // Until the server has the head, there is no request.
      begun = createGate();
      const { socket } = await open(server, bytes.replace(key, own.key));
      await begun.opened;
      socket.destroy();
    }
    const answered = () =>
      gateway.logs.filter((text) => text.includes('"answered"') && text.includes(own.id));
    await expect.poll(answered).toHaveLength(2);
    const { headers } = await gateway.call('/api/v1/startups', { key: own.key });
    expect(headers['x-ratelimit-remaining']).toBe('997');
  });

  it.each([
    ['states its length', posted(`Content-Length: ${BODY_LIMIT + 1}`)],
    ['has chunks', `${posted('Transfer-Encoding: chunked')}${chunk(BODY_LIMIT + 1)}0\r\n\r\n`],
  ])('refuses a body above its limit that %s with 413, in the form of any answer', async (_, bytes) => {
    const { text } = await open(server, bytes);
    await expect.poll(text).toMatch(/^HTTP\/1\.1 413 [\s\S]+"code":"PAYLOAD_TOO_LARGE"/);
    expect(text()).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
    expect(text()).toMatch(/\r\nAccess-Control-Allow-Origin: \*\r\n/);
  });

  it.each([
    ['no key', 401, message('POST /graphql', JSON_TYPE, 'Content-Length: 10', 'Expect: 100-continue')],
    ['too long a body', 413, posted(`Content-Length: ${BODY_LIMIT + 1}`, 'Expect: 100-continue')],
  ])('refuses one with %s by %i, without asking for the body', async (_name, status, bytes) => {
    const text = await exchange(server, bytes);
    // What follows on this connection could be taken for the body, so it is closed.
    expect(statusOf(text)).toBe(status);
    expect(text).not.toContain('100 Continue');
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });

  it.each<[string, number, RegExp]>([
    ['//api/v1/startups', 404, /"code":"NOT_FOUND"/],
    ['/api/v1/../v1/startups', 404, /"code":"NOT_FOUND"/],
    ['/API/v1/startups', 404, /"code":"NOT_FOUND"/],
    ['/%61pi/v1/startups', 404, /"code":"NOT_FOUND"/],
    ['*', 404, /"code":"NOT_FOUND"/],
    ['http://x/api/v1/startups?limit=1', 200, /"limit":1,/],
    ['HTTPS://x:443/api/v1/startups?limit=1', 200, /"limit":1,/],
  ])('answers the target %s with %i', async (target, status, body) => {
    const text = await exchange(server, authorized(`GET ${target}`, CLOSE));
    expect([statusOf(text), bodyOf(text)]).toEqual([status, expect.stringMatching(body)]);
  });

  it.each(['POST /graphql', 'GET /api/v1/startups'])('refuses an expectation of %s', async (line) => {
    const text = await exchange(server, authorized(line, 'Expect: x', CLOSE));
    expect(statusOf(text)).toBe(417);
    expect(text).toMatch(/"message":"Expect: got \\"x\\", allowed: 100-continue"/);
    expect(text).toContain('"code":"EXPECTATION_FAILED"');
    expect(text).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
  });

  it('rejects a body that does not arrive, with an error in the usual form', async () => {
    const slow = await serve(gateway.handle, { bodyTimeoutMs: 100 });
    const text = await exchange(slow, `${posted('Content-Length: 100')}{"query":`);
    expect(statusOf(text)).toBe(408);
    expect(text).toContain('"code":"REQUEST_TIMEOUT"');
    expect(text).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });
});
