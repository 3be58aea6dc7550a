import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openSite } from '../../web/dashboard/site.ts';
import { serve } from '../served.ts';
import { boxOf, openBrowser, openPage } from './browser.ts';
import { look, watchMoves } from './look.ts';

const TABS = ['Growing', 'Detail', 'Market', 'History', 'Search'];

const [served, browser] = await Promise.all([serve({ standard: 5, premium: 60 }), openBrowser()]);

const visitor = (settings: BrowserContextOptions = {}) =>
  openPage(browser, { baseURL: served.url, ...settings });
const editor = '.graphiql-query-editor .view-line';
const result = (page: Page) => page.locator('.graphiql-response .view-lines');
const open = async (page: Page): Promise<void> => {
  await page.goto('/graphql');
  await page.locator(editor).first().waitFor();
};
/** Runs the tab that is shown, and gives what was asked and what the server answered. */
async function run(page: Page) {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: /^Execute query/ }).click();
  const response = await answer;
  const request = response.request();
  const { query } = request.postDataJSON() as { query: string };
  const { pathname: path } = new URL(response.url());
  const { authorization: key } = await request.allHeaders();
  return { path, key, status: response.status(), body: await response.json(), query };
}

describe('GraphiQL', () => {
  it.each([
    [390, 844, 'light'],
    [768, 900, 'light'],
    [1440, 900, 'light'],
    [1440, 900, 'dark'],
  ] as const)('has nothing that axe finds, and fits %d × %d, %s', async (width, height, colorScheme) => {
    const viewport = { width, height };
    const { page } = await visitor({ colorScheme, viewport, reducedMotion: 'reduce', bypassCSP: true });
    await watchMoves(page);
    await open(page);
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1, name: /^GraphiQL/ }).waitFor();
    await page.locator('.graphiql-tab-button[aria-current="true"]').waitFor();
    expect(await look(page, `graphiql-${colorScheme}-${width}`)).toEqual([]);
    await page.getByLabel('API key').fill(await served.key());
    await run(page);
    await expect.poll(() => result(page).textContent()).toContain('"total"');
    const scrolls = page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { width: scrollWidth, height: scrollHeight };
    });
    expect(await scrolls).toEqual(viewport);
    if (width < 800) {
      await page.getByRole('button', { name: 'Show editor tools' }).click();
    }
    for (const part of ['.graphiql-query-editor', '.graphiql-editor-tool', '.graphiql-response']) {
      const box = await boxOf(page, part);
      expect([box.x >= 0, box.x + box.width <= width, box.y + box.height <= height]).not.toContain(false);
      expect([box.width >= 300, box.height >= 75]).toEqual([true, true]);
    }
    // The documentation begins closed, is wide enough to read, and closes.
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const docs = await boxOf(page, '.graphiql-plugin');
    expect([docs.width >= 300, docs.x + docs.width <= width]).toEqual([true, true]);
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    await page.locator(editor).first().waitFor();
    // It is not left in place of the query.
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.setViewportSize({ width: 1440, height: 844 });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(editor).first().waitFor();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).waitFor();
  });

  it('runs its example tabs with a key, from this server alone', async () => {
    const { key } = await served.gateway.key({ tier: 'premium' });
    const { page, requests } = await visitor();
    served.methods.length = 0;
    await open(page);
    expect(served.methods).not.toContain('POST');
    await page.getByLabel('API key').fill(key);
    const growing = await run(page);
    expect(growing).toMatchObject({ status: 200, body: { data: { startups: { meta: { total: 0 } } } } });
    await expect.poll(() => result(page).textContent()).toContain('"total"');
    expect(await page.locator('#limit').textContent()).toMatch(/^59 of 60 left until /);

    for (const tab of TABS.slice(1)) {
      // By keyboard: GraphiQL drops a click while its tabs still move.
      await page.locator('.graphiql-tab-button', { hasText: tab }).press('Enter');
      await page.locator(editor, { hasText: `query ${tab}` }).waitFor();
      const { status, body, query } = await run(page);
      expect([status, body.errors]).toEqual([200, undefined]);
      expect(query).toContain(`query ${tab}`);
    }
    expect(await page.locator('#limit').textContent()).toMatch(/^52 of 60 left/);

    await page.getByRole('button', { name: 'New tab' }).click();
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.type('{ datas');
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget').getByText('dataset').first().waitFor();

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'StartupConnection', exact: true }).waitFor();
    // Its workers, which complete and check what is typed, were let in by the page's policy.
    expect(new Set(requests.filter((url) => /-worker\.\w+\.js$/.test(url))).size).toBe(3);
  });

  it('says in place of a response what to do, in each tab that was not run', async () => {
    const { page } = await visitor({ viewport: { width: 390, height: 844 } });
    await open(page);
    const hint = page.locator('.graphiql-response').getByText('The response appears here');
    await hint.waitFor();
    await page.getByText('Paste a valid key above, then press Run').waitFor();
    await page.getByLabel('API key').fill(await served.key());
    await page.getByText(/^Press Run .* or Ctrl Enter/).waitFor();
    await run(page);
    await hint.waitFor({ state: 'hidden' });
    await expect.poll(() => result(page).textContent()).toContain('"total"');
    await page.locator('.graphiql-tab-button', { hasText: 'Detail' }).press('Enter');
    await hint.waitFor();
    await page.locator('.graphiql-tab-button', { hasText: 'Growing' }).press('Enter');
    await hint.waitFor({ state: 'hidden' });
  });

  it('keeps a key in its tab, and in no address', async () => {
    const key = await served.key();
    const { page, requests } = await visitor();
    await open(page);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Use key' }).click();
    await run(page);
    await page.reload();
    await page.locator(editor).first().waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe(key);
    expect(await page.locator('.graphiql-tab-button').allTextContents()).toEqual(TABS);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(key);
    expect([...requests, page.url()].filter((url) => url.includes(key))).toEqual([]);
    const other = await page.context().newPage();
    await open(other);
    expect(await other.getByLabel('API key').inputValue()).toBe('');
  });

  it('sends nothing without a key, and says when a limit is used up', async () => {
    const { page } = await visitor({ colorScheme: 'dark' });
    await open(page);
    served.methods.length = 0;
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await expect.poll(() => result(page).textContent()).toMatch(/needs\s+an\s+API\s+key/);
    await page.getByText('Paste a key to run queries.').waitFor();
    expect(served.methods).not.toContain('POST');
    await page.getByLabel('API key').fill(await served.key());
    for (let left = 4; left >= 0; left--) {
      expect((await run(page)).status).toBe(200);
      await expect.poll(() => page.locator('#limit').textContent()).toContain(`${left} of 5 left`);
    }
    expect((await run(page)).status).toBe(429);
    await expect.poll(() => page.locator('#limit').textContent()).toMatch(/^Rate limited: retry in \d+ s$/);
  });
});

