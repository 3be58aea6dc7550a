import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  deleteAccount,
  demoteAccount,
  disableAccount,
  promoteAccount,
} from '../../../src/access/accounts/change.ts';
import { createOperatorToken, revokeOperatorToken } from '../../../src/access/accounts/operator-tokens.ts';
import { runAction } from '../../../src/access/audit/audit-log.ts';
import { saveMapping } from '../../../src/startups/import/columns/stored-mappings.ts';
import { importStartups } from '../../../src/startups/import/import.ts';
import { listImports } from '../../../src/startups/import/import-log.ts';
import { testDirectory } from '../../main/commands/process.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { onPostgres } from '../../support/only.ts';
import { record } from '../../support/records.ts';

const stagingDirectory = testDirectory();
const importBounds = {
  mostBytes: 100_000,
  mostUnpacked: 1_000_000,
  silenceMs: 60_000,
  wholeMs: 120_000,
  mostUploads: 3,
};
let now = Date.now();
const gateway = await openTestGateway({ app: { importBounds, stagingDirectory }, now: () => now });
const { prisma } = gateway.database;
const { acting } = gateway;
const url = `${await gateway.listen()}/import`;
/** The same where bodies have little time. */
const hasty = await openTestGateway({
  app: { importBounds: { ...importBounds, silenceMs: 1_000, wholeMs: 3_000 }, stagingDirectory },
  database: gateway.database,
  now: () => now,
});
const hastyUrl = `${await hasty.listen()}/import`;

async function operator(email: string) {
  const { id } = await prisma.account.create({
    data: { id: `acc_${email.split('@')[0]?.padEnd(12, '0')}`, email, emailVerified: true },
  });
  await promoteAccount(acting, id);
  return {
    ...(await createOperatorToken({ ...acting, operators: [] }, { name: 'nightly', account: id })),
    account: id,
  };
}

