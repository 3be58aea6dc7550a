import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../src/access/accounts/change.ts';
import { textIn } from '../../support/html.ts';
import { type Browser, expectPage, ORIGIN, openSite, PASSWORD } from './site.ts';

const site = await openSite();
const member = await site.member('ada@example.com');
const { port } = new URL(await site.listen());

const [openPages, ownPages] = [
  ['sign-in', 'sign-up', 'forgotten-password', 'reset-password'],
  [
    'keys',
    'keys/new',
    'account',
    'account/delete',
    'usage',
    'explorer',
    'explorer?category=ai',
    'embeds/new',
  ],
].map((names) => names.map((name) => `/dashboard/${name}`)) as [string[], string[]];

let early = 0;

describe('every page', () => {
  it.each([...openPages, ...ownPages])(
    '%s is kept by nobody, framed by nobody, and loads only what is ours',
    async (path) => {
      const { status, headers, text } = await (ownPages.includes(path) ? member : site.browser()).get(path);
      expect([200, 400]).toContain(status);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        // The explorer requests its next page, the builder of embeds what its preview shows.
        'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; ${/\/(?:explorer|embed)/.test(path) ? "connect-src 'self'; " : ''}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      });
      // Nothing that the policy would refuse, and nothing from elsewhere.
      expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|<script(?! src="\/assets\/)/i);
      for (const [, address] of text.matchAll(/(?:src|href)="([^"]*)"/g)) {
        expect(address).toMatch(/^[/#]/);
      }
      expect(text).toMatch(/<html lang="en">/);
      expect(text.match(/<h1>/g)).toHaveLength(1);
    },
  );

  it.each(ownPages)('%s leads those who have not signed in to do so', async (path) => {
    const { status, headers } = await site.browser().get(path);
    const location = `/dashboard/sign-${path.includes('explorer') ? 'up' : 'in'}?next=${encodeURIComponent(path)}`;
    expect([status, headers.location, headers['cache-control']]).toEqual([303, location, 'no-store']);
  });

  it.each([
    ...['keys/new', 'explorer', 'explorer/hostile', 'embeds/new'].map((path) => ['GET', path]),
    ...['keys', 'embeds/new'].map((path) => ['POST', path]),
  ])('%s %s needs the policy to be accepted, and an account that is not disabled', async (method, name) => {
    const path = `/dashboard/${name}`;
    const browser = await site.member(`early${early++}@example.com`, { accepts: false });
    const fields = { name: 'early', query: '', origins: 'https://blog.example' };
    const ask = () => browser.send(`${method}`, path, method === 'GET' ? undefined : fields);
    const { status, headers, text } = await ask();
    if (method === 'GET') {
      expect(status).toBe(403);
      expect(textIn(text)).toMatch(
        /agree to the acceptable-use policy\.\s*What it says in short\s*Rules\s*Be/,
      );
      expect(text).toContain(`name="next" value="${path}"`);
    } else {
      expect([status, headers.location]).toEqual([303, '/dashboard/policy']);
    }
    await disableAccount(site.acting, browser.accountId, 'cloned it');
    expect((await ask()).headers.location).toMatch(/^\/dashboard\/sign-in\?(next|notice)=/);
    expect(await site.database.prisma.apiKey.count()).toBe(0);
  });

  it.each([
    ['/dashboard/keys/new', ['API', 'Keys']],
    ['/dashboard/usage?period=7d', ['API', 'Usage']],
    ['/dashboard/embeds', ['API', 'Embeds']],
    ['/dashboard/embeds/new?category=ai', ['API', 'Embeds']],
    ['/dashboard/explorer?category=ai', ['Explore']],
    ['/dashboard/shortlist/searches', ['Saved']],
    ['/graphql', ['API', 'GraphiQL']],
    ['/dashboard/account/delete', []],
  ])('%s is marked in the navigation as %j', async (path, labels) => {
    const { text } = await member.get(path, { accept: 'text/html' });
    const header = text.split('<main')[0]?.replace(/<div id="menu"[\s\S]*?<\/div>/, '') ?? '';
    const marked = [...header.matchAll(/aria-current="page">([^<]*)/g)].map(([, label]) => label);
    expect(marked).toEqual(expect.arrayContaining(labels));
    expect(marked).toHaveLength(labels.length);
  });

  it('has one navigation for each role', async () => {
    const linksOf = async (browser: Browser, path: string) => {
      const [header = ''] = (await browser.get(path)).text.split('<main');
      return [...header.matchAll(/<a href="[^"]*"[^>]*>([^<\s][^<]*)/g)].map(([, label]) => label);
    };
    const shown = ['Docs', 'GraphiQL', 'Sign in', 'Get an API key'];
    expect((await linksOf(site.browser(), '/docs')).slice(0, 4)).toEqual(shown);
    const api = ['Keys', 'Embeds', 'Usage', 'GraphiQL'];
    const own = ['Explore', 'Saved', 'API', 'Docs', 'Account'];
    const phone = ['Explore', 'Saved', ...api, 'Docs', 'Account'];
    expect(await linksOf(member, '/dashboard/keys')).toEqual([...own, ...phone, ...api]);
    const op = await site.operator('op@example.com');
    for (const [path, links] of [
      ['/dashboard/keys', ['Explore', 'Saved', 'API', 'Docs', 'Admin', 'Account']],
      ['/dashboard/operator/imports', ['Overview', 'Data', 'People', 'Compliance', 'Exit admin', 'Account']],
    ] as const) {
      expect((await linksOf(op, path)).slice(0, 6)).toEqual(links);
    }
  });

  it('that is not there is a 404', async () => {
    expect((await member.get('/dashboard/nothing')).status).toBe(404);
    // better-auth's own paths are served to nobody.
    for (const path of ['get-session', 'list-sessions', 'callback/github', 'sign-in/email', 'ok']) {
      expect((await member.get(`/dashboard/auth/${path}`)).status).toBe(404);
      expect((await member.post(`/dashboard/auth/${path}`)).status).toBe(404);
    }
  });
});

describe('a form', () => {
  const send = (headers: object, browser = site.browser(), path = '/dashboard/sign-in') =>
    browser.send('POST', path, undefined, {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    });

  it.each([
    ['from a sister host', { origin: 'https://evil.gate.example', 'sec-fetch-site': 'same-site' }],
    ['from another port', { origin: `${ORIGIN}:8443` }],
    ['from our host over http', { origin: 'http://gate.example' }],
    ['from a frame without origin', { origin: 'null' }],
    ['of our origin, as a browser denies', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
    ['that says nothing of where it is from', {}],
    ['whose Host agrees with its origin', { origin: 'https://evil.example', host: 'evil.example' }],
  ])('%s is refused before anything else', async (_, headers) => {
    expect(await send(headers)).toMatchObject({ status: 403, cookies: [] });
    expect((await send(headers, member, '/dashboard/keys')).status).toBe(403);
  });

  it.each([{ origin: ORIGIN }, { 'sec-fetch-site': 'same-origin' }])(
    'of ours passes with %o',
    async (headers) => expect((await send(headers)).status).toBe(400),
  );

  it('on loopback comes from a name of this machine', async () => {
    const local = await openSite({ origin: 'http://127.0.0.1:4000', database: site.database });
    for (const [origin, status] of [
      ...['127.0.0.1', 'localhost', '[::1]'].map((name) => [`http://${name}:4000`, 400] as const),
      ...['http://evil.example:4000', 'http://localhost:4001', 'https://localhost:4000'].map(
        (other) => [other, 403] as const,
      ),
    ]) {
      expect((await send({ origin }, local.browser())).status, origin).toBe(status);
    }
    // Cookies without https cannot have the prefix that asks for it.
    const signedIn = await local.browser().signIn('ada@example.com');
    expect(signedIn.cookies[0]).toMatch(
      /^revgate\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe('over HTTP', () => {
  /** Sends a request as it is: fetch would normalize its path and refuse its method. */
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, method, path, headers }, (response) => resolve(response.resume()))
        .on('error', reject)
        .end(body);
    });
  const form = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };

  it.each([
    ['128 KiB is read', 400, 'a'.repeat(128 * 1024 - 6), {}],
    ['200 kB is too long', 413, 'a'.repeat(199_994), { 'content-length': '200000' }],
    ['200 kB in chunks is too long', 413, 'a'.repeat(199_994), { 'transfer-encoding': 'chunked' }],
    ['1,000 fields is read', 400, '&a'.repeat(999), {}],
    ['1,001 fields is too long', 413, '&a'.repeat(1_000), {}],
  ])('a form of %s', async (_what, status, email, length) => {
    const { statusCode } = await send('POST', '/dashboard/sign-in', { ...form, ...length }, `email=${email}`);
    expect(statusCode).toBe(status);
  });

  it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', ''])(
    'a form is not sent as "%s"',
    async (type) => {
      const headers = { ...form, 'content-type': type };
      expect((await send('POST', '/dashboard/sign-in', headers, '--x--')).statusCode).toBe(415);
    },
  );

  it.each([
    ['TRACE', '/dashboard', 'GET, HEAD'],
    ['DELETE', '/dashboard/sign-in', 'GET, HEAD, POST'],
    ['TRACE', '/docs', 'GET, HEAD'],
    ['POST', '/favicon.ico', 'GET, HEAD'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const { statusCode, headers } = await send(method, path, form);
    expect([statusCode, headers.allow]).toEqual([405, allow]);
  });

  it.each(['/dashboard/../docs', '/%64ocs', '//docs', '/dashboard/%2e%2e/docs', '/dashboard%2Fsign-in'])(
    'a path is what was sent: %s is no page',
    async (path) => expect((await send('GET', path)).statusCode).toBe(404),
  );
});

it.each(['../page.ts', '%2e%2e/package.json', 'dashboard.css'])('assets are no way to %s', async (name) => {
  expect((await site.raw(`/assets/${name}`)).status).toBe(404);
});

it('unexpected errors are masked, and logged with the request id', async () => {
  const browser = await site.member('bob@example.com');
  const { accountProvider } = site.database.prisma;
  const { findMany } = accountProvider;
  Object.assign(accountProvider, { findMany: () => Promise.reject(new Error('secret detail')) });
  const { status, text, headers } = await browser.get('/dashboard/account');
  Object.assign(accountProvider, { findMany });
  const id = headers['x-request-id'] ?? '';
  expect([status, text.includes('secret detail'), text.includes(id)]).toEqual([500, false, true]);
  expect(site.logs.some((line) => line.includes('secret detail') && line.includes(id))).toBe(true);
});

it('the log contains no password, no token and no cookie', async () => {
  const browser = site.browser();
  await browser.forget('ada@example.com');
  await browser.get(site.linkTo('ada@example.com'));
  await browser.signIn('ada@example.com');
  await browser.get('/dashboard/keys');
  const all = site.logs.join('\n');
  expect(all).toContain('/dashboard/reset-password');
  for (const secret of [PASSWORD, 'token=', 'session_token', '@example.com']) {
    expect(all).not.toContain(secret);
  }
});

it('a dashboard that cannot be opened returns an error and does not end the process', async () => {
  const other = await openSite({ origin: 'no address', database: site.database });
  const answer = await other.call('/dashboard');
  expect(answer.status).toBe(500);
  expect(answer.text).toContain(answer.headers['x-request-id']);
  expect(other.logs.join('')).toContain('Invalid URL');
});

it('without a secret there is no dashboard, and it says what is missing', async () => {
  const other = await openSite({ secret: '', database: site.database });
  const answer = await other.call('/dashboard/keys');
  expectPage(answer, 503, '<h1>The dashboard is not set up</h1>', 'AUTH_SECRET', '<header class="bar">');
  expect(answer.headers['content-security-policy']).toContain("style-src 'self'");
  // There is no session for GraphiQL either.
  const accept = { headers: { accept: 'text/html' } };
  const offer = 'data-session="/dashboard/graphql/session"';
  expect((await other.call('/graphql', accept)).text).not.toContain(offer);
  expect((await site.call('/graphql', accept)).text).toContain(offer);
});
