import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleStartups } from '../../../src/startups/import/sample.ts';
import { type Served, serve } from '../served.ts';
import { openBrowser, openPage, type WatchedPage } from './browser.ts';
import { type Origin, openOrigin } from './origin.ts';

const ARTIFACTS = fileURLToPath(new URL('../../../artifacts/', import.meta.url));
const FILE = readFileSync(new URL('../../../examples/dashboard.html', import.meta.url), 'utf8');
const documents: Record<string, string> = JSON.parse(/id="documents">([^<]+)</.exec(FILE)?.[1] ?? '');

let served: Served;
let browser: Browser;
let site: Origin;
/** How far the gateway's clock is from this machine's, in ms. */
let skew = 0;
beforeAll(async () => {
  [served, browser] = await Promise.all([
    serve(
      { standard: 19, premium: 60 },
      { records: [...sampleStartups({ count: 500, seed: 1 })], now: () => Date.now() + skew },
    ),
    openBrowser(),
  ]);
  const { pool } = served.gateway.database;
  await pool.query('SELECT revgate_record_market(revgate_utc_day(clock_timestamp()))');
  // Two days ago there was half of it.
  await pool.query(`INSERT INTO market_days SELECT day - 2, category, count, on_sale, revenue_sum / 2, revenue_median,
    mrr_sum, mrr_median FROM market_days`);
  site = await openOrigin(() => FILE.replace('http://127.0.0.1:4000', served.url));
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await served.close();
});

const newKey = (): Promise<string> => served.embedKey(site.origin, ...Object.values(documents));

/** Opens the page and gives it a key. */
async function show(key: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const opened = await openPage(browser, options);
  await opened.page.goto(`${site.origin}/dashboard.html`);
  await opened.page.getByLabel('Embed key').fill(key);
  await opened.page.getByRole('button', { name: 'Show' }).click();
  return opened;
}

/** What a key of another kind is answered to the same documents. */
async function ask(name: string) {
  const { key } = await served.gateway.key({ tier: 'premium' });
  return (await served.gateway.graphql(documents[name] ?? '', {}, { key })).json.data;
}

const isDrawn = (page: Page) => page.locator('#time:not(:empty)').waitFor();
const drawn = (page: Page, chart: string): Promise<(string | null)[][]> =>
  page
    .locator(`#${chart} svg > g`)
    .evaluateAll((groups) =>
      groups.map((group) => [...group.querySelectorAll('text')].map((text) => text.textContent)),
    );
const widths = (page: Page, chart: string): Promise<number[]> =>
  page
    .locator(`#${chart} rect.bar`)
    .evaluateAll((rects) => rects.map((rect) => Number(rect.getAttribute('width'))));

describe('examples/dashboard.html', () => {
  it('draws what the API answers, from another origin', async () => {
    const { page, errors, requests, close } = await show(await newKey());
    await isDrawn(page);

    const { meta, facets } = (await ask('categories')).startups;
    expect(await page.locator('#total').textContent()).toBe(`${meta.total} startups`);
    const counts: number[] = facets.category
      .filter(({ value }: { value: string | null }) => value !== null)
      .map(({ count }: { count: number }) => count)
      .sort((one: number, other: number) => other - one)
      .slice(0, 8);
    expect((await drawn(page, 'categories')).map(([, text]) => Number(text))).toEqual(counts);
    const [longest = 0, ...others] = await widths(page, 'categories');
    expect(longest).toBeGreaterThan(100);
    others.forEach((width, index) => {
      expect(width / longest).toBeCloseTo((counts[index + 1] ?? 0) / (counts[0] ?? 1), 5);
    });

    const { nodes } = (await ask('growing')).startups;
    expect(nodes).toHaveLength(8);
    expect(await drawn(page, 'growing')).toEqual(
      nodes.map(({ name, growth30d }: { name: string; growth30d: number }) => [
        name,
        `${growth30d.toLocaleString('en', { maximumFractionDigits: 1 })} %`,
      ]),
    );

    const { all, sale } = await ask('figures');
    const dollars = (cents: number): string =>
      new Intl.NumberFormat('en', {
        ...{ style: 'currency', currency: 'USD', notation: 'compact', maximumSignificantDigits: 3 },
      }).format(cents / 100);
    expect(await page.locator('#tiles dd').allTextContents()).toEqual([
      dollars(all.stats.revenue.sum),
      dollars(all.stats.mrr.sum),
      String(sale.meta.total),
      `${sale.stats.multiple.median.toLocaleString('en', { maximumFractionDigits: 1 })}×`,
    ]);
    const { median, p90, max } = sale.stats.price;
    expect((await drawn(page, 'spread'))[2]).toEqual(['Asking price', ...[median, p90, max].map(dollars)]);

    const { market } = await ask('market');
    expect(market).toHaveLength(3);
    const heights = /^M\S+ (\S+)H\S+V(\S+)H\S+V(\S+)H\S+$/
      .exec((await page.locator('#market path.line').getAttribute('d')) ?? '')
      ?.slice(1)
      .map(Number);
    // Half as high on the first two days as on the last, whose revenue is the most.
    expect(heights).toEqual([83, 83, 8]);
    expect(await page.locator('#market text').allTextContents()).toEqual([
      ...[0, market[2].revenue.sum / 2, market[2].revenue.sum].map(dollars),
      ...[market[0].day, market[2].day],
    ]);

    expect(await page.locator('#limit span').textContent()).toMatch(/^11 of 19 requests left until /);
    await page.screenshot({ path: `${ARTIFACTS}dashboard.png`, fullPage: true });
    expect(errors).toEqual([]);
    const strangers = requests.filter((url) => !url.startsWith(served.url) && !url.startsWith(site.origin));
    expect(strangers).toEqual([]);
    expect([...requests, page.url()].filter((url) => url.includes('rvg_'))).toEqual([]);
    await close();
  });

  it('waits as long as Retry-After says, and continues by itself', async () => {
    const { page, errors, close } = await show(await newKey(), {
      ...{ colorScheme: 'dark', viewport: { width: 420, height: 900 } },
    });
    const refresh = page.getByRole('button', { name: 'Refresh' });
    const left = (count: number) => page.getByText(`${count} of 19 requests left`).waitFor();
    await isDrawn(page);
    await left(11);
    // The browser may keep answers to GET for a minute.
    await page.evaluate('fetch = ((ask) => (url, init) => ask(url, { ...init, cache: "reload" }))(fetch)');
    await refresh.click();
    await left(3);
    // By the gateway's clock the window is about to end.
    skew = 57_000;
    const refused = page.waitForResponse((response) => response.status() === 429);
    await refresh.click();
    expect(Number((await refused).headers()['retry-after'])).toBeLessThan(4);
    await page.getByText(/^The limit is used up\. Going on in \d s\.$/).waitFor();
    await page.getByText(/1[0-8] of 19 requests left/).waitFor();
    await refresh.and(page.locator(':enabled')).waitFor();
    expect(errors).toEqual([]);
    expect(await page.locator('#status').textContent()).toBe('');
    await page.screenshot({ path: `${ARTIFACTS}dashboard-dark.png`, fullPage: true });
    await close();
  });

  it('takes no secret key, and says what was wrong with another', async () => {
    const { page, requests, close } = await show(await served.key());
    await page.getByText('An embed key begins with rvg_pub_').waitFor();
    expect(requests.filter((url) => url.startsWith(served.url))).toEqual([]);
    await page
      .getByLabel('Embed key')
      .fill(await served.embedKey('https://example.com', 'query { __typename }'));
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText(/origin/i).waitFor();
    await close();
  });
});
