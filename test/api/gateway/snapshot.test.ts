import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { permitSnapshots, revokeKey } from '../../../src/access/keys/change.ts';
import { getKey } from '../../../src/access/keys/key.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { type ErrorCode, errorStatuses } from '../../../src/lib/errors.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { importStartups } from '../../../src/startups/import/import.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { input } from '../../startups/import/inputs.ts';
import { type Answer, type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { createTestKey } from '../../support/keys.ts';
import { record } from '../../support/records.ts';

const PATH = '/api/v1/snapshot';
const HOUR_MS = 3_600_000;

/** The time of the gateway. */
let at = Date.now();
const records = [
  ...sampleStartups({ count: 300, seed: 5 }),
  record('long', { description: 'é'.repeat(300), active: false, foundedDate: '2024-05-01T00:00:00.000Z' }),
];
const gateway = await openTestGateway({ now: () => at, records, limits: { standard: 10, premium: 10_000 } });
const premium = () => gateway.key({ tier: 'premium', snapshot: true });
const get = (key: string, more: CallOptions = {}) => gateway.call(PATH, { key, ...more });
const left = ({ headers }: Answer): string | undefined => headers['x-ratelimit-remaining'];
const expectError = ({ status, json }: Answer, code: string, message: RegExp): void =>
  expect([status, json.error.code, json.error.message]).toEqual([
    errorStatuses[code as ErrorCode],
    code,
    expect.stringMatching(message),
  ]);

describe('a snapshot', () => {
  it('has the records of all startups in the order of import, from one edition', async () => {
    const { key } = await premium();
    const { status, headers, text } = await gateway.call(PATH, { key });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Accept-Encoding',
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'x-ratelimit-remaining': '9990',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    const startups = lines.map((line) => JSON.parse(line));
    expect(startups.map(({ slug }) => slug)).toEqual(records.map(({ slug }) => slug));
    for (const index of [0, 17, 300]) {
      const { active, ...startup } = startups[index];
      const { json } = await gateway.call(`/api/v1/startups/${startup.slug}`, { key });
      // The rank changes with those of others.
      const { rank: _rank, ...expected } = json.data;
      // Not cut, so that a copy loses nothing.
      expect(startup).toEqual({ ...expected, description: records[index]?.description });
      expect(Object.keys(startup)).toEqual(Object.keys(expected));
      expect(active).toBe(records[index]?.active);
    }
    const [, next] = /^<(\/api\/v1\/changes\?since=[\w-]+)>; rel="next"$/.exec(headers.link ?? '') ?? [];
    const changes = await gateway.call(next ?? '', { key });
    expect(changes.json).toMatchObject({ data: [], meta: { hasMore: false } });
  });

  it('has of each startup what its change has, so that a copy begun with one continues with the other', async () => {
    const { key } = await premium();
    const lines = (await get(key)).text.trimEnd().split('\n');
    const startups: string[] = [];
    for (let since = '', hasMore = true; hasMore; ) {
      const { json } = await gateway.call(`/api/v1/changes?limit=100${since}`, { key });
      startups.push(...json.data.map(({ startup }: { startup: object }) => JSON.stringify(startup)));
      hasMore = json.meta.hasMore;
      since = `&since=${json.meta.next}`;
    }
    expect(startups).toEqual(lines);
  });

  it('can be imported, which changes nothing', async () => {
    const { text } = await get((await premium()).key);
    const client = await gateway.database.connect();
    const { kind } = gateway.database;
    const inputs = [input('a.ndjson', text)];
    const summary = await importStartups({ client, kind, fields: standardFields, inputs, dryRun: true });
    expect(summary).toMatchObject({ records: 301, created: 0, updated: 0, unchanged: 301 });
    await client.end();
  });

  it('is packed for a client that accepts it', async () => {
    const plain = await get((await premium()).key);
    const ask = async (encoding: string, method = 'GET') =>
      gateway.raw(PATH, { ...(await premium()), method, headers: { 'accept-encoding': encoding } });
    const packed = await ask('br;q=1, gzip;q=0.8');
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: plain.headers.etag });
    expect(gunzipSync(await buffer(packed.stream as Readable)).toString()).toBe(plain.text);
    for (const encoding of ['gzip;q=0', 'br', '', 'xgzip', 'gzip;q=0.0, br']) {
      expect((await ask(encoding, 'HEAD')).headers, encoding).not.toHaveProperty('content-encoding');
    }
  });

  it.each([
    ['is revoked', (id: string) => revokeKey(gateway.acting, id)],
    ['may not have it any more', (id: string) => permitSnapshots(gateway.acting, id, false)],
  ])('ends when its key %s', async (_how, end) => {
    const { key, id } = await premium();
    // Its client has not read all of it.
    const { stream } = await gateway.raw(PATH, { key });
    (stream as Readable).read(1);
    await end(id);
    await expect.poll(() => stream?.destroyed).toBe(true);
    expect(stream?.readableEnded).toBe(false);
  });

  it('is written in pieces, one in each turn of the event loop', async () => {
    const { stream } = await gateway.raw(PATH, await premium());
    let turns = 0;
    let isOver = false;
    const countTurns = (): void => {
      turns += 1;
      void (isOver || setImmediate(countTurns));
    };
    setImmediate(countTurns);
    const seen = new Map<number, number>();
    for await (const piece of stream as Readable) {
      seen.set(turns, String(piece).split('\n').length - 1);
    }
    isOver = true;
    const full = Math.floor(records.length / 64);
    expect([...seen.values()]).toEqual([...Array(full).fill(64), records.length % 64]);
  });

  it('is not sent to a client that has it, which costs as much, and no hour', async () => {
    const { key } = await premium();
    const { headers } = await get(key, { method: 'HEAD' });
    const known = await get(key, { headers: { 'if-none-match': `"x", ${headers.etag}` } });
    expect([known.status, known.text, left(known)]).toEqual([304, '', '9980']);
    expect(known.headers.link).toBe(headers.link);
    expect((await get(key)).status).toBe(200);
  });
});

