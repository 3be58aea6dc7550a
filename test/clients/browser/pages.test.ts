import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import { openPage } from './browser.ts';
import { LOOKING_MS, look, openView, views } from './look.ts';
import { DOCUMENT, LONG, openUsedKeys, SLUG } from './used-keys.ts';

const site = await openUsedKeys();
const { billing, old, shop, long } = site.keys;
const [KEYS, OPERATOR, EXPLORER] = ['/dashboard/keys', '/dashboard/operator', '/dashboard/explorer'];
const CSV = [
  'Company,Industry,MRR ($),Revenue last 30 days ($),Total revenue ($),Customers,Active subscriptions,For sale,Provider',
  `${LONG},Software as a Service,$9,$9,$9,1,2,no,Stripe`,
  `${LONG}2,Marketing,$9,$9,$9,many,2,no,Stripe`,
].join('\n');

/** Addresses that begin alike. */
const at = (start: string, ...ends: string[]): string[] => ends.map((end) => start + end);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

// Nothing that axe finds, that is too wide, that moves or that is too heavy.
describe.each(views)('nothing is wrong in the $name view on', { timeout: LOOKING_MS }, (view) => {
  /** Begins to look at pages: what is wrong with those that were seen is in `found`. */
  async function start(open: Parameters<typeof openView>[0]) {
    const { page } = await openView(open, view);
    const found: string[] = [];
    const see = async (name: string) => found.push(...(await look(page, `${name}-${view.name}`)));
    return { page, found, see };
  }

  it('public pages', async () => {
    const { page, found, see } = await start((options) =>
      openPage(site.browserOfPages, { baseURL: site.origin, ...options }),
    );
    const docs = ['startups', 'errors', 'embedding', 'import-format', 'failures', 'rate-limits'];
    for (const path of [
      '/',
      '/policy',
      '/nowhere',
      '/docs',
      '/docs?q=limit',
      ...at('/docs/', ...docs),
      ...at('/dashboard/', 'sign-in', 'sign-in?notice=left', 'sign-up', 'forgotten-password'),
      ...at('/dashboard/', 'reset-password?token=x', 'nothing'),
    ]) {
      await page.goto(path);
      await see(`public${path.replace(/\W/g, '-')}`);
    }
    await page.goto('/dashboard/sign-in');
    await page.getByLabel('Email address').fill('nobody@example.com');
    await page.getByLabel('Password').fill('not a password');
    await press(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    await see('sign-in-refused');
    expect(found).toEqual([]);
  });

  it('pages of an account', async () => {
    const { page, found, see } = await start(site.open);
    const documentPath = `${KEYS}/${long}/documents/${documentId(hashDocument(DOCUMENT))}`;
    for (const path of [
      KEYS,
      ...at(`${KEYS}/${long}`, '', '/rename', '/rotate', '/revoke', '?notice=created-before'),
      ...at(`${KEYS}/`, billing, old, shop),
      ...at(documentPath, '', '/remove'),
      ...at('/dashboard/embeds', ''),
      `${KEYS}/${shop}/origins`,
      ...at('/dashboard/usage', '?period=30d', '?at=Mon-09', `?key=${old}&at=2026-11-19T12`),
      ...at('/dashboard', `/usage?key=${long}&period=90d`, '/account', '/account/delete'),
      ...at(EXPLORER, '', '?open=category', '?open=more', '?category=saas&onSale=true&view=groups'),
      ...at(
        EXPLORER,
        '?view=chart',
        '?category=robots&minPrice=5&maxPrice=1&foo=1',
        '?xHandle=nobody_at_all',
        '?own.employees.min=1&columns=own-employees',
      ),
      ...at(EXPLORER, `/${SLUG}`, '/outseta'),
      ...at('/dashboard/shortlist', '', '/searches', `/searches/edit?name=${LONG}`),
      ...at('/dashboard/shortlist', '/searches/new?category=saas'),
      ...at('/dashboard/shortlist', `?compare=${SLUG},outseta,tally,senja`, '?compare=one'),
      ...at(OPERATOR, '', '/keys', '/accounts', '/policies', '/imports', '/imports/new', '/tokens', '/audit'),
      ...at(OPERATOR, '/fields', '/fields/new', '/fields/employees/edit', '/fields/employees/remove'),
      ...at(OPERATOR, `/keys/${billing}`, `/accounts/${site.accountId}`, `/tokens/${site.tokenId}/revoke`),
    ].filter((_, index) => view.name !== 'dark' || index % 2 === 0)) {
      site.nextMinute();
      await page.goto(path);
      const name = path.replaceAll(SLUG, 'long').replace(/\W/g, '-').slice(0, 60);
      await see(`${path.startsWith(EXPLORER) ? 'explorer' : 'page'}${name}`);
    }
    expect(found).toEqual([]);
  });

  if (view.name === 'dark') {
    // Of what follows, the parts are those of the pages above; and an account has a limit of keys.
    return;
  }
  it('what only a form leads to', async () => {
    const { page, found, see } = await start(site.open);
    const fill = async (label: string | RegExp, text: string) => page.getByLabel(label).first().fill(text);
    for (const [path, button, title] of [
      [`${KEYS}/new`, 'Create key', 'Your new key'],
      [`${OPERATOR}/tokens/new`, 'Create token', 'Your new token'],
    ] as const) {
      site.nextMinute();
      await page.goto(path);
      await see(`new${path.replace(/\W/g, '-')}`);
      await fill('Name', `${LONG.slice(1)}${view.name[0]}`);
      await press(page, button);
      await heading(page, title);
      await see(title.replaceAll(' ', '-'));
    }
    for (const show of ['chart', 'figures', 'list']) {
      site.nextMinute();
      await page.goto(`/dashboard/embeds/new?category=saas&show=${show}`);
      await page.getByText('Updated just now').waitFor();
      await see(`embed-${show}`);
    }
    await fill('Your websites', 'https://blog.example');
    await press(page, 'Create embed');
    await page.getByRole('heading', { name: 'Paste this into your page' }).waitFor();
    await see('embed-snippet');
    await page.goto(`${KEYS}/${billing}`);
    await page.getByText('Publish a document').click();
    await fill('GraphQL document', `query Top {\n  ${'startups '.repeat(20)}{ nodes { nam } }\n}`);
    await press(page, 'Publish');
    await page.locator('.error, [role="alert"]').first().waitFor();
    await see('document-errors');
    await page.goto(`${OPERATOR}/imports/new`);
    await page
      .locator('#file')
      .setInputFiles({ name: `${LONG}.csv`, mimeType: 'text/csv', buffer: Buffer.from(CSV) });
    await press(page, 'Continue');
    await page.locator('[aria-current="step"]', { hasText: 'Columns' }).waitFor();
    await see('import-columns');
    await page.getByLabel('Value of “many”').fill('7');
    await page.getByRole('button', { name: 'Preview' }).first().click();
    await page.locator('[aria-current="step"]', { hasText: 'Preview' }).waitFor();
    await see('import-preview');
    await page.goto(`${OPERATOR}/imports/new`);
    await page.getByRole('link', { name: 'Continue' }).waitFor();
    await see('import-waiting');
    expect(found).toEqual([]);
  });
});
