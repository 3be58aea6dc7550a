import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
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

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

it.each(views)(
  'public pages have nothing that axe finds, fit, do not move, and are light: $name',
  {
    timeout: LOOKING_MS,
  },
  async (view) => {
    const { page } = await openView(
      (options) => openPage(site.browserOfPages, { baseURL: site.origin, ...options }),
      view,
    );
    const found: string[] = [];
    const docs = ['startups', 'errors', 'embedding', 'import-format', 'failures', 'rate-limits'];
    for (const path of [
      ...['/', '/policy', '/nowhere', '/docs', '/docs?q=limit', ...docs.map((name) => `/docs/${name}`)],
      ...['sign-in', 'sign-in?notice=left', 'sign-up', 'forgotten-password'].map(
        (name) => `/dashboard/${name}`,
      ),
      ...['reset-password?token=x', 'nothing'].map((name) => `/dashboard/${name}`),
    ]) {
      await page.goto(path);
      found.push(...(await look(page, `public${path.replace(/\W/g, '-')}-${view.name}`)));
    }
    await page.goto('/dashboard/sign-in');
    await page.getByLabel('Email address').fill('nobody@example.com');
    await page.getByLabel('Password').fill('not a password');
    await press(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    found.push(...(await look(page, `sign-in-refused-${view.name}`)));
    expect(found).toEqual([]);
  },
);

it.each(views)(
  'pages of an account have nothing that axe finds, fit, do not move, and are light: $name',
  {
    timeout: LOOKING_MS,
  },
  async (view) => {
    const { page } = await openView(site.open, view);
    const found: string[] = [];
    const see = async (name: string) => found.push(...(await look(page, `${name}-${view.name}`)));
    const documentPath = `${KEYS}/${long}/documents/${documentId(hashDocument(DOCUMENT))}`;
    for (const path of [
      KEYS,
      ...['', '/rename', '/rotate', '/revoke', '/documents', '?notice=created-before'].map(
        (part) => `${KEYS}/${long}${part}`,
      ),
      ...[billing, old, shop].map((id) => `${KEYS}/${id}`),
      ...['', '/remove'].map((part) => documentPath + part),
      ...[
        '/dashboard/usage?period=30d',
        '/dashboard/usage?at=Mon-09',
        `/dashboard/usage?key=${old}&at=2026-11-19T12`,
      ],
      ...[`/dashboard/usage?key=${long}&period=90d`, '/dashboard/account', '/dashboard/account/delete'],
      ...['', '?open=category', '?open=more', '?category=saas&onSale=true&view=groups', '?view=chart'].map(
        (query) => EXPLORER + query,
      ),
      ...[
        '?category=robots&minPrice=5&maxPrice=1&foo=1',
        '?xHandle=nobody_at_all',
        `/${SLUG}`,
        '/outseta',
      ].map((part) => EXPLORER + part),
      ...['', '/searches', `/searches/edit?name=${LONG}`, '/searches/new?category=saas', '/mails'].map(
        (part) => `/dashboard/shortlist${part}`,
      ),
      ...[`compare=${SLUG},outseta,tally,senja`, 'compare=one'].map(
        (query) => `/dashboard/shortlist?${query}`,
      ),
      ...['', '/keys', '/accounts', '/policies', '/imports', '/imports/new', '/tokens', '/audit'].map(
        (part) => OPERATOR + part,
      ),
      ...[`/keys/${billing}`, `/accounts/${site.accountId}`, `/tokens/${site.tokenId}/revoke`].map(
        (part) => OPERATOR + part,
      ),
    ].filter((_, index) => view.name !== 'dark' || index % 2 === 0)) {
      site.nextMinute();
      await page.goto(path);
      await see(
        `${path.startsWith(EXPLORER) ? 'explorer' : 'page'}${path.replaceAll(SLUG, 'long').replace(/\W/g, '-').slice(0, 60)}`,
      );
    }
    expect(found).toEqual([]);
  },
);

// In dark, their parts are those of the pages above; and an account has a limit of keys.
it.each(views.filter(({ name }) => name !== 'dark'))(
  'what only a form leads to has nothing that axe finds, fits and does not move: $name',
  {
    timeout: LOOKING_MS,
  },
  async (view) => {
    const { page } = await openView(site.open, view);
    const found: string[] = [];
    const see = async (name: string) => found.push(...(await look(page, `${name}-${view.name}`)));
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
      await page.goto(`/dashboard/embed?category=saas&show=${show}`);
      await page.getByText('Updated just now').waitFor();
      await see(`embed-${show}`);
    }
    await fill('Your websites', 'https://blog.example');
    await press(page, 'Create the snippet');
    await page.getByRole('heading', { name: 'Paste this into your page' }).waitFor();
    await see('embed-snippet');
    await page.goto(`${KEYS}/${billing}/documents`);
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
    expect(found).toEqual([]);
  },
);
