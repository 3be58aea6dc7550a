import { describe, expect, it } from 'vitest';
import { codeAt } from '../../../src/access/accounts/second-factor.ts';
import { addOwnField } from '../../../src/startups/own/declarations.ts';
import { textIn } from '../../support/html.ts';
import { FACTOR as PATH, STEP_MS, secretOn, setUpFactor } from './factor.ts';
import { type Browser, expectPage, openSite, PASSWORD, quickHashing, textOf } from './site.ts';

const WRONG = '000000';

/** What happens while a password is checked. */
let whileChecking = async (): Promise<unknown> => undefined;
const hashing = {
  ...quickHashing,
  verify: async (input: Parameters<typeof quickHashing.verify>[0]) => {
    await whileChecking();
    return quickHashing.verify(input);
  },
};
// Without a mail server, operators make links.
const site = await openSite({
  mail: 'terminal',
  settings: { hashing, operators: ['boss@example.com', 'other@example.com'] },
});
const victim = await site.member('victim@example.com');
await addOwnField(site.database.prisma, { name: 'employees', kind: 'count' });
const forgetful = await site.member('forgetful@example.com');

/** Another browser that has signed in with the password only. */
async function signedIn(email: string): Promise<Browser> {
  const browser = site.browser();
  const { status, headers } = await browser.signIn(email);
  expect([status, headers.location]).toEqual([303, `${PATH}?next=%2Fdashboard`]);
  return browser;
}

const give = (browser: Browser, factor: string) => browser.post(PATH, { factor, next: '/dashboard/keys' });

