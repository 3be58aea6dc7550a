import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { DEFAULT_EMBED_LIMIT, DEFAULT_LIMITS, WINDOW_MS } from '../src/access/limits/tiers.ts';
import { costlyNames } from '../src/api/graphql/field-cost.ts';
import { schema } from '../src/api/graphql/schema.ts';
import { toolsWith } from '../src/api/mcp/tools.ts';
import { openApiDocument } from '../src/api/rest/openapi.ts';
import { MAX_DAYS } from '../src/startups/history/request.ts';
import { MOST_INDEXED, MOST_OWN_FIELDS } from '../src/startups/model/own-fields.ts';
import { RECORDS_PER_READ, SEARCH_LIMITS } from '../src/startups/model/requests/list-parameters.ts';
import { DEFAULT_HISTORY_DAYS } from '../src/startups/model/retention.ts';
import { anchorOf, readDocuments } from '../src/web/docs/contents.ts';
import { generate } from '../src/web/docs/generated.ts';
import { plainMarkdown, withGenerated } from '../src/web/docs/places.ts';
import { root } from './support/suites.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  'test/README.md',
  'client/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** The pages of the documentation, by reader. */
const documents = pages.filter((page) => /^docs\/(use|embed|publish|reference)\//.test(page));
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
  ['README.md', 700],
  ['docs/decisions.md', 6500],
  ...[...documents, 'docs/tutorial.md', 'client/README.md'].map((page): [string, number] => [page, 1500]),
])('%s has at most %i words', (page, words) => {
  expect(read(page).split(/\s+/).length).toBeLessThanOrEqual(words);
});

it('docs/ has only queries that are valid', () => {
  const queries = documents.flatMap((page) =>
    [...read(page).matchAll(/^```graphql\n([\s\S]+?)^```$/gm)].map(([, text = '']) => [page, text] as const),
  );
  expect(queries.length).toBeGreaterThan(2);
  expect(
    queries.flatMap(([page, text]) => validate(schema, parse(text)).map(({ message }) => [page, message])),
  ).toEqual([]);
});

it('docs/publish names only metrics that exist', () => {
  const operators = documents.filter((page) => page.startsWith('docs/publish/'));
  const alerts = ['deploy/prometheus-rules.yaml', 'deploy/grafana-dashboard.json'];
  const text = [...operators, ...alerts].map(read).join('\n');
  const names = text.match(/\brevgate_[a-z_]+/g) ?? [];
  const sources = [
    ...readdirSync(join(root, 'src/api/gateway/metrics')).map((name) => `src/api/gateway/metrics/${name}`),
    'src/main/app.ts',
  ];
  const code = sources.map(read).join('\n');
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !code.includes(`'${name.replace(/_bucket$/, '')}'`))).toEqual([]);
});

it('docs/use/agents.md has each tool, and no others', () => {
  const named = [...read('docs/use/agents.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(toolsWith([]).map(({ name }) => name));
});

it('docs/README.md has each page of the documentation, with its title', () => {
  const listed = readDocuments().flatMap(({ sections }) => sections);
  expect(documents.filter((page) => !listed.some(({ file }) => file === page))).toEqual([]);
  for (const { file, title, text } of listed.filter(({ file }) => file !== 'client/README.md')) {
    expect(text, file).toMatch(`# ${title}\n`);
  }
});

const generated = generate({
  openApi: openApiDocument(DEFAULT_LIMITS),
  limits: DEFAULT_LIMITS,
  embedLimit: DEFAULT_EMBED_LIMIT,
});

it('docs/ has every generated part once', () => {
  const text = documents.map(read).join('\n');
  const counts = Object.keys(generated).map((name) => [name, text.split(`<!-- ${name} -->`).length - 1]);
  expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
});

// Where they differ: npm run generate
it.each(documents.filter((page) => /^<!-- [\w-]+ -->$/m.test(read(page))))(
  '%s has the generated parts as the code writes them',
  async (page) => {
    // In a file, only headings have anchors.
    const known = new Map([
      ...documents.map((file): [string, string] => [basename(file, '.md'), relative(dirname(page), file)]),
      ...anchors(page).map((anchor): [string, string] => [anchor, `#${anchor}`]),
    ]);
    const written = Object.entries(generated).map(([name, write]) => [
      name,
      () =>
        plainMarkdown(write()).replace(/\[(`[^`]+`|[^\]]+)\]\(#([^)]+)\)/g, (_, label, anchor) =>
          known.has(anchor) ? `[${label}](${known.get(anchor)})` : label,
        ),
    ]);
    await expect(withGenerated(read(page), Object.fromEntries(written))).toMatchFileSnapshot(
      join(root, page),
    );
  },
);

it.each([
  `at most ${RECORDS_PER_READ} records at a time`,
  `cover at most ${MAX_DAYS} days.`,
  `has 1 to ${SEARCH_LIMITS.characters} characters, at most ${SEARCH_LIMITS.words} words`,
  `kept for \`HISTORY_DAYS\` (${DEFAULT_HISTORY_DAYS})`,
  `a window of ${WINDOW_MS / 1_000} seconds`,
  `at most ${MOST_OWN_FIELDS} fields, of which ${MOST_INDEXED} are sortable`,
])('docs/ says what the code does: %s', (sentence) => {
  expect(documents.map(read).join(' ').replace(/\s+/g, ' ')).toContain(sentence);
});

it('docs/ names every field that has a cost', () => {
  const text = documents.map(read).join(' ').replace(/\s+/g, ' ');
  const [, fields = '', summaries = ''] = /Reads are (.+?), each (.+?) of a list/.exec(text) ?? [];
  const namesIn = (part: string): string[] =>
    [...part.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort();
  const { root, list } = costlyNames(schema);
  expect(namesIn(fields)).toEqual([...root].sort());
  expect(namesIn(summaries)).toEqual([...list].sort());
});