describe('GraphiQL without a key', () => {
  it('runs queries with a session, asks for the policy and a sign-in, and follows a new session', async () => {
    const site = await openSite({ isServed: true, limits: { standard: 100, premium: 100 } });
    const { page } = await openPage(browser, { baseURL: site.origin });
    const grace = await site.member('grace@example.com', { accepts: false });
    const session = async () => {
      await page.context().clearCookies();
      const cookies = [...grace.jar].map(([name, value]) => ({ name, value, url: site.origin }));
      await page.context().addCookies(cookies);
    };
    const execute = page.getByRole('button', { name: /^Execute query/ });
    await open(page);
    await page.locator('.graphiql-response').getByRole('link', { name: 'sign in' }).waitFor();
    await execute.click();
    await expect.poll(() => result(page).textContent()).toMatch(/needs\s+an\s+API\s+key\s+or\s+an\s+account/);
    await session();
    await open(page);
    // Nothing is sent before the policy is accepted.
    await page.getByText('You are signed in as grace@example.com.').waitFor();
    await execute.click();
    await expect.poll(() => result(page).textContent()).toMatch(/has\s+not\s+accepted/);
    await grace.post('/dashboard/policy', { accept: '2026-11-20' });
    await open(page);
    await page.getByText("Queries without a key count against your account's limit.").waitFor();
    const own = await run(page);
    expect([own.path, own.status, own.key]).toEqual(['/dashboard/graphql', 200, undefined]);

    const { key } = await site.key({ accountId: grace.accountId });
    await page.getByLabel('API key').fill(key);
    await page.getByText('Requests use this key.').waitFor();
    expect(await run(page)).toMatchObject({ path: '/graphql', status: 200, key: `Bearer ${key}` });
    await page.getByLabel('API key').fill(`${key.slice(0, -1)}_`);
    expect((await run(page)).status).toBe(401);
    await page.getByRole('button', { name: 'Remove' }).click();
    expect(await page.getByLabel('API key').inputValue()).toBe('');

    // The same account signs in anew elsewhere: the page gets the token of the new session by itself.
    await grace.signIn('grace@example.com');
    await session();
    const repeated = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 200,
    );
    expect((await run(page)).status).toBe(403);
    await repeated;
    await page.context().clearCookies();
    expect((await run(page)).status).toBe(401);
    await page.getByRole('link', { name: 'Sign in to run queries without a key' }).waitFor();
  });

  it('opens a sample of the documentation in its first tab', async () => {
    const { page } = await visitor();
    await page.goto('/docs/startup');
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click();
    await expect.poll(() => page.locator('.graphiql-query-editor').textContent()).toMatch(/query\s+Detail/);
    expect(await page.getByRole('region', { name: 'Variables' }).textContent()).toContain('slug');
  });
});