it('is drawn as a QR code without a script, and turned on by its first code only', async () => {
  const ada = await site.member('ada@example.com');
  expectPage(await ada.post(`${PATH}/start`, { current: 'wrong' }), 400, 'This is not your password.');
  const shown = await ada.post(`${PATH}/start`, { current: PASSWORD });
  expect(shown.text).toMatch(/<svg class="qr" viewBox="0 0 \d+ \d+".*?<path d="M4 4h1v1h-1z/s);
  expect(shown.headers['content-security-policy']).not.toContain('inline');
  const refused = await ada.post(`${PATH}/confirm`, { factor: WRONG });
  expect([refused.status, secretOn(refused.text)]).toEqual([400, secretOn(shown.text)]);
  expect((await site.accountOf('ada@example.com')).twoFactorEnabled).toBe(false);
  await setUpFactor(site, ada);
  expect((await site.accountOf('ada@example.com')).twoFactorEnabled).toBe(true);
  // It was given when it was set up.
  expect((await ada.get('/dashboard/keys')).status).toBe(200);
});

it('is shown as it is where another tab turned it on or off meanwhile', async () => {
  const ada = await site.member('tabs@example.com');
  const { text } = await ada.post(`${PATH}/start`, { current: PASSWORD });
  const code = codeAt(secretOn(text), Math.floor(site.now() / STEP_MS));
  whileChecking = () => ada.post(`${PATH}/confirm`, { factor: code });
  const late = await ada.post(`${PATH}/start`, { current: PASSWORD }).finally(() => {
    whileChecking = async () => undefined;
  });
  expect([late.status, late.headers.location]).toEqual([303, PATH]);
  expect((await ada.get(PATH)).text).toContain('Turn it off');
  // What was confirmed stays.
  const browser = await signedIn('tabs@example.com');
  site.wait(STEP_MS);
  const next = codeAt(secretOn(text), Math.floor(site.now() / STEP_MS));
  expect((await give(browser, next)).status).toBe(303);

  const off = await site.member('off@example.com');
  for (const [path, form] of [
    ['', { factor: WRONG }],
    ['/codes', { current: PASSWORD }],
    ['/remove', { factor: WRONG }],
    ['/confirm', { factor: WRONG }],
  ] as const) {
    const { status, headers } = await off.post(PATH + path, form);
    expect([path, status, headers.location]).toEqual([path, 303, PATH]);
  }
});

it('that was encrypted with another AUTH_SECRET is refused with what to do', async () => {
  const { app, codes } = await setUpFactor(site, await site.member('secret@example.com'));
  const changed = await openSite({ secret: 'x'.repeat(32), database: site.database });
  const browser = changed.browser();
  await browser.signIn('secret@example.com');
  for (const code of [codes[0] ?? '', app()]) {
    expectPage(await give(browser, code), 400, 'AUTH_SECRET of this server has changed', 'reset-2fa');
  }
  expect((await give(await signedIn('secret@example.com'), codes[0] ?? '')).status).toBe(303);
});

it('is offered to everyone, who need not take it, and can be changed and turned off on the same page', async () => {
  const pat = await site.member('pat@example.com');
  const accountPage = async () => textIn((await pat.get('/dashboard/account')).text);
  expect(await accountPage()).toMatch(/Second factor\s*Off\s*Set up/);
  const offer = await pat.get(PATH);
  expectPage(offer, 200, '<h1>Set up a second factor</h1>', `action="${PATH}/start"`, 'Your password');
  // Above the form.
  expect(offer.text).toMatch(/<a href="\/dashboard\/account">Not now<\/a>.*<form class="stack"/s);
  expect(offer.text).not.toMatch(/Operators of this server|Enter your code|\/remove"/);
  // Whoever looks at it can go on without.
  expect((await pat.get('/dashboard/keys')).status).toBe(200);

  const { app } = await setUpFactor(site, pat);
  expect(await accountPage()).toMatch(/Second factor\s*On\s*Change/);
  const settings = await pat.get(PATH);
  expectPage(settings, 200, 'The second factor is on', `action="${PATH}/codes"`, `action="${PATH}/remove"`);
  expect(settings.text).not.toMatch(/Not now|\/start"/);
  // It cannot be replaced by another one without a code of it.
  expect((await pat.post(`${PATH}/start`, { current: PASSWORD })).headers.location).toBe(PATH);
  site.wait(STEP_MS);
  expectPage(await pat.submit(`${PATH}/remove`, { factor: app() }), 200, 'The second factor is off');
  expectPage(await pat.get(PATH), 200, '<h1>Set up a second factor</h1>');
});

describe('a session without it', async () => {
  await setUpFactor(site, await site.member('boss@example.com'));

  it.each(
    ['keys', 'account', 'explorer', 'operator', 'operator/imports/new'].map((path) => `/dashboard/${path}`),
  )('gets from %s to the page that asks for it', async (path) => {
    const { status, headers } = await (await signedIn('boss@example.com')).get(path);
    expect([status, headers.location]).toEqual([303, `${PATH}?next=${encodeURIComponent(path)}`]);
  });

  it('changes nothing, turns nothing off, and has no session for GraphiQL', async () => {
    const browser = await signedIn('boss@example.com');
    const posts = [
      ['/dashboard/keys', { name: 'x' }],
      ['/dashboard/operator/tokens', { name: 'x' }],
      ['/dashboard/account/delete', { current: PASSWORD }],
      [`${PATH}/remove`, { factor: WRONG }],
      [`${PATH}/codes`, { current: PASSWORD }],
      [`${PATH}/start`, { current: PASSWORD }],
    ] as const;
    for (const [path, form] of posts) {
      const { status, headers } = await browser.post(path, form);
      expect([path, status, headers.location]).toEqual([path, 303, PATH]);
    }
    expect((await browser.get('/dashboard/graphql/session')).json).toEqual({ account: null });
    expect((await site.accountOf('boss@example.com')).twoFactorEnabled).toBe(true);
    expect((await browser.post('/dashboard/sign-out')).status).toBe(303);
  });
});

describe('a code', () => {
  it('works once, in any session, within half a minute of its time, and only for its account', async () => {
    const { app } = await setUpFactor(site, await site.member('eve@example.com'));
    const other = await setUpFactor(site, await site.member('bob@example.com'));
    const [one, two] = [await signedIn('eve@example.com'), await signedIn('eve@example.com')];
    // Used when it was set up.
    expect((await give(one, app())).status).toBe(400);
    site.wait(3 * STEP_MS);
    for (const wrong of [other.app(), app(-2), app(2), '', 'x'.repeat(500), ' ']) {
      expect((await give(one, wrong)).status).toBe(400);
    }
    const given = await Promise.all([give(one, app()), give(two, app())]);
    expect(given.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect((await give(two, app(-1))).status).toBe(400);
    const next = app(1);
    const { headers } = await give(two, `${next.slice(0, 3)} ${next.slice(3)}`);
    expect(headers.location).toBe('/dashboard/keys');
    expect((await two.get('/dashboard/keys')).status).toBe(200);
  });

  it('can be a recovery code, which also works once', async () => {
    const { codes } = await setUpFactor(site, await site.member('rec@example.com'));
    const [one, two] = [await signedIn('rec@example.com'), await signedIn('rec@example.com')];
    const given = async (browser: Browser, code = '') => (await give(browser, code)).status;
    const statuses = [await given(one, codes[3]), await given(two, codes[3]), await given(two, codes[4])];
    expect(statuses).toEqual([303, 400, 303]);
    // The audit log says when, and how many are left, but not which.
    const { id } = await site.accountOf('rec@example.com');
    const used = await site.database.prisma.auditEntry.findMany({
      where: { action: 'account.recovery-code', actor: id },
      orderBy: { id: 'asc' },
    });
    expect(used.map(({ actor, subject, details }) => [actor, subject, details])).toEqual([
      [id, id, { left: 9 }],
      [id, id, { left: 8 }],
    ]);
    expect(await site.tablesWith(codes[3] ?? '')).toEqual([]);
    const replaced = await two.post(`${PATH}/codes`, { current: PASSWORD });
    const three = await signedIn('rec@example.com');
    expect(await given(three, codes[5])).toBe(400);
    expect(await given(three, textOf(replaced, /id="codes">([\w-]{11})/))).toBe(303);
  });

  it('cannot be guessed: ten wrong ones at once or from many places lock the account for 15 minutes', async () => {
    const { app, codes } = await setUpFactor(site, await site.member('guess@example.com'));
    site.wait(2 * STEP_MS);
    const browsers = await Promise.all([1, 2].map(() => signedIn('guess@example.com')));
    const attempts = browsers.flatMap((one) => Array.from({ length: 8 }, () => give(one, WRONG)));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect([400, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([10, 6]);
    const [one] = browsers as [Browser];
    expect((await give(one, app())).status).toBe(429);
    expect((await give(one, codes[0] ?? '')).status).toBe(429);
    site.wait(15 * 60_000 - 1);
    expect((await give(one, app())).status).toBe(429);
    site.wait(1);
    expect((await give(one, app())).status).toBe(303);
  });

  it('and its secret are in no table, page and log in clear', async () => {
    const { secret, codes } = await setUpFactor(site, await site.member('clear@example.com'));
    expect(await site.tablesWith(secret)).toEqual([]);
    expect(await site.tablesWith(codes[0] ?? '')).toEqual([]);
  });
});

describe('after 15 minutes', () => {
  it.each([
    ['creating a token', '/dashboard/operator/tokens', { name: 'nightly' }, 200],
    ['inviting somebody', '/dashboard/operator/accounts/invite', { email: 'new@example.com' }, 200],
    ['making a password link', `/dashboard/operator/accounts/${forgetful.accountId}/link`, {}, 200],
    ['removing a field', '/dashboard/operator/fields/employees/remove', {}, 303],
    ['deleting an account', `/dashboard/operator/accounts/${victim.accountId}/delete`, {}, 303],
    ['deleting the own account', '/dashboard/account/delete', { current: PASSWORD }, 303],
  ])('%s needs it again', async (what, path, form, done) => {
    // An operator is not deleted.
    const open = what.includes('own') ? site.member : site.operator;
    const one = await open(`${what.replaceAll(' ', '-')}@example.com`);
    const { app } = await setUpFactor(site, one);
    const asks = async () =>
      (await one.get(path.endsWith('/tokens') ? `${path}/new` : path)).text.includes('name="factor"');
    site.wait(15 * 60_000 - 1);
    expect(await asks()).toBe(false);
    site.wait(1);
    expect(await asks()).toBe(true);
    expectPage(await one.post(path, form), 400, 'Enter a code of your second factor.');
    expect((await one.post(path, { ...form, factor: WRONG })).status).toBe(400);
    expect((await one.post(path, { ...form, factor: app() })).status).toBe(done);
  });

  it('everything else goes on', async () => {
    const ida = await site.member('ida@example.com');
    await setUpFactor(site, ida);
    site.wait(20 * 60_000);
    expect((await ida.get('/dashboard/keys')).status).toBe(200);
    expect((await ida.post(`${PATH}/remove`, { factor: WRONG })).status).toBe(400);
  });
});

it('is required of operators where the setting says so, and of nobody else', async () => {
  const strict = await openSite({ settings: { requiresFactor: true }, database: site.database });
  const op = strict.browser();
  const email = 'other@example.com';
  await site.operator(email);
  // Signing in leads to it at once, without the password again.
  expect(secretOn((await op.signIn(email)).text)).toHaveLength(32);
  expect((await op.get('/dashboard/operator')).headers.location).toBe(`${PATH}?next=%2Fdashboard%2Foperator`);
  expect((await op.get(PATH)).text).toContain('Operators of this server need one.');
  const { app } = await setUpFactor(strict, op);
  expect((await op.get('/dashboard/operator')).status).toBe(200);
  expect((await op.get(PATH)).text).not.toContain('Turn it off');
  strict.wait(STEP_MS);
  expectPage(await op.post(`${PATH}/remove`, { factor: app() }), 400, 'Operators of this server need');
  const plain = strict.browser();
  await site.member('plain@example.com');
  await plain.signIn('plain@example.com');
  expect((await plain.get('/dashboard/keys')).status).toBe(200);
});

it('is offered after the links that set up operators, and its changes are in the audit log', async () => {
  const uma = await site.member('uma@example.com');
  const { app } = await setUpFactor(site, uma);
  site.wait(STEP_MS);
  const { headers } = await uma.post(`${PATH}/remove`, { factor: app() });
  expect(headers.location).toContain('notice=factor-off');
  const where = { actor: uma.accountId, subject: uma.accountId };
  const entries = await site.database.prisma.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
  const acts = ['account.factor-set', 'account.factor-remove'];
  expect(entries.map(({ action }) => action).slice(-2)).toEqual(acts);
  expect((await site.browser().signIn('uma@example.com')).headers.location).toBe('/dashboard');
});
