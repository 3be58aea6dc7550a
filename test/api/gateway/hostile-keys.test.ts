import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { generateToken, hashTokenHex } from '../../../src/access/keys/token.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';
import { holdLookUps } from './held-look-ups.ts';

const LIST = '/api/v1/startups';

const database = await openTestDatabase();
const lookUps = holdLookUps(database);
const gateway = await openTestGateway({
  database: lookUps.database,
  // No poll makes it look keys up again meanwhile.
  clock: createTestClock(),
  records: [record('one')],
  limits: 100_000,
});
const url = await gateway.listen();

const lookups = (): number => gateway.queries.filter((sql) => sql.includes('FROM "api_keys"')).length;
/** How many keys the gateway remembers, known and unknown. */
async function remembered(): Promise<number> {
  const { text } = await gateway.call('/metrics', { address: '127.0.0.1' });
  return Number(/^revgate_keys_remembered (\d+)$/m.exec(text)?.[1]);
}

describe('a flood of well-formed unknown keys', () => {
  const unknown = (): Promise<Answer> => gateway.call(LIST, { key: generateToken(randomBytes) });

  it('delays no client with a known key, however slow the database is', async () => {
    const { key } = await gateway.key();
    await gateway.call(LIST, { key });
    const before = await remembered();
    const { release } = lookUps.hold();
    onTestFinished(release);
    let answered = 0;
    const flood = Array.from({ length: 500 }, async () => {
      const { status } = await unknown();
      answered += 1;
      return status;
    });
    for (let i = 0; i < 20; i += 1) {
      expect((await gateway.call(LIST, { key })).status).toBe(200);
    }
    expect(answered).toBe(0);
    release();
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
    expect(await remembered()).toBe(before + 500);
  });

  it('looks a key that is not remembered yet up before those that came after it', async () => {
    const { key } = await gateway.key();
    const before = lookUps.hashes.length;
    const flood = Array.from({ length: 500 }, unknown);
    const asked = gateway.call(LIST, { key });
    // More than one query asks for.
    flood.push(...Array.from({ length: 600 }, unknown));
    expect((await asked).status).toBe(200);
    await Promise.all(flood);
    expect(lookUps.hashes.slice(before).indexOf(hashTokenHex(key))).toBe(500);
  });

  it('neither looks up nor caches keys with a wrong checksum', async () => {
    const before = [lookups(), await remembered()];
    for (let i = 0; i < 200; i += 1) {
      const token = generateToken(randomBytes);
      const key = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
      expect((await gateway.call(LIST, { key })).status).toBe(401);
    }
    expect([lookups(), await remembered()]).toEqual(before);
  });
});

/** Sends bytes as they are; the status of the answer, or undefined where there is none. */
async function send(bytes: string | Buffer): Promise<number | undefined> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.end(bytes);
  await once(socket, 'close');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  return status === undefined ? undefined : Number(status);
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
  it.each(cases)('that is %s is answered, and its connection closed', async (_what, bytes, expected) => {
    expect(expected).toContain(await send(bytes));
  });
});
