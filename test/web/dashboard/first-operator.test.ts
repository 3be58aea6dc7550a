import { beforeEach, describe, expect, it } from 'vitest';
import {
  deleteAccount,
  demoteAccount,
  disableAccount,
  enableAccount,
  promoteAccount,
} from '../../../src/access/accounts/change.ts';
import { createPasswordLink, createSetupLink } from '../../../src/access/accounts/links.ts';
import { secretOn } from './factor.ts';
import { expectPage, ORIGIN, openSite, PASSWORD, policy, type Site } from './site.ts';

const HOUR_MS = 3_600_000;
const EMAIL = 'ops@example.com';
const OPERATOR = '/dashboard/operator';

const linkFor = async ({ acting }: Site): Promise<string> => (await createSetupLink(acting, [])) ?? '';
const tokenIn = (link: string): string => new URL(link, ORIGIN).searchParams.get('token') ?? '';
const setUp = (site: Site, link: string, fields: Record<string, string> = {}, browser = site.browser()) =>
  browser.post('/dashboard/setup', {
    token: tokenIn(link),
    email: EMAIL,
    password: PASSWORD,
    accept: policy.version,
    ...fields,
  });

const site = await openSite({ mail: 'terminal', settings: { operators: ['listed@example.com'] } });
const noMail = await openSite({ mail: 'none', database: site.database });

beforeEach(async () => {
  // Cascades to everything of an account.
  await site.database.prisma.account.deleteMany();
  await site.database.prisma.verification.deleteMany();
  await site.database.prisma.unconfirmedMails.deleteMany();
  site.nextMinute();
  noMail.nextMinute();
});

