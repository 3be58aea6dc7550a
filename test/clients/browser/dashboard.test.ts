import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { boxOf, openPage, styleOf } from './browser.ts';
import { openOrigin } from './origin.ts';
import { openUsedKeys, SERVICE } from './used-keys.ts';

const site = await openUsedKeys();
const { billing, old } = site.keys;
const [KEYS, EXPLORER] = ['/dashboard/keys', '/dashboard/explorer'];
const { visit: open } = site;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('a key is copied, and a page that is loaded again sends no form again', async () => {
  const { page } = await open(`${KEYS}/new`);
  await page.getByLabel('Name').first().fill('<img src=x onerror="document.title=1">');
  await button(page, 'Create key').click();
  await page.getByRole('heading', { name: 'Your new key', level: 1 }).waitFor();
  await button(page, 'Copy the key').click();
  await page.getByText(/Copied to|Selected:/).waitFor();
  page.on('request', (request) => expect.soft(request.method()).toBe('GET'));
  await page.reload();
  await page.getByRole('heading', { name: '<img', level: 1 }).waitFor();
  expect(await page.title()).not.toBe('1');
});

it('the whole id of a document is copied from the list', async () => {
  const { page } = await open(`${KEYS}/${billing}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await button(page, 'Copy the ID of Latest').press('Enter');
  await page.getByText('Copied to the clipboard.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it.each(['light', 'dark'] as const)(
  'what is good is green where the accent is not, in %s',
  async (colorScheme) => {
    const { page } = await open(EXPLORER, { colorScheme });
    const [strong, plain] = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      return ['--good-strong', '--good'].map((name) => {
        probe.style.color = `var(${name})`;
        return getComputedStyle(probe).color;
      });
    });
    const accent = await styleOf(page, '.results a', 'color');
    expect([strong, plain]).not.toContain(accent);
    expect(await styleOf(page, 'span.up', 'color')).toBe(strong);
    await page.goto('/dashboard/operator');
    expect(await styleOf(page, '.badge.good:text("Ready")', 'color')).toBe(strong);
    expect(await styleOf(page, '.plot rect.succeeded', 'fill')).toBe(plain);
  },
);

describe.each([true, false])('a menu, with a script: %s', (javaScriptEnabled) => {
  it.each([
    [1440, 'account-menu'],
    [390, 'menu'],
    [1440, 'searches-menu'],
    [1440, 'price-panel'],
  ])('in a window of %i opens below its button, and closes by Escape and a click: %s', async (width, id) => {
    const { page } = await open(EXPLORER, { javaScriptEnabled, viewport: { width, height: 844 } });
    const [opener, menu] = [page.locator(`[popovertarget="${id}"]`).first(), page.locator(`#${id}`)];
    for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(width / 2, 800)]) {
      await opener.click();
      const [below, above] = [await boxOf(page, `#${id}`), await opener.boundingBox()];
      expect(below.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
      expect(below.y).toBeLessThan((above?.y ?? 0) + (above?.height ?? 0) + 12);
      expect(Math.min(below.x, width - below.x - below.width)).toBeGreaterThanOrEqual(0);
      await close();
      await menu.waitFor({ state: 'hidden' });
    }
  });
});

it('the menu of all filters is as wide as the line of filters', async () => {
  const { page } = await open(EXPLORER, { viewport: { width: 1440, height: 900 } });
  await button(page, 'More filters').click();
  const [menu, line] = [await boxOf(page, '.panel.whole'), await boxOf(page, '.filters')];
  expect([menu.x, menu.width]).toEqual([line.x, line.width]);
});

it('a key has its rare actions in a menu, without a script, too', async () => {
  const { page } = await open(`${KEYS}/${billing}`, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const revoke = page.getByRole('link', { name: 'Revoke' });
  expect(await revoke.isVisible()).toBe(false);
  await button(page, 'More').click();
  await revoke.click();
  await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor();
});

it('four figures of a row are two lines of two on a phone', async () => {
  const { page } = await open(KEYS, { viewport: { width: 390, height: 844 } });
  const boxes = await page
    .locator('.entries tbody tr')
    .first()
    .locator('td')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
  expect(boxes).toHaveLength(4);
  expect(new Set(boxes).size).toBe(2);
});

describe('a chart', () => {
  it('shows the numbers of a bar under the pointer', async () => {
    const { page } = await open(`/dashboard/usage?key=${old}&period=30d`);
    const tip = page.locator('.tip');
    await page.locator('.plot g').nth(27).hover();
    await tip.getByText(/^[\d,]+ succeeded$/).waitFor();
    await page.keyboard.press('Escape');
    expect(await tip.count()).toBe(0);
  });

  it('of prices has one stop of the Tab key, and its points are read one by one', async () => {
    const { page } = await open(`${EXPLORER}?view=chart`, { viewport: { width: 1280, height: 1000 } });
    const points = page.locator('.scatter a');
    await points.first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await points.nth(1).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await page.locator('.scatter a[tabindex="0"]').count()).toBe(1);
    const lines = (await points.nth(1).getAttribute('aria-label'))?.split('\n');
    expect(await page.locator('.scatter .tip > *').allTextContents()).toEqual(lines);
  });

  it('has a legend of the colors of its bars in forced colors', async () => {
    const { page } = await open(KEYS);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`/dashboard/usage?key=${old}&period=30d`);
    for (const name of ['succeeded', 'errors', 'refused']) {
      expect(await styleOf(page, `.legend .key.${name}`, 'background-color')).toBe(
        await styleOf(page, `.plot rect.${name}`, 'fill'),
      );
    }
  });
});

