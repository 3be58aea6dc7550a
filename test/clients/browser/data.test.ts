import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createGate } from '../../support/gate.ts';
import { openPage } from './browser.ts';
import { LOOKING_MS, look, openView, views, weightOf } from './look.ts';
import { openOrigin } from './origin.ts';
import { openSite } from './site.ts';

const site = await openSite();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const slugs = (page: Page): Promise<string[]> =>
  page
    .locator('.results tbody th a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/').pop() ?? ''));

const EXPLORER = '/dashboard/explorer';
/** Waits until the page of an address is shown in place. */
const shows = (page: Page, query: string) =>
  page.waitForFunction(
    (address) =>
      location.pathname + location.search === address && document.querySelector('[aria-busy]') === null,
    `${EXPLORER}${query}`,
  );
/** Opens a part of the line of filters. */
const open = (page: Page, name: string) => page.locator('summary').filter({ hasText: name }).click();
/** Counts the requests for lists from now on. */
const countLists = (page: Page): { count: number } => {
  const lists = { count: 0 };
  page.on('request', (request) => {
    // Not the one to which a form is redirected.
    lists.count += request.url().includes(`${EXPLORER}?`) && request.redirectedFrom() === null ? 1 : 0;
  });
  return lists;
};

describe('the explorer', () => {
  it.each([true, false])('filters, sorts and leafs through, with a script: %s', async (javaScriptEnabled) => {
    const { page } = await site.visitor({ javaScriptEnabled });
    await site.signUpAndAccept(page, `explorer-${javaScriptEnabled}@example.com`);
    await page.getByRole('link', { name: 'Explorer' }).click();
    await page.getByText('1–10 of 500 startups', { exact: true }).waitFor();
    const all = await slugs(page);
    const asks = javaScriptEnabled
      ? (query: string) => shows(page, query)
      : (query: string) => page.waitForURL(`**${EXPLORER}${query}`);
    // With a script each change is applied at once, without one by a button.
    const apply = async () => (javaScriptEnabled ? undefined : button(page, 'Apply').click());
    expect(await button(page, 'Apply').count()).toBe(javaScriptEnabled ? 0 : 1);
    if (javaScriptEnabled) {
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    }

    await open(page, 'Category');
    await page.getByLabel('Software as a Service').check();
    await page.getByLabel('Artificial Intelligence').check();
    await apply();
    await asks('?category=ai,saas');
    await open(page, 'MRR');
    const minimum = page.getByLabel('MRR, minimum, US dollars');
    await minimum.fill('1,000.50');
    await (javaScriptEnabled ? minimum.press('Enter') : apply());
    const filters = '?category=ai,saas';
    await asks(`${filters}&minMrr=100050`);
    if (javaScriptEnabled) {
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('minMrr');
    }
    expect(await minimum.inputValue()).toBe('1,000.50');
    expect(await page.locator('#curl').textContent()).toContain('&minMrr=100050');
    expect(await slugs(page)).not.toEqual(all);
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByRole('link', { name: 'Growth 30d' }).click();
    await asks(`${filters}&minMrr=100050&sort=growth-desc`);
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('link', { name: 'Remove MRR ≥ $1,000.50' }).press('Enter');
    await page.getByRole('link', { name: 'Remove Category: Artificial Intelligence' }).click();
    await asks('?category=saas&sort=growth-desc');
    if (javaScriptEnabled) {
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('chip-category-saas');
      expect(await page.locator('#category-ai').isChecked()).toBe(false);
    }
    await page.getByRole('link', { name: 'Remove Category: Software as a Service' }).click();
    await asks('?sort=growth-desc');
    await page.getByRole('link', { name: 'Next' }).click();
    await asks('?sort=growth-desc&page=2');
    await page.getByText('Page 2 of 50').waitFor();
    if (javaScriptEnabled) {
      // The fields follow, and nothing has loaded the page again.
      expect(await minimum.inputValue()).toBe('');
      await page.evaluate(() => history.go(-3));
      await asks(`${filters}&sort=growth-desc`);
      expect(await page.locator('#category-saas').isChecked()).toBe(true);
      expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    }
    const [first = ''] = await slugs(page);
    await page.locator('.results tbody th a').first().click();
    await page.waitForURL(`**/dashboard/explorer/${first}`);
    expect(await page.locator('#curl').textContent()).toContain(`${site.url}/api/v1/startups/${first}`);
  });

  it('keeps what is typed during a slow answer, and applies it when it is complete', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'slow@example.com');
    await page.goto(EXPLORER);
    const gate = createGate();
    await page.route(`**${EXPLORER}?*`, async (route) => {
      await gate.opened;
      await route.continue();
    });
    const lists = countLists(page);
    await page.getByLabel('Sale status').selectOption('true');
    await expect.poll(() => lists.count).toBe(1);
    await open(page, 'Asking price');
    const most = page.getByLabel('Asking price, maximum, US dollars');
    await most.pressSequentially('50');
    gate.open();
    await shows(page, '?onSale=true');
    // The focus and the digits are where they were, and half a number is no filter.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('maxPrice');
    await most.pressSequentially('000');
    expect(await most.inputValue()).toBe('50000');
    expect(lists.count).toBe(1);
    // Leaving the field for a heading applies both.
    await page.getByRole('link', { name: 'Growth 30d' }).click();
    await shows(page, '?onSale=true&maxPrice=5000000&sort=growth-desc');
    expect(await most.inputValue()).toBe('50,000');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sort-growth30d');
  });

  it('makes one request of five arrow keys, and keeps the scroll and the focus', async () => {
    const { page } = await site.visitor({ viewport: { width: 900, height: 500 } });
    await site.signUpAndAccept(page, 'arrows@example.com');
    await page.goto(EXPLORER);
    const lists = countLists(page);
    const sort = page.locator('#sort');
    await sort.focus();
    for (let key = 0; key < 5; key += 1) {
      await page.keyboard.press('ArrowDown');
    }
    const chosen = await sort.inputValue();
    await shows(page, `?sort=${chosen}`);
    expect(lists.count).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sort');
    await page.getByRole('link', { name: 'Next' }).scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    const topOf = (id: string) => page.locator(id).evaluate((link) => link.getBoundingClientRect().top);
    const top = await topOf('#next-page');
    await page.getByRole('link', { name: 'Next' }).press('Enter');
    await shows(page, `?sort=${chosen}&page=2`);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('next-page');
    // A line that is wrapped can move what is below it, but not from under the pointer.
    expect(await topOf('#next-page')).toBeCloseTo(top, 0);
    await page.getByRole('status').filter({ hasText: '11–20 of 500 startups' }).waitFor();
  });

  it('keeps the filters in each view, and sets those of a part of the chart that is dragged over', async () => {
    const { page } = await site.visitor({ viewport: { width: 1280, height: 1000 } });
    await site.signUpAndAccept(page, 'chart@example.com');
    await page.goto(`${EXPLORER}?onSale=true`);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.getByRole('link', { name: 'Groups' }).click();
    await shows(page, '?onSale=true&view=groups');
    await page.getByRole('link', { name: 'Country' }).click();
    await shows(page, '?onSale=true&view=groups&by=country');
    const sorted = page.getByRole('columnheader', { name: 'Median MRR' });
    await sorted.getByRole('link').click();
    await shows(page, '?onSale=true&view=groups&by=country&order=mrr-median-desc');
    expect(await sorted.getAttribute('aria-sort')).toBe('descending');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sort-mrr-median');
    const [groups] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(groups.suggestedFilename()).toBe('startups-by-country.csv');
    await page.getByRole('link', { name: 'Chart' }).click();
    await shows(page, '?onSale=true&view=chart');

    // The texts of the scales and lines are around the plot, where no point covers them.
    const covered = await page.evaluate(() => {
      const plot = document.querySelector('.scatter svg')?.getBoundingClientRect() ?? new DOMRect();
      return [...document.querySelectorAll('.scatter svg text:not(a > *)')].filter((text) => {
        const { top, right, bottom, left } = text.getBoundingClientRect();
        return right > plot.left && left < plot.right && bottom > plot.top && top < plot.bottom;
      }).length;
    });
    expect(covered).toBe(0);

    // One stop of the Tab key, from where arrows lead to the next points. The figures of the one in focus, or under the
    // pointer, are beside it.
    const points = page.locator('.scatter a');
    const all = await points.count();
    await points.first().focus();
    await page.keyboard.press('ArrowRight');
    const tip = page.locator('.scatter .tip');
    const boxOf = async (locator: typeof tip) => {
      const box = await locator.boundingBox();
      return box ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    for (const [index, show] of [
      [1, async () => undefined],
      [all - 1, () => points.last().hover()],
    ] as const) {
      await show();
      const lines = (await points.nth(index).getAttribute('aria-label'))?.split('\n') ?? [];
      expect(lines.slice(1, 4)).toEqual([
        expect.stringMatching(/^\$\S+ asking price$/),
        expect.stringMatching(/^\$\S+ revenue 30d$/),
        expect.stringMatching(/^[\d.]+× multiple$/),
      ]);
      expect(await tip.locator('> *').allTextContents()).toEqual(lines);
      // It covers neither its point nor the edge of the chart.
      const [around, box, at] = [
        await boxOf(page.locator('.field-of-points')),
        await boxOf(tip),
        await boxOf(points.nth(index)),
      ];
      expect(box.x).toBeGreaterThanOrEqual(around.x);
      expect(box.x + box.width).toBeLessThanOrEqual(around.x + around.width + 1);
      expect(box.y >= at.y + at.height || box.y + box.height <= at.y).toBe(true);
    }
    await page.keyboard.press('Escape');
    expect(await tip.count()).toBe(0);
    expect(await page.locator('.scatter a[tabindex="0"]').count()).toBe(1);

    const lists = countLists(page);
    const { x, y, width, height } = (await page.locator('.scatter svg').boundingBox()) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    await page.mouse.move(x + width * 0.4, y + height * 0.2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + height * 0.5, { steps: 4 });
    await page.locator('.scatter .dragged').waitFor();
    await page.mouse.move(x + width * 0.8, y + height * 0.9, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => location.search.includes('maxPrice'));
    await page.locator('[aria-busy]').waitFor({ state: 'detached' });
    expect(lists.count).toBe(1);
    const query = new URL(page.url()).searchParams;
    expect([...query.keys()].sort()).toEqual([
      'maxPrice',
      'maxRevenue',
      'minPrice',
      'minRevenue',
      'onSale',
      'view',
    ]);
    expect(Number(query.get('minPrice'))).toBeLessThan(Number(query.get('maxPrice')));
    expect(await page.getByLabel('Asking price, minimum, US dollars').inputValue()).toMatch(/^[\d,.]+$/);
    expect(await points.count()).toBeLessThan(all);
    expect(await points.count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    await points.first().press('Enter');
    await page.waitForURL(/\/dashboard\/explorer\/[a-z0-9-]+$/);
  });

  it('has one line of controls above a table that fits, and the first row high up on a phone', async () => {
    const { page } = await site.visitor({ viewport: { width: 1280, height: 900 } });
    await site.signUpAndAccept(page, 'controls@example.com');
    await page.goto(EXPLORER);
    const tops = await page
      .locator('.filters > :is(details, select, .settings, .views)')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => y + height / 2),
      );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2);
    const table = page.locator('.results');
    expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    // The order is one of the table.
    await page.getByRole('link', { name: 'Chart' }).click();
    await page.locator('.scatter').waitFor();
    expect(await page.locator('#sort').isVisible()).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(EXPLORER);
    expect(
      await page
        .locator('.results tbody tr')
        .first()
        .evaluate((one) => one.getBoundingClientRect().top),
    ).toBeLessThan(300);
  });

  it('shows technologies with counts, in place', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'technologies@example.com');
    await page.goto(EXPLORER);
    await open(page, 'Asking price');
    await page.getByLabel('Asking price, minimum, US dollars').fill('100000');
    await page.keyboard.press('Enter');
    await shows(page, '?minPrice=10000000');
    await open(page, 'More filters');
    const technology = page.getByRole('checkbox', { name: 'Vue' });
    await technology.check();
    await shows(page, '?minPrice=10000000&techStack=Vue');
    expect(await technology.isChecked()).toBe(true);
    await page.getByLabel('Other technology').fill('cobol');
    await page.keyboard.press('Enter');
    await shows(page, '?minPrice=10000000&techStack=Vue,cobol');
    expect(await page.getByRole('checkbox', { name: 'cobol' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Other technology').inputValue()).toBe('');
  });

  it('finds a choice in a long list by its name, with the keyboard alone', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'narrow@example.com');
    await page.goto(EXPLORER);
    const lists = countLists(page);
    const choices = page.locator('#category .choice:visible');
    await page.locator('summary').filter({ hasText: 'Category' }).press('Enter');
    const all = await choices.count();
    await page.locator('#category .count > *').first().waitFor();
    await page.getByRole('searchbox', { name: 'Find in Category' }).press('a');
    await page.keyboard.type('RTIFICI');
    expect(await choices.allTextContents()).toEqual([expect.stringContaining('Artificial Intelligence')]);
    await page.getByRole('status').filter({ hasText: '1 found' }).waitFor();
    await page.keyboard.press('Enter');
    await shows(page, '?category=ai');
    // The list was replaced, and is as narrow as before; leaving the field requests nothing.
    expect(await choices.count()).toBe(1);
    expect(all).toBeGreaterThan(1);
    await page.keyboard.press('Escape');
    expect(await choices.count()).toBe(0);
    // The counts of the menu, and the choice.
    expect(lists.count).toBe(2);
  });

  it('has a panel of filters on a phone that leads back to the list', async () => {
    const { page } = await site.visitor({ viewport: { width: 390, height: 844 } });
    await site.signUpAndAccept(page, 'sheet@example.com');
    await page.goto(`${EXPLORER}?onSale=true`);
    await open(page, 'More filters');
    const finish = page.getByRole('button', { name: /^Show results/ });
    const technologies = page.locator('#techStack .label');
    await technologies.first().waitFor();
    const inOrder = await technologies.allTextContents();
    expect(inOrder[0]).not.toBe('Vue');
    const { y = 0, height = 0 } = (await finish.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(844);
    await page.getByRole('checkbox', { name: 'Vue' }).check();
    await shows(page, '?onSale=true&techStack=Vue');
    // No choice moves until the list is opened again.
    expect(await technologies.allTextContents()).toEqual(inOrder);
    await open(page, 'More filters');
    expect(await finish.count()).toBe(0);
    await open(page, 'More filters');
    await page.getByLabel('Website').fill('acme.io');
    await finish.click();
    await shows(page, '?onSale=true&website=acme.io&techStack=Vue');
    expect(await finish.count()).toBe(0);
    // Each part of the line is such a panel.
    await open(page, 'Category');
    await finish.waitFor();
  });

  it('shows groups as rows with bars on one edge: all of them, or in a table that scrolls on a phone', async () => {
    const { page } = await site.visitor({ viewport: { width: 1440, height: 900 } });
    await site.signUpAndAccept(page, 'groups@example.com');
    await page.goto(`${EXPLORER}?view=groups`);
    const table = page.locator('.results');
    const edges = await page
      .locator('.results .cell-bar')
      .evaluateAll((bars) => [...new Set(bars.map((bar) => bar.getBoundingClientRect().left))]);
    expect(edges).toHaveLength(1);
    expect(await table.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
    await page.locator('.results tbody tr').last().scrollIntoViewIfNeeded();
    const head = page.locator('.results thead th').first();
    expect((await head.boundingBox())?.y).toBe(0);

    await page.setViewportSize({ width: 390, height: 844 });
    const heights = await page
      .locator('.results tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(50);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2_500);
    const name = page.locator('.results tbody th').first();
    const { x } = (await name.boundingBox()) ?? {};
    await table.evaluate((one) => one.scrollTo(400, 0));
    expect(await table.evaluate((one) => one.scrollLeft)).toBe(400);
    expect((await name.boundingBox())?.x).toBe(x);
  });

  it('keeps the names and the headings in sight while its table scrolls', async () => {
    const { page } = await site.visitor({ viewport: { width: 900, height: 420 } });
    await site.signUpAndAccept(page, 'sticky@example.com');
    await page.goto(EXPLORER);
    const placeOf = async (selector: string) => {
      const { x, y } = (await page.locator(selector).first().boundingBox()) as { x: number; y: number };
      return { x, y };
    };
    const table = page.locator('.results');
    await table.scrollIntoViewIfNeeded();
    const before = [await placeOf('.results tbody th'), await placeOf('.results thead th')];
    const price = await placeOf('.results td.askingPrice');
    await table.evaluate((element) => element.scrollTo(300, 200));
    expect((await placeOf('.results td.askingPrice')).x).toBeLessThan(price.x);
    expect((await placeOf('.results tbody th')).x).toBe(before[0]?.x);
    expect(await placeOf('.results thead th')).toEqual(before[1]);
    // With room for all columns, the page scrolls, and the headings stay at its top.
    await page.setViewportSize({ width: 1440, height: 420 });
    await expect.poll(() => table.evaluate((element) => getComputedStyle(element).overflowY)).toBe('clip');
    await page
      .locator('.results tbody tr')
      .nth(5)
      .evaluate((row) => row.scrollIntoView());
    expect((await placeOf('.results tbody th')).y).toBeLessThan(0);
    expect((await placeOf('.results thead th')).y).toBe(0);
  });

  it('shows the columns that were chosen, at the next visit too', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'columns@example.com');
    await page.goto(EXPLORER);
    await open(page, 'Columns');
    await page.getByRole('checkbox', { name: 'Customers' }).check();
    const heading = page.getByRole('columnheader', { name: 'Customers' });
    await heading.waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(`${EXPLORER}?category=ai`);
    await heading.waitFor();
  });

  it.each([
    [1440, 900, 8],
    [1280, 800, 6],
    [390, 844, 2],
  ])('shows enough rows in a window of %d × %d: %d', async (width, height, rows) => {
    const { page } = await site.visitor({ viewport: { width, height } });
    await site.signUpAndAccept(page, `rows-${width}@example.com`);
    await page.goto(`${EXPLORER}?onSale=true&minPrice=100000`);
    const ends = await page
      .locator('.results tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(ends.filter((end) => end <= height).length).toBeGreaterThanOrEqual(rows);
    expect(await weightOf(page)).toBeLessThan(60_000);
  });

  it('begins the figures of each entry at one place on a phone, whether it is verified or not', async () => {
    const { page } = await site.visitor({ viewport: { width: 390, height: 844 } });
    await site.signUpAndAccept(page, 'entries@example.com');
    await page.goto(EXPLORER);
    const entries = await page.locator('.results tbody tr').evaluateAll((all) =>
      all.map((entry) => {
        const figure = entry.querySelector('td:not(.category, .verifiedAt, .trend)');
        return {
          isVerified: entry.querySelector('.verifiedAt.none') === null,
          left: figure?.getBoundingClientRect().left,
        };
      }),
    );
    expect(entries.map(({ isVerified }) => isVerified)).toEqual(expect.arrayContaining([true, false]));
    expect(new Set(entries.map(({ left }) => left)).size).toBe(1);
  });

  it.each([true, false])('opens its filters on a phone, with a script: %s', async (javaScriptEnabled) => {
    const { page } = await site.visitor({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    await site.signUpAndAccept(page, `phone-${javaScriptEnabled}@example.com`);
    await page.goto(EXPLORER);
    const category = page.getByLabel('Software as a Service');
    await category.waitFor({ state: 'hidden' });
    await open(page, 'Category');
    // A tap on what it hides closes it, and is no tap on a link there.
    const { x = 0, y = 0 } = (await page.getByRole('link', { name: 'Docs' }).first().boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    await category.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe(EXPLORER);
    await open(page, 'Category');
    expect(await page.getByRole('searchbox', { name: 'Find in Category' }).isVisible()).toBe(
      javaScriptEnabled,
    );
    await category.check();
    if (javaScriptEnabled) {
      // It stays open for the next choice.
      await shows(page, '?category=saas');
      await category.waitFor();
      await page.keyboard.press('Escape');
    } else {
      await page.getByRole('button', { name: /^Show results/ }).click();
      await page.waitForURL(`**${EXPLORER}?category=saas`);
    }
    await category.waitFor({ state: 'hidden' });
    await page.locator('.chosen').filter({ hasText: '1' }).waitFor();
  });

  it('shows the value of a day under the pointer and at the keys, and switches figures without a script', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'readout@example.com');
    await page.goto(`${EXPLORER}?onSale=true&minPrice=1000`);
    const [first = ''] = await slugs(page);
    await page.goto(`${EXPLORER}/${first}`);
    const drawing = page.locator('.drawn.revenue svg');
    const values: string[] = JSON.parse((await drawing.getAttribute('data-values')) ?? '');
    expect(values.length).toBeGreaterThan(55);
    const tip = page.locator('.drawn.revenue .tip');
    await drawing.hover({ position: { x: 2, y: 20 } });
    await tip.getByText(values[0] ?? '', { exact: true }).waitFor();
    await page.mouse.move(0, 0);
    await drawing.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => tip.locator('strong').textContent()).toBe(values.at(-2));
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await tip.getByText(day).waitFor();
    expect(await weightOf(page)).toBeLessThan(50_000);

    const scriptless = await site.visitor({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    await scriptless.page.goto(`${EXPLORER}/${first}`);
    await scriptless.page.getByText('Asking price').first().click();
    await scriptless.page.locator('.drawn.price svg').waitFor();
    expect(await scriptless.page.locator('.drawn.revenue svg').isVisible()).toBe(false);
  });

  it('says what is wrong with a field, and waits when no page is left', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'greedy@example.com');
    await page.goto('/dashboard/explorer?minRevenueDollars=much');
    const error = page.getByRole('alert').getByText('got "much", allowed: an amount in US dollars');
    await error.getByRole('link', { name: 'Revenue 30d, minimum' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('minRevenue');

    await page.goto(EXPLORER);
    const shown = await slugs(page);
    await open(page, 'Category');
    await page.locator('#category .count > *').first().waitFor();
    await page.clock.install();
    while ((await page.request.get('/dashboard/explorer')).ok()) {
      // Each costs one of the pages of the minute.
    }
    // In place, the last results stay below the notice, and the filters keep their counts.
    const [refused] = await Promise.all([
      page.waitForResponse((response) => response.status() === 429),
      page
        .getByLabel('Software as a Service')
        .check()
        .then(() => page.clock.runFor(1_000)),
    ]);
    const notice = page.locator('.notice.warn');
    await notice.getByText('the last ones you saw').waitFor();
    const wait = Number(refused.headers()['retry-after']);
    expect(Number(await notice.locator('[data-retry-in]').textContent())).toBeGreaterThan(wait - 3);
    expect(await slugs(page)).toEqual(shown);
    expect(await page.locator('#category .count').first().textContent()).toMatch(/^\d+$/);
    await page
      .getByRole('status')
      .filter({ hasText: 'You have opened 120 pages in a minute' })
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: 'Remove Category' }).count()).toBe(1);
    expect((await page.goto('/dashboard/explorer?category=ai'))?.status()).toBe(429);
    // The page is a new one: the server has what the account saw last.
    expect(await slugs(page)).toEqual(shown);
    expect(await page.getByRole('search', { name: 'Startups' }).isVisible()).toBe(true);
    const seconds = Number(await page.locator('[data-retry-in]').textContent());
    await page.clock.runFor(1_000);
    expect(Number(await page.locator('[data-retry-in]').textContent())).toBeLessThan(seconds);
    const again = page.waitForRequest('**/dashboard/explorer?category=ai');
    await page.clock.runFor(seconds * 1_000);
    await again;
  });

  it('embeds a list in pages of the origins of its key, and in no others', async () => {
    let html = '';
    const [blog, stranger] = [await openOrigin(() => html), await openOrigin(() => html)];
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'embed@example.com');
    await page.goto('/dashboard/explorer?onSale=true&limit=3');
    const names = await page.locator('.results tbody th a').allTextContents();
    expect(names).toHaveLength(3);
    await page.locator('.api summary').click();
    await page.getByRole('link', { name: 'Embed this list' }).click();
    // The preview comes first, with the session in place of a key, and follows what is chosen.
    const drawn = (on: Page) => on.locator('revgate-list tbody th');
    const heads = () => page.locator('revgate-list thead th').allTextContents();
    await drawn(page).nth(2).waitFor();
    expect(await drawn(page).allTextContents()).toEqual(names);
    const requests = await page.evaluate('performance.getEntriesByType("resource").length');
    await page.getByLabel('Multiple').uncheck();
    await page.getByLabel('Country').check();
    await page.getByLabel('Theme').selectOption('dark');
    await expect.poll(heads).toContain('Country');
    expect(await heads()).not.toContain('Multiple');
    expect(await page.evaluate('performance.getEntriesByType("resource").length')).toBe(requests);
    await page.getByLabel('Origins of the pages').fill(blog);
    await button(page, 'Create the snippet').click();
    await drawn(page).nth(2).waitFor();
    await button(page, 'Copy the snippet').click();
    await page.getByText(/Copied to|Selected:/).waitFor();
    const text = await page.locator('#embed').textContent();
    expect(text).toContain(
      ' rows="3" columns="name,country,revenue.last30Days,revenue.mrr,growth30d,askingPrice" theme="dark">',
    );
    html = `<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">${text}`;

    // Within a second every server knows the key.
    const other = await openPage(site.browser);
    const failed = other.page.getByText('This list cannot be shown at the moment.');
    await expect
      .poll(
        async () => {
          await other.page.goto(blog);
          await drawn(other.page).first().or(failed).waitFor();
          return drawn(other.page).allTextContents();
        },
        { interval: 200 },
      )
      .toEqual(names);
    expect(await other.page.locator('tbody tr').first().textContent()).toMatch(/\$[\d,]+/);
    await other.page.goto(stranger);
    await failed.waitFor();
    expect(other.errors.splice(0).filter((error) => !error.startsWith('<revgate-list>: '))).toEqual([]);

    // Readers without the script get a link.
    const bare = await openPage(site.browser, { javaScriptEnabled: false });
    await bare.page.goto(blog);
    const link = bare.page.getByRole('link', { name: /^Verified startup revenue: / });
    expect(await link.isVisible()).toBe(true);
    expect(await link.getAttribute('href')).toBe(`${site.url}/`);
    const blocked = await openPage(site.browser);
    await blocked.page.route('**/embed.js', (route) => route.abort());
    await blocked.page.goto(blog);
    expect(await blocked.page.getByRole('link', { name: /^Verified/ }).isVisible()).toBe(true);
    expect(blocked.errors.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);

    // The address of the page is the key's: loading it again creates nothing.
    await page.reload();
    await page.getByRole('heading', { name: new URL(blog).host }).waitFor();
  });
});

