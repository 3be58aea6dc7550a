import { describe, expect, it } from 'vitest';
import { expectPage, keyOn, openSite, PASSWORD, textOf } from './site.ts';
import { formOn } from './upload-form.ts';

const site = await openSite();

const signIn = async (email: string, password = PASSWORD) => {
  const browser = site.browser();
  return { browser, status: (await browser.signIn(email, password)).status };
};

it('a password can be changed with the current one, and ends all other sessions', async () => {
  const ada = await site.member('ada@example.com');
  const { browser: elsewhere } = await signIn('ada@example.com');
  const change = (current: string, password: string) =>
    ada.post('/dashboard/account/password', { current, password });
  expectPage(await change('not this one', 'a new long one'), 400, 'current-error');
  expect((await change(PASSWORD, 'short')).text).toContain('password-error');
  const done = await change(PASSWORD, 'a new long one');
  expect(done.headers.location).toBe('/dashboard/account?notice=password');
  expect((await ada.get('/dashboard/account')).status).toBe(200);
  expect((await elsewhere.get('/dashboard/account')).status).toBe(303);
  expect((await signIn('ada@example.com')).status).toBe(400);
  expect((await signIn('ada@example.com', 'a new long one')).status).toBe(303);
});

describe('an address', () => {
  it('is changed by the links of both mails, each in the browser that is signed in', async () => {
    const bob = await site.member('bob@example.com');
    const stranger = site.browser();
    const asked = await bob.post('/dashboard/account/email', { email: 'Robert@example.com' });
    expect(asked.text).toContain('bob@example.com');
    const first = site.linkTo('bob@example.com');
    expect(first).toMatch(/^\/dashboard\/change-email\?token=/);
    expect(site.linkTo('robert@example.com')).toBe('');

    const token = site.tokenTo('bob@example.com');
    expect((await stranger.get(first)).headers.location).toMatch(/^\/dashboard\/sign-in/);
    expect((await stranger.post('/dashboard/change-email', { token })).status).toBe(303);
    const other = await site.member('eve@example.com');
    expect((await other.post('/dashboard/change-email', { token })).status).toBe(400);
    expect(site.linkTo('robert@example.com')).toBe('');

    expect((await bob.get(first)).text).toContain('robert@example.com');
    expect((await bob.post('/dashboard/change-email', { token })).text).toContain('robert@example.com');
    // Whoever reads the new mailbox has no session by that.
    const second = { token: site.tokenTo('robert@example.com') };
    expect((await stranger.post('/dashboard/change-email', second)).cookies.join()).not.toContain('session');
    expect((await site.accountOf('bob@example.com')).emailVerified).toBe(true);
    const done = await bob.post('/dashboard/change-email', second);
    expect(done.headers.location).toBe('/dashboard/account?notice=email');
    expect(await site.accountOf('robert@example.com')).toMatchObject({ emailVerified: true });
    expect((await bob.post('/dashboard/change-email', second)).status).toBe(400);
    expect((await signIn('robert@example.com')).status).toBe(303);
  });

  it('that has an account is answered as any other, and gets no mail', async () => {
    const cyd = await site.member('cyd@example.com');
    await site.member('known@example.com');
    const before = site.mails.length;
    const taken = await cyd.post('/dashboard/account/email', { email: 'known@example.com' });
    expect(site.mails.length).toBe(before);
    const free = await cyd.post('/dashboard/account/email', { email: 'new@example.com' });
    expect(taken.text.replaceAll('known@', 'new@')).toBe(free.text);
    const refused = (email: string) => cyd.post('/dashboard/account/email', { email });
    expectPage(await refused('nobody'), 400, 'Enter an email address');
    expectPage(await refused(`${'x'.repeat(300)}@example.com`), 400, 'Enter an email address');
    expectPage(await refused('CYD@example.com'), 400, 'This is already your address.');
  });
});

