import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { cutOff } from './look.ts';
import { openSite } from './site.ts';

const site = await openSite();
const EXPLORER = '/dashboard/explorer';

/** Signs up, and stands on the page of a startup that has a price and similar ones. */
const openStartup = async (page: Page, email: string): Promise<void> => {
  await site.signUpAndAccept(page, email);
  await page.goto(`${EXPLORER}?onSale=true&category=saas,ai,developer-tools&sort=mrr-desc`);
  await page.locator('.results tbody th a').first().click();
  await page.locator('.startup').waitFor();
  // With its styles.
  await page.waitForLoadState();
};
const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  return found ?? { x: -1, y: -1, width: -1, height: -1 };
};

it('has its facts beside its history on a wide window, in the first screen', async () => {
  const { page } = await site.visitor({ viewport: { width: 1440, height: 900 } });
  await openStartup(page, 'wide@example.com');
  const [chart, facts, next] = [
    await box(page, '.series'),
    await box(page, '.all-facts'),
    await box(page, '.startup > .card:not(.series, .all-facts)'),
  ];
  expect(facts.x).toBeGreaterThan(chart.x + chart.width);
  expect(facts.y).toBe(chart.y);
  // What follows the chart does not wait for the end of the facts.
  expect(next.y).toBeLessThan(chart.y + chart.height + 30);
  expect(chart.y + chart.height).toBeLessThan(900);
  // Its website, its founder and the shortlist are beside its name.
  for (const button of ['a.button', 'button']) {
    expect((await box(page, `.heading ${button}`)).y).toBeLessThan((await box(page, '.badges')).y);
  }
  const keep = page.locator('.heading').getByRole('button');
  expect(await keep.getAttribute('aria-pressed')).toBe('false');
  await keep.click();
  await expect.poll(() => keep.getAttribute('aria-pressed')).toBe('true');
  // Each figure once: the facts leave out what the badges and the chart show.
  const labels = await page.locator('.all-facts dt').allTextContents();
  const above = ['Revenue, 30 days', 'MRR', 'Customers', 'Asking price', 'Multiple'];
  for (const label of [...above, 'Verified by', 'Last verified', 'Founder on X']) {
    expect(labels).not.toContain(label);
  }
  expect(labels).toContain('Total revenue');
  // A number stays in its line, however long its label is.
  await page.goto(`${EXPLORER}/tikipu-loop`);
  const numbers = await page
    .locator('.all-facts dd')
    .evaluateAll((all) =>
      all.flatMap((one) =>
        /^[\d,]+$/.test(one.textContent ?? '') ? [one.getBoundingClientRect().height] : [],
      ),
    );
  expect(numbers.length).toBeGreaterThan(2);
  expect(Math.max(...numbers)).toBeLessThan(30);
});

it.each([768, 390, 320])('has all of it in one column at %d', async (width) => {
  const { page } = await site.visitor({ viewport: { width, height: 844 } });
  await openStartup(page, `narrow-${width}@example.com`);
  const ends = ['.series', '.all-facts', '.similar', '.api'];
  const tops = await Promise.all(ends.map(async (one) => (await box(page, one)).y));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(await cutOff(page)).toEqual([]);
  await page.locator('h1').evaluateAll((names) => {
    for (const one of names) {
      one.textContent = 'W'.repeat(64);
    }
  });
  expect(await cutOff(page)).toEqual([]);
});

const all = [
  ...['payback', 'verifiedAt', 'profitMarginLast30Days', 'customers', 'visitorsLast30Days', 'rank'],
  ...['country', 'foundedDate', 'listed', 'paymentProvider'],
];

it('prints without a part that is cut, on A4 upright and across', async () => {
  // The width of the paper between margins of 1 cm, at 96 dots per inch.
  const [upright, across] = [718, 1047];
  const { page } = await site.visitor({ viewport: { width: upright, height: 1000 } });
  await openStartup(page, 'print@example.com');
  const startup = page.url();
  const slug = startup.split('/').at(-1);
  const [other = ''] = await page
    .locator('.similar th a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/').at(-1) ?? ''));
  const columns = all.map((id) => `columns=${id}`).join('&');
  for (const path of [
    startup,
    `${EXPLORER}?${columns}`,
    `${EXPLORER}?view=groups`,
    `${EXPLORER}?view=chart`,
    `/dashboard/shortlist?compare=${slug},${other}`,
  ]) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(path);
    await page.emulateMedia({ media: 'print' });
    for (const width of [upright, across]) {
      await page.setViewportSize({ width, height: 1000 });
      expect([path, width, await cutOff(page)]).toEqual([path, width, []]);
    }
    // No button, and nothing of the navigation.
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
  }
  // The table of the explorer is one on paper, with all its columns: a page that is asked for nothing else is printed across.
  await page.goto(`${EXPLORER}?sort=mrr-desc`);
  expect(await page.getByRole('columnheader').count()).toBeGreaterThanOrEqual(all.length + 5);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, right = 0, top = 0] = (/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []).map(Number);
  expect(right).toBeGreaterThan(top);
});
