import { readFileSync } from 'node:fs';
import { CodeBlock } from '../shared/components.tsx';
import { anchorOf, renderMarkdown } from '../shared/markdown.tsx';
import { type DocsData, heading, type Section } from './section.tsx';

/** A page that is a document of the package, too, or a part of one. */
interface Guide {
  readonly file: string;
  /** The heading above the part. */
  readonly part?: string;
  readonly title: string;
  readonly description: string;
  readonly slug?: string;
}

const guides = {
  'conditional-requests': {
    file: 'docs/api.md',
    part: '## Caching',
    title: 'Conditional requests',
    description: 'Save transfers with ETag and If-None-Match.',
  },
  search: {
    file: 'docs/api.md',
    part: '## Search',
    title: 'Search',
    description: 'Find startups by words, with typing errors corrected.',
  },
  'trusted-documents': {
    file: 'docs/api.md',
    part: '### Trusted documents',
    title: 'Published documents',
    description: 'Store GraphQL documents on the server, request them by id, and restrict a key to them.',
    slug: 'published-documents',
  },
  'embed-keys': {
    file: 'docs/api.md',
    part: '### Embed keys',
    title: 'Embed keys',
    description: 'Keys that web pages can contain: bound to your origins and your published documents.',
  },
  'web-component': {
    file: 'docs/api.md',
    part: '### Web component',
    title: 'Web component',
    description: 'The elements that show a list, figures or a chart on your own web page.',
  },
  'javascript-client': {
    file: 'client/README.md',
    title: 'JavaScript client',
    description: 'revgate-client for browsers, Node, Deno, Bun and edge runtimes.',
  },
  tutorial: {
    file: 'docs/tutorial.md',
    title: 'Tutorial',
    description:
      'Load your own data, such as a CSV file, create a key, run queries, and show the result on a page.',
  },
  operate: {
    file: 'docs/operate.md',
    title: 'Operating revgate',
    description:
      'Settings, databases, backups, upgrades and monitoring, and what happens when something is down.',
  },
  changelog: {
    file: 'CHANGELOG.md',
    title: 'Changelog',
    description: 'What changed in each version.',
  },
} as const satisfies Record<string, Guide>;

type GuideId = keyof typeof guides;

/** Reads the guides: at start, as later there may be no file descriptor left. */
export function readGuides(): DocsData['guides'] {
  const root = new URL('../../../', import.meta.url);
  return Object.fromEntries(
    Object.entries<Guide>(guides).map(([id, { file, part }]) => {
      const text = readFileSync(new URL(file, root), 'utf8');
      return [id, part === undefined ? text : partOf(text, part)];
    }),
  );
}

/** What is below a heading, up to the next one of its level or above. */
function partOf(text: string, head: string): string {
  const [, below] = text.split(`\n${head}\n`);
  if (below === undefined) {
    throw new Error(`There is no part ${head}`);
  }
  return below.split(new RegExp(`^#{1,${head.indexOf(' ')}} `, 'm'))[0] ?? '';
}

/** The pages that links between the files lead to; an anchor of the API is that of a section. */
const pages: Readonly<Record<string, string>> = {
  'policy.md': '/policy',
  'api.md': '/docs',
  'api.md#rest': '/docs/startup-record',
  'client/README.md': '/docs/javascript-client',
  'tutorial.md': '/docs/tutorial',
  'operate.md': '/docs/operate',
  'CHANGELOG.md': '/docs/changelog',
};

/** A guide as a section. */
export function guideSection({ guides: texts, origin }: DocsData, id: GuideId): Section {
  const { title, description, slug = id }: Guide = guides[id];
  const text = (texts[id] ?? '').replaceAll('https://api.example.com', origin);
  let blocks = 0;
  return {
    id,
    slug,
    title,
    description,
    parts: [...text.matchAll(/^## (.+)$/gm)].map(([, head = '']) => ({ id: anchorOf(head), title: head })),
    text: (
      <div class="prose">
        {renderMarkdown(text, {
          heading: (level, title) => heading({ id: anchorOf(title), title }, level),
          code: (code, language) => (
            <CodeBlock id={`code-${++blocks}`} label={`Code ${blocks}`} language={language}>
              {language === 'console' ? code.replace(/^\$ /gm, '') : code}
            </CodeBlock>
          ),
          link: pageOf,
        })}
      </div>
    ),
  };
}

/** The page of a link's target; undefined for a file that is not served. */
function pageOf(target: string): string | undefined {
  const name = target.replace(/^(?:\.\.\/)+/, '');
  const [path = '', anchor] = name.split('#');
  return (
    pages[name] ??
    // Sections have the anchors of the document on the API.
    (path === '' || path === 'api.md' ? `#${anchor}` : pages[path] && `${pages[path]}#${anchor}`)
  );
}
