import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { cutOff } from './look.ts';
import { openSite } from './site.ts';

const site = await openSite();

const EXPLORER = '/dashboard/explorer?sort=name-asc';
const stars = (page: Page, state: 'to' | 'from') =>
  page.getByRole('button', { name: 'on your shortlist', pressed: state === 'from' });

it.each([true, false])(
  'startups are put aside, compared and removed, with a script: %s',
  async (javaScriptEnabled) => {
    const { page } = await site.visitor({ javaScriptEnabled, viewport: { width: 1280, height: 500 } });
    await site.signUpAndAccept(page, `list-${javaScriptEnabled}@example.com`);
    await page.goto(EXPLORER);
    const last = stars(page, 'to').last();
    const name = (await last.getAttribute('aria-label'))?.match(/^(.*) on your/)?.[1] ?? '';
    await last.scrollIntoViewIfNeeded();
    const at = () => page.evaluate(() => scrollY);
    const before = javaScriptEnabled ? await at() : 0;
    await last.click();
    const kept = page.getByRole('button', { name: `${name} on your shortlist`, pressed: true });
    await kept.waitFor();
    if (javaScriptEnabled) {
      // In place: nothing was read again, and the focus is where it was.
      expect([page.url(), await at()]).toEqual([`${site.url}${EXPLORER}`, before]);
      expect(await kept.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.getByText('Added to the shortlist.').waitFor();
    } else {
      // The page stands where the button is.
      expect(new URL(page.url()).hash).toMatch(/^#star-/);
      await expect
        .poll(async () => {
          const { y = -1 } = (await kept.boundingBox()) ?? {};
          return y >= 0 && y < 500;
        })
        .toBe(true);
    }
    await stars(page, 'to').first().click();
    await expect.poll(() => stars(page, 'from').count()).toBe(2);
    // And from the page of a startup.
    await page.locator('.results tbody th a').nth(3).click();
    await stars(page, 'to').click();
    await stars(page, 'from').waitFor();

    await page.getByRole('link', { name: 'Shortlist', exact: true }).click();
    await page.getByText('3 startups', { exact: true }).waitFor();
    await page.getByRole('checkbox').first().check();
    if (javaScriptEnabled) {
      expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
    } else {
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('Select 2 to 4 startups to compare. You selected 1.').waitFor();
    }
    for (const box of await page.getByRole('checkbox').all()) {
      await box.check();
    }
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(
      /\/dashboard\/shortlist\?compare=[a-z0-9-]+&compare=[a-z0-9-]+&compare=[a-z0-9-]+$/,
    );
    expect(await page.getByRole('columnheader').count()).toBe(3);
    // The best value is marked in words, which only screen readers get: others see its color and weight.
    const bests = page.getByRole('cell', { name: 'best' });
    expect(await bests.count()).toBeGreaterThan(3);
    const mark = bests.first().getByText('best');
    expect(await mark.evaluate((element) => element.getBoundingClientRect().width)).toBe(1);
    // All startups have as much room.
    const columns = await page
      .getByRole('columnheader')
      .evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().width)));
    expect(new Set(columns).size).toBe(1);
    await page.getByRole('link', { name, exact: true }).waitFor();

    await page.getByRole('link', { name: '← Shortlist' }).or(page.locator('.back a')).first().click();
    await page.getByRole('button', { name: `${name} on your shortlist`, pressed: true }).click();
    if (javaScriptEnabled) {
      await page.getByText('Removed from the shortlist.').waitFor();
      await page.reload();
    }
    await page.getByText('2 startups', { exact: true }).waitFor();
  },
);

/** How far below the upper end of the window something is; far if it is above that. */
const topOf = (found: Locator): Promise<number> =>
  found.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top < 0 ? Number.POSITIVE_INFINITY : top;
  });

