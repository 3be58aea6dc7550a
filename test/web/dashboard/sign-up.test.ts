import { describe, expect, it } from 'vitest';
import { expectPage, ORIGIN, openSite, PASSWORD, policy } from './site.ts';

const site = await openSite();

describe('signing up', () => {
  it('sends a link, behind which a password and the policy confirm the address, sign in and create a key', async () => {
    const browser = site.browser();
    // Where "Get an API key" leads.
    const forKey = () => browser.get('/dashboard/sign-up?next=/dashboard/keys/new');
    expectPage(await forKey(), 200, 'Create a free account to get an API key.');
    const asked = await browser.signUp('Ada@Example.com');
    expectPage(asked, 200, 'Check your email');
    expect(asked.text).not.toContain('if this address has an account');
    expect(asked.cookies).toEqual([]);
    expect(site.mails.at(-1)).toMatchObject({ to: 'ada@example.com', subject: /Finish signing up/ });

    const page = await browser.get(site.linkTo('ada@example.com'));
    expect([page.status, page.text.match(/type="password"/g)?.length]).toEqual([200, 1]);
    expect(page.text).toContain('<strong>ada@example.com</strong>');
    expect(page.text).toContain('<li>Be</li>');
    // By the link alone, nothing is confirmed.
    expect((await site.accountOf('ada@example.com')).emailVerified).toBe(false);
    // Fields that the form does not have create no operator.
    expect(page.text).toContain('name="name"');
    const more = { operator: 'true', emailVerified: 'true', accept: policy.version, name: 'Report' };
    const fields = { token: site.tokenTo('ada@example.com'), password: PASSWORD, ...more };
    const confirmed = await browser.post('/dashboard/reset-password', fields);
    expectPage(confirmed, 200, 'Your new key', 'Report');
    const key = /rvg_\w+/.exec(confirmed.text)?.[0];
    expect((await site.call('/api/v1/startups', { key })).status).toBe(200);
    expect((await browser.get('/dashboard/keys/new')).status).toBe(200);
    const account = await site.accountOf('ada@example.com');
    expect(account).toMatchObject({ emailVerified: true, operator: false });
    expect(account.id).toMatch(/^acc_[0-9A-Za-z]{12}$/);
    expect((await site.browser().post('/dashboard/reset-password', fields)).status).toBe(400);
    expect(await site.database.prisma.apiKey.count()).toBe(1);
    // A name that no key can have, or a policy that was not accepted, is asked for again: the link is used.
    await browser.post('/dashboard/sign-out');
    await forKey();
    await browser.signUp('amy@example.com');
    const other = { ...fields, token: site.tokenTo('amy@example.com'), name: 'x'.repeat(999) };
    expect((await browser.post('/dashboard/reset-password', other)).headers.location).toBe(
      '/dashboard/keys/new',
    );
  });

  it('answers the same for an address that has an account, whose holder gets a mail', async () => {
    await site.member('dan@example.com');
    const browser = site.browser();
    const taken = await browser.signUp('dan@example.com');
    const free = await browser.signUp('eve@example.com');
    expect(taken.status).toBe(free.status);
    expect(taken.text.replaceAll('dan@', 'eve@')).toBe(free.text);
    expect(Object.keys(taken.headers)).toEqual(Object.keys(free.headers));
    expect(site.mails.findLast(({ to }) => to === 'dan@example.com')?.paragraphs[0]).toMatch(/already have/);
    // Nor does signing in tell: the one is wrong, the other not confirmed.
    const first = await browser.signIn('dan@example.com', 'x'.repeat(12));
    const second = await browser.signIn('eve@example.com', 'x'.repeat(12));
    expect(first.status).toBe(400);
    expect(first.text.replaceAll('dan@', 'eve@')).toBe(second.text);
  });

  it.each([
    ['an email without @', 'sign-up', 'email', 'nobody'],
    ['no email', 'sign-up', 'email', ''],
    ['a long email', 'sign-up', 'email', `a@${'x'.repeat(250)}.com`],
    ['a short password', 'reset-password', 'password', 'too short'],
    ['a long password', 'reset-password', 'password', 'x'.repeat(129)],
  ])('says what is wrong with %s', async (_what, path, field, value) => {
    const browser = site.browser();
    await browser.signUp('fay@example.com');
    const form = { token: site.tokenTo('fay@example.com'), [field]: value };
    const answer = await browser.post(`/dashboard/${path}`, form);
    expectPage(answer, 400, `id="${field}-error"`);
    expect(answer.text).not.toMatch(/value="(too short|x{9})/);
    site.nextMinute();
  });

  it('names our own origin in mails, whatever Host and X-Forwarded-Host say', async () => {
    const browser = site.browser();
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    await browser.post('/dashboard/sign-up', { email: 'hal@example.com' }, forged);
    await browser.post('/dashboard/forgotten-password', { email: 'hal@example.com' }, forged);
    const mails = site.mails.filter(({ to }) => to === 'hal@example.com');
    expect(mails).toHaveLength(2);
    for (const { link } of mails) {
      expect(link?.url.startsWith(`${ORIGIN}/dashboard/`)).toBe(true);
    }
    expect(JSON.stringify(mails)).not.toContain('evil');
  });

  it('sends a link for a forgotten password, and does not reveal whether there is an account', async () => {
    const browser = site.browser();
    await browser.signUp('ian@example.com');
    const before = site.mails.length;
    const known = await browser.forget('ian@example.com');
    expect(site.mails.length).toBe(before + 1);
    const unknown = await browser.forget('noo@example.com');
    expect(site.mails.length).toBe(before + 1);
    expect(known.text.replaceAll('ian@', 'noo@')).toBe(unknown.text);
  });

  it('sends no more than three mails a minute to one address, however they are requested', async () => {
    const sent = (): number => site.mails.filter(({ to }) => to === 'joy@example.com').length;
    await site.browser().signUp('joy@example.com');
    for (let round = 0; round < 5; round++) {
      const answer = await site.browser().forget('joy@example.com');
      expect(answer.status).toBe(200);
    }
    expect(sent()).toBe(3);
  });
});

it('by invitation only creates no account, sends no mail, and says how to get one', async () => {
  const other = await openSite({ settings: { isInvitedOnly: true }, database: site.database });
  const browser = other.browser();
  for (const answer of [await browser.get('/dashboard/sign-up'), await browser.signUp('moe@example.com')]) {
    expectPage(answer, 403, 'ask the operator of this server for a link');
  }
  expect(other.mails).toEqual([]);
  expect(await site.database.prisma.account.findUnique({ where: { email: 'moe@example.com' } })).toBeNull();
  const signIn = await browser.get('/dashboard/sign-in');
  expect(signIn.text).toContain('ask the operator of this server for a link');
  expect(signIn.text).not.toContain('Sign up');
});

describe('without mail', () => {
  it('nobody can sign up, and the page says why', async () => {
    const other = await openSite({ mail: 'none', database: site.database });
    const browser = other.browser();
    for (const answer of [
      await browser.get('/dashboard/sign-up'),
      await browser.signUp('kim@example.com'),
      await browser.get('/dashboard/forgotten-password'),
      await browser.forget('ada@example.com'),
    ]) {
      expectPage(answer, 503, 'SMTP_URL');
    }
    expect(await site.database.prisma.account.findUnique({ where: { email: 'kim@example.com' } })).toBeNull();
  });

  it('but with a terminal, every page says to look there instead of into a mailbox', async () => {
    const other = await openSite({ mail: 'terminal', database: site.database });
    const browser = other.browser();
    const email = 'lou@example.com';
    const answers = [await browser.signUp(email), await browser.forget(email)];
    const lou = await other.member('lou@example.org');
    answers.push(await lou.post('/dashboard/account/email', { email: 'louise@example.org' }));
    const token = other.tokenTo('lou@example.org');
    answers.push(await lou.post('/dashboard/change-email', { token }));
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toMatch(/No mail server is set up: .* is printed on the terminal/);
      expect(text).not.toMatch(/[Ww]e sent|Check your email|on its way/);
    }
  });
});
