import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { promoteAccount } from '../../../src/access/accounts/change.ts';
import { createOperatorToken } from '../../../src/access/accounts/operator-tokens.ts';
import { documentId, hashDocument } from '../../../src/access/keys/documents/document-id.ts';
import { record } from '../../support/records.ts';
import { openSite } from '../../web/dashboard/site.ts';
import { openBrowser, openPage } from './browser.ts';
import { weightOf } from './look.ts';

/** What users may call a key, a token, a document, a startup or themselves, in one wide word. */
const LONG = 'W'.repeat(64);
const SLUG = LONG.toLowerCase();
const EMAIL = `${SLUG}@example.com`;
const DOCUMENT = `query ${LONG} { dataset { total } }`;
const [KEYS, OPERATOR, EXPLORER] = ['/dashboard/keys', '/dashboard/operator', '/dashboard/explorer'];

const site = await openSite({
  isServed: true,
  limits: { standard: 1_000, premium: 1_000 },
  records: [SLUG, 'other'].map((slug) =>
    record(slug, {
      ...{ name: slug, category: 'saas', country: 'US', description: LONG, techStack: [LONG] },
      ...{ website: `https://${SLUG.slice(1)}.example/`, founderName: LONG, growth30d: 12 },
      ...{ onSale: true, askingPrice: 9_490_000, customers: 1_234 },
      revenue: { last30Days: 1_234_500, mrr: 1_100_000, total: 30_000_000 },
      // So long ago that it has a badge.
      verifiedAt: new Date(Date.now() - 48 * 86_400_000).toISOString(),
    }),
  ),
});
const browser = await openBrowser();
const holder = await site.member(EMAIL);
const { id: accountId } = await site.accountOf(EMAIL);
await promoteAccount(site.acting, EMAIL);
const { id } = await site.key({ name: LONG, accountId });
const token = await createOperatorToken({ ...site.acting, operators: [] }, { name: LONG, account: EMAIL });
await site.publish(id, DOCUMENT);
for (const slug of [SLUG, 'other']) {
  await holder.post('/dashboard/shortlist', { slug, keep: 'yes' });
}
await holder.post('/dashboard/shortlist/searches', { name: LONG, query: 'category=saas' });

/** An empty page, which has nothing in its cache, of the account with these names or of a stranger. */
const open = async (isHolder: boolean, options: BrowserContextOptions) => {
  const watched = await openPage(browser, { baseURL: site.origin, ...options });
  const cookies = [...holder.jar].map(([name, value]) => ({ name, value, url: site.origin }));
  await watched.page.context().addCookies(isHolder ? cookies : []);
  return watched;
};
/** By how many pixels a page is wider than windows of the narrowest phones, of usual ones and of tablets. */
const tooWide = async (page: Page, name: string): Promise<string[]> => {
  const found: string[] = [];
  for (const width of [320, 390, 768]) {
    await page.setViewportSize({ width, height: 700 });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    found.push(...(over > 0 ? [`${name}: ${over} px wider than ${width}`] : []));
  }
  return found;
};
/** What a page that has just been opened weighs too much. */
const tooHeavy = async (page: Page, name: string, most = 50_000): Promise<string[]> => {
  const weight = await weightOf(page);
  return weight > most ? [`${name}: ${weight} bytes`] : [];
};

