import { describe, expect, it } from 'vitest';
import { revokeKey, setKeyDocuments } from '../../../src/access/keys/change.ts';
import { hashDocument } from '../../../src/access/keys/documents/list.ts';
import { removeDocument } from '../../../src/access/keys/documents/publish-and-remove.ts';
import { createTestClock } from '../../support/clock.ts';
import { type Answer, type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const LIST = 'query List($limit: Int) { startups(limit: $limit) { nodes { slug } } }';
const BOTH = 'query A { a: dataset { total } } query B { b: dataset { total } }';
const OTHER = '{ dataset { version } }';
const id = (text: string): string => `sha256:${hashDocument(text)}`;

/** As Apollo's clients ask. */
const persisted = (version?: number, sha256Hash?: string) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});

const clock = createTestClock();

const limits = { standard: 1_000, premium: 5 };
const gateway = await openTestGateway({ clock, limits, records: [record('one'), record('two')] });
const { acting: context, publish } = gateway;

/** A key with documents; trusted documents only unless told otherwise. */
async function newKey(mode = 'trusted', ...texts: string[]) {
  const key = await gateway.key();
  await publish(key.id, ...(texts.length === 0 ? [LIST, BOTH] : texts));
  await setKeyDocuments(context, key.id, mode);
  return key;
}

const get = (params: Record<string, string> | string[][], options: CallOptions): Promise<Answer> =>
  gateway.call(`/graphql?${new URLSearchParams(params)}`, options);
const codeOf = ({ json }: Answer): unknown => json.errors[0].extensions.code;

describe('a published document', () => {
  const variables = { limit: 1 };

  it.each([
    ['documentId', { documentId: id(LIST) }],
    ['documentId without a prefix', { documentId: hashDocument(LIST) }],
    ['documentId and an empty query', { documentId: id(LIST), query: '' }],
    ['extensions.persistedQuery', persisted(1, hashDocument(LIST))],
  ])('is asked for by %s, over POST and GET', async (_how, named) => {
    const { key } = await newKey();
    const posted = await gateway.post({ ...named, variables }, { key });
    expect([posted.status, posted.json.data]).toEqual([200, { startups: { nodes: [{ slug: 'one' }] } }]);
    expect(posted.json.extensions.rateLimit.cost).toBe(1);
    const params = Object.entries({ ...named, variables }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const got = await get(params, { key });
    expect([got.status, got.json]).toEqual([200, { data: posted.json.data }]);
    expect(got.headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: expect.any(String) });
    const known = await get(params, { key, headers: { 'if-none-match': got.headers.etag ?? '' } });
    expect([known.status, known.text]).toEqual([304, '']);
  });

  it('is one of its operations where it has several', async () => {
    const { key } = await newKey();
    const answer = await get({ documentId: id(BOTH), operationName: 'B' }, { key });
    expect(answer.json).toEqual({ data: { b: { total: 2 } } });
    expect(codeOf(await get({ documentId: id(BOTH) }, { key }))).toBe('BAD_USER_INPUT');
  });

  it('serves no other key', async () => {
    await newKey();
    const { key } = await newKey('trusted', OTHER);
    const answer = await get({ documentId: id(LIST) }, { key });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'DOCUMENT_NOT_FOUND']);
  });
});

