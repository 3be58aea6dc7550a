import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { page } from '../../../src/web/page/page.ts';
import { pageLinks } from '../../../src/web/shared/page-links.ts';

const DASHBOARD = fileURLToPath(new URL('../../../src/web/dashboard/', import.meta.url));
const routes = readFileSync(join(DASHBOARD, 'routes.ts'), 'utf8');
const files = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(DASHBOARD, file), 'utf8') }))
  .filter(({ text }) => /\bpage(<.*>)?\(\{/.test(text));

describe('the table of pages', () => {
  it('reads the files that define pages', () => {
    expect(files.length).toBeGreaterThan(15);
  });

  it.each(files)('has all pages of $file', ({ file, text }) => {
    const lists = [...text.matchAll(/^export (?:const|function) (\w+Pages)\b/gm)].map(
      ([, name]) => name ?? '',
    );
    const table = routes.slice(routes.indexOf('const table'), routes.indexOf('const audiences'));
    const missing = lists.filter((name) => !new RegExp(`\\b${name}\\b`).test(table));
    expect(missing, `dashboard/routes.ts does not list these pages of ${file}`).toEqual([]);
    expect(lists, `${file} exports no function whose name ends with Pages`).not.toEqual([]);
  });
});

describe('a page', () => {
  const main = '';

  it('leads to a page above it that exists', () => {
    expect(page({ path: '/x', view: () => ({ title: '', main, back: pageLinks.keys }) }).path).toBe('/x');
    // @ts-expect-error: there is no such link.
    expect(page({ path: '/x', view: () => ({ title: '', main, back: pageLinks.kyes }) }).path).toBe('/x');
    // @ts-expect-error: a label alone could be misspelt.
    expect(page({ path: '/x', view: () => ({ title: '', main, back: 'Kyes' }) }).path).toBe('/x');
  });
});