it('pages of an account are at most 50 kB at a first visit, and fit a phone with names of 64 letters', async () => {
  const documentPath = `${KEYS}/${id}/documents/${documentId(hashDocument(DOCUMENT))}`;
  const found: string[] = [];
  for (const path of [
    KEYS,
    ...['', '/rename', '/rotate', '/revoke', '/documents'].map((part) => `${KEYS}/${id}${part}`),
    documentPath,
    `${documentPath}/remove`,
    `${KEYS}/new`,
    '/dashboard/usage',
    `/dashboard/usage/${id}?period=90d`,
    EXPLORER,
    `${EXPLORER}?category=saas&onSale=true&view=groups`,
    `${EXPLORER}?view=chart`,
    `${EXPLORER}/${SLUG}`,
    ...['', '&show=figures'].map((show) => `/dashboard/embed?chart=${SLUG}${show}`),
    '/dashboard/embed?category=saas',
    ...['', '/searches', `/searches/edit?name=${LONG}`].map((part) => `/dashboard/shortlist${part}`),
    `/dashboard/shortlist?compare=${SLUG},other`,
    '/dashboard/account',
    OPERATOR,
    ...['keys', 'policies', 'imports', 'imports/new', 'tokens', 'audit', 'accounts'].map(
      (part) => `${OPERATOR}/${part}`,
    ),
    `${OPERATOR}/keys/${id}`,
    `${OPERATOR}/accounts/${accountId}`,
    `${OPERATOR}/tokens/${token.id}/revoke`,
  ]) {
    const { page, close } = await open(true, { viewport: { width: 320, height: 700 } });
    await page.goto(path);
    found.push(...(await tooHeavy(page, path, path.startsWith(EXPLORER) ? 60_000 : undefined)));
    // Every section is in sight: none behind the button beside them.
    const sections = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    const covered = await sections.evaluateAll((links) =>
      links.flatMap((link) => {
        const { x, y, width, height } = link.getBoundingClientRect();
        const atEnd = document.elementFromPoint(x + width - 2, y + height / 2);
        return atEnd === link ? [] : [link.textContent];
      }),
    );
    expect([path, covered, await sections.count()]).toEqual([path, [], 6]);
    found.push(...(await tooWide(page, path)));
    await close();
  }
  expect(found).toEqual([]);
});

it('public pages are at most 50 kB at a first visit, and fit a phone', async () => {
  const { text } = await holder.get('/docs');
  const docs = [...new Set([...text.matchAll(/href="(\/docs\/[a-z0-9-]+)"/g)].map(([, path = '']) => path))];
  const lengths = new Map<string, number>();
  for (const path of docs) {
    lengths.set(path, (await site.call(path)).text.length);
  }
  // They differ in nothing but their text: the longest ones are the heaviest.
  const longest = docs
    .toSorted((one, other) => (lengths.get(other) ?? 0) - (lengths.get(one) ?? 0))
    .slice(0, 5);
  const found: string[] = [];
  for (const path of [
    ...['/', '/policy', '/docs', ...longest],
    ...['sign-in', 'sign-up', 'forgotten-password'].map((name) => `/dashboard/${name}`),
  ]) {
    const { page, close } = await open(false, {});
    await page.goto(path);
    found.push(...(await tooHeavy(page, path)), ...(await tooWide(page, path)));
    await close();
  }
  expect(found).toEqual([]);
});

it('what is shown only once fits a phone with names of 64 letters', async () => {
  const { page } = await open(true, {});
  const found: string[] = [];
  const press = (name: string) => page.getByRole('button', { name }).click();
  const fits = async (heading: string) => {
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.locator('main details').evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));
    found.push(...(await tooWide(page, heading)));
  };
  for (const [path, button, heading] of [
    [`${KEYS}/new`, 'Create key', 'Your new key'],
    [`${KEYS}/${id}/rotate`, 'Rotate key', 'Your new key'],
    [`${OPERATOR}/tokens/new`, 'Create token', 'Your new token'],
  ] as const) {
    await page.goto(path);
    for (const field of await page.getByLabel('Name').all()) {
      await field.fill(LONG);
    }
    await press(button);
    await fits(heading);
  }
  await page.goto(`/dashboard/embed?chart=${SLUG}`);
  await page.getByLabel('Origins of the pages').fill(`https://${SLUG.slice(1)}.example`);
  await press('Create the snippet');
  await fits('Your embed snippet');
  const table = [
    'Company,Industry,MRR ($),Revenue last 30 days ($),Total revenue ($),Customers,Subscriptions,For sale,Provider',
    `${LONG},Software as a Service,$9,$9,$9,1,2,no,Stripe`,
    `${LONG}2,Marketing,$9,$9,$9,1,2,no,Stripe`,
  ].join('\n');
  await page.goto(`${OPERATOR}/imports/new`);
  await page
    .locator('#file')
    .setInputFiles({ name: `${LONG}.csv`, mimeType: 'text/csv', buffer: Buffer.from(table) });
  await press('Continue');
  await fits('Assign columns');
  await press('Preview');
  await fits('Preview');
  await press('Import 2 records');
  await fits(`Import of ${LONG}.csv`);
  await page.goto(`${OPERATOR}/imports`);
  await fits('Imports');
  expect(found).toEqual([]);
});
