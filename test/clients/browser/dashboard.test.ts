import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look as lookAt, openView, views } from './look.ts';
import { openSite, PASSWORD, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await site.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

async function acceptPolicy(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Read the policy' }).click();
  await heading(page, 'Acceptable use');
  await page.getByLabel(/I have read version/).check();
  await button(page, 'Accept').click();
  await heading(page, 'New key');
}

/** Opens a page from the menu of a key's page. */
async function act(page: Page, name: string): Promise<void> {
  await page.getByText('Actions', { exact: true }).click();
  await page.getByRole('link', { name }).click();
}

async function makeKey(page: Page, name: string): Promise<string> {
  await page.goto('/dashboard/keys/new');
  await page.getByLabel('Name').fill(name);
  await button(page, 'Create key').click();
  await heading(page, 'Your new key');
  return (await page.locator('#key').textContent()) ?? '';
}

describe('a key from creation to revocation', { shuffle: false }, () => {
  it('is created after signing up, limited with 429, rotated and revoked', async () => {
    const page = await site.visitor();
    await site.signUp(page, 'ada@example.com');
    await acceptPolicy(page);
    const key = await makeKey(page, 'Billing report');
    expect(key).toMatch(/^rvg_\w{38}$/);
    // A reload would send the form again; the address is one that can be loaded.
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/keys\/key_\w{12}$/);
    await button(page, 'Copy the key').click();
    await page.getByText(/Copied to|Selected:/).waitFor();

    for (let request = 0; request < 10; request++) {
      expect(await site.ask(key)).toBe(200);
    }
    expect(await site.ask(key)).toBe(429);

    await page.reload();
    await heading(page, 'Billing report');
    expect(await page.content()).not.toContain(key);
    await act(page, 'Rotate');
    await page.getByLabel('another hour').check();
    await button(page, 'Rotate key').click();
    await heading(page, 'Your new key');
    const next = (await page.locator('#key').textContent()) ?? '';
    expect(next).not.toBe(key);
    // They share one budget, which is used up: both are known, neither is refused as unknown.
    expect([await site.ask(key), await site.ask(next)]).toEqual([429, 429]);

    await page.getByRole('link', { name: 'I have copied it' }).click();
    await heading(page, 'Keys');
    await page.getByRole('link', { name: 'Billing report' }).first().click();
    await act(page, 'Revoke');
    await heading(page, 'Revoke this key?');
    await button(page, 'Revoke key').click();
    await page.getByText(/is revoked\. All servers reject it/).waitFor();
    await expect.poll(() => site.ask(next), { timeout: 5_000 }).toBe(401);
    await page.context().close();
  });

  it('continues without a script', async () => {
    const page = await site.visitor({ javaScriptEnabled: false });
    await site.signUp(page, 'noscript@example.com');
    await acceptPolicy(page);
    const key = await makeKey(page, 'plain');
    expect(await site.ask(key)).toBe(200);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'plain' }).click();
    await act(page, 'Rotate');
    await page.getByLabel(/it is revoked at once/).check();
    await button(page, 'Rotate key').click();
    const next = (await page.locator('#key').textContent()) ?? '';
    expect(await site.ask(next)).toBe(200);
    await expect.poll(() => site.ask(key), { timeout: 5_000 }).toBe(401);
    await button(page, 'Sign out').click();
    await page.getByText('You are signed out.').waitFor();
    await page.context().close();
  });
});

