import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  MAX_ACCOUNT_DOCUMENT_BYTES,
  MAX_ACCOUNT_DOCUMENTS,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
} from '../src/documents/publish.ts';
import { documentCaps } from '../src/graphql/documents/caps.ts';
import { GRAPHQL_BODY_LIMIT } from '../src/graphql/over-http.ts';
import { ACCOUNT_LIMIT, DEFAULT_EMBED_LIMIT, DEFAULT_LIMITS, WINDOW_MS } from '../src/rate-limit/tiers.ts';
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

const format = (value: number): string => value.toLocaleString('en-US');
const { tokens, depth, aliases, directives, fragments, introspections, reads } = documentCaps;

it.each([
  `| \`limit\` | 1 to ${RECORDS_PER_READ}, default ${RECORDS_PER_READ} |`,
  `cover at most ${MAX_DAYS} days.`,
  `has 1 to ${SEARCH_LIMITS.characters} characters and at most ${SEARCH_LIMITS.words} words`,
  `kept for \`HISTORY_DAYS\` (${DEFAULT_HISTORY_DAYS})`,
  `A key can have ${format(MAX_DOCUMENTS)} documents of ${format(MAX_DOCUMENT_BYTES)} bytes each. All keys of an account can have ${format(MAX_ACCOUNT_DOCUMENTS)} documents of ${format(MAX_ACCOUNT_DOCUMENT_BYTES)} bytes in total`,
  `at most ${format(tokens)} tokens, a depth of ${depth}, ${aliases} aliases, ${directives} directives, ${fragments} fragments, ${introspections} introspections, ${reads} reads`,
  `A body of more than ${format(GRAPHQL_BODY_LIMIT)} bytes`,
  `a window of ${WINDOW_MS / 1_000} seconds`,
  `A standard key has a limit of ${DEFAULT_LIMITS.standard}, a premium key of ${DEFAULT_LIMITS.premium}.`,
  `An account has a limit of ${ACCOUNT_LIMIT} without a key`,
  `${DEFAULT_EMBED_LIMIT} (\`RATE_LIMIT_EMBED\`)`,
])('docs/api.md says the limit of the code: %s', (sentence) => {
  expect(read('docs/api.md').replace(/\s+/g, ' ')).toContain(sentence);
});
