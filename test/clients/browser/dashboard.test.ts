import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LOOKING_MS, look as lookAt, openView, views } from './look.ts';
import { openSite } from './site.ts';

const site = await openSite();

const button = (page: Page, name: string) => page.getByRole('button', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

/** Opens a page from the menu of a key's page. */
async function act(page: Page, name: string): Promise<void> {
  await page.getByText('Actions', { exact: true }).click();
  await page.getByRole('link', { name }).click();
}

it.each([true, false])(
  'a key is created once, limited, rotated and revoked, with a script: %s',
  async (javaScriptEnabled) => {
    const { page } = await site.visitor({ javaScriptEnabled, timezoneId: 'Asia/Kathmandu' });
    await site.signUpAndAccept(page, `ada-${javaScriptEnabled}@example.com`);
    const key = await site.createKey(page, 'Billing report');
    expect(key).toMatch(/^rvg_\w{38}$/);
    if (javaScriptEnabled) {
      await button(page, 'Copy the key').click();
      await page.getByText(/Copied to|Selected:/).waitFor();
    }
    for (let request = 0; request < 10; request++) {
      expect(await site.ask(key)).toBe(200);
    }
    expect(await site.ask(key)).toBe(429);

    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') {
        posts.push(request.url());
      }
    });
    await page.reload();
    await heading(page, 'Billing report');
    // Without a script, the browser sends the form again.
    expect(posts).toHaveLength(javaScriptEnabled ? 0 : 1);
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/keys\/key_\w{12}$/);
    expect(await page.content()).not.toContain(key);
    // Times are in UTC, in whichever zone the visitor is.
    const created = page.locator('.facts time').first();
    const iso = (await created.getAttribute('datetime')) ?? '';
    expect(await created.textContent()).toBe(`${iso.slice(0, 16).replace('T', ' ')} UTC`);

    await act(page, 'Rotate');
    await page.getByLabel('another hour').check();
    await button(page, 'Rotate key').click();
    await heading(page, 'Your new key');
    const next = (await page.locator('#key').textContent()) ?? '';
    expect(next).not.toBe(key);
    // They share one budget, which is used up: both are known, neither is refused as unknown.
    expect([await site.ask(key), await site.ask(next)]).toEqual([429, 429]);
    await page.reload();
    await heading(page, 'Billing report');
    await page.getByText('Replaces').waitFor();
    const address = page.url();
    await page.goto('/dashboard/keys');
    expect(await page.getByRole('rowheader', { name: 'Billing report' }).count()).toBe(2);

    await page.goto(address);
    await act(page, 'Revoke');
    await heading(page, 'Revoke this key?');
    await button(page, 'Revoke key').click();
    await page.getByText(/is revoked\. All servers reject it/).waitFor();
    await expect.poll(() => site.ask(next)).toBe(401);
    await button(page, 'Sign out').click();
    await page.getByText('You are signed out.').waitFor();
  },
);

/** The space between what has a selector and what is directly before it, in pixels. */
const spaceAbove = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluate((element) => {
    const bottom = element.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
    return Math.round(element.getBoundingClientRect().top - bottom);
  });

it.each([true, false])(
  'the first run is a checklist that ends with the first request, with a script: %s',
  async (javaScriptEnabled) => {
    const { page } = await site.visitor({ javaScriptEnabled });
    const step = (name: RegExp) => page.getByRole('listitem').filter({ hasText: name });
    await site.signUp(page, `first-run-${javaScriptEnabled}@example.com`);
    expect(await step(/Accept the/).getAttribute('aria-current')).toBe('step');
    await page.getByRole('link', { name: 'Read the policy' }).click();
    await heading(page, 'Acceptable use');
    await site.acceptPolicy(page);
    const key = await site.createKey(page, 'first');
    await page.getByText('Waiting for a request').waitFor();
    expect(await spaceAbove(page, '[data-live]')).toBe(12);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await page.getByText(/^2 of 3 done: policy accepted on .*, key created$/).waitFor();
    expect(await step(/Accept the|Create a key/).count()).toBe(0);
    const request = step(/Send a request/);
    await request.getByText('Waiting for a request').waitFor();
    expect(await spaceAbove(page, '.checklist .request')).toBe(12);
    const reload = page.getByRole('link', { name: 'Reload' });
    expect(await reload.isVisible()).toBe(!javaScriptEnabled);

    expect(await site.ask(key)).toBe(200);
    if (javaScriptEnabled) {
      // Nobody reloads the page.
      await request.getByText('Received').waitFor();
      await page.reload();
    } else {
      await expect
        .poll(
          async () => {
            await reload.click();
            return page.getByText('Get started').count();
          },
          { interval: 1_000 },
        )
        .toBe(0);
    }
    await page.getByRole('link', { name: 'first', exact: true }).waitFor();
    expect(await page.getByText('Get started').count()).toBe(0);
  },
);

