import { expect, it } from 'vitest';
import { LOOKING_MS, look, openView, views } from './look.ts';
import { openUsedKeys } from './used-keys.ts';

// In a file of its own: the clock of a site stands still, and an account has a limit of pages in a minute.
const site = await openUsedKeys();
const { billing, old, shop } = site.keys;
const KEYS = '/dashboard/keys';

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