describe('the first run', () => {
  it.each([true, false])(
    'is a checklist that ends with the first request, with a script: %s',
    async (javaScriptEnabled) => {
      const page = await site.visitor({ javaScriptEnabled });
      const step = (name: RegExp) => page.getByRole('listitem').filter({ hasText: name });
      await site.signUp(page, `first-run-${javaScriptEnabled}@example.com`);
      expect(await step(/Accept the/).getAttribute('aria-current')).toBe('step');
      await acceptPolicy(page);
      const key = await makeKey(page, 'first');
      await page.getByText('Waiting for a request').waitFor();
      await page.getByRole('link', { name: 'I have copied it' }).click();
      expect(await step(/Accept the/).getAttribute('class')).toBe('done');
      expect(await step(/Create a key/).getAttribute('class')).toBe('done');
      await step(/Send a request/)
        .getByText('Waiting for a request')
        .waitFor();
      const reload = page.getByRole('link', { name: 'Reload' });
      expect(await reload.isVisible()).toBe(!javaScriptEnabled);

      expect(await site.ask(key)).toBe(200);
      if (javaScriptEnabled) {
        // Nobody reloads the page.
        await step(/Send a request/)
          .getByText('Received')
          .waitFor();
        await page.reload();
      } else {
        await expect
          .poll(
            async () => {
              await reload.click();
              return page.getByText('Get started').count();
            },
            { timeout: 20_000, interval: 1_000 },
          )
          .toBe(0);
      }
      await page.getByRole('link', { name: 'first', exact: true }).waitFor();
      expect(await page.getByText('Get started').count()).toBe(0);
      await page.context().close();
    },
  );
});

describe('a new key', () => {
  it.each([true, false])('is not created again by a reload, with a script: %s', async (javaScriptEnabled) => {
    const page = await site.visitor({ javaScriptEnabled });
    await site.signUp(page, `reload-${javaScriptEnabled}@example.com`);
    await acceptPolicy(page);
    const key = await makeKey(page, 'once');
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') {
        posts.push(request.url());
      }
    });
    await page.reload();
    await heading(page, 'once');
    // Without a script, the browser sends the form again.
    expect(posts).toHaveLength(javaScriptEnabled ? 0 : 1);
    expect(await page.content()).not.toContain(key);
    expect(page.url()).not.toContain(key);

    await act(page, 'Rotate');
    await button(page, 'Rotate key').click();
    await heading(page, 'Your new key');
    await page.reload();
    await heading(page, 'once');
    await page.getByText('Replaces').waitFor();

    await page.goto('/dashboard/keys');
    expect(await page.getByRole('rowheader', { name: 'once' }).count()).toBe(2);
    expect(await site.ask(key)).toBe(200);
    await page.context().close();
  });

  it('is renamed from the menu, which Escape and a click elsewhere close', async () => {
    const page = await site.visitor();
    await site.signUp(page, 'rename@example.com');
    await acceptPolicy(page);
    await makeKey(page, 'old name');
    await page.reload();
    const rename = page.getByRole('link', { name: 'Rename' });
    const menu = page.getByText('Actions', { exact: true });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('heading', { level: 1 }).click(),
    ]) {
      await menu.click();
      await rename.waitFor();
      await close();
      await rename.waitFor({ state: 'hidden' });
    }
    await act(page, 'Rename');
    await page.getByLabel('Name').fill('new name');
    await button(page, 'Rename key').click();
    await heading(page, 'new name');
    await page.context().close();
  });

  it('has times in UTC, in whichever zone the visitor is', async () => {
    const page = await site.visitor({ timezoneId: 'Asia/Kathmandu' });
    await site.signUp(page, 'zone@example.com');
    await acceptPolicy(page);
    await makeKey(page, 'zone');
    await page.reload();
    const created = page.locator('.facts time').first();
    const iso = (await created.getAttribute('datetime')) ?? '';
    expect(await created.textContent()).toBe(`${iso.slice(0, 16).replace('T', ' ')} UTC`);
    await page.context().close();
  });
});

