import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PAGES_PER_MINUTE } from '../../../src/web/page/access.ts';
import { createGate } from '../../support/gate.ts';
import { openPage } from './browser.ts';
import { openUsedKeys } from './used-keys.ts';

/** What the script that swaps parts of pages does: filters, links, stars, searches and uploads in place. */
const site = await openUsedKeys();
const [EXPLORER, OPERATOR] = ['/dashboard/explorer', '/dashboard/operator'];

/** Opens a page in a new window, and marks it: it is to stay the same page. */
async function open(path: string, options: Parameters<typeof site.open>[0] = {}) {
  const watched = await site.visit(path, options);
  await watched.page.evaluate(() => Object.assign(window, { isSame: true }));
  return watched;
}
const isSame = (page: Page) => page.evaluate(() => 'isSame' in window);
const names = (page: Page) => page.locator('.results tbody th a').allTextContents();
const menu = (page: Page, name: string) =>
  page.locator('[popovertarget]:not([popovertargetaction])').filter({ hasText: name });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
/** Waits until the page of an address is shown in place. */
const shows = (page: Page, query: string) =>
  page.waitForFunction(
    (address) =>
      location.pathname + location.search === address && document.querySelector('[aria-busy]') === null,
    EXPLORER + query,
  );
/** Counts the requests for lists from now on. */
function countLists(page: Page): { count: number } {
  const lists = { count: 0 };
  page.on('request', (request) => {
    lists.count += request.url().includes(`${EXPLORER}?`) && request.redirectedFrom() === null ? 1 : 0;
  });
  return lists;
}
const alert = (page: Page, text: string | RegExp) =>
  page.getByRole('alert').filter({ hasText: text }).waitFor();

