import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOOKING_MS, look, openView, views, weightOf } from './look.ts';
import { openUsedKeys } from './used-keys.ts';

const site = await openUsedKeys();
const { billing, idle, old, shop } = site.keys;
const KEYS = '/dashboard/keys';

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

it('429 has the same color on the page of a key and on that of its usage', async () => {
  const { page } = await site.open();
  const colors: string[] = [];
  for (const path of [`${KEYS}/${billing}`, `/dashboard/usage/${billing}`]) {
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
});

it.each([true, false])(
  'usage leads to what a bar, the busiest hour or a cell shows, with a script: %s',
  async (javaScriptEnabled) => {
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
    const ofDay = await requests();
    expect(ofDay).toBeGreaterThan(1_000);

    // The keyboard gets there by the table.
    await page.getByText('Show as a table').press('Enter');
    await page.getByRole('rowheader').getByRole('link', { name: '2026-11-19 12:00 UTC' }).press('Enter');
    await page.waitForURL(/at=2026-11-19T12$/);
    expect(await requests()).toBeLessThan(ofDay / 5);

    await page.locator('.heat').getByRole('link').nth(9).click();
    await page.waitForURL(/at=Mon-09$/);
    await page.getByRole('heading', { name: 'Requests on Mon 09:00 UTC, 90 days' }).waitFor();
    expect(await page.locator('svg[aria-labelledby^="requests "] a').count()).toBe(13);
    await page
      .getByText(/Busiest:/)
      .getByRole('link')
      .press('Enter');
    await page.waitForURL(/at=Mon-09$/);
    await page.getByRole('link', { name: 'Shop window' }).click();
    await page.getByRole('heading', { name: 'Usage of Shop window' }).waitFor();
    expect(new URL(page.url()).search).toBe('?at=Mon-09');
  },
);

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

it.each([390, 320])(
  'an error of a document fits a window of %i px, and rings its field in red',
  async (width) => {
    const { page } = await site.open({ viewport: { width, height: 844 } });
    await page.goto(`${KEYS}/${billing}/documents`);
    expect(await page.getByRole('columnheader').allTextContents()).toContain('Offered as');
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
    for (const part of [page.locator('.stage'), page.getByLabel('Width in pixels'), create]) {
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

it('one line says above the form that no documents are published', async () => {
  const { page } = await site.open({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${KEYS}/${idle}/documents`);
  await page.getByText('No documents published').waitFor();
  const [lead, form] = await Promise.all(
    ['.lead', 'main .card'].map((one) => page.locator(one).first().boundingBox()),
  );
  expect((form?.y ?? 900) - (lead?.y ?? 0)).toBeLessThan(120);
});

it.each(views)(
  'pages of keys in use have in $name nothing that axe finds, fit, and do not move',
  { timeout: LOOKING_MS },
  async (view) => {
    const { page } = await openView(site.open, view);
    const found: string[] = [];
    const paths = {
      'used-keys': KEYS,
      'used-key': `${KEYS}/${billing}`,
      'used-key-replaced': `${KEYS}/${old}`,
      'used-key-embed': `${KEYS}/${shop}`,
      usage: '/dashboard/usage?period=30d',
      'usage-hours': '/dashboard/usage?at=Mon-09',
      'usage-hour': `/dashboard/usage/${old}?at=2026-11-19T12`,
      'used-key-operator': `/dashboard/operator/keys/${billing}`,
    };
    for (const [title, path] of Object.entries(paths)) {
      await page.goto(path);
      found.push(...(await look(page, `${title}-${view.name}`)));
    }
    await page.goto(`${KEYS}/${billing}/documents`);
    await page.getByLabel('GraphQL document').fill('query Top {\n  startups { nodes { nam } }\n}');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(/Line 2, column 22/).waitFor();
    found.push(...(await look(page, `document-errors-${view.name}`)));
    await page.getByRole('link', { name: 'Latest' }).click();
    await page.getByRole('heading', { name: 'Latest', level: 1 }).waitFor();
    found.push(...(await look(page, `document-used-${view.name}`)));
    expect(found).toEqual([]);
  },
);