describe('an error', () => {
  it('is a wrong password, and a password forgotten is replaced', async () => {
    const page = await site.visitor();
    await site.signUp(page, 'bob@example.com');
    await button(page, 'Sign out').click();
    await page.getByLabel('Email address').fill('bob@example.com');
    await page.getByLabel('Password').fill('not the password');
    await button(page, 'Sign in').click();
    await page.getByRole('alert').getByText('do not match').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('bob@example.com');

    await page.getByRole('link', { name: 'Get a new one' }).click();
    await page.getByLabel('Email address').fill('bob@example.com');
    await button(page, 'Send me a link').click();
    await heading(page, 'Check your email');
    await page.goto(await site.mail.linkTo('bob@example.com'));
    await page.getByLabel('New password').fill('a better password');
    await button(page, 'Set the password').click();
    await page.getByText('Your new password is set.').waitFor();
    await page.getByLabel('Email address').fill('bob@example.com');
    await page.getByLabel('Password').fill('a better password');
    await button(page, 'Sign in').click();
    await heading(page, 'Keys');
    await page.context().close();
  });

  it("is another account's key, a key without the policy, and a script in a name", async () => {
    const [one, other] = [await site.visitor(), await site.visitor()];
    await site.signUp(one, 'cyd@example.com');
    await site.signUp(other, 'dan@example.com');
    await other.goto('/dashboard/keys/new');
    await heading(other, 'Acceptable use');

    await acceptPolicy(one);
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    await makeKey(one, hostile);
    const address = new URL(one.url()).pathname;
    for (const path of ['/dashboard/keys', address, `${address}/revoke`]) {
      await one.goto(path);
      expect(await one.getByRole('main').textContent()).toContain(hostile);
      expect(await one.title()).not.toBe('1');
    }
    expect((await other.goto(address))?.status()).toBe(404);
    expect((await other.goto(`${address}/revoke`))?.status()).toBe(404);
    await one.context().close();
    await other.context().close();
  });

  it('is a form that another site sends', async () => {
    const page = await site.visitor();
    await site.signUp(page, 'eve@example.com');
    await acceptPolicy(page);
    const evil = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<form method="post" action="${site.url}/dashboard/keys"><input name="name" value="forged"></form><script>document.forms[0].submit()</script>`,
      );
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const { port } = evil.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${port}/`);
      await heading(page, 'Not allowed');
    }
    evil.close();
    // Nor does a frame of ours open there.
    await page.goto('/dashboard/keys');
    expect(await page.getByText('forged').count()).toBe(0);
    site.foreign.length = 0;
    await page.context().close();
  });

  it('is a session that has ended', async () => {
    const [page, elsewhere] = [await site.visitor(), await site.visitor()];
    await site.signUp(page, 'fay@example.com');
    await elsewhere.goto('/dashboard/account');
    await elsewhere.getByLabel('Email address').fill('fay@example.com');
    await elsewhere.getByLabel('Password').fill(PASSWORD);
    await button(elsewhere, 'Sign in').click();
    await heading(elsewhere, 'Account');
    await elsewhere.getByRole('button', { name: 'End all others' }).click();
    await elsewhere.getByText('The session has ended.').waitFor();
    await page.getByRole('link', { name: 'Read the policy' }).click();
    await heading(page, 'Acceptable use');
    await page.goto('/dashboard/keys/new');
    await heading(page, 'Sign in');
    await page.context().close();
    await elsewhere.context().close();
  });
});

describe('an account', () => {
  it('is deleted with its keys', async () => {
    const page = await site.visitor();
    await site.signUp(page, 'gus@example.com');
    await acceptPolicy(page);
    const key = await makeKey(page, 'last');
    await page.goto('/dashboard/account');
    await page.getByRole('link', { name: 'Delete account …' }).click();
    await page.getByLabel('Your password').fill(PASSWORD);
    await button(page, 'Delete account').click();
    await page.getByText('Your account is deleted').waitFor();
    await expect.poll(() => site.ask(key), { timeout: 5_000 }).toBe(401);
    await page.context().close();
  });
});