it('the preview of a published document runs with the variables that are filled in', async () => {
  const { page, errors } = await openView(site.visitor, views[0]);
  await site.signUpAndAccept(page, 'variables@example.com');
  await page.goto('/dashboard/keys/new');
  await page.getByLabel('Name').fill('Shop window');
  await page.getByText('For a web page').click();
  await page.getByLabel(/Origins of the pages/).fill('https://shop.example');
  await button(page, 'Create key').click();
  await page.getByRole('link', { name: 'Publish a document' }).click();
  await page
    .getByLabel('GraphQL document')
    .fill(
      'query Chosen($filter: StartupFilter!, $sort: StartupSort!, $limit: Int!) { startups(filter: $filter, sort: $sort, limit: $limit) { page { name country } } }',
    );
  await button(page, 'Publish').click();
  await page.getByText('Published. Requests with this key').waitFor();
  await page.getByText('Set the variables to see the preview.').waitFor();
  const fill = async (name: string, value: string) => {
    await page.getByLabel(name).fill(value);
    await page.getByLabel(name).blur();
  };
  await fill('filter (StartupFilter!)', `{"category":"AI"}`);
  await fill('sort (StartupSort!)', 'NAME_ASC');
  await fill('limit (Int!)', '99');
  await page.getByText(/^limit: got 99, allowed/).waitFor();
  await fill('limit (Int!)', '2');
  const rows = page.locator('revgate-list tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await page.locator('#document-embed').textContent()).toContain(
    ` variables='{"filter":{"category":"AI"},"sort":"NAME_ASC","limit":2}'>`,
  );
  await page.getByLabel('Country').uncheck();
  await expect.poll(() => page.locator('revgate-list thead th').count()).toBe(1);
  expect(await look(page, 'documents-preview')).toEqual([]);
  // The element writes why it shows nothing.
  expect(errors.splice(0)).toEqual([expect.stringMatching(/^<revgate-list>: limit: got 99/)]);
});

