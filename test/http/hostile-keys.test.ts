import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type NodeServer } from '../../src/http/node-server.ts';
import { generateToken } from '../../src/keys/token.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const LIST = '/api/v1/startups';

let gateway: TestGateway;
let server: NodeServer;
beforeAll(async () => {
  gateway = await openTestGateway({
    records: [record('one')],
    limits: { standard: 100_000, premium: 100_000 },
  });
  server = await listen(gateway.handle, { host: '127.0.0.1', port: 0, trustedProxies: 0 });
});
afterAll(async () => {
  await server.close();
  await gateway.close();
});

const lookups = (): number => gateway.queries.filter((sql) => sql.includes('FROM "api_keys"')).length;

describe('a flood of well-formed unknown keys', () => {
  it('makes at most 100 queries a second, and delays nobody whose key is known', async () => {
    const { key } = await gateway.key();
    await gateway.call(LIST, { key });
    const before = lookups();
    const startedAt = performance.now();
    const pending: Promise<{ status: number }>[] = [];
    const waits: number[] = [];
    while (performance.now() - startedAt < 1_000) {
      for (let i = 0; i < 20; i += 1) {
        pending.push(gateway.call(LIST, { key: generateToken(randomBytes) }));
      }
      const askedAt = performance.now();
      // What answering takes the gateway's own thread is not at issue, so nothing is read.
      expect((await gateway.call('/api/v1/unknown', { key })).status).toBe(404);
      waits.push(performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const made = lookups() - before;
    const answers = await Promise.all(pending);
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect(pending.length).toBeGreaterThan(500);
    expect(made).toBeLessThanOrEqual(Math.ceil(seconds * 100) + 1);
    // A known key waits for none of the queries.
    const [median = 0] = waits.sort((a, b) => a - b).slice(Math.floor(waits.length / 2));
    expect(median).toBeLessThan(25);
  });

  it('finds a key that is not remembered yet among them', async () => {
    const { key } = await gateway.key();
    const flood = Array.from({ length: 2_000 }, () =>
      gateway.call(LIST, { key: generateToken(randomBytes) }),
    );
    const askedAt = performance.now();
    expect((await gateway.call(LIST, { key })).status).toBe(200);
    expect(performance.now() - askedAt).toBeLessThan(2_000);
    await Promise.all(flood);
  });

  it('leaves no more behind than the bound of what is remembered', async () => {
    for (let i = 0; i < 25; i += 1) {
      const calls = Array.from({ length: 1_000 }, () =>
        gateway.call(LIST, { key: generateToken(randomBytes) }),
      );
      await Promise.all(calls);
    }
    const { text } = await gateway.call('/metrics', { address: '127.0.0.1' });
    const remembered = Number(/^revgate_keys_remembered (\d+)$/m.exec(text)?.[1]);
    expect(remembered).toBeGreaterThan(1_000);
    expect(remembered).toBeLessThanOrEqual(20_000);
  });

  it('asks nobody about keys whose checksum is wrong', async () => {
    const before = lookups();
    for (let i = 0; i < 200; i += 1) {
      const token = generateToken(randomBytes);
      const key = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
      expect((await gateway.call(LIST, { key })).status).toBe(401);
    }
    expect(lookups()).toBe(before);
  });
});

/** Sends bytes as they are; the status of the answer, or undefined where there is none. */
async function send(bytes: string | Buffer): Promise<{ status: number | undefined; ms: number }> {
  const startedAt = performance.now();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.end(bytes);
  await once(socket, 'close');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  return { status: status === undefined ? undefined : Number(status), ms: performance.now() - startedAt };
}

const request = (authorization: string): Buffer =>
  Buffer.from(
    `GET ${LIST} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`,
    'latin1',
  );

describe('an Authorization header over the wire', () => {
  const token = generateToken(randomBytes);
  const cases: [string, Buffer, (number | undefined)[]][] = [
    ['empty', request(''), [401]],
    ['truncated', request(`Bearer ${token.slice(0, 20)}`), [401]],
    ['of a scheme alone', request('Bearer'), [401]],
    ['with two keys', request(`Bearer ${token}, Bearer ${token}`), [401]],
    ['with bytes above ASCII', request(`Bearer rvg_${'\u00ff'.repeat(38)}`), [401]],
    ['with control characters', request(`Bearer rvg_${'\u0001'.repeat(38)}`), [400]],
    ['with a NUL', request(`Bearer ${token}\u0000`), [400]],
    ['of 15 kB', request(`Bearer ${'x'.repeat(15_000)}`), [401]],
    ['of 100 kB', request(`Bearer ${'x'.repeat(100_000)}`), [431, undefined]],
    ['cut off with the request', request(`Bearer ${token}`).subarray(0, 90), [400, undefined]],
  ];
  it.each(cases)('that is %s gets a prompt answer', async (_what, bytes, expected) => {
    const { status, ms } = await send(bytes);
    expect(expected).toContain(status);
    expect(ms).toBeLessThan(1_000);
  });
});
