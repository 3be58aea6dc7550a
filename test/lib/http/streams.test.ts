import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { listen } from '../../../src/lib/http/node-server.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { LOCAL_SERVER } from '../../support/gateway.ts';

const TIMEOUT_MS = 300;

/** Serves a stream for each request; `errors` are those that the server reports. */
async function serve(open: () => Readable, more: { wholeStreamMs?: number } = {}) {
  const errors: unknown[] = [];
  const streams: Readable[] = [];
  const server = await listen(
    async () => {
      const stream = open();
      streams.push(stream);
      return { status: 200, headers: [], body: '', stream };
    },
    { ...LOCAL_SERVER, onError: (error) => errors.push(error), streamTimeoutMs: TIMEOUT_MS, ...more },
  );
  closeAfterwards(() => server.close());
  return { url: server.url, errors, streams };
}

const endless = (): Readable =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536, 'a'));
    },
  });

it('sends a stream as the client reads it, and then the next response', async () => {
  const { url, errors } = await serve(() => Readable.from(['one ', 'two']));
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
  const { url, errors, streams } = await serve(endless);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  // So that the connection is never silent.
  const reading = setInterval(() => bytes > 0 && socket.read(bytes), TIMEOUT_MS / 10);
  await expect.poll(() => streams[0]?.destroyed).toBe(true);
  expect(errors).toEqual([]);
  clearInterval(reading);
  socket.destroy();
});

it('disconnects a client that does not read all in time, however fast it reads', async () => {
  const { url, errors, streams } = await serve(endless, { wholeStreamMs: TIMEOUT_MS });
  const response = await fetch(url);
  await expect(response.arrayBuffer()).rejects.toThrow();
  expect([streams[0]?.destroyed, errors]).toEqual([true, []]);
});

it('lets a client wait for a server that is slow', async () => {
  async function* slowly() {
    for (let part = 0; part < 6; part += 1) {
      await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 2));
      yield 'a';
    }
  }
  const { url } = await serve(() => Readable.from(slowly()));
  expect(await (await fetch(url)).text()).toBe('aaaaaa');
});

it('ends a stream whose client leaves, which is no error', async () => {
  const { url, errors, streams } = await serve(endless);
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
  const { url, errors } = await serve(() => Readable.from(failing()));
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  expect(errors).toEqual([error]);
});