describe('the usage of a key', () => {
  it('shows the remaining budget at once, and new requests within seconds', async () => {
    const { page } = await site.visitor();
    await site.signUpAndAccept(page, 'usage@example.com');
    const key = await site.createKey(page, 'Billing report');
    const id = new URL(page.url()).pathname.split('/').pop() ?? '';
    for (let request = 0; request < 3; request++) {
      expect(await site.ask(key)).toBe(200);
    }
    await page.goto(`/dashboard/usage/${id}`);
    await page.getByText('7 of 10 requests left').waitFor();
    // Nobody reloads it.
    expect(await site.ask(key)).toBe(200);
    await page.getByText('6 of 10 requests left').waitFor();
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.locator('#requests-summary').textContent();
        },
        { interval: 1_000 },
      )
      .toContain('4 requests, 0 of them rate limited');
    await page.getByText('Show as a table').click();
    await page.getByRole('region', { name: 'Requests in numbers' }).waitFor();
    await page.locator('.plot g').last().hover();
    await page.locator('.tip').getByText('4 succeeded').waitFor();
    await page.getByRole('link', { name: '90 days' }).click();
    await page.getByRole('heading', { name: 'Requests in the last 90 days' }).waitFor();
    expect(await page.locator('.plot g').count()).toBe(90);
  });
});