describe('filters', () => {
  it.each([true, false])(
    'are applied, removed and gone back to, with a script: %s',
    async (javaScriptEnabled) => {
      const { page } = await open(EXPLORER, { javaScriptEnabled });
      const all = await names(page);
      const asks = (query: string) =>
        javaScriptEnabled ? shows(page, query) : page.waitForURL(`**${EXPLORER}${query}`);
      const apply = async () => javaScriptEnabled || page.getByRole('button', { name: 'Apply' }).click();
      const lists = countLists(page);
      await menu(page, 'Category').click();
      // At once, as these are one request of two ticks within 300 ms.
      const ticked = page.locator('#category-saas, #category-analytics');
      await ticked.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).click()));
      await apply();
      await asks('?category=analytics,saas');
      // The counts of the open menu, and both ticks together.
      expect(lists.count).toBe(javaScriptEnabled ? 2 : 1);
      await menu(page, 'MRR').click();
      const minimum = page.getByLabel('MRR, minimum, US dollars');
      await minimum.fill('20,000');
      await (javaScriptEnabled ? minimum.press('Enter') : apply());
      await asks('?category=analytics,saas&minMrr=2000000');
      expect(await minimum.inputValue()).toBe('20,000');
      expect((await names(page)).length).toBeLessThan(all.length);
      await page.getByRole('heading', { level: 1 }).click();
      await page.getByRole('link', { name: 'Growth 30d' }).click();
      await asks('?category=analytics,saas&minMrr=2000000&sort=growth-desc');
      await page.getByRole('link', { name: 'Remove Category: Software as a Service' }).press('Enter');
      await page.getByRole('link', { name: 'Remove MRR' }).click();
      await asks('?category=analytics&sort=growth-desc');
      if (javaScriptEnabled) {
        // Another chip has the focus, and the fields follow, also on the way back.
        expect(await focused(page)).toMatch(/^chip-/);
        expect(await page.locator('#category-saas').isChecked()).toBe(false);
        await page.goBack();
        await page.goBack();
        await asks('?category=analytics,saas&minMrr=2000000&sort=growth-desc');
        expect(await page.locator('#category-saas').isChecked()).toBe(true);
        expect(await minimum.inputValue()).toBe('20,000');
        expect(await isSame(page)).toBe(true);
      }
    },
  );

  it.each([1440, 390])('do not move the table, in a window of %s pixels', async (width) => {
    const { page } = await open(EXPLORER, { viewport: { width, height: 844 } });
    const top = () => page.locator('.results').evaluate((one) => one.getBoundingClientRect().top + scrollY);
    const before = await top();
    await page.getByLabel('Sale status').selectOption('true');
    await shows(page, '?onSale=true');
    expect(await top()).toBe(before);
  });

  it('keep what is typed during a slow answer, and the focus', async () => {
    const { page } = await open(EXPLORER);
    const gate = createGate();
    await page.route(`**${EXPLORER}?*`, async (route) => {
      await gate.opened;
      await route.continue();
    });
    const lists = countLists(page);
    await page.getByLabel('Sale status').selectOption('true');
    await expect.poll(() => lists.count).toBe(1);
    await menu(page, 'Asking price').click();
    const most = page.getByLabel('Asking price, maximum, US dollars');
    await most.pressSequentially('200');
    gate.open();
    await shows(page, '?onSale=true');
    expect(await focused(page)).toBe('maxPrice');
    await most.pressSequentially('000');
    expect(await most.inputValue()).toBe('200000');
    // Half a number was no filter. Leaving the field for a heading applies both.
    expect(lists.count).toBe(1);
    await page.getByRole('link', { name: 'Growth 30d' }).click();
    await shows(page, '?onSale=true&maxPrice=20000000&sort=growth-desc');
    expect(await most.inputValue()).toBe('200,000');
    expect(await focused(page)).toBe('sort-growth30d');
  });

  it('make one request of several arrow keys, and say what is shown', async () => {
    const { page } = await open(EXPLORER);
    const lists = countLists(page);
    const sort = page.locator('#sort');
    await sort.focus();
    for (let key = 0; key < 4; key += 1) {
      await page.keyboard.press('ArrowDown');
    }
    await shows(page, `?sort=${await sort.inputValue()}`);
    expect([lists.count, await focused(page)]).toEqual([1, 'sort']);
    await page
      .getByRole('status')
      .filter({ hasText: /1–\d+ of \d+|\d+ startups/ })
      .waitFor();
  });

  it('find a choice of a long list by its name, which stays where it is until the next visit', async () => {
    const { page } = await open(EXPLORER);
    const choices = page.locator('#category .choice:visible');
    await menu(page, 'Category').press('Enter');
    await page.locator('#category .count > *').first().waitFor();
    const inOrder = await choices.locator('.label').allTextContents();
    await page.getByRole('searchbox', { name: 'Find in Category' }).fill('SOFTWARE');
    expect(await choices.count()).toBe(1);
    await page.getByRole('status').filter({ hasText: '1 found' }).waitFor();
    await page.keyboard.press('Enter');
    await shows(page, '?category=saas');
    expect(await choices.count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Find in Category' }).fill('');
    expect(await choices.locator('.label').allTextContents()).toEqual(inOrder);
    await page.keyboard.press('Escape');
    expect(await choices.count()).toBe(0);
  });

  it.each([true, false])('that an address opens are shown, with a script: %s', async (javaScriptEnabled) => {
    const { page } = await open(`${EXPLORER}?open=category`, { javaScriptEnabled });
    expect(await page.getByLabel('Software as a Service').isVisible()).toBe(true);
    expect(await page.locator('#category-panel:popover-open').count()).toBe(javaScriptEnabled ? 1 : 0);
  });

  it('are a panel on a phone that closes by a tap beside it, and leads back to the list', async () => {
    const { page } = await open(EXPLORER, { viewport: { width: 390, height: 844 } });
    const category = page.getByLabel('Software as a Service');
    await menu(page, 'Category').click();
    await page.mouse.click(195, 20);
    await category.waitFor({ state: 'hidden' });
    expect(page.url()).toBe(site.origin + EXPLORER);
    await menu(page, 'Category').click();
    await category.check();
    await shows(page, '?category=saas');
    await category.waitFor();
    await page.getByRole('button', { name: /^Show results/ }).click();
    await category.waitFor({ state: 'hidden' });
  });

  it('stay with their results at the limit of pages, are kept when chosen, and applied when it ends', async () => {
    const { page } = await open(`${EXPLORER}?category=saas`);
    const shown = await names(page);
    await Promise.all(Array.from(Array(PAGES_PER_MINUTE), () => site.ada.get('/dashboard/account')));
    await page.reload();
    await page.getByText('You have opened 120 pages in a minute').waitFor();
    expect(await names(page)).toEqual(shown);
    await page.getByLabel('Sale status').selectOption('false');
    await shows(page, '?category=saas&onSale=false');
    expect(await names(page)).toEqual(shown);
    expect(await page.getByRole('link', { name: /^Remove/ }).count()).toBe(2);
    // A second before it ends.
    site.nextMinute();
    await page.locator('[data-retry-in]').evaluate((one) => one.replaceChildren('1'));
    await page.locator('[data-retry-in]').waitFor({ state: 'detached' });
    expect(await names(page)).toEqual(['Tally']);
    expect(await page.locator('#category-saas').isChecked()).toBe(true);
  });

  it('say that a request failed, and can be tried again', async () => {
    const { page, errors } = await open(EXPLORER);
    const shown = await names(page);
    await page.context().setOffline(true);
    await page.getByLabel('Sale status').selectOption('true');
    await alert(page, 'The server could not be reached.');
    expect(await names(page)).toEqual(shown);
    await page.context().setOffline(false);
    await page.route(`**${EXPLORER}?*`, (route) => route.fulfill({ status: 502, body: 'no' }), { times: 1 });
    await page.getByLabel('Sale status').selectOption('false');
    await alert(page, 'A proxy answered instead of this server (502).');
    await page.getByLabel('Sale status').selectOption('true');
    await shows(page, '?onSale=true');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(errors.splice(0)).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
  });

  it('of a list of operators are applied in place, with what is typed', async () => {
    const { page } = await open(`${OPERATOR}/accounts`);
    await page.getByRole('searchbox', { name: 'Search' }).fill('ada@');
    const state = page.getByRole('combobox', { name: 'State' });
    await state.selectOption('disabled');
    await page.getByText('Nothing found').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('ada@');
    await state.selectOption('active');
    await page.getByRole('rowheader', { name: 'ada@example.com' }).waitFor();
    expect(await isSame(page)).toBe(true);
  });
});

