import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openSite } from './site.ts';

const site = await openSite();

const PATH = '/dashboard/operator';

/** An operator who is signed in. */
async function signIn(page: Page, email: string): Promise<void> {
  await site.signUpAndAccept(page, email);
  await site.promote(email);
}

describe('the overview of an operator', () => {
  it.each([true, false])(
    'says first what needs attention, and finds a key from its search, with a script: %s',
    async (javaScriptEnabled) => {
      const { page } = await site.visitor({ javaScriptEnabled });
      const email = `overview-${javaScriptEnabled}@example.com`;
      await signIn(page, email);
      const key = await site.createKey(page, 'Billing report');
      expect(await site.ask(key)).toBe(200);
      await page.goto('/dashboard/keys');
      const href = await page.getByRole('link', { name: 'Billing report' }).getAttribute('href');
      const id = href?.split('/').pop() ?? '';
      await page.goto(PATH);
      const [first = ''] = await page.getByRole('heading', { level: 2 }).allTextContents();
      expect(first).toBe('Needs attention');
      const item = page.getByRole('listitem').filter({ hasText: 'customers get the sample' });
      await item.getByRole('link', { name: 'Upload a file' }).click();
      await page.waitForURL(`**${PATH}/imports/new`);
      await page.goto(PATH);
      const find = page.getByRole('searchbox', { name: 'Find a key or an account' });
      await find.fill(id);
      await find.press('Enter');
      await page.getByRole('heading', { name: 'Billing report', level: 1 }).waitFor();
      await page.goto(PATH);
      await find.fill(email);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('main').getByRole('link', { name: email, exact: true }).waitFor();
    },
  );
});