it('four startups are chosen and compared on a phone, in one step and without scrolling sideways', async () => {
  const { page } = await site.visitor({ viewport: { width: 390, height: 844 } });
  await site.signUpAndAccept(page, 'compare@example.com');
  await page.goto('/dashboard/explorer?onSale=true&minMargin=1&sort=mrr-desc');
  for (const index of [0, 1, 2, 3, 4]) {
    await stars(page, 'to').first().click();
    await expect.poll(() => stars(page, 'from').count()).toBe(index + 1);
  }
  await page.goto('/dashboard/shortlist');
  const boxes = page.getByRole('checkbox');
  // A name that needs a second line stays beside its star.
  const named = page.locator('.results tbody th').first();
  await named.locator('a').evaluate((link) => {
    link.textContent = 'A startup whose name has more words than a line holds';
  });
  const [left, right] = await Promise.all([
    named.locator('.star').boundingBox(),
    named.locator('a').boundingBox(),
  ]);
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
  expect(right?.height).toBeGreaterThan(40);
  // What follows it is as far to the left as the box.
  const lefts = [named.getByRole('checkbox'), named.locator('.badge')].map((one) => one.boundingBox());
  expect(new Set((await Promise.all(lefts)).map((box) => Math.round(box?.x ?? 0))).size).toBe(1);
  for (const index of [4, 3, 2, 1]) {
    await boxes.nth(index).check();
  }
  // As many as can be compared: the last one cannot be chosen, and the button is still in sight.
  await page.getByText('4 of 4 selected').waitFor();
  expect(await boxes.first().isDisabled()).toBe(true);
  await boxes.nth(1).uncheck();
  expect(await boxes.first().isEnabled()).toBe(true);
  await boxes.nth(1).check();
  await boxes.nth(4).scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  expect(await topOf(page.getByRole('button', { name: 'Compare' }))).toBeLessThan(100);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForURL('**/dashboard/shortlist?compare=*');
  expect(await cutOff(page)).toEqual([]);
  const names = page.getByRole('columnheader');
  expect(await names.count()).toBe(4);
  // Each number is in one line, and a name without a space breaks.
  const name = await names.first().getByRole('link').first().textContent();
  for (const [width, text] of [
    [320, 'W'.repeat(64)],
    [390, name],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await names
      .first()
      .getByRole('link')
      .first()
      .evaluate((link, shown) => {
        link.textContent = shown;
      }, text);
    const broken = await page
      .locator('.compared td data')
      .evaluateAll((numbers) =>
        numbers.filter((one) => one.getClientRects().length > 1).map((one) => one.textContent),
      );
    expect([width, broken, await cutOff(page)]).toEqual([width, [], []]);
  }
  // The names stay above the last line, which is below the first screen.
  await page.getByRole('rowheader').last().scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  expect(await topOf(names.first())).toBeLessThan(100);
  // A bar for each amount, the longest for the best one.
  const widths = await page
    .getByRole('row', { name: /^MRR / })
    .first()
    .locator('.fill')
    .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('width'))));
  expect(widths).toHaveLength(4);
  expect(Math.max(...widths)).toBe(100);
  await page
    .getByRole('link', { name: /^Leave out / })
    .first()
    .click();
  await expect.poll(() => names.count()).toBe(3);
});

it('a search is saved with a name, opened, renamed and deleted', async () => {
  const { page } = await site.visitor();
  await site.signUpAndAccept(page, 'searches@example.com');
  await page.goto('/dashboard/explorer?category=saas&minMrr=100000&sort=growth-desc');
  await page.getByRole('link', { name: 'Save this search' }).click();
  await page.getByLabel('Name').fill('Growing software');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The search is saved.').waitFor();
  await page.getByRole('link', { name: 'Growing software', exact: true }).click();
  await page.waitForURL('**/dashboard/explorer?category=saas&minMrr=100000&sort=growth-desc');
  const matching = (await page.locator('.shown').textContent())?.match(/of (\d+) startups/)?.[1];
  // From another list, the menu of the explorer leads back to it in place, by keyboard too.
  await page.getByRole('link', { name: 'Clear all' }).click();
  await page.waitForURL(/explorer\?sort=growth-desc$/);
  const menu = page.locator('.menu summary').filter({ hasText: 'Saved searches' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  expect(await page.locator('.searches').isVisible()).toBe(false);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/explorer?category=saas&minMrr=100000&sort=growth-desc');
  await page.locator('.shown', { hasText: `of ${matching} startups` }).waitFor();
  expect(await page.locator('.searches').isVisible()).toBe(false);
  await menu.click();
  expect(await page.locator('.searches [aria-current]').textContent()).toBe('Growing software');
  await page.getByRole('link', { name: 'Edit saved searches' }).click();
  const row = page.getByRole('row', { name: /Growing software/ });
  expect(await row.locator('td.number').textContent()).toBe(matching);
  await page.getByRole('link', { name: 'Edit Growing software' }).click();
  await page.getByLabel('Name').fill('Software');
  await page.getByRole('button', { name: 'Rename search' }).click();
  await page.getByText('The search was renamed.').waitFor();
  // Not with one click: another page asks first.
  await page.getByRole('link', { name: 'Edit Software' }).click();
  await page.getByText('Category: Software as a Service · MRR ≥ $1,000', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Delete search' }).click();
  await page.getByText('The search was deleted.').waitFor();
  await page.getByText('No saved searches').waitFor();
});