describe('every page', () => {
  it.each(views)('in $name has nothing that axe finds, fits, and does not move', async (view) => {
    const { name } = view;
    const page = await openView(site, view);
    const found: string[] = [];
    const look = async (title: string): Promise<void> => {
      await page.waitForLoadState('networkidle');
      found.push(...(await lookAt(page, `${title}-${name}`)));
    };
    const visit = async (path: string, title: string): Promise<void> => {
      await page.goto(path);
      await look(title);
    };

    await visit('/dashboard', 'welcome');
    await visit('/dashboard/sign-up', 'sign-up');
    await visit('/dashboard/sign-in', 'sign-in');
    await visit('/dashboard/sign-in?notice=left', 'signed-out');
    await page.getByLabel('Email address').fill(`nobody-${name}@example.com`);
    await page.getByLabel('Password').fill('not a password');
    await button(page, 'Sign in').click();
    await page.getByRole('alert').waitFor();
    await look('sign-in-refused');
    await visit('/dashboard/forgotten-password', 'forgotten-password');
    await visit('/dashboard/reset-password?token=x', 'reset-password');
    await visit('/dashboard/verify?token=x', 'dead-link');
    await visit('/dashboard/nothing', 'not-found');
    const email = `${name}@example.com`;
    await site.signUp(page, email);
    await look('keys-empty');
    await visit('/dashboard/policy?needed', 'policy');
    await page.getByLabel(/I have read version/).check();
    await button(page, 'Accept').click();
    await look('key-new');
    const key = await makeKey(page, 'Billing report');
    expect(await site.ask(key)).toBe(200);
    await look('key-shown');
    const address = new URL(page.url()).pathname;
    await visit('/dashboard/keys', 'keys-first-run');
    await visit(address, 'key');
    await page.getByText('Actions', { exact: true }).click();
    await look('key-menu');
    await visit(`${address}/rename`, 'key-rename');
    await visit(`${address}/rotate`, 'key-rotate');
    await visit(`${address}?done=created`, 'key-created-before');
    await visit(`${address}/revoke`, 'key-revoke');
    await visit(`${address}/documents`, 'documents-none');
    await makeKey(page, 'Nightly export');
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'Nightly export' }).click();
    await act(page, 'Revoke');
    await button(page, 'Revoke key').click();
    await look('key-revoked');
    await makeKey(page, 'Laptop');
    await makeKey(page, 'A dashboard with a name that is rather longer than the others');
    await visit('/dashboard/keys', 'keys');
    await page.getByText(/Revoked and expired keys/).click();
    await look('keys-ended');
    await page.goto('/dashboard/keys/new');
    await page.getByLabel('Name').fill('Shop window');
    await page.getByText('For a web page').click();
    await page.getByLabel(/Origins of the pages/).fill('https://shop.example');
    await look('key-embed-new');
    await button(page, 'Create key').click();
    await heading(page, 'Your new key');
    await look('key-embed-shown');
    await page.getByRole('link', { name: 'Publish a document' }).click();
    await page.getByLabel('GraphQL document').fill('query Total { startups { meta { total } } }');
    await button(page, 'Publish').click();
    await page.getByRole('heading', { name: 'Total' }).waitFor();
    await page.getByText('Text', { exact: true }).click();
    await page.getByText('Example request').click();
    await look('documents');
    await visit('/dashboard/account', 'account');
    await visit('/dashboard/account/delete', 'account-delete');
    expect(found).toEqual([]);
    await page.context().close();
  });

  it('is walked through with the keyboard, its focus to be seen', async () => {
    const page = await site.visitor();
    await page.goto('/dashboard');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused === null ? '' : getComputedStyle(focused).outlineStyle;
    });
    expect(outline).toBe('solid');
    await page.context().close();
  });

  it('is first loaded with less than 50 kB in all', async () => {
    const page = await site.visitor();
    let bytes = 0;
    const client = await page.context().newCDPSession(page);
    await client.send('Network.enable');
    client.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto('/dashboard');
    await page.waitForLoadState('networkidle');
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(50_000);
    await page.context().close();
  });

  it('violates no content policy, has no script error, and loads nothing from other hosts', () => {
    expect(site.errors).toEqual([]);
    expect(site.foreign).toEqual([]);
  });
});