describe('the right to snapshots', () => {
  it('is for keys that an operator allowed', async () => {
    const { id, key } = await gateway.key();
    const refused = await get(key);
    expectError(refused, 'SNAPSHOT_NOT_ALLOWED', /ask the operator/);
    expect(left(refused)).toBe('9');
    const { acting } = gateway;
    expect(await permitSnapshots(acting, id, true)).toMatchObject({ snapshot: true });
    await permitSnapshots(acting, id, true);
    const status = async () => {
      at += 61_000;
      return (await gateway.call(PATH, { key })).status;
    };
    await expect.poll(status).toBe(200);
    await permitSnapshots(acting, id, false);
    await expect.poll(status).toBe(403);
    const where = { subject: id, action: { in: ['key.allow', 'key.forbid'] } };
    const log = await gateway.database.prisma.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
    const details = { permission: 'snapshot' };
    expect(log).toMatchObject([
      { action: 'key.allow', details },
      { action: 'key.forbid', details },
    ]);
  });

  it('is not for embed keys, and a holder cannot take it', async () => {
    const origins = ['https://example.com'];
    await expect(gateway.key({ origins, snapshot: true })).rejects.toThrow(/cannot download a snapshot/);
    const { id } = await gateway.key({ origins });
    await expect(permitSnapshots(gateway.acting, id, true)).rejects.toThrow(/cannot download/);
    const { prisma } = gateway.database;
    const { id: holder } = await createAccount(gateway.acting, { name: 'Ada', email: 'ada@example.com' });
    await prisma.account.update({
      where: { id: holder },
      data: {
        emailVerified: true,
        acceptances: { create: { version: '2026-11-20', acceptedAt: new Date(at) } },
      },
    });
    const own = await createTestKey({ ...gateway.acting, holder }, { snapshot: true });
    expect(await getKey(gateway.acting, own.id)).toMatchObject({ accountId: holder, snapshot: false });
  });

  it('has the errors of REST', async () => {
    const { key } = await premium();
    expectError(await gateway.call(PATH), 'UNAUTHENTICATED', /required/);
    const unknown = await gateway.call(`${PATH}?page=1`, { key });
    expectError(unknown, 'BAD_USER_INPUT', /^page: unknown parameter, allowed: none$/);
    const post = await get(key, { method: 'POST' });
    expectError(post, 'METHOD_NOT_ALLOWED', /not allowed here/);
    expect(post.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await get(key, { method: 'OPTIONS' })).status).toBe(204);
    expect((await gateway.call(`${PATH}/`, { key })).status).toBe(404);
  });
});

describe('the limits of snapshots', () => {
  it('are one an hour for a key and those it was rotated to, and a refusal costs nothing', async () => {
    const { id, key } = await premium();
    const first = await get(key);
    expect([first.status, left(first)]).toEqual([200, '9990']);
    at += 1_000;
    const rotated = await rotateKey(gateway.acting, id, '24h');
    at += 1_000;
    const second = await get(rotated.key);
    expectError(second, 'RATE_LIMITED', /^Rate .+: a key gets one snapshot an hour\. Retry after 20/);
    expect([left(second), second.headers['retry-after']]).toEqual(['9990', '3598']);
    at += HOUR_MS - 2_000;
    expect((await get(key)).status).toBe(200);
  });

  it('admit one of several requests at a time for a key', async () => {
    const { key } = await premium();
    const answers = await Promise.all([1, 2, 3].map(() => get(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  });

  it('are two at a time, until one ends or its client leaves', async () => {
    const [one, two, three] = [await premium(), await premium(), await premium()];
    const first = await gateway.raw(PATH, { key: one.key });
    const second = await gateway.raw(PATH, { key: two.key, headers: { 'accept-encoding': 'gzip' } });
    const refused = await get(three.key);
    expectError(refused, 'RATE_LIMITED', /2 snapshots are being sent/);
    expect([left(refused), refused.headers['retry-after']]).toEqual(['10000', '30']);
    second.stream?.destroy();
    await expect.poll(async () => (await get(three.key)).status).toBe(200);
    await buffer(first.stream as Readable);
    const four = await gateway.raw(PATH, { key: (await premium()).key });
    expect(four.status).toBe(200);
    four.stream?.destroy();
  });

  it('are not used by a request that the rate limit refuses', async () => {
    const { key } = await gateway.key({ snapshot: true });
    await gateway.call('/api/v1/startups', { key });
    const refused = await get(key);
    expectError(refused, 'RATE_LIMITED', /this request costs 10, and 9 of 10 are left/);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    at += 61_000;
    expect((await get(key)).status).toBe(200);
  });
});
