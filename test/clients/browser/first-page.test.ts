import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { weightOf } from './look.ts';
import { openSite } from './site.ts';

const site = await openSite();

/** Where parts of the page stand, from above and from the left. */
async function boxesOf(page: Page) {
  const boxOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return box ?? { x: -1, y: -1, width: 0, height: 0 };
  };
  return {
    heading: await boxOf(page.getByRole('heading', { level: 1 })),
    action: await boxOf(page.getByRole('link', { name: 'Get an API key' })),
    filter: await boxOf(page.locator('.for-sale')),
    request: await boxOf(page.locator('.samples')),
    response: await boxOf(page.locator('.response')),
    rows: await boxOf(page.locator('#startups')),
    market: await boxOf(page.locator('.series')),
  };
}

it('shows headline, action, filter, request and response in the first screen of a laptop', async () => {
  const { page } = await site.visitor({ viewport: { width: 1440, height: 900 } });
  await page.goto('/');
  const { heading, action, filter, request, response } = await boxesOf(page);
  expect(response.y + response.height).toBeLessThan(900);
  // A request has its response beside it.
  expect([action.x, request.x - 1]).toEqual([heading.x, heading.x]);
  expect(filter.x).toBeGreaterThan(700);
  expect([response.x, response.y, response.height]).toEqual([
    request.x + request.width,
    request.y,
    request.height,
  ]);
  // How long the period is, in one number; nothing is filled down to a scale that does not begin at 0.
  const text = await page.locator('main').innerText();
  expect(new Set(text.match(/in \d+ days/g)).size).toBe(1);
  expect(await page.locator('.drawn.mrr .under').count()).toBe(0);
  expect(await weightOf(page)).toBeLessThan(50_000);
});

it('puts them below each other on a phone, without scrolling to the side', async () => {
  const { page } = await site.visitor({ viewport: { width: 390, height: 844 } });
  await page.goto('/');
  const { heading, action, filter, request, rows, market } = await boxesOf(page);
  const order = [heading, action, filter, request, rows, market].map(({ y }) => y);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(filter.y).toBeLessThan(500);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});

it('leads from its filter to the startups, through signing in', async () => {
  const { page } = await site.visitor();
  await page.goto('/');
  await page.getByLabel('Price up to').fill('12.5k');
  await page.getByRole('button', { name: 'Show startups' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe(
    '/dashboard/explorer?onSale=true&category=&maxPriceDollars=12.5k',
  );
});

it.each(['cURL', 'JavaScript', 'Python', 'GraphQL'])('copies the request in %s', async (language) => {
  const { page } = await site.visitor({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/');
  const before = await boxesOf(page);
  await page.getByRole('radio', { name: language }).check({ force: true });
  await page.getByRole('button', { name: `Copy: ${language}` }).click();
  await page.getByText('Copied to the clipboard.').waitFor({ state: 'attached' });
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(await page.locator('.samples code:visible').textContent());
  expect(copied).toContain('startups(sort: MRR_DESC, limit: 3)');
  expect(await boxesOf(page)).toEqual(before);
});

it('reads the value of a day under the pointer and at the keys, and draws another figure without a script', async () => {
  const { page } = await site.visitor();
  await page.goto('/');
  const drawing = page.locator('.drawn.mrr svg');
  const values: string[] = JSON.parse((await drawing.getAttribute('data-values')) ?? '');
  // Millions are told to the dollar: rounded, most days would say the same.
  expect(values.filter((value) => !/^\$\d,\d{3},\d{3}$/.test(value))).toEqual([]);
  expect(new Set(values).size).toBeGreaterThan(5);
  const tip = page.locator('.drawn.mrr .tip');
  await drawing.hover({ position: { x: 2, y: 20 } });
  await tip.getByText(values[0] ?? '', { exact: true }).waitFor();
  await page.mouse.move(0, 0);
  await drawing.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => tip.locator('strong').textContent()).toBe(values.at(-2));

  const scriptless = await site.visitor({ javaScriptEnabled: false });
  await scriptless.page.goto('/');
  expect(await scriptless.page.locator('.drawn:visible').count()).toBe(1);
  await scriptless.page.getByRole('radio', { name: /^For sale/ }).check({ force: true });
  expect(await scriptless.page.locator('.drawn:visible').getAttribute('class')).toBe('drawn sale');
});

it('leads from the chart to the builder with the same figure, and through signing in', async () => {
  const { page } = await site.visitor();
  await site.signUpAndAccept(page, 'embed-market@example.com');
  await page.goto('/');
  await page.getByRole('radio', { name: /^Median MRR/ }).check({ force: true });
  await page.getByRole('link', { name: 'Embed this chart' }).click();
  await page.getByRole('heading', { name: 'Embed this chart' }).waitFor();
  expect(await page.getByLabel('Line', { exact: true }).inputValue()).toBe('mrr.median');

  const stranger = await site.visitor();
  await stranger.page.goto('/');
  await stranger.page.getByRole('link', { name: 'Embed this chart' }).click();
  await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(stranger.page.url()).searchParams.get('next')).toBe(
    '/dashboard/embed?show=chart&value=mrr.sum',
  );
});