describe('the link that a start prints', () => {
  it('makes an operator with a confirmed address, who is signed in, without a mail', async () => {
    const browser = noMail.browser();
    const link = await linkFor(site);
    expectPage(await browser.get(link), 200, 'name="email"');
    const done = await setUp(noMail, link, { email: 'Ops@Example.com' }, browser);
    // The second factor can be set up at once, without the password again.
    expect([done.status, secretOn(done.text).length]).toEqual([200, 32]);
    // On a phone, a link opens the app, which has no camera to scan its own screen with.
    expect(done.text).toMatch(/<p class="phone"><a [^>]*href="otpauth:\/\/totp\/[^"]*secret=[A-Z2-7]{32}/);
    const next = /<a href="([^"]+)">Not now<\/a>/.exec(done.text)?.[1] as string;
    expect((await browser.get(next)).text).toContain('enctype="multipart/form-data"');
    // With the form, the policy was accepted.
    for (const path of [OPERATOR, '/dashboard/explorer']) {
      expect((await browser.get(path)).status).toBe(200);
    }
    const account = await site.accountOf(EMAIL);
    expect(account).toMatchObject({ emailVerified: true, operator: true });
    const acts = await site.database.prisma.auditEntry.findMany({ orderBy: { id: 'asc' } });
    expect(acts.map(({ actor, action, subject }) => [actor, action, subject]).slice(-3)).toEqual([
      ['setup link', 'account.create', account.id],
      ['setup link', 'account.promote', account.id],
      [account.id, 'policy.accept', account.id],
    ]);
    // Only its digest is stored, and only until it is used.
    expect(await site.tablesWith(tokenIn(link))).toEqual([]);
    const other = site.browser();
    await other.signIn(EMAIL);
    expect((await other.get(OPERATOR)).status).toBe(200);
  });

  it('does not work twice, nor while there is an operator, and then no start prints one', async () => {
    const [one, another] = [await linkFor(site), await linkFor(site)];
    expect((await setUp(site, one)).status).toBe(200);
    for (const link of [one, another]) {
      expectPage(await site.browser().get(link), 400, 'This link does not work');
      expect((await setUp(site, link, { email: 'eve@example.com' })).status).toBe(400);
    }
    expect(await createSetupLink(site.acting, [])).toBeUndefined();
    expect(await site.database.prisma.account.count()).toBe(1);
    // Neither does a link from before a demotion.
    await demoteAccount(site.acting, EMAIL);
    expect((await setUp(site, another, { email: 'eve@example.com' })).status).toBe(400);
  });

  it('sets up one operator if two people use two links at once', async () => {
    const links = [await linkFor(site), await linkFor(site)];
    const answers = await Promise.all(
      links.map((link, n) => setUp(site, link, { email: `op${n}@example.com` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await site.database.prisma.account.count()).toBe(1);
  });

  it('works for an hour', async () => {
    const linkOf = (age: number) =>
      createSetupLink({ ...site.acting, now: () => site.acting.now() - age }, []) as Promise<string>;
    expect((await setUp(site, await linkOf(HOUR_MS + 1))).status).toBe(400);
    expect((await setUp(site, await linkOf(HOUR_MS - 1))).status).toBe(200);
  });

  it('rejects tokens that are wrong, missing or those of other links', async () => {
    await linkFor(site);
    const member = await site.member('member@example.com');
    await member.forget('member@example.com');
    for (const token of ['', 'x', '%', 'operator-setup:', site.tokenTo('member@example.com')]) {
      expect((await setUp(site, `/dashboard/setup?token=${encodeURIComponent(token)}`)).status).toBe(400);
    }
    expect((await site.browser().get('/dashboard/setup')).status).toBe(400);
    expect(await site.database.prisma.account.count({ where: { operator: true } })).toBe(0);
  });

  it('stays usable after a mistake in the form', async () => {
    const link = await linkFor(site);
    for (const mistake of [
      { email: 'ops' },
      { email: '' },
      { password: 'x' },
      { password: 'x'.repeat(129) },
    ]) {
      expectPage(await setUp(site, link, mistake), 400, 'aria-invalid');
    }
    expect((await setUp(site, link)).status).toBe(200);
  });

  it('takes an account with the same address from whoever created it', async () => {
    const stranger = await site.member(EMAIL);
    const link = await linkFor(site);
    expect((await setUp(site, link)).status).toBe(200);
    expect((await stranger.get('/dashboard/keys')).status).toBe(303);
    expect((await stranger.signIn(EMAIL)).status).toBe(303);
  });

  it('does not enable a disabled account', async () => {
    await site.member(EMAIL);
    await disableAccount(site.acting, (await site.accountOf(EMAIL)).id);
    expectPage(await setUp(site, await linkFor(site)), 400, 'is disabled');
    expect(await site.accountOf(EMAIL)).toMatchObject({ operator: false });
  });
});

it('OPERATORS makes operators of accounts with confirmed addresses, as long as they are in it', async () => {
  await site.browser().signUp('listed@example.com');
  // Not confirmed yet: there is no operator.
  expect(await createSetupLink(site.acting, ['listed@example.com'])).toBeDefined();
  const browser = await site.member('other@example.com');
  expect((await browser.get(OPERATOR)).status).toBe(404);
  const op = site.browser();
  const fields = { token: site.tokenTo('listed@example.com'), password: PASSWORD };
  await op.submit('/dashboard/reset-password', fields);
  expect((await op.get(OPERATOR)).status).toBe(200);
  expect(await createSetupLink(site.acting, ['listed@example.com'])).toBeUndefined();
  expect(await site.accountOf('listed@example.com')).toMatchObject({ operator: false });
  const { id } = await site.accountOf('listed@example.com');
  expect((await op.post(`${OPERATOR}/accounts/${id}/delete`)).status).toBe(400);

  const same = noMail.browser();
  await same.signIn('listed@example.com');
  expect((await same.get(OPERATOR)).status).toBe(404);
});

describe('invitations', () => {
  const linkOn = (text: string) =>
    /<code id="link">([^<]+)<\/code>/.exec(text)?.[1]?.slice(ORIGIN.length) ?? '';

  it('are links that operators pass on where there is no mail server, and that work once', async () => {
    const op = noMail.browser();
    await setUp(noMail, await linkFor(site), {}, op);
    for (const email of ['ada', EMAIL]) {
      const refused = await op.post(`${OPERATOR}/accounts/invite`, { email });
      expect([refused.status, linkOn(refused.text)]).toEqual([400, '']);
    }
    const shown = await op.post(`${OPERATOR}/accounts/invite`, { email: 'Ada@example.com' });
    expect(shown.status).toBe(200);
    const link = linkOn(shown.text);
    expect(link).toMatch(/^\/dashboard\/reset-password\?token=\w{32}$/);
    expect(await site.accountOf('ada@example.com')).toMatchObject({ emailVerified: false, operator: false });

    const ada = site.browser();
    expect((await ada.get(link)).status).toBe(200);
    const choose = (token: string) =>
      site.browser().post('/dashboard/reset-password', { token, password: PASSWORD });
    expect((await choose(tokenIn(link))).status).toBe(303);
    expect((await choose(tokenIn(link))).status).toBe(400);
    await ada.signIn('ada@example.com');
    expect((await ada.get('/dashboard/keys')).status).toBe(200);

    // Later, for a forgotten password: only the last link works.
    const { id } = await site.accountOf('ada@example.com');
    expect((await op.get(`${OPERATOR}/accounts/${id}`)).text).toContain('Password link');
    const newLink = async () => tokenIn(linkOn((await op.post(`${OPERATOR}/accounts/${id}/link`)).text));
    const [first, second] = [await newLink(), await newLink()];
    expect([(await choose(first)).status, (await choose(second)).status]).toEqual([400, 303]);
    expect((await ada.get('/dashboard/keys')).status).toBe(303);
    const acts = await site.database.prisma.auditEntry.findMany({
      where: { action: 'account.link', subject: id },
    });
    const maker = (await site.accountOf(EMAIL)).id;
    expect(acts.map(({ actor }) => actor)).toEqual([maker, maker, maker]);
  });

  it('are not made for operators, nor for addresses of OPERATORS, except on the command line', async () => {
    const op = await site.operator(EMAIL);
    const { accountId } = await site.operator('boss@example.com');
    expect((await op.get(`${OPERATOR}/accounts/${accountId}`)).text).not.toContain('Password link');
    await site.browser().signUp('listed@example.com');
    const listed = await site.accountOf('listed@example.com');
    for (const id of [accountId, listed.id]) {
      const refused = await op.post(`${OPERATOR}/accounts/${id}/link`);
      expectPage(refused, 400, 'is the address of an operator', 'revgate accounts password-link');
      expect(linkOn(refused.text)).toBe('');
    }
    await site.database.prisma.account.delete({ where: { id: listed.id } });
    const invited = await op.post(`${OPERATOR}/accounts/invite`, { email: 'Listed@example.com' });
    expectPage(invited, 400, 'is the address of an operator');
    expect(await site.database.prisma.account.count({ where: { email: 'listed@example.com' } })).toBe(0);
    const { path } = await createPasswordLink(site.acting, accountId);
    expect((await site.browser().get(path)).status).toBe(200);
  });

  const { acting } = site;
  it.each<[string, (maker: string, user: string) => Promise<unknown>]>([
    ['is demoted', (maker) => demoteAccount(acting, maker)],
    ['is disabled', (maker) => disableAccount(acting, maker)],
    ['is deleted', (maker) => deleteAccount(acting, maker)],
    [
      'was demoted and is an operator again',
      async (maker) => {
        await demoteAccount(acting, maker);
        await promoteAccount(acting, maker);
      },
    ],
    [
      'was disabled and is enabled',
      async (maker) => {
        await disableAccount(acting, maker);
        await enableAccount(acting, maker);
      },
    ],
    ['is one, but its user has become an operator, too', (_, user) => promoteAccount(acting, user)],
  ])('end when the operator who made them %s', async (_, end) => {
    const op = await site.operator(EMAIL);
    const other = await site.operator('boss@example.com');
    const { accountId } = await site.member('ada@example.com');
    const invitation = await op.post(`${OPERATOR}/accounts/invite`, { email: 'eve@example.com' });
    const made = await op.post(`${OPERATOR}/accounts/${accountId}/link`);
    const links = [linkOn(invitation.text), linkOn(made.text)].map(tokenIn);
    const choose = (token = '') =>
      site.browser().post('/dashboard/reset-password', { token, password: 'another long one' });
    await end(op.accountId, accountId);
    // An invitation of somebody else goes on if only the user of the other link became an operator.
    const isOfUser = (await site.accountOf('ada@example.com')).operator;
    for (const token of isOfUser ? links.slice(1) : links) {
      expect((await site.browser().get(`/dashboard/reset-password?token=${token}`)).status).toBe(400);
      expect((await choose(token)).status).toBe(400);
    }
    expect((await site.browser().signIn('ada@example.com')).status).toBe(303);
    expect((await site.accountOf('eve@example.com')).emailVerified).toBe(false);
    // Those of others work.
    const { id } = await site.accountOf('eve@example.com');
    expect(
      (await choose(tokenIn(linkOn((await other.post(`${OPERATOR}/accounts/${id}/link`)).text)))).status,
    ).toBe(303);
  });

  it('end when the operator who made them is no longer in OPERATORS', async () => {
    const op = await site.member('listed@example.com');
    const made = linkOn((await op.post(`${OPERATOR}/accounts/invite`, { email: 'eve@example.com' })).text);
    expect((await site.browser().get(made)).status).toBe(200);
    expect((await noMail.browser().get(made)).status).toBe(400);
  });

  it('do not exist for others, nor with a mail server, where only the user of an address gets a link', async () => {
    await setUp(noMail, await linkFor(site));
    const { id } = await site.accountOf(EMAIL);
    const withMail = await openSite({ database: site.database });
    const op = withMail.browser();
    await op.signIn(EMAIL);
    expect((await op.get(`${OPERATOR}/accounts`)).text).not.toContain('/invite');
    const stranger = await withMail.member('member@example.com');
    const member = noMail.browser();
    member.takeCookies(stranger.jar);
    for (const [browser, path, expected] of [
      // Of one account, whose id this could be, there is a page.
      [op, 'invite', 405],
      [op, `${id}/link`, 404],
      [stranger, 'invite', 404],
      [stranger, `${id}/link`, 404],
      [member, 'invite', 404],
      [member, `${id}/link`, 404],
    ] as const) {
      const { status } = await browser.post(`${OPERATOR}/accounts/${path}`, { email: 'x@example.com' });
      expect([path, status]).toEqual([path, expected]);
    }
    expect((await member.get('/dashboard/keys')).status).toBe(200);
  });
});
