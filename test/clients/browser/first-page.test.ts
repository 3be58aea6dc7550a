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
    rows: await boxOf(page.locator('.rows')),
    request: await boxOf(page.locator('.samples')),
    response: await boxOf(page.locator('.response')),
    facts: await boxOf(page.locator('.hero + .figures')),
    market: await boxOf(page.locator('.series')),
  };
}

it('shows headline, action, rows, request, response and facts in the first screen of a laptop', async () => {
  const { page } = await site.visitor({ viewport: { width: 1440, height: 900 } });
  await page.goto('/');
  const { heading, action, rows, request, response, facts } = await boxesOf(page);
  expect(facts.y + facts.height).toBeLessThan(900);
  // Left what one does, right what there is; a request has its response beside it.
  expect([action.x, request.x - 1]).toEqual([heading.x, heading.x]);
  expect(rows.x).toBeGreaterThan(700);
  expect([response.x, response.y, response.height]).toEqual([
    request.x + request.width,
    request.y,
    request.height,
  ]);
  // The link to sign in ends where the columns do.
  const end = await page.getByRole('link', { name: 'Sign in' }).evaluate((link) => {
    const text = document.createRange();
    text.selectNodeContents(link);
    return text.getBoundingClientRect().right;
  });
  expect(Math.round(end)).toBe(Math.round(rows.x + rows.width));
  expect(await page.locator('.rows li').count()).toBe(3);
  expect(await page.locator('.rows li .spark').count()).toBe(3);
  expect(await page.locator('.rows li').first().textContent()).toMatch(/Verified via .*\$/);
  expect(await page.locator('.hero + .figures').innerText()).toMatch(/Startups\s+500.*providers\s+11/s);
  // How long the period is, in one number; nothing is filled down to a scale that does not begin at 0.
  const text = await page.locator('main').innerText();
  expect(new Set(text.match(/in \d+ days/g)).size).toBe(1);
  expect(await page.locator('.drawn.mrr .under').count()).toBe(0);
  await page.getByRole('link', { name: 'Rate limits' }).click({ position: { x: 100, y: 60 }, trial: true });
  expect(await weightOf(page)).toBeLessThan(50_000);
});

it('puts them below each other on a phone, without scrolling to the side', async () => {
  const { page } = await site.visitor({ viewport: { width: 390, height: 844 } });
  await page.goto('/');
  const { heading, action, rows, request, response, facts, market } = await boxesOf(page);
  // The rows above the request are what its response would repeat.
  expect(response.height).toBe(0);
  const order = [heading, action, rows, request, facts, market].map(({ y }) => y);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(rows.y).toBeLessThan(500);
  // No line of a startup breaks, nor the name of a figure, nor the request.
  const heights = await page
    .locator('.rows .named > *, .hero + .figures dt')
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(30);
  const code = page.locator('.samples pre:visible');
  expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // The languages and the button to copy share a row.
  const copy = await page.getByRole('button', { name: 'Copy: cURL' }).boundingBox();
  const languages = await page.locator('.samples label').last().boundingBox();
  expect(copy?.y).toBeLessThan((languages?.y ?? 0) + (languages?.height ?? 0));
  expect(copy?.x).toBeGreaterThanOrEqual((languages?.x ?? 0) + (languages?.width ?? 0));
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
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
