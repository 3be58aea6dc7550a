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
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { importStartups } from '../../../src/startups/import/import.ts';
import { listImports } from '../../../src/startups/import/import-log.ts';
import { saveMapping } from '../../../src/startups/import/stored-mappings.ts';
import { testDirectory } from '../../main/commands/process.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { emptyDatabase, fillDatabase } from '../../support/full-database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { onPostgres } from '../../support/only.ts';
import { record } from '../../support/records.ts';

const stagingDirectory = testDirectory();
const importBounds = {
  mostBytes: 100_000,
  mostUnpacked: 1_000_000,
  mostUploads: 3,
  silenceMs: 60_000,
  wholeMs: 120_000,
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

async function operator(email: string, { acting, database: { prisma } } = gateway) {
  const account = `acc_${email.split('@')[0]?.padEnd(12, '0')}`;
  await prisma.account.create({ data: { id: account, email, emailVerified: true } });
  await promoteAccount(acting, account);
  const made = await createOperatorToken({ ...acting, operators: [] }, { name: 'nightly', account });
  return { ...made, account };
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
    for (const [type, content, encoding] of [
      ['text/csv', gzipSync(csv), 'gzip'],
      ['application/json', JSON.stringify([record('a')]), 'identity'],
      ['application/x-ndjson', body(record('a')), 'identity'],
      ['application/x-www-form-urlencoded', gzipSync(body(record('a'))), 'identity'],
    ] as const) {
      const headers = { 'content-type': type, 'content-encoding': encoding };
      const sent = await send({ token, content, headers });
      expect(sent, type).toMatchObject({ status: 200, json: { records: 1 } });
    }
    expect(await slugs()).toEqual(['a', 'b', 'c']);
    const [last] = await listImports(prisma, 1);
    expect(last).toMatchObject({ importedBy: account, via: 'http', sources: ['body'] });
  });

  it('updates startups in part, and removes none with it', async () => {
    const sent = { token, content: 'slug,revenue.mrr\nc,77\n', headers: { 'content-type': 'text/csv' } };
    const sets = [{ field: 'revenue.mrr', values: 1, cleared: 0 }];
    expect(await send({ ...sent, query: '?update=true' })).toMatchObject({
      status: 200,
      json: { updated: 1, sets },
    });
    const { revenueMrr, customers } = await prisma.startup.findUniqueOrThrow({ where: { slug: 'c' } });
    expect([revenueMrr, customers]).toEqual([77n, 4]);
    const { status, json } = await send({ ...sent, query: '?update=true&replace=true' });
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringMatching(/^update=true cannot be combined with replace=true/),
    ]);
  });

  it('names the parameter that answers a question', async () => {
    const back = (name: string) => body(record('back', { name, website: `https://${name}.example` }));
    await send({ token, content: back('one') });
    await prisma.startup.delete({ where: { slug: 'back' } });
    const asked = await send({ token, content: back('two') });
    expect(asked).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' });
    expect(asked.json.error.message).toContain(
      'Add returns=back=same, with which it continues, or returns=back=new.',
    );
    expect((await send({ token, query: '?returns=back=new', content: back('two') })).status).toBe(200);
    await prisma.startup.delete({ where: { slug: 'back' } });
  });

  it('has the options of the command', async () => {
    const content = body(record('a'));
    const dry = await send({ token, query: '?dryRun=true&name=x.ndjson', content: body(record('d')) });
    expect(dry.json).toMatchObject({ dryRun: true, created: 1 });
    for (const [query, message] of [
      ['?replace=true', 'more than half: nothing was written. Add yes=true to allow'],
      ['?asOf=1999-01-01', 'asOf: got "1999-01-01"'],
    ] as const) {
      const { status, code, json } = await send({ token, query, content });
      expect([status, code]).toEqual([400, 'BAD_USER_INPUT']);
      expect(json.error.message).toContain(message);
    }
    const both = body(record('a'), record('b'));
    const replaced = await send({ token, query: '?replace=true&yes=true', content: both });
    expect(replaced.json).toMatchObject({ removed: 1 });
    const mixed = body(record('a'), { ...record('g'), onSale: 1 });
    const skipped = await send({ token, query: '?skipInvalid=true', content: mixed });
    expect(skipped.json).toMatchObject({ rejected: 1, errorCount: 1, unchanged: 1 });
    expect(await slugs()).toEqual(['a', 'b']);
  });

  it('reads a table by a stored mapping, or one that is sent along', async () => {
    const zeros = ['revenue.last30Days', 'revenue.total', 'customers', 'activeSubscriptions'];
    const mapping = {
      columns: { Company: 'name', MRR: 'revenue.mrr:dollars' },
      defaults: {
        paymentProvider: 'stripe',
        onSale: 'false',
        ...Object.fromEntries(zeros.map((field) => [field, '0'])),
      },
    };
    const content = 'Company,MRR\nTable One,"$1,250.50"\n';
    await runAction(acting, ({ prisma: transaction }) =>
      saveMapping(transaction, standardFields, {
        name: 'crm',
        mapping,
        savedBy: account,
        savedAt: new Date(now),
      }),
    );
    const sendBy = (one: string | object, more = '') => {
      const text = encodeURIComponent(typeof one === 'string' ? one : JSON.stringify(one));
      return send({ token, query: `?mapping=${text}${more}`, content });
    };
    for (const one of ['crm', mapping]) {
      expect(await sendBy(one, '&dryRun=true')).toMatchObject({ status: 200, json: { created: 1 } });
    }
    const unknown = await sendBy('other');
    expect([unknown.status, unknown.json.error.message]).toEqual([400, 'No mapping has the name "other".']);
    const twice = await sendBy({ columns: { A: 'name', B: 'name' } });
    expect(twice.json.error.message).toContain('are both mapped to name: map each field once');
  });

  it('fills declared fields, and declares those of its mapping', async () => {
    const sendOwn = (own: object, mapping: object, more = '') =>
      send({
        token,
        query: `?update=true&mapping=${encodeURIComponent(JSON.stringify(mapping))}${more}`,
        content: body({ slug: 'a', own }),
      });
    const undeclared = await sendOwn({ offices: 3 }, {});
    expect(undeclared.json.messages[0]).toBe(
      'body: line 1: own.offices: got 3, allowed only known fields; declare it first: npx revgate fields add offices KIND, or "fields" in the mapping',
    );
    const mapping = { fields: { offices: { kind: 'count', sortable: true }, stage: { kind: 'choice' } } };
    expect((await sendOwn({ offices: 3 }, mapping, '&dryRun=true')).json).toMatchObject({ updated: 1 });
    expect(await prisma.ownField.count()).toBe(0);
    const declared = await sendOwn({ offices: 3, stage: 'Seed' }, mapping);
    expect(declared.json.notes).toContain('own.offices: declared with this import, as count ("Offices").');
    expect(declared.json.sets).toEqual([
      { field: 'own.offices', values: 1, cleared: 0 },
      { field: 'own.stage', values: 1, cleared: 0 },
    ]);
    expect((await sendOwn({ offices: 4 }, { columns: { x: 'own.office' } })).json.error.message).toContain(
      'which is no field; did you mean "own.offices"?',
    );
    const other = await sendOwn({ offices: 4 }, { fields: { offices: { kind: 'text' } } });
    expect([other.status, other.json.error.message]).toEqual([
      400,
      'fields of the mapping: offices is declared as count, but the mapping says "text": correct the mapping.',
    ]);
    expect(await prisma.$queryRaw`SELECT own FROM startups WHERE slug = 'a'`).toEqual([
      { own: { offices: 3, stage: 'Seed' } },
    ]);
    await prisma.$executeRaw`UPDATE startups SET own = NULL`;
    await prisma.ownField.deleteMany();
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
      'dryrun: unknown (did you mean "dryRun"?), allowed: dryRun, skipInvalid, replace, update, yes, maxRemoved, returns, asOf, mapping, name',
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
    const ofToken = { subject: id, action: 'token.use' };
    const uses = await prisma.auditEntry.findMany({ where: ofToken, orderBy: { id: 'asc' } });
    expect(uses.length).toBeGreaterThan(8);
    expect(uses[0]).toMatchObject({ actor: account, details: { name: 'body', dryRun: false } });
    const where = { action: 'startups.import', actor: account };
    const applied = await prisma.auditEntry.findFirst({ where, orderBy: { id: 'asc' } });
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
    const other = body(record('other'));
    for (const different of [{ content: other }, { query: '?replace=true' }, { query: '?dryRun=true' }]) {
      const sent = await send({ token, headers, content, ...different });
      expect(sent).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    // Nothing was imported, so there is no result to repeat.
    const failed = { 'idempotency-key': 'night-2' };
    expect((await send({ token, headers: failed, content: '{}' })).status).toBe(400);
    expect((await send({ token, headers: failed, content })).json).toMatchObject({ unchanged: 1 });
    await prisma.importResult.updateMany({ data: { createdAt: new Date(now - 86_400_001) } });
    expect((await send({ token, headers, content: other })).json).toMatchObject({ created: 1 });
    expect((await send({ token, headers: { 'idempotency-key': 'ü ü' }, content })).status).toBe(400);
  });

  it('refuses what is too large, in whatever way it is sent, and what it does not read', async () => {
    const many = (count: number) => body(...Array.from({ length: count }, (_, i) => record(`large-${i}`)));
    const packed = gzipSync(many(4_000));
    expect(packed.length).toBeLessThan(importBounds.mostBytes);
    for (const content of [many(400), packed, gzipSync(Buffer.alloc(50_000_000, ' '))]) {
      const sent = await send({ token, content });
      expect(sent).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
      const reason =
        content === packed ? '1,000,000 bytes after unpacking: split it. Nothing was written.' : '';
      expect(sent.json.error.message).toContain(reason);
    }
    for (const headers of [{ 'content-type': 'multipart/form-data' }, { 'content-encoding': 'br' }]) {
      expect(await send({ token, headers })).toMatchObject({ status: 415 });
    }
    expect(await slugs()).not.toContain('large-1');
  });

  it('runs one import at a time', async () => {
    const contents = ['left', 'right'].map((slug) => body(record(slug)));
    const both = await Promise.all(contents.map((content) => send({ token, content })));
    const [done, refused] = both.sort((one, other) => one.status - other.status);
    expect(done?.status).toBe(200);
    expect(refused).toMatchObject({ status: 409, code: 'IMPORT_RUNNING' });
    expect(refused?.headers.get('retry-after')).toBe('30');
  });

  onPostgres.it('does not wait for the import of a command, or of another node', async () => {
    const client = await gateway.database.connect();
    const staging = new PassThrough();
    const inputs = [{ name: 'slow.ndjson', open: () => staging }];
    const running = importStartups({ client, kind: 'server', fields: standardFields, inputs });
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
    const waiting = await begin('{"slug"');
    expect((await send({ token, content: body(record('fast')) })).status).toBe(200);
    waiting.socket.destroy();
    const slow = await begin('{"slug"', undefined, { to: hastyUrl });
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

    it.each(Object.entries(ends))('imports nothing of a body meanwhile: %s', async (how, end) => {
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
    });

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
    expect(sent.json.error.message).toMatch(/^The disk on which uploads wait is full: nothing was imported/);
    expect(readdirSync(stagingDirectory)).toEqual([]);
    umount();
  });

  it('says that the disk of the database is full', async () => {
    await fillDatabase(gateway.database);
    const sent = await send({ token, content: body(record('no-room')) });
    await emptyDatabase(gateway.database);
    expect(sent).toMatchObject({ status: 507, code: 'INSUFFICIENT_STORAGE' });
    expect(sent.json.error.message).toMatch(/^The database has no room left: nothing was imported\./);
    expect(await slugs()).not.toContain('no-room');
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
    let last = 0;
    for (let index = 0; index < 31; index += 1) {
      last = (await send({ token, query: '?x=1' })).status;
      now = at;
    }
    expect(last).toBe(429);
  });
});

