import { beforeEach, describe, expect, it } from 'vitest';
import { createGate } from '../../support/gate.ts';
import type { Answer } from '../../support/gateway.ts';
import { textIn } from '../../support/html.ts';
import { FACTOR } from './factor.ts';
import { type Browser, expectPage, openSite, PASSWORD } from './site.ts';
import { sendUpload, UPLOAD } from './upload-form.ts';

// What the dashboard allows in a minute, or at once: exactly so much, whoever else has reached a limit. Pages that are
// opened are counted in explorer.test.ts (of an account) and graphql.test.ts (of an address).

const github = { clientId: 'our-client', clientSecret: 'our-secret' };
const site = await openSite({ settings: { github } });
beforeEach(site.nextMinute);

const ACCOUNT = '/dashboard/account';
const wrong = { current: 'not the password' };
/** A token that only its signature shows to be none. */
const forged = (email: string) => {
  const content = Buffer.from(JSON.stringify({ email, updateTo: 'new@example.com' })).toString('base64url');
  return `x.${content}.x`;
};
/** Who sends the attempts of a limit. */
type Sender = Browser & { readonly email: string };
type Attempt = (sender: Sender, number: number) => Promise<Answer>;
type Row = readonly [what: string, limit: number, attempt: Attempt];

let senders = 0;
async function openSender(kind: 'browser' | 'member' | 'operator'): Promise<Sender> {
  const email = `sender${++senders}@example.com`;
  return { ...(kind === 'browser' ? site.browser() : await site[kind](email)), email };
}

/** Expects that so many attempts are admitted in a minute and no further one, which keeps no other sender out. */
async function expectLimit(kind: Parameters<typeof openSender>[0], limit: number, attempt: Attempt) {
  const [one, other] = [await openSender(kind), await openSender(kind)];
  site.nextMinute();
  for (let number = 1; number <= limit; number++) {
    expect((await attempt(one, number)).status, `attempt ${number}`).not.toBe(429);
  }
  const refused = await attempt(one, limit + 1);
  expectPage(refused, 429, 'Too many');
  // The page has the seconds of the header.
  expect(textIn(refused.text)).toMatch(new RegExp(`Wait\\s*${refused.headers['retry-after']}\\s*second`));
  expect((await attempt(other, limit + 2)).status).not.toBe(429);
  site.nextMinute();
  expect((await attempt(one, limit + 3)).status).not.toBe(429);
}

describe('in a minute, an address can', () => {
  it.each<Row>([
    ['sign up', 5, (one, number) => one.signUp(`${one.address}-${number}@example.com`)],
    ['ask for links for a forgotten password', 5, (one, number) => one.forget(`nobody${number}@example.com`)],
    ['begin to sign in with GitHub', 20, (one) => one.post('/dashboard/github')],
  ])('%s: %d times', async (_what, limit, attempt) => expectLimit('browser', limit, attempt));

  it.each<Row>([
    ['ask to change the address', 5, (one) => one.post(`${ACCOUNT}/email`, { email: 'x' })],
    [
      'use links that change it',
      20,
      (one) => one.post('/dashboard/change-email', { token: forged(one.email) }),
    ],
    ['change the password', 10, (one) => one.post(`${ACCOUNT}/password`, { ...wrong, password: PASSWORD })],
    ['delete the account', 10, (one) => one.post(`${ACCOUNT}/delete`, wrong)],
    ['set up a second factor', 10, (one) => one.post(`${FACTOR}/start`, wrong)],
    ['replace recovery codes', 10, (one) => one.post(`${FACTOR}/codes`, wrong)],
  ])('when signed in, %s: %d times', async (_what, limit, attempt) => expectLimit('member', limit, attempt));

  it('choose passwords by a link: 10 times', async () => {
    await site.browser().signUp('slow@example.com');
    // What is wrong with the password is said without using the link.
    const link = { token: site.tokenTo('slow@example.com'), password: 'short' };
    await expectLimit('browser', 10, (one) => one.post('/dashboard/reset-password', link));
  });

  it('sign up five addresses, and gets no account for a sixth', async () => {
    const browser = site.browser();
    for (let number = 1; number <= 6; number++) {
      await browser.signUp(`many${number}@example.com`);
    }
    const made = await site.database.prisma.account.count({ where: { email: { startsWith: 'many' } } });
    expect(made).toBe(5);
  });
});

describe('in a minute, an account can', () => {
  it.each<Row>([
    ['change keys and documents', 30, (one) => one.post('/dashboard/keys/none/revoke')],
    ['create embeds', 30, (one) => one.post('/dashboard/embeds/new')],
    ['upload files', 60, (one) => sendUpload(site, one, {}, undefined)],
  ])('%s: %d times', async (what, limit, attempt) =>
    expectLimit(what === 'upload files' ? 'operator' : 'member', limit, attempt),
  );

  it('open 240 pages in all browsers that it signed in to, also when they are signed out', async () => {
    const [one, other] = [await openSender('member'), site.browser()];
    await other.signIn(one.email);
    await one.post('/dashboard/sign-out');
    await other.post('/dashboard/sign-out');
    site.nextMinute();
    for (let number = 0; number < 240; number++) {
      expect((await (number % 2 === 0 ? one : other).get('/dashboard/sign-in')).status).toBe(200);
    }
    expect((await one.get('/dashboard/sign-in')).status).toBe(429);
    expect((await other.get('/dashboard/sign-in')).status).toBe(429);
  });
});

it('receives two uploads of an account at once, and four in all', async () => {
  const gate = createGate();
  let begun = 0;
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const body =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\nAcme\r\n--b--\r\n';
  const upload = (one: Browser) =>
    one.send('POST', UPLOAD, body, type, () => {
      begun++;
      return gate.opened;
    });
  const [first, second, third] = [
    await openSender('operator'),
    await openSender('operator'),
    await openSender('operator'),
  ];
  const uploads: Promise<Answer>[] = [];
  for (const [one, sent] of [
    [first, 1],
    [first, 2],
    [second, 3],
    [second, 4],
  ] as const) {
    uploads.push(upload(one));
    await expect.poll(() => begun).toBe(sent);
    if (sent === 2) {
      expectPage(await upload(first), 429, 'Other files are being uploaded.');
    }
  }
  expectPage(await upload(third), 429, 'Other files are being uploaded.');
  gate.open();
  const statuses = (await Promise.all(uploads)).map(({ status }) => status);
  expect(statuses).toEqual([303, 303, 303, 303]);
  expect((await upload(third)).status).toBe(303);
});
