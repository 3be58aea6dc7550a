import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { listAudit } from '../../../src/access/audit/audit-log.ts';
import { disableKey, revokeKey } from '../../../src/access/keys/change.ts';
import { hashDocument, listDocuments } from '../../../src/access/keys/documents/list.ts';
import { MAX_DOCUMENTS } from '../../../src/access/keys/documents/publish-and-remove.ts';
import { PUBLISH_BODY_LIMIT, PUBLISH_LIMIT } from '../../../src/api/rest/publish-documents.ts';
import { createTestClock } from '../../support/clock.ts';
import { type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const clock = createTestClock();
const gateway = await openTestGateway({ records: [record('acme')], clock });
const { acting, call } = gateway;
const ORIGINS = ['https://blog.example'];

const account = async () => (await createAccount(acting, { name: 'Dan' })).id;
const embedKey = (accountId?: string) => gateway.key({ origins: ORIGINS, accountId });
/** An account with a secret key and an embed key. */
async function developer() {
  const accountId = await account();
  return { accountId, secret: await gateway.key({ accountId }), embed: await embedKey(accountId) };
}
const post = (key: string | undefined, body: unknown, more: CallOptions = {}) =>
  call('/api/v1/documents', {
    method: 'POST',
    key,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
    headers: { 'content-type': 'application/json', ...more.headers },
  });

const total = (name: string): string => `query ${name} { dataset { total } }`;
const idOf = (text: string): string => `sha256:${hashDocument(text)}`;
const published = (keyId: string) =>
  listDocuments(acting, keyId).then((all) => all.map(({ id }) => id).sort());

describe('POST /api/v1/documents', () => {
  it('publishes texts for an embed key, which can request them at once, and costs nothing', async () => {
    const { secret, embed, accountId } = await developer();
    const body = { key: embed.id, documents: [total('One'), total('Two')] };
    const { status, headers, json } = await post(secret.key, body);
    const shown = { replacedId: null, isNew: true };
    expect(json).toEqual({
      data: [
        { id: idOf(total('One')), operations: ['One'], ...shown },
        { id: idOf(total('Two')), operations: ['Two'], ...shown },
      ],
    });
    expect([status, headers['cache-control'], headers['x-ratelimit-remaining']]).toEqual([
      200,
      'no-store',
      '10',
    ]);
    expect(await listAudit(acting.prisma, 1)).toMatchObject([
      { actor: accountId, action: 'documents.publish', subject: embed.id, details: { documents: 2 } },
    ]);
    await clock.advance(1_000);
    const path = `/graphql?documentId=${idOf(total('One'))}`;
    const read = await call(path, { key: embed.key, headers: { origin: ORIGINS[0] as string } });
    expect(read.json).toEqual({ data: { dataset: { total: 1 } } });
  });

  it('can be repeated', async () => {
    const { secret, embed } = await developer();
    const body = { key: embed.id, documents: [total('Again')] };
    const first = await post(secret.key, body);
    const log = await listAudit(acting.prisma, 1);
    const second = await post(secret.key, body);
    expect(second.status).toBe(200);
    expect(second.json.data).toEqual([{ ...first.json.data[0], isNew: false }]);
    expect(await listAudit(acting.prisma, 1)).toEqual(log);
  });

  const [a, b] = [total('A'), total('B')];
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  it.each([
    {
      tool: 'graphql-codegen',
      manifest: { [hashDocument(a)]: a, [hashDocument(b)]: b },
      replaced: [null, null],
    },
    {
      tool: 'Relay',
      manifest: { [md5(a)]: a, [md5(b)]: b },
      replaced: [md5(a), md5(b)],
    },
    {
      tool: 'Apollo',
      manifest: {
        format: 'apollo-persisted-query-manifest',
        version: 1,
        operations: [a, b].map((body, index) => ({
          id: hashDocument(body),
          name: 'AB'[index],
          type: 'query',
          body,
        })),
      },
      replaced: [null, null],
    },
  ])('publishes a manifest as $tool writes it', async ({ manifest, replaced }) => {
    const { secret, embed } = await developer();
    const { status, json } = await post(secret.key, { key: embed.id, manifest });
    expect(status).toBe(200);
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([idOf(a), idOf(b)]);
    expect(json.data.map(({ replacedId }: { replacedId: string | null }) => replacedId)).toEqual(replaced);
  });

  it('publishes all documents or none, and names each error', async () => {
    const { secret, embed } = await developer();
    const documents = [total('Good'), '{ nothing }', 'query { dataset'];
    const { status, headers, json } = await post(secret.key, { key: embed.id, documents });
    expect([status, json.error.code, headers['x-ratelimit-remaining']]).toEqual([
      400,
      'BAD_USER_INPUT',
      '10',
    ]);
    const messages = json.error.details.map(({ message }: { message: string }) => message);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toContain('Cannot query field "nothing"');
    expect(messages[1]).toContain('Expected Name, found <EOF>');
    expect(await published(embed.id)).toEqual([]);
  });

  it('names every invalid member of a body, and never what may be a secret', async () => {
    const { secret, embed } = await developer();
    for (const [body, details] of [
      [{}, { key: 'missing, allowed: the id', documents: 'missing, allowed: either documents' }],
      [{ key: secret.key, documents: [a] }, { key: 'not an id, allowed' }],
      [{ key: embed.id, documents: [a], manifest: {} }, { documents: 'got documents and manifest, allowed' }],
      [{ key: embed.id, document: [a] }, { document: 'unknown (did you mean "documents"?), allowed' }],
      [{ key: embed.id, documents: [1] }, { documents: 'got something else, allowed: a list of texts' }],
      [{ key: embed.id, documents: [] }, { documents: 'it contains no documents, allowed' }],
      [
        { key: embed.id, manifest: { format: 'other', operations: [] } },
        { documents: 'not a manifest, allowed' },
      ],
      [{ key: embed.id, manifest: { [hashDocument(a)]: b } }, { documents: 'its id is not the SHA-256' }],
      [[a], { body: 'allowed: a JSON object with key' }],
    ] as const) {
      const { status, json, text } = await post(secret.key, body);
      expect([status, json.error.code]).toEqual([400, 'BAD_USER_INPUT']);
      expect(text).not.toContain(secret.key);
      for (const [parameter, message] of Object.entries(details)) {
        const found = json.error.details.find((one: { parameter: string }) => one.parameter === parameter);
        expect([parameter, found?.message]).toEqual([parameter, expect.stringContaining(message)]);
      }
    }
  });

  it('allows as many documents as the dashboard does', async () => {
    const { secret, embed } = await developer();
    const documents = Array.from(
      { length: MAX_DOCUMENTS + 1 },
      (_, index) => `{ a${index}: dataset { total } }`,
    );
    const { json } = await post(secret.key, { key: embed.id, documents });
    expect(json.error.message).toContain('The upload has 1,001 documents, allowed: at most 1,000 documents');
    const manifest = Object.fromEntries(documents.map((text) => [hashDocument(text), text]));
    expect((await post(secret.key, { key: embed.id, manifest })).json.error.message).toContain(
      '1,001 documents',
    );
  });

  it('answers the same to every key for which it publishes nothing', async () => {
    const { secret, embed, accountId } = await developer();
    const stranger = await developer();
    const revoked = await embedKey(accountId);
    await revokeKey(acting, revoked.id);
    const disabled = await embedKey(accountId);
    await disableKey(acting, disabled.id);
    const expired = await gateway.key({
      origins: ORIGINS,
      accountId,
      expiresAt: new Date(clock.now() + 1_000).toISOString(),
    });
    await clock.advance(2_000);
    const accountless = await embedKey();
    const keys = [
      stranger.embed,
      revoked,
      disabled,
      expired,
      accountless,
      { id: 'key_0123456789AB' },
      secret,
    ];
    const answers = await Promise.all(
      keys.map(async ({ id }) => {
        const { status, json } = await post(secret.key, { key: id, documents: [total('No')] });
        return [status, json.error.code, json.error.message.replace(id, 'ID'), json.error.details];
      }),
    );
    const message = 'The account of this API key has no working embed key with the id "ID"';
    expect(answers).toEqual(keys.map(() => [404, 'NOT_FOUND', message, undefined]));
    // A key without an account publishes for none.
    for (const { key } of [await gateway.key(), await gateway.key({ tier: 'premium' })]) {
      for (const { id } of [embed, accountless]) {
        const { status, json } = await post(key, { key: id, documents: [total('No')] });
        expect([status, json.error.message.replace(id, 'ID')]).toEqual([404, message]);
      }
    }
    expect(await published(stranger.embed.id)).toEqual([]);
  });

  it('needs a secret key that works', async () => {
    const { secret, embed, accountId } = await developer();
    const body = { key: embed.id, documents: [total('No')] };
    expect((await post(undefined, body)).status).toBe(401);
    const origin = { headers: { origin: ORIGINS[0] as string } };
    expect((await post(embed.key, body, origin)).json.error.code).toBe('DOCUMENT_NOT_TRUSTED');
    // Until a node notices, the key may be used, but publishes nothing.
    await call('/api/v1/startups', { key: secret.key });
    await disableAccount(acting, accountId);
    const { status, json } = await post(secret.key, body);
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
    await clock.advance(1_000);
    expect((await post(secret.key, body)).json.error.code).toBe('ACCESS_DISABLED');
    expect(await published(embed.id)).toEqual([]);
  });

  it('publishes nothing with a key that was revoked while documents were checked', async () => {
    const { secret, embed } = await developer();
    const documents = Array.from({ length: 400 }, (_, index) => total(`Late${index}`));
    await call('/api/v1/startups', { key: secret.key });
    const upload = post(secret.key, { key: embed.id, documents });
    await revokeKey(acting, secret.id);
    const { status, json } = await upload;
    expect([status, json.error.message]).toEqual([401, 'This API key is revoked']);
    expect(await published(embed.id)).toEqual([]);
  });

  it(`accepts ${PUBLISH_LIMIT} requests of a key in a minute, also when its limit is used up`, async () => {
    const { secret, embed } = await developer();
    for (let count = 0; count < 10; count++) {
      await call('/api/v1/startups', { key: secret.key });
    }
    expect((await call('/api/v1/startups', { key: secret.key })).status).toBe(429);
    const body = { key: embed.id, documents: [total('Often')] };
    for (let count = 0; count < PUBLISH_LIMIT; count++) {
      expect((await post(secret.key, body)).status).toBe(200);
    }
    const { status, headers, json } = await post(secret.key, body);
    expect([status, json.error.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '60']);
    await clock.advance(60_000);
    expect((await post(secret.key, body)).status).toBe(200);
  });

  it('checks one upload of an account at a time, and lets other requests pass meanwhile', async () => {
    const { secret, embed } = await developer();
    const documents = Array.from({ length: 200 }, (_, index) => total(`Many${index}`));
    const upload = post(secret.key, { key: embed.id, documents });
    const other = await post(secret.key, { key: embed.id, documents });
    expect([other.status, other.json.error.code, other.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '2',
    ]);
    let isDone = false;
    void upload.then(() => {
      isDone = true;
    });
    expect((await call('/api/v1/startups', { key: secret.key })).status).toBe(200);
    expect(isDone).toBe(false);
    expect((await upload).json.data).toHaveLength(documents.length);
  });

  it('accepts JSON alone, and bodies of a limited size', async () => {
    const { secret } = await developer();
    const typed = (type: string) => post(secret.key, '{}', { headers: { 'content-type': type } });
    expect((await typed('text/plain')).status).toBe(415);
    expect((await post(secret.key, '{')).json.error.details[0].parameter).toBe('body');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, headers } = await call('/api/v1/documents', { method, key: secret.key });
      expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
    }
    const url = await gateway.listen();
    const sent = await fetch(`${url}/api/v1/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret.key}`, 'content-type': 'application/json' },
      body: ' '.repeat(PUBLISH_BODY_LIMIT + 1),
    });
    expect(sent.status).toBe(413);
  });
});
