import type { Resource } from '../../api/mcp/protocol.ts';
import type { Steps } from '../../lib/loop/time-slices.ts';
import { count } from '../shared/figures.tsx';
import { render } from '../shared/jsx.ts';
import { type DocsData, type Group, pathOf, type Section } from './contents.ts';
import { docsPage, type FrameOptions, frame, searchSection } from './frame.tsx';
import { generate } from './generated.ts';
import { addressesOf, plainMarkdown, resolveLinks, servedDocument } from './places.ts';
import { sampleText } from './sample-block.tsx';
import { createSearch, searchResults } from './search.tsx';

/** What is served below /docs, and /llms.txt. */
interface Served {
  readonly type: 'text/html' | 'text/markdown' | 'text/plain';
  /** Writes the content. Only pages depend on whether the visitor has a session. */
  write(options: FrameOptions): string;
}

export interface Reference {
  /** By its path. */
  readonly served: ReadonlyMap<string, Served>;
  /** The pages for customers, which agents can read. */
  readonly resources: readonly Resource[];
  /** What a question finds: the whole page, or the results alone, for a script. */
  search(question: string, options: FrameOptions, isPiece: boolean): string;
}

/** What agents are told of a text that is served at a path. */
export const resource = (origin: string, path: string, title: string, description: string) => ({
  ...{ uri: origin + path, name: path, title, description },
  mimeType: path.endsWith('.graphql') ? 'text/plain' : 'text/markdown',
});

const sectionsOf = (groups: readonly Group[]): Section[] => groups.flatMap(({ sections }) => sections);

/** The reference as pages and as Markdown, with its search. It takes 100 ms, and so several steps. */
export function* createReference(data: DocsData): Steps<Reference> {
  const all = yield* writeGroups(data);
  const find = yield* createSearch(all);
  const forCustomers = all.filter(({ isForOperators }) => !isForOperators);
  const groupsFor = ({ isOperator }: FrameOptions) => (isOperator ? all : forCustomers);

  const served = new Map<string, Served>([
    ['/llms.txt', { type: 'text/plain', write: () => listOf(data, forCustomers) }],
  ]);
  for (const section of sectionsOf(all)) {
    const path = pathOf(section);
    served.set(path, {
      type: 'text/html',
      write: (options) => frame({ ...options, data, section, groups: groupsFor(options) }),
    });
    served.set(`${path}.md`, { type: 'text/markdown', write: () => markdownOf(data, section) });
  }
  return {
    served,
    resources: sectionsOf(forCustomers).map((section) => ({
      ...resource(data.origin, `${pathOf(section)}.md`, section.title, section.description),
      read: () => markdownOf(data, section),
    })),
    search(question, options, isPiece) {
      const results = searchResults(question, find(question, options.isOperator));
      return isPiece
        ? render(results)
        : docsPage(
            { ...options, groups: groupsFor(options), section: searchSection(question), question },
            results,
          );
    },
  };
}

/** The first page: how to begin. */
function quickStart({ openApi, limits }: DocsData): Section {
  return {
    slug: '',
    title: 'Quick start',
    description: 'Run your first request in three steps.',
    text: `Query ${openApi.info.summary.replace(/^S/, 's').replace(/\.$/, '')}, in REST or GraphQL. Your first response takes two minutes.

1. **Get a key.** [Sign up](/dashboard/sign-up), and create a key in the [dashboard](/dashboard/keys).
   It is free: ${count(limits.standard)} requests a minute.

2. **Store the key** in an environment variable. [Every request needs it](#authentication).

   \`\`\`sh
   export REVGATE_KEY=rvg_…
   \`\`\`

3. **Run the request** on this page, in the language of your choice.

**Next steps**

- Add [filters and a sort order](#startups): \`?category=ai&sort=growth-desc\`
- Choose from [all fields](#Startup), and write queries in [GraphiQL](/graphql).
- Read whole lists [page by page](#paging), within your [rate limit](#rate-limits).`,
    sample: 'first',
  };
}

function markdownOf(data: DocsData, { title, text, sample }: Section): string {
  const parts = [`# ${title}`, plainMarkdown(text), ...(sample ? [sampleText(data, sample)] : [])];
  return `${parts.join('\n\n')}\n`;
}

/** The pages for programs that read text, one line each: https://llmstxt.org. */
function listOf({ origin, openApi }: DocsData, groups: readonly Group[]): string {
  const lines = groups.flatMap(({ title, sections }) => [
    `\n## ${title}\n`,
    ...sections.map((one) => `- [${one.title}](${origin}${pathOf(one)}.md): ${one.description}`),
  ]);
  return [`# revgate\n\n> ${openApi.info.summary} ${openApi.info.description}`, ...lines, ''].join('\n');
}

/** Writes all pages, with links between them. */
function* writeGroups(data: DocsData): Steps<readonly Group[]> {
  const generated = generate(data);
  const written: Group[] = [];
  for (const group of data.documents) {
    const sections = written.length === 0 ? [quickStart(data)] : [];
    for (const one of group.sections) {
      sections.push({ ...one, text: servedDocument(one.text, data.origin, generated) });
      yield;
    }
    written.push({ ...group, sections });
  }
  const addresses = yield* addressesOf(sectionsOf(written));
  return written.map((group) => ({
    ...group,
    sections: group.sections.map((section) => ({ ...section, text: resolveLinks(section, addresses) })),
  }));
}
