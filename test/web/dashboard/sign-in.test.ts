import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { textIn } from '../../support/html.ts';
import { type Browser, expectPage, openSite, PASSWORD, policy, quickHashing } from './site.ts';

const hashing = { hash: vi.fn(quickHashing.hash), verify: vi.fn(quickHashing.verify) };
const hashed = () => hashing.hash.mock.calls.length + hashing.verify.mock.calls.length;

const site = await openSite({ settings: { hashing } });
await site.member('ada@example.com');
await site.member('bob@example.com');
// Attempts are counted by the minute.
beforeEach(site.nextMinute);

const signIn = (password: string, email = 'ada@example.com') => site.browser().signIn(email, password);

describe('signing in', () => {
  it('sets a cookie that only this host gets, over https and out of reach of scripts', async () => {
    const { status, headers, cookies } = await signIn(PASSWORD);
    expect(status).toBe(303);
    expect(headers.location).toBe('/dashboard');
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-revgate\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-revgate\.browser-[\w-]{16}=\w{16}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('leads to the requested page, and never to another site', async () => {
    const page = await site.browser().visit('/dashboard/keys/new?a=b');
    expect(page.text).toContain('name="next" value="/dashboard/keys/new?a=b"');
    const elsewhere = ['https://evil.example', '//evil.example', '/\\evil.example'];
    for (const [next, location = '/dashboard'] of [
      ['/dashboard/account', '/dashboard/account'],
      ['/graphql', '/graphql'],
      ['/graphql?query={__typename}', '/graphql'],
      ...elsewhere.flatMap((origin) => [[`${origin}/graphql`], [`${origin}/dashboard`]]),
      ['/graphql/'],
      ['/dashboard/../policy'],
      ['javascript:alert(1)'],
    ] as [string, string?][]) {
      const one = site.browser();
      const sent = await one.post('/dashboard/sign-in', {
        email: 'ada@example.com',
        password: PASSWORD,
        next,
      });
      // So does the page itself for somebody who has signed in.
      const seen = await one.get(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
      expect([sent.headers.location, seen.headers.location], next).toEqual([location, location]);
      site.nextMinute();
    }
  });

  it('leads to the requested page also through signing up, an email and the policy', async () => {
    const [browser, email, wanted] = [site.browser(), 'zoe@example.com', '/dashboard/explorer?onSale=true'];
    const asked = await browser.visit(wanted);
    expect(textIn(asked.text)).toContain('Create a free account to see all 0 startups.');
    await browser.signUp(email);
    // Nor is a key asked for that nobody came for.
    expect((await browser.get(site.linkTo(email))).text).not.toContain('name="name"');
    const fields = { token: site.tokenTo(email), password: PASSWORD };
    const confirmed = await browser.post('/dashboard/reset-password', fields);
    expect(confirmed.headers.location).toBe(wanted);
    // It was sent without what accepts the policy.
    expect((await browser.get(wanted)).status).toBe(403);
    const accept = { accept: policy.version, next: wanted };
    expect((await browser.post('/dashboard/policy', accept)).headers.location).toBe(wanted);
    expect((await browser.get(wanted)).status).toBe(200);
    // Only once.
    await browser.post('/dashboard/sign-out');
    expect((await browser.signIn(email)).headers.location).toBe('/dashboard');
  });

  it('leads operators to the overview and others to the explorer, unless they wanted something else', async () => {
    const home = async (one: Browser) => (await one.get('/dashboard')).headers.location;
    const [op, max] = [await site.operator('op@example.com'), await site.member('max@example.com')];
    expect([await home(op), await home(max)]).toEqual(['/dashboard/operator', '/dashboard/explorer']);
    expect(await home(site.browser())).toBe('/dashboard/sign-in');
    // From the pages of operators to those of others, not back to theirs.
    expect((await op.get('/dashboard/operator')).text).toContain(
      '<a href="/dashboard/explorer">Exit admin</a>',
    );
    for (const path of ['/dashboard/sign-in', '/dashboard/sign-up']) {
      expect([path, (await max.get(path)).headers.location]).toEqual([path, '/dashboard']);
      expect((await max.get(`${path}?next=/dashboard/keys/new`)).headers.location).toBe(
        '/dashboard/keys/new',
      );
    }
    // Who signs up without a destination has not come for a key.
    const [zed, email] = [site.browser(), 'zed@example.com'];
    await zed.signUp(email);
    expect((await zed.get(site.linkTo(email))).text).not.toContain('name="name"');
    const fields = { token: site.tokenTo(email), password: PASSWORD, accept: policy.version };
    expect((await zed.post('/dashboard/reset-password', fields)).headers.location).toBe('/dashboard');
  });

  it('answers the same for a wrong password and an unknown address', async () => {
    const wrong = await signIn('wrong password');
    const unknown = await signIn('wrong password', 'zoe@example.com');
    expect(wrong.status).toBe(400);
    expect(wrong.cookies).toEqual([]);
    expect(wrong.text).toContain('Wrong email address or password.');
    expect(wrong.text.replaceAll('ada@', 'zoe@')).toBe(unknown.text);
    expect(wrong.text).not.toContain('wrong password');
  });

  it('creates a new session each time, which no other value of the cookie is', async () => {
    const browser = site.browser();
    const name = '__Host-revgate.session_token';
    browser.jar.set(name, 'planted.signature');
    await browser.signIn('ada@example.com');
    const value = browser.jar.get(name) ?? '';
    await browser.signIn('ada@example.com');
    expect(new Set(['planted.signature', value, browser.jar.get(name)]).size).toBe(3);
    // The token as the database has it is no cookie.
    const { token } = await site.database.prisma.session.findFirstOrThrow();
    const changed = value.replace(/.$/, value.endsWith('D') ? 'E' : 'D');
    for (const wrong of ['planted.signature', value.replace('.', 'x.'), changed, token]) {
      browser.jar.set(name, wrong);
      expect((await browser.get('/dashboard/keys')).status).toBe(303);
    }
  });

  it('ends at once on signing out, in every browser with the cookie', async () => {
    const browser = site.browser();
    await browser.signIn('ada@example.com');
    const copy = site.browser();
    copy.takeCookies(browser.jar);
    expect((await copy.get('/dashboard/keys')).status).toBe(200);
    // The link of pages that know no account leads to the same form.
    expect((await browser.get('/dashboard/sign-out')).text).toContain('action="/dashboard/sign-out"');
    const page = await browser.submit('/dashboard/sign-out');
    expect((await browser.get('/dashboard/sign-out')).headers.location).toBe('/dashboard/sign-in');
    expect(page.text).toContain('You are signed out.');
    expect((await browser.get('/dashboard/sign-in?notice=left')).text).not.toContain('You are signed out.');
    expect([...browser.jar.keys()]).toEqual([expect.stringContaining('.browser-')]);
    expect((await copy.get('/dashboard/keys')).status).toBe(303);
  });

  it('ends with its session, and then a form leads to signing in', async () => {
    const browser = await site.member('eli@example.com');
    await site.database.prisma.session.updateMany({
      where: { account: { email: 'eli@example.com' } },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    const answer = await browser.submit('/dashboard/keys', { name: 'x' });
    expect(answer.text).toContain('Your session has ended');
    expect(await site.database.prisma.apiKey.count()).toBe(0);
  });
});

describe('guessing passwords', () => {
  it('is refused after ten attempts in a minute from one address, at once or not, also with the right password', async () => {
    const browser = site.browser();
    const attempt = (email: string, password: string) => {
      const headers = { 'x-forwarded-for': `203.0.113.${Math.random()}` };
      return browser.post('/dashboard/sign-in', { email, password }, headers);
    };
    const before = hashed();
    const attempts = Array.from({ length: 20 }, (_, one) => attempt(`guess${one}@example.com`, 'wrong one'));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect([400, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([10, 10]);
    expect(hashed() - before).toBe(10);
    const refused = await attempt('ada@example.com', PASSWORD);
    expectPage(refused, 429, 'then go back and send the form again.');
    // The dashboard would ask to sign in.
    const offered = [...refused.text.matchAll(/<a class="button[^"]*" href="([^"]+)"/g)];
    expect(offered.map(([, path]) => path)).toEqual(['/dashboard/sign-in', '/dashboard/forgotten-password']);
    // Others go on.
    expect((await signIn(PASSWORD)).status).toBe(303);
    site.nextMinute();
    expect((await attempt('ada@example.com', PASSWORD)).status).toBe(303);
  });

  it('is refused after a hundred attempts in a minute on one account, from wherever they come', async () => {
    // One address cannot lock its holder out.
    const one = site.browser();
    for (let round = 0; round < 15; round++) {
      await one.signIn('bob@example.com', 'wrong password');
    }
    expect((await signIn(PASSWORD, 'bob@example.com')).status).toBe(303);
    for (let round = 0; round < 89; round++) {
      expect((await signIn('wrong password', 'Bob@example.com')).status).toBe(400);
    }
    expect((await signIn(PASSWORD, 'bob@example.com')).status).toBe(429);
    site.nextMinute();
    expect((await signIn(PASSWORD, 'bob@example.com')).status).toBe(303);
  });

  describe('while strangers guess', () => {
    const email = 'ada@example.com';
    const guess = (address: string) => site.browser(address).signIn(email, 'wrong password');
    const signInWith = async (browser: Browser, password = PASSWORD, address = email): Promise<number> =>
      (await browser.signIn(address, password)).status;
    const knownBrowser = async (address = email): Promise<Browser> => {
      const browser = site.browser();
      expect(await signInWith(browser, PASSWORD, address)).toBe(303);
      return browser;
    };
    /** Signs out, and leaves the cookie by which the browser is known: its name and value. */
    const signOut = async ({ post, jar }: Browser): Promise<readonly [string, string]> => {
      await post('/dashboard/sign-out');
      return [...jar][0] ?? ['', ''];
    };

    it('is possible for a browser that signed in before, also from the address of strangers', async () => {
      const known = await knownBrowser();
      await signOut(known);
      const other = await knownBrowser('bob@example.com');
      const [, bobsValue] = await signOut(other);
      const changed = await knownBrowser();
      const [name, value] = await signOut(changed);
      changed.jar.set(name, (value.startsWith('a') ? 'b' : 'a') + value.slice(1));
      const renamed = site.browser();
      renamed.jar.set(name, bobsValue);
      site.nextMinute();
      const statuses: number[] = [];
      for (let round = 0; round < 120; round++) {
        statuses.push((await guess(`203.0.113.${round % 12}`)).status);
      }
      expect(statuses.filter((status) => status === 400)).toHaveLength(100);
      for (const browser of [site.browser(), other, changed, renamed]) {
        expect(await signInWith(browser)).toBe(429);
      }
      // Attempts count as pages, whose limit is exceeded as quickly by a page that only redirects.
      for (let request = 0; request < 600; request++) {
        await site.call('/dashboard', { address: known.address });
      }
      expect((await site.call('/dashboard/sign-in', { address: known.address })).status).toBe(429);
      expect((await known.get('/dashboard/sign-in')).status).toBe(200);
      expect(await signInWith(known)).toBe(303);
    });

    it('is limited for that browser by its own attempts, which count against nobody else', async () => {
      const known = await knownBrowser();
      site.nextMinute();
      for (let round = 0; round < 10; round++) {
        expect(await signInWith(known, 'wrong password')).toBe(400);
      }
      expect(await signInWith(known)).toBe(429);
      expect((await guess(known.address)).status).toBe(400);
      expect(await signInWith(site.browser())).toBe(303);
    });

    it('is limited for all browsers that one account made known, however many ids it collects', async () => {
      const browser = await knownBrowser();
      const session = new Map(browser.jar);
      const collected: Browser[] = [];
      for (let count = 0; count < 5; count++) {
        browser.jar.clear();
        browser.takeCookies(session, /session_token/);
        await browser.get('/dashboard/keys');
        const one = site.browser();
        one.takeCookies(browser.jar, /\.browser-/);
        collected.push(one);
      }
      site.nextMinute();
      const before = hashed();
      for (const one of collected) {
        for (let round = 0; round < 10; round++) {
          await signInWith(one, 'wrong password');
        }
      }
      expect(hashed() - before).toBe(30);
      site.nextMinute();
      const pages: number[] = [];
      for (let round = 0; round < 250; round++) {
        pages.push((await collected[round % collected.length]?.get('/dashboard'))?.status ?? 0);
      }
      expect(pages.filter((status) => status === 303)).toHaveLength(240);
      expect(pages.at(-1)).toBe(429);
    });
  });
});

describe('a forgotten password', () => {
  it('is replaced through a link that works once, and ends all sessions', async () => {
    const old = await site.member('cyd@example.com');
    const browser = site.browser();
    const asked = await browser.forget('cyd@example.com');
    expect(asked.status).toBe(200);
    const token = site.tokenTo('cyd@example.com');
    expect((await browser.get(site.linkTo('cyd@example.com'))).status).toBe(200);
    const choose = (password: string) => browser.post('/dashboard/reset-password', { token, password });
    expect((await choose('short')).text).toContain('password-error');
    const set = await choose('another long one');
    // Signed in with it: it is not asked for again.
    expect(set.headers.location).toBe('/dashboard');
    expect((await browser.get('/dashboard/keys')).status).toBe(200);
    expect((await choose('a third long one')).status).toBe(400);
    expect((await old.get('/dashboard/keys')).status).toBe(303);
    expect((await signIn(PASSWORD, 'cyd@example.com')).status).toBe(400);
    expect((await signIn('another long one', 'cyd@example.com')).status).toBe(303);
  });

  it('of an account that an operator created is set, also after many attempts, and signing in waits', async () => {
    const email = 'dan@example.com';
    await createAccount(site.acting, { name: 'Dan', email });
    const browser = site.browser();
    await browser.signUp(email);
    for (let round = 0; round < 10; round++) {
      expect((await browser.signIn(email)).status).toBe(400);
    }
    await browser.forget(email);
    const form = { token: site.tokenTo(email), password: PASSWORD };
    const set = await browser.post('/dashboard/reset-password', form);
    expect([set.status, set.headers.location]).toEqual([303, '/dashboard/sign-in?notice=new-password']);
    site.nextMinute();
    expect((await signIn(PASSWORD, email)).status).toBe(303);
  });
});
