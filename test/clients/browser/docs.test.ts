import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { serve } from '../served.ts';
import { openBrowser, openPage, type WatchedPage } from './browser.ts';

const [served, browser] = await Promise.all([serve(), openBrowser()]);

const open = async (settings: BrowserContextOptions = {}, path = '/docs/startups'): Promise<WatchedPage> => {
  const watched = await openPage(browser, { baseURL: served.url, ...settings });
  await watched.page.goto(path);
  return watched;
};
const sample = (page: Page) => page.locator('figure', { hasText: 'The fastest-growing developer tools' });

it.each([390, 1440])('navigation, samples and search work without a script at %i px', async (width) => {
  const { page } = await open({ javaScriptEnabled: false, viewport: { width, height: 900 } }, '/docs');
  expect(await page.getByRole('button').count()).toBe(0);
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
    const topOf = () => sample(page).evaluate((figure) => figure.getBoundingClientRect().top);
    const before = await topOf();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.request.curl:visible').count()).toBe(0);
    expect(Math.abs((await topOf()) - before)).toBeLessThan(2);
    await page.goto('/docs/paging');
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
    const { y = -1 } = (await page.locator('#RATE_LIMITED').boundingBox()) ?? {};
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
    const [list, box] = await Promise.all(
      ['.found', '#search'].map((selector) => page.locator(selector).boundingBox()),
    );
    const ends = (one: typeof box) => (one?.x ?? -1) + (one?.width ?? 0);
    // On a phone they are as wide as the page.
    expect(ends(list)).toBe(width < 600 ? width : ends(box));
    expect(
      [list?.x ?? -1, (list?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)].every((one) => one >= 0),
    ).toBe(true);
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
    const boxes = await Promise.all(['button', 'pre'].map((part) => code.locator(part).boundingBox()));
    expect((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0)).toBeLessThanOrEqual((boxes[1]?.y ?? 0) + 1);
  });
});

// As narrow as a card on a phone is at 320 pixels.
it.each([320, 390, 1280])('shows all tabs of code, and code to its edge, at %i px', async (width) => {
  for (const path of ['/', '/docs/startups', '/docs/javascript-client']) {
    const { page } = await open({ viewport: { width, height: 900 } }, path);
    const cut = await page.evaluate(() => {
      const boxOf = (one: Element | null): DOMRect => one?.getBoundingClientRect() ?? new DOMRect();
      return [...document.querySelectorAll('.request:has(> button)')].flatMap((code) => {
        const panel = code.closest('.samples') ?? code;
        const [around, pre, copy] = [panel, code.querySelector('pre'), code.querySelector('button')].map(
          boxOf,
        );
        const bad = [...panel.querySelectorAll('label')].filter((tab) => {
          const { right, bottom } = boxOf(tab);
          return right > (bottom > (copy?.top ?? 0) ? (copy?.left ?? 0) : (around?.right ?? 0));
        });
        return copy?.width === 0
          ? []
          : [
              ...((around?.right ?? 0) - (pre?.right ?? 0) > 2 ? ['code'] : []),
              ...bad.map((tab) => tab.textContent),
            ];
      });
    });
    expect(cut).toEqual([]);
  }
});

it('shows the sample after the summary on a phone, and beside the text in a wide window', async () => {
  const placed = async (width: number) => {
    const { page } = await open({ viewport: { width, height: 900 } }, '/docs/history');
    return page.evaluate(() =>
      ['.text', '.sample', '.text ~ .text'].map(
        (selector) => document.querySelector(selector)?.getBoundingClientRect().top ?? -1,
      ),
    );
  };
  const [summary = 0, shown = 0, rest = 0] = await placed(390);
  expect([summary < shown, shown < rest]).toEqual([true, true]);
  const [text = 0, beside = 9] = await placed(1440);
  expect(Math.abs(text - beside)).toBeLessThan(2);
});

it('begins with one path: steps, the first request, then tasks', async () => {
  const { page } = await open({ viewport: { width: 390, height: 900 } }, '/docs');
  const tops = await Promise.all(
    ['ol', '.sample', '.link-cards'].map(
      async (part) => (await page.locator(part).first().boundingBox())?.y ?? 0,
    ),
  );
  expect(Math.max(tops[0] ?? 0, tops[1] ?? 0)).toBeLessThan(tops[2] ?? 0);
  // All of a card leads there.
  await page
    .locator('.link-cards > li')
    .nth(2)
    .click({ position: { x: 10, y: 10 } });
  await page.waitForURL('**/docs/history');
});

it('the focus is seen, and the current page of the navigation in forced colors too', async () => {
  const { page } = await open({ forcedColors: 'active', viewport: { width: 1440, height: 900 } });
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  expect(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe(
    'solid',
  );
  const outlines = await page
    .locator('nav [aria-current]:visible')
    .evaluateAll((links) => links.map((link) => getComputedStyle(link).outlineStyle));
  expect([outlines.length > 1, new Set(outlines)]).toEqual([true, new Set(['solid'])]);
});
