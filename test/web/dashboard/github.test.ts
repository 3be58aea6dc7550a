import { afterEach, describe, expect, it, vi } from 'vitest';
import { FACTOR, setUpFactor } from './factor.ts';
import { type Browser, expectPage, ORIGIN, openSite } from './site.ts';

const github = { clientId: 'our-client', clientSecret: 'our-secret' };
const site = await openSite({ settings: { github } });
afterEach(() => vi.unstubAllGlobals());

/** Stands for github.com, an outside service: whoever comes back from it is this person. */
function signedInAt(person: { id: number; email: string; verified?: boolean }): void {
  const { id, email, verified = true } = person;
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const answers: Record<string, unknown> = {
      '/login/oauth/access_token': { access_token: 'gho_secret', token_type: 'bearer', scope: 'user:email' },
      '/user': { id, login: 'octo', name: 'Octo Cat', email: null, avatar_url: 'https://avatars.example/1' },
      '/user/emails': [{ email, primary: true, verified, visibility: null }],
    };
    expect(url.hostname).toMatch(/(^|\.)github\.com$/);
    return Response.json(answers[url.pathname] ?? {}, { status: url.pathname in answers ? 200 : 404 });
  });
}

/** Presses the button, and comes back from GitHub. */
async function throughGithub(browser: Browser, button = '/dashboard/github') {
  const sent = await browser.post(button);
  expect(sent.status).toBe(303);
  const url = new URL(sent.headers.location ?? '');
  expect(url.origin).toBe('https://github.com');
  expect(url.searchParams.get('client_id')).toBe('our-client');
  expect(url.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/dashboard/auth/callback/github`);
  const state = url.searchParams.get('state') ?? '';
  return browser.get(`/dashboard/auth/callback/github?code=a-code&state=${state}`);
}

describe('GitHub', () => {
  it('signs up a user with a verified address, and stores no token, name or picture', async () => {
    signedInAt({ id: 1, email: 'octo@example.com' });
    const browser = site.browser();
    const page = await browser.get('/dashboard/sign-in');
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://github.com;");
    expect((await throughGithub(browser)).headers.location).toBe('/dashboard');
    expect((await browser.get('/dashboard/keys')).status).toBe(200);
    expect(await site.accountOf('octo@example.com')).toMatchObject({ emailVerified: true, operator: false });
    const { rows } = await site.database.pool.query(
      'SELECT accounts.*, account_providers.* FROM accounts JOIN account_providers ON account_id = accounts.id',
    );
    expect(JSON.stringify(rows)).not.toMatch(/gho_secret|avatars|Octo Cat/);
    // And again, now that there is an account.
    const again = site.browser();
    expect((await throughGithub(again)).headers.location).toBe('/dashboard');
    expect(await site.database.prisma.account.count({ where: { email: 'octo@example.com' } })).toBe(1);
  });

  it('signs up nobody where people are invited only, and signs in those with an account', async () => {
    const other = await openSite({ settings: { github, isInvitedOnly: true }, database: site.database });
    signedInAt({ id: 9, email: 'guest@example.com' });
    expect((await throughGithub(site.browser())).headers.location).toBe('/dashboard');
    expect((await throughGithub(other.browser())).headers.location).toBe('/dashboard');

    signedInAt({ id: 10, email: 'stranger@example.com' });
    const refused = await throughGithub(other.browser());
    expect(refused.headers.location).toMatch(/^\/dashboard\/sign-in\?notice=github-refused/);
    const where = { email: 'stranger@example.com' };
    expect(await site.database.prisma.account.findUnique({ where })).toBeNull();
  });

  it('rejects a user without a verified address', async () => {
    signedInAt({ id: 2, email: 'unsure@example.com', verified: false });
    const browser = site.browser();
    await throughGithub(browser);
    expect((await browser.get('/dashboard/keys')).status).toBe(303);
  });

  it('gives no access to an account with the same address until its holder links it', async () => {
    const ada = await site.member('ada@example.com');
    signedInAt({ id: 3, email: 'ada@example.com' });
    const browser = site.browser();
    const refused = await throughGithub(browser);
    expect(refused.headers.location).toMatch(/^\/dashboard\/sign-in\?notice=github/);
    expect((await browser.get('/dashboard/keys')).status).toBe(303);

    const linked = await throughGithub(ada, '/dashboard/account/github');
    expect(linked.headers.location).toBe('/dashboard/account?notice=github');
    expect((await throughGithub(site.browser())).headers.location).toBe('/dashboard');
    expect((await ada.post('/dashboard/account/github/unlink')).headers.location).toBe(
      '/dashboard/account?notice=unlinked',
    );
    expect((await throughGithub(site.browser())).headers.location).toMatch(/notice=github/);
  });

  it('asks an account with a second factor for it, and gives no page before', async () => {
    const email = 'factor@example.com';
    const member = await site.member(email);
    const { app } = await setUpFactor(site, member);
    signedInAt({ id: 11, email });
    await throughGithub(member, '/dashboard/account/github');
    const browser = site.browser();
    await throughGithub(browser);
    for (const path of ['/dashboard/keys', '/dashboard/account']) {
      const { status, headers } = await browser.get(path);
      expect([status, headers.location]).toEqual([303, `${FACTOR}?next=${encodeURIComponent(path)}`]);
    }
    expect((await browser.get('/dashboard/graphql/session')).json).toEqual({ account: null });
    expect((await browser.post(FACTOR, { factor: '000000', next: '' })).status).toBe(400);
    expect((await browser.post(FACTOR, { factor: app(1), next: '/dashboard/keys' })).status).toBe(303);
    expect((await browser.get('/dashboard/keys')).status).toBe(200);
  });

  it('links no account of another address', async () => {
    const bob = await site.member('bob@example.com');
    signedInAt({ id: 4, email: 'mallory@example.com' });
    const answer = await throughGithub(bob, '/dashboard/account/github');
    expect(answer.headers.location).toMatch(/^\/dashboard\/account\?notice=github-failed/);
  });

  it('cannot be unlinked if it is the only way to sign in', async () => {
    signedInAt({ id: 5, email: 'only@example.com' });
    const browser = site.browser();
    await throughGithub(browser);
    expectPage(await browser.post('/dashboard/account/github/unlink'), 400, 'your only way to sign in');
  });

  it('cannot be unlinked in a session older than a day, and the page says so', async () => {
    const cyd = await site.member('cyd@example.com');
    signedInAt({ id: 8, email: 'cyd@example.com' });
    await throughGithub(cyd, '/dashboard/account/github');
    await site.database.prisma.session.updateMany({
      where: { account: { email: 'cyd@example.com' } },
      data: { createdAt: new Date(Date.now() - 2 * 86_400_000) },
    });
    expectPage(await cyd.post('/dashboard/account/github/unlink'), 400, 'You signed in more than a day ago');
  });

  it('deletes an account without a password after its address is typed', async () => {
    signedInAt({ id: 6, email: 'gone@example.com' });
    const browser = site.browser();
    await throughGithub(browser);
    const remove = async (email: string) =>
      (await browser.post('/dashboard/account/delete', { email })).status;
    expect([await remove('other@example.com'), await remove('gone@example.com')]).toEqual([400, 303]);
    expect(await site.database.prisma.account.count({ where: { email: 'gone@example.com' } })).toBe(0);
  });

  it('works only in the browser that started the sign-in', async () => {
    signedInAt({ id: 7, email: 'fixed@example.com' });
    const attacker = site.browser();
    const sent = await attacker.post('/dashboard/github');
    const state = new URL(sent.headers.location ?? '').searchParams.get('state') ?? '';
    const victim = site.browser();
    await victim.get(`/dashboard/auth/callback/github?code=a-code&state=${state}`);
    expect((await victim.get('/dashboard/keys')).status).toBe(303);
  });
});