describe('the first page', () => {
  it.each([true, false])(
    'filters its ten rows without an account, in place with a script: %s',
    async (javaScriptEnabled) => {
      const { page } = await openPage(site.browserOfPages, { baseURL: site.origin, javaScriptEnabled });
      await page.goto('/');
      const rows = () => page.locator('#startups tbody th').allTextContents();
      const choose = async (name: string, option: string) => {
        await page.getByLabel(name, { exact: true }).selectOption(option);
        await (javaScriptEnabled || page.getByRole('button', { name: 'Apply' }).click());
      };
      const request = await page.locator('#query').evaluate((one) => Object.assign(one, { isSame: true }).id);
      await choose('Category', 'analytics');
      await page.waitForURL('**/?category=analytics&onSale=true&order=deals*');
      await expect.poll(rows).toEqual(['Plausible', 'Beehiiv', 'Typefully']);
      await page.getByRole('link', { name: 'Largest' }).click();
      await expect.poll(() => page.locator('#startups [aria-current]').textContent()).toBe('Largest');
      await choose('Category', '');
      await choose('Sale status', 'false');
      await expect.poll(rows).toEqual(['Tally']);
      // All else stays as it is.
      const isSame = await page.locator(`#${request}`).evaluate((one) => 'isSame' in one);
      expect(isSame).toBe(javaScriptEnabled);
      await page.goBack();
      await expect.poll(rows).not.toEqual(['Tally']);
    },
  );

  it('has the earlier price on a phone, too', async () => {
    const { page } = await openPage(site.browserOfPages, {
      baseURL: site.origin,
      viewport: { width: 390, height: 844 },
    });
    await site.database.pool.query(
      `UPDATE startups SET previous_asking_price = 2 * asking_price WHERE slug = 'plausible'`,
    );
    await expect
      .poll(async () => {
        await site.notice();
        await page.goto('/');
        return page.locator('#startups s').first().isVisible();
      })
      .toBe(true);
  });
});

