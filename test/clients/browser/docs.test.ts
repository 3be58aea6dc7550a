import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { serve } from '../served.ts';
import { boxOf, openBrowser, openPage, styleOf, type WatchedPage } from './browser.ts';

const [served, browser] = await Promise.all([serve(), openBrowser()]);

const open = async (settings: BrowserContextOptions = {}, path = '/docs/startups'): Promise<WatchedPage> => {
  const watched = await openPage(browser, { baseURL: served.url, ...settings });
  await watched.page.goto(path);
  return watched;
};
const sample = (page: Page) => page.locator('figure', { hasText: 'Growing developer tools' });

it.each([390, 1440])('navigation, samples and search work without a script at %i px', async (width) => {
  const { page } = await open({ javaScriptEnabled: false, viewport: { width, height: 900 } }, '/docs');
  // Menus open without a script, and nothing else is a button.
  expect(await page.locator('button:visible:not([popovertarget])').count()).toBe(0);
  if (width === 390) {
    await page.getByText('Contents', { exact: true }).click();
  }
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await contents.getByRole('link', { name: 'List startups', exact: true }).click();
  await page.getByRole('heading', { name: 'List startups' }).waitFor();
  const code = sample(page).locator('.request:visible');
  for (const [language, text] of [
    ['JavaScript', 'await fetch('],
    ['Python', 'urllib.request'],
    ['GraphQL', 'query Growing {'],
  ] as const) {
    await sample(page).getByRole('radio', { name: language }).check();
    expect(await code.allTextContents()).toEqual([expect.stringContaining(text)]);
    const response = await sample(page).locator('.response:visible').textContent();
    expect(response?.includes('"rateLimit"')).toBe(language === 'GraphQL');
  }
  await page.getByRole('searchbox').fill('quota');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Results for/, level: 1 }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Rate limits' }).first().click();
  await page.waitForURL('**/docs/rate-limits*');
});

describe('with a script', () => {
  it('chooses a language for all samples, by keyboard, and remembers it', async () => {
    const { page } = await open();
    await sample(page).getByRole('radio', { name: 'cURL' }).focus();
    const topOf = async () => (await sample(page).boundingBox())?.y ?? Number.NaN;
    const before = await topOf();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.request.curl:visible').count()).toBe(0);
    expect(Math.abs((await topOf()) - before)).toBeLessThan(2);
    await page.goto('/docs/startup');
    expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
  });

  it('finds names on all pages while they are typed, and jumps to them by keyboard', async () => {
    const { page } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('rate_lim');
    const first = page.locator('.found').getByRole('link').first();
    await first.filter({ hasText: 'RATE_LIMITED' }).waitFor();
    expect(await page.locator('.found mark').first().textContent()).toBe('RATE');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#RATE_LIMITED');
    const { y } = await boxOf(page, '#RATE_LIMITED');
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(800);
    await page.keyboard.press('/');
    await page.keyboard.type('xylophone');
    await page.getByRole('status').filter({ hasText: 'Nothing matches' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.found').count()).toBe(0);
  });

  it.each([390, 1440])('shows results within a window of %i px, below the field', async (width) => {
    const { page } = await open({ viewport: { width, height: 844 } });
    await page.getByRole('searchbox').fill('rate limit');
    await page.locator('.found').waitFor();
    const [list, field] = [await boxOf(page, '.found'), await boxOf(page, '#search')];
    // On a phone they are as wide as the page.
    expect(list.x + list.width).toBe(width < 600 ? width : field.x + field.width);
    expect([list.x >= 0, list.y >= field.y + field.height]).toEqual([true, true]);
  });

  it('marks in the navigation what is being read', async () => {
    const { page } = await open({}, '/docs/enumerations');
    await page.evaluate(() => document.getElementById('Category')?.scrollIntoView());
    await expect
      .poll(() => page.locator('.side [aria-current]').allTextContents())
      .toEqual(['Enumerations', 'Category']);
  });

  it('copies the code that is shown, and has no button over code', async () => {
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await sample(page).getByRole('radio', { name: 'Python' }).check();
    const code = sample(page).locator('.request:visible');
    await code.getByRole('button', { name: /^Copy/ }).click();
    await page.getByRole('button', { name: /^Copy/ }).getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await code.locator('code').textContent(),
    );
    const [copy, text] = [await boxOf(code, 'button'), await boxOf(code, 'pre')];
    expect(copy.y + copy.height).toBeLessThanOrEqual(text.y + 1);
  });
});

it.each(['/', '/docs/startups', '/docs/javascript-client'])(
  'shows all tabs of code, and code to its edge, on %s',
  async (path) => {
    const { page } = await open({}, path);
    // As narrow as a card on a phone is at 320 pixels.
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await page.evaluate(() => {
        const boxOf = (one: Element | null): DOMRect => one?.getBoundingClientRect() ?? new DOMRect();
        const shown = [...document.querySelectorAll('.request:has(> button)')].filter(
          (code) => boxOf(code.querySelector('button')).width > 0,
        );
        return shown.flatMap((code) => {
          const panel = code.closest('.samples') ?? code;
          const [around, copy] = [boxOf(panel), boxOf(code.querySelector('button'))];
          const bad = [...panel.querySelectorAll('label')].filter((tab) => {
            const { right, bottom } = boxOf(tab);
            return right > (bottom > copy.top ? copy.left : around.right);
          });
          const isCut = around.right - boxOf(code.querySelector('pre')).right > 2;
          return [...(isCut ? ['code'] : []), ...bad.map((tab) => tab.textContent)];
        });
      });
      expect([width, cut]).toEqual([width, []]);
    }
  },
);

it('shows the sample after the summary on a phone, and beside the text in a wide window', async () => {
  const { page } = await open({ viewport: { width: 390, height: 900 } }, '/docs/history');
  const topOf = async (selector: string) => (await boxOf(page, selector)).y;
  const [summary, shown, rest] = [await topOf('.text'), await topOf('.sample'), await topOf('.text ~ .text')];
  expect([summary < shown, shown < rest]).toEqual([true, true]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(Math.abs((await topOf('.text')) - (await topOf('.sample')))).toBeLessThan(2);
});

it('begins with one path: steps, the first request, then tasks', async () => {
  const { page } = await open({ viewport: { width: 390, height: 900 } }, '/docs');
  const tasks = (await boxOf(page, '.link-cards')).y;
  for (const part of ['ol', '.sample']) {
    expect((await boxOf(page, part)).y).toBeLessThan(tasks);
  }
  // All of a card leads there.
  const card = page.locator('.link-cards > li').nth(2);
  await card.click({ position: { x: 10, y: 10 } });
  await page.waitForURL('**/docs/history');
});

it('the focus is seen, and the current page of the navigation in forced colors too', async () => {
  const { page } = await open({ forcedColors: 'active', viewport: { width: 1440, height: 900 } });
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  expect(await styleOf(page, ':focus', 'outline-style')).toBe('solid');
  const outlines = await page
    .locator('nav [aria-current]:visible')
    .evaluateAll((links) => links.map((link) => getComputedStyle(link).outlineStyle));
  expect([outlines.length > 1, new Set(outlines)]).toEqual([true, new Set(['solid'])]);
});
