import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { describeSchema } from '../src/graphql/describe-schema.ts';
import { readFieldNames, SUMMARIES } from '../src/graphql/documents/operation-plan.ts';
import { schema } from '../src/graphql/schema.ts';
import { anchorOf, plainMarkdown } from '../src/pages/docs/anchors.ts';
import { withGenerated } from '../src/pages/docs/documents.ts';
import { generate } from '../src/pages/docs/generated.ts';
import { DEFAULT_EMBED_LIMIT, DEFAULT_LIMITS, WINDOW_MS } from '../src/rate-limit/tiers.ts';
import { openApiDocument } from '../src/rest/openapi.ts';
import { MAX_DAYS } from '../src/startups/history/parameters.ts';
import { RECORDS_PER_READ, SEARCH_LIMITS } from '../src/startups/requests/list-parameters.ts';
import { DEFAULT_HISTORY_DAYS } from '../src/startups/retention.ts';
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
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
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

// `npx vitest run test/docs.test.ts -u` writes them anew.
it('docs/api.md has the generated parts as the code writes them', async () => {
  const text = read('docs/api.md');
  const generated = generate({
    types: describeSchema(schema),
    openApi: openApiDocument(DEFAULT_LIMITS),
    limits: DEFAULT_LIMITS,
    embedLimit: DEFAULT_EMBED_LIMIT,
  });
  // Only headings have anchors here.
  const known = anchors('docs/api.md');
  const written = Object.entries(generated).map(([name, part]) => [
    name,
    plainMarkdown(part).replace(/\[(`[^`]+`|[^\]]+)\]\(#([^)]+)\)/g, (link, label, anchor) =>
      known.includes(anchor) ? link : label,
    ),
  ]);
  expect(written.filter(([name]) => !text.includes(`<!-- ${name} -->`))).toEqual([]);
  await expect(withGenerated(text, Object.fromEntries(written))).toMatchFileSnapshot(
    join(root, 'docs/api.md'),
  );
});

it.each([
  `at most ${RECORDS_PER_READ} records at a time`,
  `cover at most ${MAX_DAYS} days.`,
  `has 1 to ${SEARCH_LIMITS.characters} characters, at most ${SEARCH_LIMITS.words} words`,
  `kept for \`HISTORY_DAYS\` (${DEFAULT_HISTORY_DAYS})`,
  `a window of ${WINDOW_MS / 1_000} seconds`,
  `Reads are ${readFieldNames
    .filter((name) => name !== 'history')
    .map((name) => `\`${name}\``)
    .join(', ')}, each ${[...SUMMARIES].map((name) => `\`${name}\``).join(' and ')} of a list`,
])('docs/api.md says what the code does: %s', (sentence) => {
  expect(read('docs/api.md').replace(/\s+/g, ' ')).toContain(sentence);
});