describe('a star', () => {
  const star = (page: Page) => page.getByRole('button', { name: 'Save Plausible' });

  it.each([true, false])('is turned on and off, with a script: %s', async (javaScriptEnabled) => {
    const { page } = await open(EXPLORER, { javaScriptEnabled });
    for (const isOn of ['true', 'false']) {
      await star(page).click();
      await expect.poll(() => star(page).getAttribute('aria-pressed')).toBe(isOn);
      expect(new URL(page.url()).hash).toBe(javaScriptEnabled ? '' : '#star-plausible');
    }
    expect(await isSame(page)).toBe(javaScriptEnabled);
  });

  it('stays off when the request fails or the session has ended, which it says', async () => {
    const { page, errors } = await open(EXPLORER);
    await page.context().setOffline(true);
    await star(page).click();
    await alert(page, 'The server could not be reached.');
    expect(await star(page).getAttribute('aria-pressed')).toBe('false');
    await page.context().setOffline(false);
    await page.context().clearCookies();
    await star(page).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(errors.splice(0)).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
  });
});

it('no more startups than can be compared can be chosen', async () => {
  const { page } = await open('/dashboard/shortlist');
  const boxes = page.getByRole('checkbox');
  for (const index of [0, 1, 2, 3]) {
    await boxes.nth(index).check();
  }
  expect(await boxes.nth(4).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForURL(/compare=/);
});

describe('an upload', () => {
  const buffer = Buffer.from(
    [
      'Company,Industry,MRR,Revenue last 30 days,Total revenue,Customers,Active subscriptions,For sale,Provider',
      'Acme,Software as a Service,"$1,250.50","$1,300.00","$9,000.00",30,20,no,Stripe',
      'Globex,Marketing,$900,$950,"$4,000",many,1,yes,Stripe',
    ].join('\n'),
  );
  const file = { name: 'startups.csv', mimeType: 'text/csv', buffer };
  const step = (page: Page, name: string) =>
    page.locator('[aria-current="step"]', { hasText: name }).waitFor();
  const go = async (page: Page, chosen = file) => {
    await page.locator('#file').setInputFiles(chosen);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it.each([true, false])('goes from a file to the import, with a script: %s', async (javaScriptEnabled) => {
    const { page } = await open(`${OPERATOR}/imports/new`, { javaScriptEnabled });
    const press = (name: string) => page.getByRole('button', { name }).first().click();
    await go(page, { ...file, buffer: Buffer.from('PK\u0003\u0004') });
    await page.getByRole('alert').waitFor();
    expect(await page.locator('#file').isVisible()).toBe(true);
    await go(page);
    await step(page, 'Columns');
    await page.locator('summary', { hasText: 'Active subscriptions' }).click();
    const field = page.getByLabel('Field of Active subscriptions', { exact: true });
    await field.selectOption('');
    // With a script, an answer is checked at once.
    await (javaScriptEnabled ? undefined : press('Check again'));
    await page.getByText('Active subscriptions missing').waitFor();
    await page.locator('summary', { hasText: 'Left out' }).click();
    await field.selectOption('activeSubscriptions');
    await (javaScriptEnabled ? undefined : press('Check again'));
    await page.getByText('Active subscriptions missing').waitFor({ state: 'detached' });
    await page.getByLabel('Value of “many”').fill('250');
    await press('Preview');
    await step(page, 'Preview');
    await page.reload();
    await step(page, 'Preview');
    await press('Import 2 records');
    await page.getByText('The import is done.').waitFor();
  });

  it.each([true, false])('keeps a column as a new field, with a script: %s', async (javaScriptEnabled) => {
    const { page } = await open(`${OPERATOR}/imports/new`, { javaScriptEnabled });
    await go(page, { ...file, buffer: Buffer.from('Company,Remarks\nAcme,Fast\n') });
    await step(page, 'Columns');
    await page.locator('summary', { hasText: 'Not recognized' }).click();
    await page.getByLabel('Field of Remarks', { exact: true }).selectOption({ label: 'Text' });
    await (javaScriptEnabled ? undefined : page.getByRole('button', { name: 'Check again' }).click());
    const summary = page.locator('summary', { hasText: 'Remarks · new field' });
    await summary.click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('askingPrice');
    await page.getByLabel('Label', { exact: true }).fill('What we think');
    await page.getByRole('button', { name: 'Preview' }).first().click();
    await page.getByText('which is a name of ours').waitFor();
    expect(await name.inputValue()).toBe('askingPrice');
    await name.fill('remarks');
    await page.getByRole('button', { name: 'Preview' }).first().click();
    await page.getByText('which is a name of ours').waitFor({ state: 'detached' });
    await page.locator('th', { hasText: 'What we think' }).waitFor();
  });

  it('loses no click while an answer is checked, and says nothing on a page that was left', async () => {
    const { page } = await open(`${OPERATOR}/imports/new`);
    await go(page);
    await step(page, 'Columns');
    await page.getByLabel('Value of “many”').fill('7');
    await page.locator('summary', { hasText: 'Active subscriptions' }).click();
    /** Does something after the server has checked an answer, before its response arrives. */
    const whileChecking = async (field: string, act: () => Promise<unknown>): Promise<void> => {
      const done = createGate();
      await page.route(
        '**/columns',
        async (route) => {
          const response = await route.fetch();
          await act();
          await route.fulfill({ response }).catch(() => {});
          done.open();
        },
        { times: 1 },
      );
      await page.getByLabel('Field of Active subscriptions', { exact: true }).selectOption(field);
      await done.opened;
      await page.waitForTimeout(200);
    };
    await whileChecking('', async () => {
      await page.getByRole('button', { name: 'Preview' }).last().hover();
      await page.mouse.down();
    });
    await page.mouse.up();
    await page.getByText('There is no preview yet').waitFor();
    await page.locator('summary', { hasText: 'Left out' }).click();
    await whileChecking('activeSubscriptions', async () => {
      await page.getByRole('link', { name: 'Back to the file' }).click();
      await step(page, 'File');
    });
    expect(await page.getByRole('button', { name: 'Continue' }).isVisible()).toBe(true);
    expect(await page.getByRole('alert').isVisible()).toBe(false);
  });

  it('keeps answers over a reload, and says that another tab has uploaded another file', async () => {
    const { page } = await open(`${OPERATOR}/imports/new`);
    const mrr = (text: string) => ({ ...file, buffer: Buffer.from(`Company,MRR\n${text}\n`) });
    const unit = page.getByLabel('Notation of MRR');
    // What is matched is in a line that opens.
    const inDollars = page.getByText('$1,250.00 to $1,250.00');
    await go(page, mrr('Acme,1250'));
    await step(page, 'Columns');
    await unit.selectOption('dollars');
    await inDollars.waitFor({ state: 'attached' });
    await page.reload();
    await inDollars.waitFor({ state: 'attached' });
    const tab = await page.context().newPage();
    await tab.goto(page.url().replace(/new\/.*/, 'new'));
    await go(tab, mrr('Acme,125000'));
    await step(tab, 'Columns');
    await page.locator('summary', { hasText: 'MRR' }).first().click();
    const field = page.getByLabel('Field of MRR', { exact: true });
    await field.selectOption('');
    await alert(page, 'Another file is kept');
    expect(await field.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Preview' }).first().click();
    await page.getByRole('link', { name: 'Continue with startups.csv' }).click();
    await step(page, 'Columns');
    expect(await unit.inputValue()).toBe('');
  });

  it('takes a dropped file, can be repeated when a proxy refuses it, and has each step on the way back', async () => {
    const { page } = await open(`${OPERATOR}/imports/new`);
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'startups.csv', { type: 'text/csv' }));
      return transfer;
    }, buffer.toString());
    await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer: dropped });
    await page.route('**/imports/new', (route) => route.fulfill({ status: 413, body: 'no' }), { times: 1 });
    await page.getByRole('button', { name: 'Continue' }).click();
    await alert(page, 'refuses files of this size (413)');
    await page.getByRole('button', { name: 'Continue' }).click();
    await step(page, 'Columns');
    expect(await isSame(page)).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.getByLabel('Value of “many”').fill('7');
    await page.getByRole('button', { name: 'Preview' }).first().click();
    await step(page, 'Preview');
    await page.goBack();
    await step(page, 'Columns');
    expect(await page.getByLabel('Value of “many”').inputValue()).toBe('7');
    await page.goBack();
    await step(page, 'File');
    await page.getByRole('link', { name: 'Continue' }).click();
    await step(page, 'Preview');
  });
});
