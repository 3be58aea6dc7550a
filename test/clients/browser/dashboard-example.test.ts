import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { serve } from '../served.ts';
import { ARTIFACTS, openBrowser, openPage } from './browser.ts';
import { openOrigin } from './origin.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8');
const FILE = read('dashboard.html');
const documents: Record<string, string> = JSON.parse(read('dashboard.json'));

const records = [...sampleStartups({ count: 500, seed: 1 })];
const [served, browser] = await Promise.all([
  serve({ standard: 19, premium: 60 }, { records }),
  openBrowser(),
]);
await served.gateway.database.pool.query('SELECT revgate_record_market(revgate_utc_day(clock_timestamp()))');
const origin = await openOrigin(() =>
  FILE.replaceAll('http://127.0.0.1:4000', served.url).replaceAll('rvg_pub_…', key),
);
const key = await served.embedKey(origin, ...Object.values(documents));

it('examples/dashboard.html is a page of 30 lines that draws what the API answers', async () => {
  expect(FILE.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  expect([...FILE.matchAll(/document="([^"]+)"/g)].map(([, id]) => id)).toEqual(
    Object.values(documents).map((text) => documentId(hashDocument(text))),
  );
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ] as const) {
    const viewport = { width, height: 900 };
    const { page, requests } = await openPage(browser, { colorScheme, viewport });
    await page.goto(origin);
    await page.locator('revgate-chart [part=plot]').waitFor();
    await expect.poll(() => page.locator('revgate-list tbody tr').count()).toBe(8);
    const { growing, figures } = documents;
    const secret = (await served.gateway.key({ tier: 'premium' })).key;
    const ask = async (text = '') =>
      (await served.gateway.graphql(text, {}, { key: secret })).json.data.startups;
    const names = (await ask(growing)).nodes.map(({ name }: { name: string }) => name);
    expect(await page.locator('revgate-list tbody th').allInnerTexts()).toEqual(names);
    expect(await page.locator('revgate-figures dd').first().innerText()).toBe(
      String((await ask(figures)).meta.total),
    );
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(width);
    await page.screenshot({ path: join(ARTIFACTS, `dashboard-${colorScheme}.png`), fullPage: true });
    const strangers = requests.filter((url) => !url.startsWith(served.url) && !url.startsWith(origin));
    expect(strangers).toEqual([]);
    expect(requests.filter((url) => url.includes('rvg_'))).toEqual([]);
  }
});