describe('POST /import/undo', async () => {
  const own = await openTestGateway({ app: { importBounds, stagingDirectory }, now: () => now });
  const { prisma } = own.database;
  const to = `${await own.listen()}/import`;
  const token = (await operator('undo@example.com', own)).token;
  const slugs = async () => (await prisma.startup.findMany()).map(({ slug }) => slug);

  it('undoes the import that it names, after which the same request imports again', async () => {
    const of = { to, token, content: body(record('undone')), headers: { 'idempotency-key': 'night' } };
    expect((await send(of)).json).toMatchObject({ created: 1 });
    const [last] = await listImports(prisma, 1);
    const undo = (query: string) => send({ token, to: `${to}/undo`, query });
    const dry = await undo(`?import=${last?.id}&dryRun=true`);
    expect(dry).toMatchObject({
      status: 200,
      json: { dryRun: true, import: last?.id, removed: { count: 1 } },
    });
    expect(await slugs()).toContain('undone');
    expect(await undo(`?import=${(last?.id ?? 0) + 1}`)).toMatchObject({
      status: 409,
      code: 'UNDO_CONFLICT',
    });
    const done = await undo(`?import=${last?.id}`);
    expect(done).toMatchObject({ status: 200, json: { dryRun: false, import: last?.id } });
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(await slugs()).not.toContain('undone');
    const { actor } = await prisma.auditEntry.findFirstOrThrow({ where: { action: 'startups.undo' } });
    expect(actor).toBe('acc_undo00000000');
    const again = await send(of);
    expect(again.json).toMatchObject({ created: 1 });
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  });

  it('names every invalid parameter', async () => {
    const { status, json } = await send({ token, to: `${to}/undo`, query: '?import=x&dryRun=1&yes=true' });
    expect(status).toBe(400);
    expect(json.error.details.map(({ message }: { message: string }) => message)).toEqual([
      'import: got "x", allowed: the id of an import',
      'dryRun: got "1", allowed: true or false',
      'yes: unknown, allowed: import, dryRun',
    ]);
    expect((await send({ token, to: `${to}/undo` })).json.error.message).toBe(
      'import: got none, allowed: the id of an import',
    );
  });

  it('needs a token', async () => {
    expect(await send({ to: `${to}/undo`, query: '?import=1' })).toMatchObject({ status: 401 });
  });
});
