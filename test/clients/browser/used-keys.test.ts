import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { weightOf } from './look.ts';
import { openUsedKeys, SERVICE } from './used-keys.ts';

const site = await openUsedKeys();
const { billing, idle, old, unused } = site.keys;
const KEYS = '/dashboard/keys';
const OPERATOR_KEYS = '/dashboard/operator/keys';

/** The color that an element is filled with. */
const colorOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

it.each([true, false])(
  "a key's page has its chart, its limit, its last use and its rotation, with a script: %s",
  async (javaScriptEnabled) => {
    const { page } = await site.open({ javaScriptEnabled });
    await page.goto(`${KEYS}/${old}`);
    expect(await weightOf(page)).toBeLessThan(50_000);
    await page.getByRole('group', { name: /Requests in the last 30 days/ }).waitFor();
    const figures = page.locator('dl.figures');
    expect(await figures.getByRole('definition').allTextContents()).toEqual([
      'active',
      // Other tests of this file use the key, too.
      expect.stringMatching(/^\d+ of 10$/),
      '3 h ago',
      'ends in 24 h',
    ]);
    await page.getByText('with which it shares its limit').waitFor();
    await page.goto(`${KEYS}/${billing}`);
    expect(await page.locator('dt:text("Replaces") + dd').textContent()).toMatch(/rvg_\w+… ends in 24 h/);
    await page.getByText('BAD_USER_INPUT').waitFor();

    await page.getByText('Actions', { exact: true }).click();
    const items = page.locator('.menu a');
    expect(await items.allTextContents()).toEqual(['Rotate', 'Rename', 'Revoke']);
    const boxes = await items.evaluateAll((links) =>
      links.map((link) => link.getBoundingClientRect().toJSON()),
    );
    expect(boxes[2].top - boxes[1].bottom).toBeGreaterThan(boxes[1].top - boxes[0].bottom);
  },
);

it.each([true, false])(
  'the list shows the week, the limit and the end of each key, with a script: %s',
  async (javaScriptEnabled) => {
    const { page } = await site.open({ javaScriptEnabled });
    await page.goto(KEYS);
    const row = (id: string) => page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
    await row(old)
      .getByRole('img', { name: /^[\d,]+ requests in 7 days, \d+ with an error, \d+ rate limited$/ })
      .waitFor();
    await row(old)
      .getByText(/^\d+ of 10$/)
      .waitFor();
    await row(unused).getByText('10 of 10').waitFor();
    await row(unused).getByText('never used').waitFor();
    await row(idle).getByText('idle for 97 days').waitFor();
    await page.getByText('2 keys were never used, or not for 90 days.').waitFor();
    // A key that was replaced stands below its replacement, and begins further right.
    await row(old).getByText('ends in 24 h').waitFor();
    const [above, below] = await Promise.all(
      [billing, old].map((id) => row(id).getByRole('link').boundingBox()),
    );
    expect(below?.x).toBeGreaterThan((above?.x ?? 0) + 10);
    const names = await page
      .locator('tbody th a')
      .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
    expect(names.indexOf(`${KEYS}/${old}`)).toBe(names.indexOf(`${KEYS}/${billing}`) + 1);
  },
);

it.each([
  ['keys', KEYS],
  ['usage', '/dashboard/usage?period=7d'],
  ['an account', `/dashboard/operator/accounts/${site.accountId}`],
])('on a phone, the values of an entry stand beside each other: %s', async (_, path) => {
  const { page } = await site.open({ viewport: { width: 390, height: 844 } });
  await page.goto(path);
  const cells = page.getByRole('row').filter({ hasText: 'Shop window' }).locator('td');
  const boxes = await cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  expect(boxes[1].top).toBe(boxes[0].top);
  expect(boxes[1].left).toBeGreaterThan(boxes[0].right);
  expect(boxes[2].top).toBeGreaterThan(boxes[0].top);
});