describe('every page of data', () => {
  it.each(views)(
    'in $name has nothing that axe finds, fits, and does not move',
    { timeout: LOOKING_MS },
    async (view) => {
      const { name } = view;
      const { page } = await openView(site.visitor, view);
      const email = `${name}@example.com`;
      await site.signUpAndAccept(page, email);
      const key = await site.createKey(page, 'Billing report');
      const id = new URL(page.url()).pathname.split('/').pop() ?? '';
      // Three more than the limit.
      for (let requests = 0; requests < 13; requests += 1) {
        await site.ask(key);
      }
      await site.promote(email);
      const found: string[] = [];
      const visit = async (path: string, title: string): Promise<void> => {
        await page.goto(path);
        found.push(...(await look(page, `${title}-${name}`)));
      };
      await visit('/dashboard/explorer?onSale=true&minPrice=1000', 'explorer');
      const [first] = await slugs(page);
      await visit(`/dashboard/explorer/${first}`, 'startup');
      await visit('/dashboard/explorer?category=saas&minPrice=1000', 'explorer-filtered');
      await open(page, 'More filters');
      found.push(...(await look(page, `explorer-filters-${name}`)));
      await visit('/dashboard/explorer?onSale=true&view=chart', 'explorer-chart');
      await visit('/dashboard/explorer?view=groups', 'explorer-groups');
      await visit('/dashboard/explorer?category=robots&minPrice=5&maxPrice=1&foo=1', 'explorer-errors');
      await visit('/dashboard/explorer?xHandle=nobody_at_all', 'explorer-empty');
      for (const show of ['chart', 'figures', 'list']) {
        await page.goto(`/dashboard/embed?category=saas&show=${show}`);

        await page.getByText('Updated just now').waitFor();
        found.push(...(await look(page, `embed-${show}-${name}`)));
      }
      await page.getByLabel('Origins of the pages').fill('https://blog.example');
      await button(page, 'Create the snippet').click();
      await page.getByRole('heading', { name: 'Paste this into your page' }).waitFor();
      found.push(...(await look(page, `embed-snippet-${name}`)));
      await visit('/dashboard/shortlist', 'shortlist-empty');
      await visit('/dashboard/shortlist/searches', 'searches-empty');
      await page.goto('/dashboard/explorer?onSale=true');
      for (const star of (await page.locator('.star [aria-pressed="false"]').all()).slice(0, 3)) {
        await star.evaluate((one: HTMLElement) => one.click());
      }
      await page.locator('.star [value="no"]').nth(2).waitFor();
      await visit('/dashboard/shortlist', 'shortlist');
      await visit(`/dashboard/shortlist?compare=${(await slugs(page)).slice(0, 3)}`, 'compare');
      await visit('/dashboard/shortlist?compare=one', 'compare-too-few');
      await visit('/dashboard/shortlist/searches/new?category=saas&sort=growth-desc', 'search-new');
      await page.getByLabel('Name').fill('Growing software');
      await button(page, 'Save').click();
      await page.getByText('The search is saved.').waitFor();
      found.push(...(await look(page, `searches-${name}`)));
      await visit('/dashboard/usage', 'usage');
      await visit(`/dashboard/usage/${id}`, 'usage-key');
      await page.getByText('Show as a table').click();
      found.push(...(await look(page, `usage-table-${name}`)));
      await visit(`/dashboard/usage/${id}?period=90d`, 'usage-90-days');
      await visit('/dashboard/operator', 'operator');
      await visit('/dashboard/operator/accounts', 'operator-accounts');
      await page.getByRole('main').getByRole('link', { name: email, exact: true }).click();
      found.push(...(await look(page, `operator-account-${name}`)));
      await visit('/dashboard/operator/keys', 'operator-keys');
      await visit(`/dashboard/operator/keys/${id}`, 'operator-key');
      await visit('/dashboard/operator/policies', 'operator-policies');
      await visit('/dashboard/operator/imports', 'operator-imports');
      await visit('/dashboard/operator/audit', 'operator-audit');
      expect(found).toEqual([]);
    },
  );
});
