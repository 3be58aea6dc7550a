import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT_LIMIT } from '../../../src/access/limits/tiers.ts';
import type { Answer } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';
import { type Browser, ORIGIN, openSite, policy } from './site.ts';

const PATH = '/dashboard/graphql';
const SESSION = '/dashboard/graphql/session';
const QUERY = '{ startups(limit: 2) { page { slug } meta { total } } }';

const site = await openSite({
  limits: { standard: 5, premium: 60 },
  records: ['one', 'two', 'three'].map((slug) => record(slug)),
});
const ada = await site.member('ada@example.com');
const token = await tokenOf(ada);
// Each test in a minute of its own.
beforeEach(site.nextMinute);

async function tokenOf(browser: Browser): Promise<string> {
  return (await browser.get(SESSION)).json.account.token;
}

/** Sends an operation as GraphiQL does; undefined takes a header away. */
async function run(
  browser: Browser,
  headers: Record<string, string | undefined> = {},
  { query = QUERY, more = {}, method = 'POST' }: { query?: string; more?: object; method?: string } = {},
): Promise<Answer> {
  const all = {
    cookie: browser.cookies() || undefined,
    origin: ORIGIN,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    'x-csrf-token': token,
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return site.call(PATH, {
    method,
    address: browser.address,
    headers: Object.fromEntries(given),
    body: JSON.stringify({ query, ...more }),
  });
}

const outcome = ({ status, json }: Answer) => [status, json.errors?.[0]?.extensions.code];
/** The limit of an account, which no setting changes, and what is left of it. */
const ofAccount = (used: number) => [String(ACCOUNT_LIMIT), String(ACCOUNT_LIMIT - used)];
const remaining = ({ headers }: Answer) => [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];

describe('an operation with a session', () => {
  it('is answered as with a key, from the budget of the account', async () => {
    const answer = await run(ada);
    const { key } = await site.key();
    const withKey = await site.graphql(QUERY, {}, { key });
    expect(answer.status).toBe(200);
    expect(answer.json.data.startups.meta.total).toBe(3);
    expect(answer.json.data).toEqual(withKey.json.data);
    expect(remaining(answer)).toEqual(ofAccount(1));
    expect(answer.json.extensions.rateLimit).toMatchObject({ limit: 60, remaining: 59, cost: 1 });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Cookie, Accept' });
    // Pages draw on none of it.
    expect((await ada.get('/dashboard/explorer')).status).toBe(200);
    expect(remaining(await run(ada))).toEqual(ofAccount(2));
  });

  it('is logged with the account, and never with the token', async () => {
    await run(ada);
    const line = JSON.parse(site.logs.at(-1) ?? '');
    const { accountId } = ada;
    expect(line).toMatchObject({ path: PATH, surface: 'graphql', status: 200, accountId });
    expect(site.logs.join('')).not.toContain(token);
  });

  it('costs what it reads, and is refused whole when that does not fit', async () => {
    const read = (count: number) => {
      const fields = Array.from({ length: count }, (_, i) => `r${i}: startup(slug: "one") { slug }`);
      return run(ada, {}, { query: `{ ${fields.join(' ')} }` });
    };
    expect(remaining(await read(ACCOUNT_LIMIT - 5))).toEqual(ofAccount(ACCOUNT_LIMIT - 5));
    const refused = await read(6);
    expect(outcome(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json.errors[0].message).toContain('costs 6, and 5 of 60 are left');
    // The refusal took 1.
    expect(remaining(refused)).toEqual(ofAccount(ACCOUNT_LIMIT - 4));
    expect((await read(4)).status).toBe(200);
    expect(outcome(await run(ada))).toEqual([429, 'RATE_LIMITED']);
    // A key of the same account has a budget of its own.
    const { key } = await site.key({ accountId: ada.accountId });
    expect((await site.graphql(QUERY, {}, { key })).status).toBe(200);
    site.nextMinute();
    expect((await run(ada)).status).toBe(200);
  });

  it.each([
    ['{ startups(limit: 11) { meta { total } } }', {}, 400, 'BAD_USER_INPUT'],
    ['', { documentId: `sha256:${'0'.repeat(64)}` }, 404, 'DOCUMENT_NOT_FOUND'],
  ])('has the errors of the API: %s', async (query, more, status, code) => {
    const answer = await run(ada, { accept: 'application/graphql-response+json' }, { query, more });
    expect(outcome(answer)).toEqual([status, code]);
    expect(remaining(answer)).toEqual(ofAccount(1));
  });
});

describe('an operation is refused, at the cost of the address,', () => {
  it.each([
    ['with a made-up session', 401, 'UNAUTHENTICATED', { cookie: '__Host-revgate.session_token=a.b' }],
    ['without the token', 403, 'CSRF_TOKEN_INVALID', { 'x-csrf-token': undefined }],
    ['with a token that is too long', 403, 'CSRF_TOKEN_INVALID', { 'x-csrf-token': 'x'.repeat(9_000) }],
    ['from another origin', 403, 'ORIGIN_NOT_ALLOWED', { origin: 'https://evil.example' }],
    ['from another site', 403, 'ORIGIN_NOT_ALLOWED', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', 403, 'ORIGIN_NOT_ALLOWED', { 'sec-fetch-site': 'same-site' }],
    ['from a program', 403, 'ORIGIN_NOT_ALLOWED', { origin: undefined, 'sec-fetch-site': undefined }],
  ])('%s', async (_what, status, code, headers) => {
    const answer = await run(ada, headers);
    expect(outcome(answer)).toEqual([status, code]);
    expect(answer.json).not.toHaveProperty('data');
    expect(remaining(answer)).toEqual(['5', '4']);
    // Nobody else spends what is the account's.
    expect(remaining(await run(ada))).toEqual(ofAccount(1));
  });

  it('with the token of another session, of another account or of its own', async () => {
    const bob = await site.member('bob@example.com');
    const elsewhere = site.browser();
    await elsewhere.signIn('ada@example.com');
    for (const other of [bob, elsewhere]) {
      const theirs = await tokenOf(other);
      expect(theirs).not.toBe(token);
      expect(outcome(await run(ada, { 'x-csrf-token': theirs }))).toEqual([403, 'CSRF_TOKEN_INVALID']);
      expect(outcome(await run(other, { 'x-csrf-token': theirs }))).toEqual([200, undefined]);
    }
  });

  const disable = (id: string) =>
    site.database.prisma.account.update({ where: { id }, data: { disabledAt: new Date() } });
  it.each<[string, (one: Awaited<ReturnType<typeof site.member>>) => Promise<unknown>]>([
    ['session that has ended, whose token ends with it', ({ post }) => post('/dashboard/sign-out')],
    // As one that was created while the account was being disabled.
    ['session of a disabled account', ({ accountId }) => disable(accountId)],
  ])('with a %s', async (what, end) => {
    const one = await site.member(`${what.replace(/\W/g, '-')}@example.com`);
    const headers = { cookie: one.cookies(), 'x-csrf-token': await tokenOf(one) };
    expect(outcome(await run(one, headers))).toEqual([200, undefined]);
    await end(one);
    expect(outcome(await run(one, headers))).toEqual([401, 'UNAUTHENTICATED']);
  });
});

it('an account that has not accepted the current policy is refused until it has', async () => {
  const eve = await site.member('eve@example.com', { accepts: false });
  const { account } = (await eve.get(SESSION)).json;
  expect(account).toMatchObject({ email: 'eve@example.com', hasAcceptedPolicy: false });
  const headers = { 'x-csrf-token': account.token };
  const answer = await run(eve, headers);
  expect(outcome(answer)).toEqual([403, 'POLICY_NOT_ACCEPTED']);
  expect(answer.json).not.toHaveProperty('data');
  await eve.submit('/dashboard/policy', { accept: policy.version });
  expect((await run(eve, headers)).status).toBe(200);
});

describe('a cookie', () => {
  it('gives no access to the API', async () => {
    const own = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'x-csrf-token': token };
    const headers = { cookie: ada.cookies(), ...own };
    expect((await site.graphql(QUERY, {}, { headers })).status).toBe(401);
    expect((await site.call('/api/v1/startups', { headers })).status).toBe(401);
  });

  it('is never sent along from another origin by CORS, and who is signed in is told to our pages only', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const preflight = await site.call(PATH, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(403);
    const told = await ada.get(SESSION);
    expect(told.json.account).toEqual({ email: 'ada@example.com', hasAcceptedPolicy: true, token });
    expect(told.headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect((await site.browser().get(SESSION)).json).toEqual({ account: null });
    for (const answer of [preflight, await run(ada), told]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

it('limits of pages count operations too, before a session is looked up', async () => {
  const fay = site.browser();
  for (let page = 0; page < 600; page++) {
    await run(fay);
  }
  site.queries.length = 0;
  const answer = await run(fay, { cookie: ada.cookies() });
  expect(outcome(answer)).toEqual([429, 'RATE_LIMITED']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(remaining(answer)).toEqual(['600', '0']);
  expect(site.queries).toEqual([]);
});