it('a key whose limit is used up has an empty bar, and a number in the color of 429', async () => {
  const { page } = await site.open();
  const { key, id } = await site.key({ name: 'Used up', accountId: site.accountId });
  for (let request = 0; request < 10; request++) {
    await site.call('/api/v1/startups', { key });
  }
  await page.goto(KEYS);
  const part = (name: string, of: string) => `tr:has(a[href$="${name}"]) .gauge${of}`;
  expect(await colorOf(page, part(id, ' .track'), 'fill')).toBe(
    await colorOf(page, part(unused, ' .track'), 'fill'),
  );
  expect((await page.locator(part(id, ' .fill')).boundingBox())?.width ?? 0).toBe(0);
  const color = await colorOf(page, part(id, ''), 'color');
  expect(color).not.toBe(await colorOf(page, part(unused, ''), 'color'));
  await page.goto(`/dashboard/usage/${id}`);
  expect(await colorOf(page, '.left', 'color')).toBe(color);
});

it.each([true, false])(
  "tabs lead to a key's overview, usage and documents, with a script: %s",
  async (javaScriptEnabled) => {
    const { page } = await site.open({ javaScriptEnabled });
    await page.goto(`${KEYS}/${billing}`);
    const tabs = page.getByRole('navigation', { name: 'Pages of this key' });
    for (const name of ['Usage', 'Documents', 'Overview']) {
      await tabs.getByRole('link', { name }).press('Enter');
      await tabs.locator('[aria-current]').getByText(name).waitFor();
      const frame = page.locator('.sections [aria-current], h1, .back');
      expect(await frame.allTextContents()).toEqual(['Keys', 'Keys', 'Billing report']);
    }
    expect(new URL(page.url()).pathname).toBe(`${KEYS}/${billing}`);
  },
);

it.each([390, 1440])(
  'links to sections stay in place at %s px, and on a wide page headings too',
  async (width) => {
    const { page } = await site.open({ viewport: { width, height: 900 } });
    const places = new Set<string>();
    const headings = new Set<number>();
    for (const path of [KEYS, '/dashboard/usage', '/dashboard/explorer', '/dashboard/shortlist']) {
      await page.goto(path);
      const links = await page.locator('.sections nav a').all();
      const boxes = await Promise.all(links.map((link) => link.boundingBox()));
      places.add(JSON.stringify(boxes));
      headings.add(Math.round((await page.locator('h1').boundingBox())?.y ?? 0));
    }
    expect(places.size).toBe(1);
    if (width === 1440) {
      expect(headings.size).toBe(1);
    }
  },
);

it('429 has the same color in lists of keys, on the page of a key and on that of its usage, of operators too', async () => {
  const { page } = await site.open();
  const colors: string[] = [];
  for (const path of [KEYS, OPERATOR_KEYS]) {
    await page.goto(path);
    colors.push(await colorOf(page, '.spark rect.refused', 'fill'));
  }
  for (const path of [`${KEYS}/${billing}`, `${OPERATOR_KEYS}/${billing}`, `/dashboard/usage/${billing}`]) {
    await page.goto(path);
    colors.push(
      await colorOf(page, '.plot rect.refused', 'fill'),
      await colorOf(page, '.legend .key.refused', 'background-color'),
    );
  }
  expect(new Set(colors).size).toBe(1);
  const badge = () => colorOf(page, '.badge.refused', 'background-color');
  const onUsage = await badge();
  await page.goto(`${KEYS}/${billing}`);
  expect(await badge()).toBe(onUsage);
  // A legend names the colors of bars in forced colors, too.
  await page.emulateMedia({ forcedColors: 'active' });
  const forced = ['succeeded', 'errors', 'refused'].map(async (name) => [
    await colorOf(page, `.plot rect.${name}`, 'fill'),
    await colorOf(page, `.legend .key.${name}`, 'background-color'),
  ]);
  const pairs = await Promise.all(forced);
  expect(pairs.map(([, swatch]) => swatch)).toEqual(pairs.map(([bar]) => bar));
  expect(new Set(pairs.flat()).size).toBe(3);
});

