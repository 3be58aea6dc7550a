import { anchorOf, plainMarkdown } from './anchors.ts';
import { API, partOf, servedDocument, withGenerated } from './documents.ts';
import { blocks } from './entries.ts';
import { type FrameOptions, frame } from './frame.tsx';
import { generate } from './generated.ts';
import { placesOf, resolveLinks } from './links.ts';
import { describeResponses, operationsOf } from './operations.ts';
import { type Page, groups as pageGroups } from './pages.ts';
import { sampleText } from './sample-block.tsx';
import { indexSection } from './search-index.ts';
import { type DocsData, type Group, pathOf, type Section } from './section.ts';

/** What is served below /docs, and /llms.txt, by its path. */
export type Reference = ReadonlyMap<string, Served>;

interface Served {
  readonly type: 'text/html' | 'text/markdown' | 'text/plain' | 'application/json';
  /** Writes the content. Only pages depend on whether the visitor has a session. */
  write(options: FrameOptions): string;
}

/** The reference as pages, as Markdown and as an index to search. */
export function createReference(data: DocsData): Reference {
  const groups = writeSections(data);
  const unlinked = groups.flatMap(({ sections }) => sections);
  const indexed = unlinked.map(indexSection);
  const places = placesOf(unlinked, indexed);
  const sections = [overview(data, groups), ...unlinked].map((section) => ({
    ...section,
    text: resolveLinks(section, places),
  }));
  const reference = new Map<string, Served>([
    ['/llms.txt', { type: 'text/plain', write: () => listOf(data, groups) }],
    [
      '/docs/search.json',
      {
        type: 'application/json',
        // What the schema says stands on the other pages.
        write: () => JSON.stringify(indexed.filter(([slug]) => slug !== 'schema')),
      },
    ],
  ]);
  for (const [at, section] of sections.entries()) {
    const [path, previous, next] = [pathOf(section), sections[at - 1], sections[at + 1]];
    reference.set(path, {
      type: 'text/html',
      write: (options) => frame({ ...options, data, section, groups, previous, next }),
    });
    reference.set(`${path}.md`, { type: 'text/markdown', write: () => markdownOf(data, section) });
  }
  return reference;
}

/** The first page: how to begin, and all other pages. */
function overview({ openApi, limits }: DocsData, groups: readonly Group[]): Section {
  const contents = groups.map(({ title, sections }) => {
    // Samples and texts link to sections by these anchors.
    const items = sections.map(
      (section) => `- [${section.title}](${pathOf(section)}): ${section.description} {#${section.id}}`,
    );
    return `## ${title}\n\n${items.join('\n')}`;
  });
  return {
    id: 'docs',
    slug: '',
    title: 'Documentation',
    description: 'Start with the API in five steps, and find every page of its reference.',
    text: `${openApi.info.summary} Query them with REST or GraphQL.

## Quick start

1. [Sign up](/dashboard/sign-up), and create a key in the [dashboard](/dashboard/keys).
2. Put it into an environment variable: \`export REVGATE_KEY=rvg_…\`
3. Run the first request on this page. [Every request needs the key](#authentication).
4. Add [filters and a sort order](#Query.startups), or select [fields](#Startup) in [GraphiQL](/graphql).
5. Read on [page by page](#paging), within your [rate limit](#rate-limits): ${limits.standard} requests a minute with a standard key, ${limits.premium} with a premium key.

${contents.join('\n\n')}`,
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
    ...sections.map(
      (section) => `- [${section.title}](${origin}${pathOf(section)}.md): ${section.description}`,
    ),
  ]);
  return [`# revgate\n\n> ${openApi.info.summary} ${openApi.info.description}`, ...lines, ''].join('\n');
}

/** Writes all pages but the first. */
function writeSections(data: DocsData): readonly Group[] {
  const served = (file: string): string => servedDocument(data.documents[file] ?? '', data);
  const api = withGenerated(served(API), generate(data));
  const operations = operationsOf(data);

  const sectionOf = ({ operation = '', path = '', write, ...page }: Page): Section => {
    const { field, rest = data.openApi.paths[path]?.get } = operations.get(operation) ?? {};
    const id = field === undefined ? anchorOf(page.title) : `Query.${field.name}`;
    const text = write?.(data) ?? (page.file === undefined ? partOf(api, page.title) : served(page.file));
    return {
      id,
      slug: page.id ?? field?.name ?? id,
      description: firstSentence(rest?.description ?? field?.description ?? ''),
      ...(write === undefined && { file: API }),
      ...page,
      text: blocks(text, rest && describeResponses(rest)),
    };
  };
  return pageGroups.map(({ title, pages }) => ({ title, sections: pages.map(sectionOf) }));
}

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? '';