const body = (...records: object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');

interface Sent {
  token?: string;
  query?: string;
  headers?: Record<string, string>;
  content?: string | Buffer;
  method?: string;
  to?: string;
}

/** A request of another minute than the last one. */
async function send({ token, query = '', headers = {}, content = '', method = 'POST', to = url }: Sent) {
  now += 61_000;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${to}${query}`, {
    method,
    headers: { ...authorization, ...headers },
    ...(method === 'POST' ? { body: content as string } : {}),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted, not typed.
  const json: any = text.startsWith('{') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json, code: json?.error?.code };
}

const slugs = async (): Promise<string[]> =>
  (await prisma.startup.findMany({ orderBy: { slug: 'asc' } })).map(({ slug }) => slug);

describe('POST /import', { shuffle: false }, async () => {
  let { token, account, id } = { token: '', account: '', id: '' };

  it('does not exist without a token', async () => {
    expect(await send({ content: body(record('a')) })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('imports NDJSON, JSON and CSV, plain and gzip, and says what the command says', async () => {
    ({ token, account, id } = await operator('ada@example.com'));
    const created = await send({ token, content: body(record('a'), record('b')) });
    expect(created.status).toBe(200);
    expect(created.json).toMatchObject({ dryRun: false, records: 2, created: 2, error: null, errors: [] });
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.headers.get('access-control-allow-origin')).toBeNull();
    const header = 'slug,name,paymentProvider,revenue.last30Days,revenue.mrr,revenue.total,customers';
    const csv = `${header},activeSubscriptions,onSale\nc,C,stripe,1,2,3,4,5,true\n`;
    const types: [string, string | Buffer, Record<string, string>][] = [
      ['text/csv', gzipSync(csv), { 'content-encoding': 'gzip' }],
      ['application/json', JSON.stringify([record('a')]), {}],
      ['application/x-ndjson', body(record('a')), {}],
      ['application/x-www-form-urlencoded', gzipSync(body(record('a'))), {}],
    ];
    for (const [type, content, headers] of types) {
      const sent = await send({ token, content, headers: { 'content-type': type, ...headers } });
      expect(sent, type).toMatchObject({ status: 200, json: { records: 1 } });
    }
    expect(await slugs()).toEqual(['a', 'b', 'c']);
    const [last] = await listImports(prisma, 1);
    expect(last).toMatchObject({ importedBy: account, via: 'http', sources: ['body'] });
  });

  it('has the options of the command', async () => {
    const dry = await send({ token, query: '?dryRun=true&name=x.ndjson', content: body(record('d')) });
    expect(dry.json).toMatchObject({ dryRun: true, created: 1 });
    const refused = await send({ token, query: '?replace=true', content: body(record('a')) });
    expect(refused).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' });
    expect(refused.json.error.message).toContain(
      'more than half: nothing was written. Add yes=true to allow',
    );
    const replaced = await send({
      token,
      query: '?replace=true&yes=true',
      content: body(record('a'), record('b')),
    });
    expect(replaced.json).toMatchObject({ removed: 1 });
    const late = await send({ token, query: '?asOf=1999-01-01', content: body(record('a')) });
    expect(late.json.error.message).toContain('asOf: got "1999-01-01"');
    const skipped = await send({
      token,
      query: '?skipInvalid=true',
      content: body(record('a'), { ...record('g'), onSale: 1 }),
    });
    expect(skipped.json).toMatchObject({ rejected: 1, errorCount: 1, unchanged: 1 });
    expect(await slugs()).toEqual(['a', 'b']);
  });

  it('reads a table by a stored mapping, or one that is sent along', async () => {
    const zero = {
      'revenue.last30Days': '0',
      'revenue.total': '0',
      customers: '0',
      activeSubscriptions: '0',
    };
    const mapping = {
      columns: { Company: 'name', MRR: 'revenue.mrr:dollars' },
      defaults: { paymentProvider: 'stripe', onSale: 'false', ...zero },
    };
    const content = 'Company,MRR\nTable One,"$1,250.50"\n';
    await runAction(acting, ({ prisma: transaction }) =>
      saveMapping(transaction, { name: 'crm', mapping, savedBy: account, savedAt: new Date(now) }),
    );
    for (const one of ['crm', JSON.stringify(mapping)]) {
      const sent = await send({ token, query: `?mapping=${encodeURIComponent(one)}&dryRun=true`, content });
      expect(sent, one).toMatchObject({ status: 200, json: { created: 1 } });
    }
    const unknown = await send({ token, query: '?mapping=other', content });
    expect(unknown).toMatchObject({
      status: 400,
      json: { error: { message: 'No mapping has the name "other".' } },
    });
    const two = JSON.stringify({ columns: { A: 'name', B: 'name' } });
    const sent = await send({ token, query: `?mapping=${encodeURIComponent(two)}`, content });
    expect(sent.json.error.message).toContain('are both mapped to name: map each field once');
  });

  it('reports every error and imports nothing', async () => {
    const sent = await send({ token, content: body(record('e'), { ...record('f'), onSale: 'yes' }, {}) });
    expect(sent).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' });
    expect(sent.json.error.message).toMatch(/ in 3 records: nothing was written\..* add skipInvalid=true\.$/);
    expect(sent.json.import).toMatchObject({ records: 3, created: 0, rejected: 2 });
    expect(sent.json.messages.join('\n')).toContain('body: line 2: onSale: got "yes", allowed true or false');
    expect(await slugs()).toEqual(['a', 'b']);
    const invalid = await send({ token, query: '?dryrun=true&replace=1&yes=', content: body(record('a')) });
    expect(invalid.json.error.details.map(({ message }: { message: string }) => message)).toEqual([
      'dryrun: unknown, allowed: dryRun, skipInvalid, replace, yes, asOf, mapping, name; did you mean "dryRun"?',
      'replace: got "1", allowed: true or false',
      'yes: got "", allowed: true or false',
    ]);
  });

  it('is for tokens of operators alone', async () => {
    const { key } = await gateway.key();
    const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    for (const one of [undefined, key, wrong, 'rvg_op_x']) {
      const sent = await send({ ...(one && { token: one }), content: body(record('x')) });
      expect(sent, one).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(sent.headers.get('www-authenticate')).toMatch(/^Bearer /);
    }
    expect(await send({ token, method: 'GET' })).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(gateway.logs.join('')).not.toContain(token.slice(11));
  });

  it('records each use in the audit log', async () => {
    const uses = await prisma.auditEntry.findMany({
      where: { subject: id, action: 'token.use' },
      orderBy: { id: 'asc' },
    });
    expect(uses.length).toBeGreaterThan(8);
    expect(uses[0]).toMatchObject({ actor: account, details: { name: 'body', dryRun: false } });
    const [applied] = await prisma.auditEntry.findMany({
      where: { action: 'startups.import', actor: account },
      orderBy: { id: 'asc' },
      take: 1,
    });
    expect(applied?.details).toMatchObject({ created: 2, token: id });
  });

  it('answers a repeated Idempotency-Key with the first result', async () => {
    const headers = { 'idempotency-key': 'night-1' };
    const content = body(record('once'));
    const first = await send({ token, headers, content });
    expect(first.json).toMatchObject({ created: 1 });
    const again = await send({ token, headers, content });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const [other, changed, dry] = [body(record('other')), '?replace=true', '?dryRun=true'];
    expect(await send({ token, headers, content: other })).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await send({ token, headers, content, query: changed })).toMatchObject({ status: 422 });
    expect(await send({ token, headers, content, query: dry })).toMatchObject({ status: 422 });
    // Nothing was imported, so there is no result to repeat.
    const failed = { 'idempotency-key': 'night-2' };
    expect((await send({ token, headers: failed, content: '{}' })).status).toBe(400);
    expect((await send({ token, headers: failed, content })).json).toMatchObject({ unchanged: 1 });
    await prisma.importResult.updateMany({ data: { createdAt: new Date(now - 86_400_001) } });
    expect((await send({ token, headers, content: other })).json).toMatchObject({ created: 1 });
    expect((await send({ token, headers: { 'idempotency-key': 'ü ü' }, content })).status).toBe(400);
  });

  it('refuses what is too large, in whatever way it is sent', async () => {
    const many = body(...Array.from({ length: 400 }, (_, index) => record(`large-${index}`)));
    expect(await send({ token, content: many })).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const unpacked = body(...Array.from({ length: 4_000 }, (_, index) => record(`large-${index}`)));
    const packed = gzipSync(unpacked);
    expect(packed.length).toBeLessThan(importBounds.mostBytes);
    const sent = await send({ token, content: packed });
    expect(sent).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(sent.json.error.message).toContain(
      '1,000,000 bytes after unpacking: split it. Nothing was written.',
    );
    const bomb = await send({ token, content: gzipSync(Buffer.alloc(50_000_000, ' ')) });
    expect(bomb.status).toBe(413);
    expect(
      (await send({ token, content: '', headers: { 'content-type': 'multipart/form-data' } })).status,
    ).toBe(415);
    expect((await send({ token, content: '', headers: { 'content-encoding': 'br' } })).status).toBe(415);
    expect(await slugs()).not.toContain('large-1');
  });

  it('runs one import at a time', async () => {
    const both = await Promise.all([
      send({ token, content: body(record('left')) }),
      send({ token, content: body(record('right')) }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.code).toBe('IMPORT_RUNNING');
    expect(refused?.headers.get('retry-after')).toBe('30');
  });

  onPostgres.it('does not wait for the import of a command, or of another node', async () => {
    const client = await gateway.database.connect();
    const staging = new PassThrough();
    const running = importStartups({
      client,
      kind: 'server',
      inputs: [{ name: 'slow.ndjson', open: () => staging }],
    });
    staging.write(body(record('slow')));
    await expect
      .poll(async () => (await send({ token, content: body(record('a')) })).code)
      .toBe('IMPORT_RUNNING');
    staging.end();
    await running;
    await client.end();
    expect((await send({ token, content: body(record('a')) })).status).toBe(200);
  });

  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

  /** A request whose body does not end. */
  async function begin(
    start = '{"slug"',
    length = 'Content-Length: 1000',
    { by = token, query = '', to = url } = {},
  ) {
    now += 61_000;
    const socket = connect(Number(new URL(to).port), '127.0.0.1');
    await once(socket, 'connect');
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    socket.write(
      `POST /import${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${by}\r\n${length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    // It says so when it receives the body.
    await expect.poll(() => received).toContain('100 Continue');
    socket.write(start);
    return { socket, received: () => received };
  }

  it('keeps no import waiting for a slow body, and gives that up', async () => {
    const slow = await begin('{"slug"', undefined, { to: hastyUrl });
    expect((await send({ token, content: body(record('fast')), to: hastyUrl })).status).toBe(200);
    await expect.poll(slow.received).toMatch(/HTTP\/1\.1 408 .*"The body stopped for 1 seconds"/s);
    slow.socket.destroy();
  });

  it('gives up a body without end, fast or slow, and keeps nothing of it', async () => {
    const piece = `${'x'.repeat(1_000)}\n`;
    for (const [pause, to, expected] of [
      [0, url, /HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s],
      // Never silent for long enough, but not done within the time for all of it.
      [100, hastyUrl, /HTTP\/1\.1 408 /],
    ] as const) {
      const { socket, received } = await begin(chunk('{"slug"'), 'Transfer-Encoding: chunked', { to });
      socket.on('error', () => {});
      while (!received().includes(' 4') && !socket.destroyed) {
        socket.write(chunk(pause === 0 ? piece : ' '));
        await wait(pause);
      }
      await expect.poll(received).toMatch(expected);
      socket.destroy();
    }
    expect(readdirSync(stagingDirectory)).toEqual([]);
    expect((await send({ token, content: body(record('fast')) })).status).toBe(200);
  });

  it('receives a few bodies at a time, and two of one token', async () => {
    const [other, third] = [await operator('carl@example.com'), await operator('dora@example.com')];
    const sendFast = async (by: string) => (await send({ token: by, content: body(record('fast')) })).status;
    const slow = [await begin(), await begin()];
    // A body counts once its token was looked up.
    await expect.poll(() => sendFast(token)).toBe(429);
    slow.push(await begin('{', undefined, { by: other.token }));
    await expect.poll(() => sendFast(third.token)).toBe(429);
    for (const { socket } of slow) {
      socket.destroy();
    }
    await expect.poll(() => sendFast(token)).toBe(200);
  });

  describe('for a right that ends', () => {
    const ends: Record<string, (ending: Awaited<ReturnType<typeof operator>>) => Promise<unknown>> = {
      revoked: ({ id: tokenId }) => revokeOperatorToken(acting, tokenId),
      demoted: ({ account: holder }) => demoteAccount(acting, holder),
      disabled: ({ account: holder }) => disableAccount(acting, holder, 'left'),
      deleted: ({ account: holder }) => deleteAccount(acting, holder),
    };

    it.each(Object.entries(ends))(
      'imports nothing of a body that arrives while it is %s',
      async (how, end) => {
        const ending = await operator(`${how}@example.com`);
        const before = await slugs();
        const whole = body(record(how));
        const { socket, received } = await begin('', `Content-Length: ${whole.length}`, {
          by: ending.token,
          query: '?replace=true&yes=true',
        });
        await end(ending);
        socket.write(whole);
        await expect.poll(received).toMatch(/HTTP\/1\.1 401 .*WWW-Authenticate: Bearer .*UNAUTHENTICATED/s);
        socket.destroy();
        expect(await slugs()).toEqual(before);
        expect(await prisma.auditEntry.count({ where: { subject: ending.id, action: 'token.use' } })).toBe(0);
      },
    );

    onPostgres.it('imports nothing if that happens before it applies, and never waits for it', async () => {
      for (const [how, end] of Object.entries(ends)) {
        const ending = await operator(`late-${how}@example.com`);
        const client = await gateway.database.connect();
        await client.query('BEGIN; LOCK TABLE startups IN SHARE ROW EXCLUSIVE MODE');
        const sent = send({ token: ending.token, content: body(record(`late-${how}`)) });
        await expect
          .poll(() => prisma.auditEntry.count({ where: { subject: ending.id, action: 'token.use' } }))
          .toBe(1);
        await end(ending);
        await client.query('COMMIT');
        await client.end();
        expect(await sent, how).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
        expect(await slugs()).not.toContain(`late-${how}`);
      }
    });
  });

  it('says that the disk on which bodies wait is full', async (context) => {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', stagingDirectory]).status !== 0) {
      context.skip('no file system may be mounted here');
    }
    const umount = () => spawnSync('umount', [stagingDirectory]);
    closeAfterwards(umount);
    const sent = await send({ token, content: body(record('a')).repeat(100) });
    expect(sent).toMatchObject({ status: 507, code: 'INSUFFICIENT_STORAGE' });
    expect(sent.json.error.message).toMatch(
      /^The disk on which uploads wait is full: nothing was imported\. /,
    );
    expect(readdirSync(stagingDirectory)).toEqual([]);
    umount();
  });

  it('changes nothing when the connection breaks, and leaves no file', async () => {
    const before = await listImports(prisma, 1);
    const whole = body(record('broken'));
    const { socket } = await begin(whole, `Content-Length: ${whole.length + 1}`);
    expect(readdirSync(stagingDirectory)).toEqual([]);
    socket.destroy();
    await expect
      .poll(async () => (await send({ token, query: '?dryRun=true', content: whole })).json)
      .toMatchObject({ created: 1 });
    expect(await listImports(prisma, 1)).toEqual(before);
  });

  it('limits requests', async () => {
    const at = now;
    const statuses: number[] = [];
    for (let index = 0; index < 31; index += 1) {
      const sent = await send({ token, query: '?x=1' });
      statuses.push(sent.status);
      now = at;
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
