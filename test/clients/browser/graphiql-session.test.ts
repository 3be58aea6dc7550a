import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ARTIFACTS, openSite, PASSWORD } from './site.ts';

const site = await openSite();

const open = (page: Page) => page.locator('.graphiql-query-editor .view-line').first().waitFor();
const result = (page: Page) => page.locator('.graphiql-response .view-lines');
/** Runs the tab that is shown, and gives the path, the headers and the answer. */
async function run(page: Page) {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: /^Execute query/ }).click();
  const response = await answer;
  const headers = await response.request().allHeaders();
  return {
    path: new URL(response.url()).pathname,
    status: response.status(),
    headers,
    body: await response.json(),
  };
}

describe('GraphiQL without a key', () => {
  it('runs queries with the session of an account, and with a key once one is pasted', async () => {
    const { page } = await site.visitor();
    await site.signUp(page, 'grace@example.com');
    await page.goto('/graphql');
    await open(page);
    // Nothing is sent before the policy is accepted.
    await page.getByText('You are signed in as grace@example.com.').waitFor();
    await page.getByText('Accept the policy or paste a key above').waitFor();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await expect.poll(() => result(page).textContent()).toMatch(/has\s+not\s+accepted/);
    await page.getByRole('link', { name: 'read and accept' }).click();
    await page.getByRole('button', { name: 'Accept and continue' }).click();
    const key = await site.createKey(page, 'GraphiQL');

    await page.goto('/graphql');
    await open(page);
    await page.getByText('Requests use the rate limit of your account, grace@example.com.').waitFor();
    await page.getByText(/^Press Run .* or Ctrl Enter/).waitFor();
    const own = await run(page);
    expect([own.path, own.status, own.headers.authorization]).toEqual(['/dashboard/graphql', 200, undefined]);
    expect(own.body.data.startups.meta.total).toBeGreaterThan(0);
    await expect.poll(() => result(page).textContent()).toContain(own.body.data.startups.page[0].slug);
    const left = await page.locator('#limit').textContent();
    expect(left).toMatch(/^\d+ of \d+ left until /);
    await page.screenshot({ path: `${ARTIFACTS}graphiql-session.png` });

    await page.getByLabel('API key').fill(key);
    await page.getByText('Requests use this key.').waitFor();
    const withKey = await run(page);
    expect([withKey.path, withKey.status, withKey.headers.cookie]).toEqual(['/graphql', 200, undefined]);
    expect(withKey.headers.authorization).toBe(`Bearer ${key}`);

    await page.getByLabel('API key').fill(`${key.slice(0, -1)}_`);
    expect((await run(page)).status).toBe(401);
    await page.getByText('The server does not accept this key').waitFor();
    await page.getByLabel('API key').fill('');
    expect(await run(page)).toMatchObject({ path: '/dashboard/graphql', status: 200 });
  });

  it('links to the sign-in page, which returns to it, and continues when the session is another one', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'hopper@example.com');
    await page.context().clearCookies();

    await page.goto('/graphql');
    await open(page);
    await page.locator('.graphiql-response').getByRole('link', { name: 'sign in' }).waitFor();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await expect.poll(() => result(page).textContent()).toMatch(/needs\s+an\s+API\s+key\s+or\s+an\s+account/);
    const signIn = async (on: Page): Promise<void> => {
      await on.getByLabel('Email address').fill('hopper@example.com');
      await on.getByLabel('Password').fill(PASSWORD);
      await on.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await page.getByRole('link', { name: 'Sign in to run queries without a key' }).click();
    await signIn(page);
    await open(page);
    expect(new URL(page.url()).pathname).toBe('/graphql');
    expect(await run(page)).toMatchObject({ path: '/dashboard/graphql', status: 200 });

    // The same account signs in anew elsewhere: the page gets the token of the new session by itself.
    const other = await page.context().newPage();
    await page.context().clearCookies();
    await other.goto('/dashboard/sign-in');
    await signIn(other);
    await other.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    const repeated = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 200,
    );
    expect((await run(page)).status).toBe(403);
    await repeated;
    await page.getByText('Requests use the rate limit of your account').waitFor();

    await page.context().clearCookies();
    expect((await run(page)).status).toBe(401);
    await page.getByRole('link', { name: 'Sign in to run queries without a key' }).waitFor();
  });
});

it('opens a sample of the documentation in its first tab', async () => {
  const { page } = await site.visitor();
  await page.goto('/docs/startup');
  await page.getByRole('link', { name: 'Open in GraphiQL' }).click();
  await open(page);
  await expect.poll(() => page.locator('.graphiql-query-editor').textContent()).toMatch(/query\s+Detail/);
  expect(await page.getByRole('region', { name: 'Variables' }).textContent()).toContain('slug');
});