it.each([true, false])('usage leads to what a bar shows, with a script: %s', async (javaScriptEnabled) => {
  const { page } = await site.open({ javaScriptEnabled });
  const requests = async () =>
    Number((await page.locator('dl.figures dd').first().textContent())?.replaceAll(',', ''));
  await page.goto('/dashboard/usage?period=30d');
  expect(await weightOf(page)).toBeLessThan(50_000);
  const bar = page.locator('svg[aria-labelledby^="requests "] a').nth(28);
  await bar.click();
  await page.waitForURL(/at=2026-11-19$/);
  await page.getByRole('heading', { name: 'Requests on 2026-11-19' }).waitFor();
  const period = page.getByRole('navigation', { name: 'Period' }).locator('[aria-current]');
  expect(await period.allTextContents()).toEqual(['2026-11-19']);
  // A key that was replaced stands below its replacement.
  const names = await page
    .locator('.compact tbody th a')
    .evaluateAll((links) => links.map((one) => one.getAttribute('href')?.split(/[/?]/)[3]));
  expect(names.indexOf(old)).toBe(names.indexOf(billing) + 1);
  await page.locator('.nested').getByText('replaced').waitFor();
  const ofDay = await requests();
  expect(ofDay).toBeGreaterThan(1_000);

  // The keyboard gets there by the table.
  await page.getByText('Show as a table').press('Enter');
  await page.getByRole('rowheader').getByRole('link', { name: '2026-11-19 12:00 UTC' }).press('Enter');
  await page.waitForURL(/at=2026-11-19T12$/);
  expect(await requests()).toBeLessThan(ofDay / 5);

  await page.getByRole('link', { name: 'Shop window' }).click();
  await page.getByRole('heading', { name: 'Shop window', level: 1 }).waitFor();
  expect(new URL(page.url()).search).toBe('?at=2026-11-19T12');
});

it.each([true, false])(
  'a document is checked, published, and requested as its page says, with a script: %s',
  async (javaScriptEnabled) => {
    const { page } = await site.open({ javaScriptEnabled });
    await page.goto(`${KEYS}/${billing}`);
    await page.getByRole('link', { name: 'Documents' }).click();
    const editor = page.getByLabel('GraphQL document');
    const name = `One${javaScriptEnabled}`;
    const text = (field: string) =>
      `query ${name}($slug: String!, $last: Int = 2) {\n  startup(slug: $slug) {\n    ${field}\n    history(last: $last) { day }\n  }\n}`;
    await editor.fill(text('nam'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(/^3 │ +nam\n/).waitFor();
    await page.getByText(/Line 3, column 5: Cannot query field "nam"/).waitFor();
    // It is in view, and read with the error.
    expect(await editor.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await editor.getAttribute('aria-describedby')).toContain('document-error');
    expect(await editor.inputValue()).toBe(text('nam'));
    await editor.fill(text('name'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(`No errors in ${name}. Nothing is published yet.`).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      expect.stringContaining('Variable'),
      expect.stringMatching(/\$slug\s+String!\s+required/),
      expect.stringMatching(/\$last\s+Int\s+2/),
    ]);

    const data = { startup: { name: 'Outseta', history: expect.any(Array) } };
    const url = (await page.locator('#document-url').textContent()) ?? '';
    const headers = { authorization: `Bearer ${site.billingKey}` };
    expect(await (await fetch(url, { headers })).json()).toMatchObject({ data });
    const command = (await page.locator('#curl').textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -sS')], {
      env: { ...process.env, REVGATE_KEY: site.billingKey },
    });
    expect(JSON.parse(stdout)).toMatchObject({ data });
  },
);

it.each([true, false])(
  'a document is removed once that is confirmed, with a script: %s',
  async (javaScriptEnabled) => {
    const { page } = await site.open({ javaScriptEnabled });
    const name = `Removed${javaScriptEnabled}`;
    await site.publish(billing, `query ${name} { dataset { total } }`);
    await page.goto(`${KEYS}/${billing}/documents`);
    await page.getByRole('link', { name }).click();
    await page.getByRole('link', { name: 'Remove', exact: true }).click();
    await page.getByText(`requests that name ${name} by its id get an error`).waitFor();
    await page.getByRole('button', { name: 'Remove document' }).click();
    await page.getByText('The document was removed.').waitFor();
    expect(await page.getByRole('link', { name }).count()).toBe(0);
  },
);

it('the id of a document is copied whole from the list', async () => {
  const { page } = await site.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${KEYS}/${billing}/documents`);
  await page.getByRole('button', { name: 'Copy the id of Latest' }).press('Enter');
  await page.getByText('Copied to the clipboard.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^sha256:[0-9a-f]{64}$/);
  await page.getByRole('link', { name: 'Latest' }).click();
  expect(await page.locator('#document-id').textContent()).toBe(copied);
});

it.each([390, 320])(
  'an error of a document fits a window of %i px, and rings its field in red',
  async (width) => {
    const { page } = await site.open({ viewport: { width, height: 844 } });
    await page.goto(`${KEYS}/${billing}/documents`);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Document', 'Id', 'Published']);
    await page
      .getByLabel('GraphQL document')
      .fill(`query Long {\n  ${'startups '.repeat(20)}{ nodes { nam } }\n}`);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.locator('.in-line').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const ends = await page
      .locator('.field > *, .field code')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThan(width);
    const [ring, border] = await Promise.all(
      ['outline-color', 'border-top-color'].map((name) => colorOf(page, '#document:focus-visible', name)),
    );
    expect(ring).toBe(border);
  },
);

it('names stand on the line of their values, and beside the middle of their boxes', async () => {
  const { page } = await site.open({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${KEYS}/${billing}/documents`);
  await page.getByRole('link', { name: 'Latest' }).click();
  /** How far apart the middles of two elements are. */
  const apart = (one: Locator, other: Locator): Promise<number> =>
    Promise.all([one, other].map((each) => each.boundingBox())).then(([a, b]) =>
      Math.abs((a?.y ?? 0) + (a?.height ?? 0) / 2 - (b?.y ?? 99) - (b?.height ?? 99) / 2),
    );
  expect(await apart(page.locator('dt', { hasText: /^Id$/ }), page.locator('#document-id'))).toBeLessThan(3);
  await page.goto('/dashboard/embed');
  const choice = page.locator('.boxes .choice').first();
  expect(await apart(choice, choice.locator('input'))).toBeLessThan(1);
});