describe('a document that was not published', () => {
  it.each([
    ['application/json', { documentId: id(OTHER) }],
    ['application/graphql-response+json', { documentId: id(OTHER) }],
    ['application/json', persisted(1, hashDocument(OTHER))],
  ])('is a 404 with one error under %s, and costs 1', async (accept, named) => {
    const { key } = await gateway.key();
    const answer = await gateway.post(named, { key, headers: { accept } });
    expect(answer.status).toBe(404);
    expect(answer.headers).toMatchObject({
      'content-type': `${accept}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-ratelimit-remaining': '999',
    });
    const message = `No document ${id(OTHER)} is published for this key`;
    const extensions = { code: 'DOCUMENT_NOT_FOUND', requestId: answer.headers['x-request-id'] };
    expect(answer.json.errors).toEqual([{ message, extensions }]);
    expect(answer.json.data).toBeUndefined();
  });

  it('is not published by a request with its text', async () => {
    const { key } = await gateway.key();
    for (const named of [{ documentId: id(OTHER) }, persisted(1, hashDocument(OTHER))]) {
      const answer = await gateway.post({ query: OTHER, ...named }, { key });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_USER_INPUT']);
      expect(answer.json.errors[0].message).toMatch(/documents are not registered by requests$/);
      expect((await gateway.post(named, { key })).status).toBe(404);
    }
  });

  const [version, hash] = ['extensions.persistedQuery.version', 'extensions.persistedQuery.sha256Hash'];
  it.each([
    [{ documentId: 'md5:d41d8cd98f00b204e9800998ecf8427e' }, 'documentId'],
    [{ documentId: `sha256:${'A'.repeat(64)}` }, 'documentId'],
    [{ documentId: '' }, 'documentId'],
    [{ documentId: 7 }, 'documentId'],
    [persisted(2, hashDocument(OTHER)), version],
    [{ extensions: { persistedQuery: 'x' } }, version],
    [persisted(1), hash],
    [{ documentId: id(OTHER), ...persisted(1, hashDocument(LIST)) }, hash],
    [{}, 'query'],
  ])('is a 400 if its id is invalid: %j', async (body, parameter) => {
    const { key } = await gateway.key();
    const answer = await gateway.post(body, { key });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_USER_INPUT']);
    expect(answer.json.errors[0].extensions.details[0].parameter).toBe(parameter);
  });
});

it.each([
  ['text', 'POST', OTHER],
  ['text that is published', 'POST', LIST],
  ['introspection', 'POST', '{ __schema { types { name } } }'],
  ['text in GET', 'GET', OTHER],
  ['text that is not GraphQL', 'POST', '{'],
])('a key for trusted documents only may send no %s', async (_what, method, query) => {
  const { key } = await newKey();
  const answer = await (method === 'GET' ? get({ query }, { key }) : gateway.post({ query }, { key }));
  expect([answer.status, codeOf(answer)]).toEqual([403, 'DOCUMENT_NOT_TRUSTED']);
  expect(answer.json.data).toBeUndefined();
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-ratelimit-remaining': '999' });
});

it('a change of documents or of the mode of a key takes effect within a second', async () => {
  const { id: keyId, key } = await gateway.key();
  const ask = () => get({ documentId: id(LIST) }, { key });
  const send = () => gateway.graphql(OTHER, {}, { key });
  expect([(await ask()).status, (await send()).status]).toEqual([404, 200]);
  for (const [change, check, status] of [
    [() => publish(keyId, LIST), ask, 200],
    [() => removeDocument(context, keyId, id(LIST)), ask, 404],
    [() => setKeyDocuments(context, keyId, 'trusted'), send, 403],
    [() => setKeyDocuments(context, keyId, 'any'), send, 200],
    [() => revokeKey(context, keyId), ask, 401],
  ] as const) {
    await change();
    await clock.advance(1_000);
    expect((await check()).status).toBe(status);
  }
});

it('documents are looked up in memory the second time, and not at all once the budget is spent', async () => {
  const { id: keyId, key } = await gateway.key({ tier: 'premium' });
  await publish(keyId, BOTH);
  const ask = async (text: string) =>
    (await get({ documentId: id(text), operationName: 'A' }, { key })).status;
  const lookups = () => gateway.queries.filter((sql) => sql.includes('FROM documents')).length;
  await clock.advance(1_000);
  gateway.queries.length = 0;
  expect([await ask(BOTH), await ask(BOTH), lookups()]).toEqual([200, 200, 1]);
  expect([await ask(OTHER), await ask(OTHER), lookups()]).toEqual([404, 404, 2]);
  // A poll that finds no change changes nothing.
  await clock.advance(1_000);
  expect([await ask(BOTH), await ask(LIST), lookups()]).toEqual([200, 429, 2]);
});