describe('sessions', () => {
  it('are listed, and end one by one or all but one’s own, for their account only', async () => {
    site.nextMinute();
    const dan = await site.member('dan@example.com');
    const { browser: one } = await signIn('dan@example.com');
    const { browser: two } = await signIn('dan@example.com');
    const other = await site.member('fay@example.com');
    const page = await dan.get('/dashboard/account');
    expectPage(page, 200, 'This device', one.address);
    const session = textOf(page, /name="session" value="(\w{22})"/) ?? '';
    // Nobody else ends them.
    await other.post('/dashboard/account/sessions', { session });
    await other.post('/dashboard/account/sessions', { session: 'others' });
    const all = [one, two, dan].map((browser) => browser.get('/dashboard/account'));
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await dan.post('/dashboard/account/sessions', { session });
    const ended = [one, two].map((browser) => browser.get('/dashboard/account'));
    expect((await Promise.all(ended)).map(({ status }) => status).sort()).toEqual([200, 303]);
    await dan.post('/dashboard/account/sessions', { session: 'others' });
    expect((await one.get('/dashboard/account')).status).toBe(303);
    expect((await two.get('/dashboard/account')).status).toBe(303);
    expect((await dan.get('/dashboard/account')).status).toBe(200);
  });
});

it('emails about keys are turned off and on by the switch of the page, which resumes refused ones', async () => {
  const kay = await site.member('kay@example.com');
  const stored = async () => {
    const { keyMails, refusedEmail } = await site.accountOf('kay@example.com');
    return { keyMails, refusedEmail };
  };
  /** Presses the switch, as it is shown. */
  const press = async () => {
    const [, form = ''] =
      /<form[^>]*action="\/dashboard\/account\/mails"[^>]*>(.*?)<\/form>/s.exec(
        (await kay.get('/dashboard/account')).text,
      ) ?? [];
    return kay.submit('/dashboard/account/mails', formOn(form));
  };
  const data = { refusedEmail: 'kay@example.com' };
  await site.database.prisma.account.update({ where: { id: kay.accountId }, data });
  expect(await stored()).toEqual({ keyMails: true, ...data });
  expectPage(await kay.get('/dashboard/account'), 200, 'aria-checked="true"', 'they are paused');
  expectPage(await press(), 200, 'You get no emails about your keys.', 'aria-checked="false"');
  expect(await stored()).toEqual({ keyMails: false, refusedEmail: null });
  expectPage(await press(), 200, 'You get emails about your keys.', 'aria-checked="true"');
  expect(await stored()).toEqual({ keyMails: true, refusedEmail: null });
});

it('deleting an account requires its password, revokes its keys and leaves no personal data', async () => {
  site.nextMinute();
  const hal = await site.member('hal@example.com');
  const key = keyOn(await hal.post('/dashboard/keys', { name: 'Hal’s phone' }));
  const { id } = await site.accountOf('hal@example.com');
  await hal.forget('hal@example.com');
  const token = site.tokenTo('hal@example.com');

  for (const current of ['', 'wrong password']) {
    expectPage(await hal.post('/dashboard/account/delete', { current }), 400, 'current-error');
  }
  expect((await site.call('/api/v1/startups', { key })).status).toBe(200);

  const done = await hal.post('/dashboard/account/delete', { current: PASSWORD });
  expect(done.headers.location).toBe('/dashboard/sign-in?notice=deleted');
  await hal.visit('/dashboard/sign-in?notice=deleted');
  expect(hal.jar.size).toBe(0);
  await site.notice();
  expect((await site.call('/api/v1/startups', { key })).status).toBe(401);
  expect((await signIn('hal@example.com')).status).toBe(400);
  const reset = await hal.post('/dashboard/reset-password', { token, password: 'a new long one' });
  expect(reset.status).toBe(400);
  expect(await site.tablesWith('hal@|Hal’s')).toEqual([]);
  const { prisma } = site.database;
  const act = await prisma.auditEntry.findFirst({ where: { action: 'account.delete' } });
  expect(act).toMatchObject({ actor: id, subject: id, details: { revokedKeys: 1 } });
  const kept = await prisma.apiKey.findFirst({ where: { policyAcceptedBy: id } });
  expect(kept).toMatchObject({ accountId: null, name: 'deleted' });
  // The address is free again.
  await site.member('hal@example.com');
  expect((await site.accountOf('hal@example.com')).id).not.toBe(id);
});