it.each([390, 1440])(
  'a visitor signs in and up in the middle, below the mark of the service, at %i px',
  async (width) => {
    const { page } = await site.visitor({ viewport: { width, height: 844 } });
    for (const path of ['sign-in', 'sign-up', 'forgotten-password']) {
      await page.goto(`/dashboard/${path}`);
      const middles = await page.locator('.mark img, main h1, .card').evaluateAll((parts) =>
        parts.map((part) => {
          const { left, right } = part.getBoundingClientRect();
          return Math.abs(Math.round((left + right) / 2 - document.documentElement.clientWidth / 2));
        }),
      );
      expect(middles).toEqual([0, 0, 0]);
      expect(await page.locator('.mark').innerText()).toBe('revgate');
    }
    await site.signUp(page, `mark-${width}@example.com`);
    await page.goto('/dashboard/account/delete');
    expect(await page.locator('main.narrow h1').count()).toBe(1);
    expect(await page.locator('.mark').count()).toBe(0);
  },
);

it.each([1440, 1920])(
  'header, content and footer begin at one place on every page, %i pixels wide',
  async (width) => {
    const { page } = await site.visitor({ viewport: { width, height: 900 } });
    await site.signUpAndAccept(page, `grid-${width}@example.com`);
    const starts = new Set<number>();
    for (const path of ['keys', 'usage', 'explorer', 'shortlist', 'account', 'explorer/embed']) {
      await page.goto(`/dashboard/${path}`);
      for (const part of ['.brand', 'main .heading', '.foot nav']) {
        const { x = -1 } = (await page.locator(part).first().boundingBox()) ?? {};
        starts.add(Math.round(x));
      }
    }
    expect(starts.size).toBe(1);
  },
);

it('a key is renamed from the menu, which Escape and a click elsewhere close, and a script in its name is text', async () => {
  const { page } = await site.visitor();
  await site.signUpAndAccept(page, 'rename@example.com');
  await site.createKey(page, 'old name');
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
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await page.getByLabel('Name').fill(hostile);
  await button(page, 'Rename key').click();
  await heading(page, hostile);
  const address = new URL(page.url()).pathname;
  for (const path of ['/dashboard/keys', address, `${address}/revoke`]) {
    await page.goto(path);
    expect(await page.getByRole('main').textContent()).toContain(hostile);
    expect(await page.title()).not.toBe('1');
  }
});

it('a form that another site sends is refused', async () => {
  const { page, requests } = await site.visitor();
  await site.signUpAndAccept(page, 'eve@example.com');
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
  await page.goto('/dashboard/keys');
  expect(await page.getByText('forged').count()).toBe(0);
  requests.length = 0;
});

describe('every page', () => {
  it.each(views)(
    'in $name has nothing that axe finds, fits, and does not move',
    { timeout: LOOKING_MS },
    async (view) => {
      const { name } = view;
      const { page } = await openView(site.visitor, view);
      const found: string[] = [];
      const look = async (title: string): Promise<void> => {
        // In dark, nothing moves that does not move in light.
        await page.waitForLoadState(view.colorScheme === 'light' ? 'networkidle' : 'load');
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
      await site.acceptPolicy(page);
      await look('key-new');
      const key = await site.createKey(page, 'Billing report');
      expect(await site.ask(key)).toBe(200);
      await look('key-shown');
      const address = new URL(page.url()).pathname;
      for (const query of ['limit=99&sort=newest&typo=1', 'page=0', ...Array(9).fill('limit=1')]) {
        await site.ask(key, query);
      }
      await visit('/dashboard/keys', 'keys-first-run');
      await expect
        .poll(async () => (await page.goto(address))?.text(), { interval: 500 })
        .toContain('RATE_LIMITED');
      await visit(address, 'key');
      await page.getByText('Actions', { exact: true }).click();
      await look('key-menu');
      await visit(`${address}/rename`, 'key-rename');
      await visit(`${address}/rotate`, 'key-rotate');
      await visit(`${address}?notice=created-before`, 'key-created-before');
      await visit(`${address}/revoke`, 'key-revoke');
      await visit(`${address}/documents`, 'documents-none');
      await site.createKey(page, 'Nightly export');
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await page.getByRole('link', { name: 'Nightly export' }).click();
      await act(page, 'Revoke');
      await button(page, 'Revoke key').click();
      await page.getByText(/is revoked\. All servers reject it/).waitFor();
      await look('key-revoked');
      await site.createKey(page, 'Laptop');
      await site.createKey(page, 'A dashboard with a name that is rather longer than the others');
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
      await heading(page, 'Total');
      await look('document');
      await page.getByRole('link', { name: 'Documents of Shop window' }).click();
      await page.getByRole('rowheader', { name: 'Total' }).waitFor();
      await look('documents');
      await visit('/dashboard/account', 'account');
      await visit('/dashboard/account/delete', 'account-delete');
      expect(found).toEqual([]);
    },
  );

  it('is walked through with the keyboard, its focus to be seen', async () => {
    // Where no field has the focus at first.
    const { page } = await site.visitor();
    await page.goto('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused === null ? '' : getComputedStyle(focused).outlineStyle;
    });
    expect(outline).toBe('solid');
  });
});
