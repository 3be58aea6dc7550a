import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/suites.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  'test/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

it.each(pages)('%s leads to files and headings that exist', (page) => {
  const targets = [...read(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
  const broken = targets.filter(([, path = '', anchor]) => {
    const target = path === '' ? page : join(dirname(page), path);
    return !existsSync(join(root, target)) || (anchor !== undefined && !anchors(target).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it.each([
  ['README.md', 900],
  ['docs/decisions.md', 6000],
])('%s has at most %i words', (page, words) => {
  expect(read(page).split(/\s+/).length).toBeLessThanOrEqual(words);
});

it('docs/operate.md names only metrics that exist', () => {
  const names = read('docs/operate.md').match(/\brevgate_[a-z_]+/g) ?? [];
  const sources = [
    ...readdirSync(join(root, 'src/metrics')).map((name) => `src/metrics/${name}`),
    'src/app.ts',
  ];
  const text = sources.map(read).join('\n');
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});