describe('the table of the explorer', () => {
  it('keeps its names and headings in sight, in a box or in the page', async () => {
    const { page } = await open(EXPLORER, { viewport: { width: 900, height: 420 } });
    const table = page.locator('.results');
    await table.scrollIntoViewIfNeeded();
    const before = await boxOf(page, '.results tbody th');
    const price = await boxOf(page, '.results td[data-label="Asking price"]');
    await table.evaluate((one) => one.scrollTo(300, 0));
    expect((await boxOf(page, '.results td[data-label="Asking price"]')).x).toBeLessThan(price.x);
    expect((await boxOf(page, '.results tbody th')).x).toBe(before.x);
    await page.setViewportSize({ width: 1600, height: 420 });
    // A window that has become wider is laid out in its next frame.
    const heading = async () => {
      await page
        .locator('.results tbody tr')
        .nth(4)
        .evaluate((row) => row.scrollIntoView());
      return (await boxOf(page, '.results thead th')).y;
    };
    await expect.poll(heading).toBe(0);
  });

  it.each([
    [1440, 900, 6],
    [390, 844, 2],
  ])('has in a window of %d × %d at least %d rows in the first screen', async (width, height, rows) => {
    const { page } = await open(EXPLORER, { viewport: { width, height } });
    const ends = await page
      .locator('.results tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(ends.filter((end) => end <= height).length).toBeGreaterThanOrEqual(rows);
  });
});

describe('what is embedded', () => {
  it('has a preview that follows its settings, and is drawn by pages of its origins alone', async () => {
    let html = '';
    const [blog, stranger] = [await openOrigin(() => html), await openOrigin(() => html)];
    const { page } = await open('/dashboard/embeds/new?category=saas', {
      viewport: { width: 1440, height: 900 },
    });
    const heads = () => page.locator('revgate-list thead th').allTextContents();
    await page.getByText('Updated just now').waitFor();
    expect(await page.locator('.frame [part=footer]').textContent()).toContain(`Source: ${SERVICE.name}`);
    const create = button(page, 'Create embed');
    expect((await create.boundingBox())?.y).toBeLessThan(870);
    const requests = await page.evaluate('performance.getEntriesByType("resource").length');
    await page.getByLabel('Multiple').uncheck();
    await page.getByLabel('Country').check();
    await page.getByLabel('Theme').selectOption('dark');
    await expect.poll(heads).toContain('Country');
    expect(await heads()).not.toContain('Multiple');
    expect(await page.evaluate('performance.getEntriesByType("resource").length')).toBe(requests);
    await page.getByLabel('Your websites').fill(blog);
    await create.click();
    await page.locator('revgate-list tbody th').first().waitFor();
    const names = await page.locator('revgate-list tbody th').allTextContents();
    const text = await page.locator('#embed').textContent();
    expect(text).toContain(' theme="dark"');
    html = `<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">${text}`;
    const other = await openPage(site.browserOfPages);
    await other.page.goto(blog);
    await other.page.locator('revgate-list tbody th').first().waitFor();
    expect(await other.page.locator('revgate-list tbody th').allTextContents()).toEqual(names);
    await other.page.goto(stranger);
    await other.page.getByText('This list cannot be shown at the moment.').waitFor();
    expect(other.errors.splice(0).filter((error) => !error.startsWith('<revgate-list>: '))).toEqual([]);
    // Readers without the script get a link.
    const bare = await openPage(site.browserOfPages, { javaScriptEnabled: false });
    await bare.page.goto(blog);
    expect(await bare.page.getByRole('link').first().isVisible()).toBe(true);
  });
});