it.each(['?total=6', '?show=figures', '?show=chart'])(
  'the builder %s has its preview, its settings, the origins and the button in the first screen',
  async (query) => {
    const { page } = await site.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`/dashboard/embed${query}`);
    await page.getByText('Updated just now').waitFor();
    const create = page.getByRole('button', { name: 'Create the snippet' });
    // As in the snippet.
    expect(await page.locator('.frame [part=footer]').textContent()).toContain(`Source: ${SERVICE.name}`);
    expect(await page.locator('.frame > [source]').getAttribute('accent')).toBe(
      'light-dark(#7a1fa2, #af79c7)',
    );
    expect(await page.getByLabel('Accent').locator('option').first().textContent()).toBe(
      'Color of Acme & Sons',
    );
    for (const part of [page.locator('.stage'), page.getByLabel('Theme'), create]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 900)).toBeLessThan(900);
    }
    // A short list leaves no gap.
    expect((await page.locator('.preview > .frame').boundingBox())?.height).toBe(
      query === '?total=6' ? 326 : query === '?show=figures' ? 108 : 252,
    );
    await page.getByLabel('Origins of the pages').fill('https://blog.example/page');
    await create.click();
    const error = page.locator('#origins-error');
    await error.waitFor();
    expect(await page.locator('.error, .notice').count()).toBe(1);
    expect(await page.getByLabel('Origins of the pages').getAttribute('aria-describedby')).toContain(
      'origins-error',
    );
  },
);

it("a key's state, last use and end have one size, and no line is drawn through one point", async () => {
  const { page } = await site.open();
  await page.goto(`${KEYS}/${old}`);
  const sizes = await page
    .locator('dl.figures :is(.badge, time, dd > .soft)')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).fontSize));
  expect([sizes.length > 2, new Set(sizes)]).toEqual([true, new Set(['16px'])]);
  await page.getByRole('heading', { name: 'Error rate' }).waitFor();
  await page.goto(`${KEYS}/${idle}`);
  await page.getByRole('heading', { name: 'Requests in the last 30 days' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Error rate' }).count()).toBe(0);
});

it('one line above the form says that no documents are published', async () => {
  const { page } = await site.open({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${KEYS}/${idle}/documents`);
  await page.getByText('No documents published').waitFor();
  const [tabs, form] = await Promise.all(
    ['.tabs', 'main .card'].map((one) => page.locator(one).first().boundingBox()),
  );
  expect((form?.y ?? 900) - (tabs?.y ?? 0)).toBeLessThan(240);
});
