import { posix } from 'node:path';
import { count } from '../shared/figures.tsx';
import { render } from '../shared/jsx.ts';
import { plainMarkdown } from './anchors.ts';
import { type Page, groups as pageGroups } from './contents.ts';
import { blocks } from './entries.ts';
import { type FrameOptions, frame, searchFrame } from './frame.tsx';
import { generate } from './generated.ts';
import { placesOf, resolveLinks } from './links.ts';
import { operationsOf } from './operations.ts';
import { servedDocument, titleOf } from './read-pages.ts';
import { sampleText } from './sample-block.tsx';
import { createSearch, type SearchDocs, searchResults } from './search.tsx';
import { indexSection } from './search-index.ts';
import { type DocsData, type Group, pathOf, type Section } from './section.ts';
import { describeItems } from './types.ts';

export interface Reference {
  /** What is served below /docs, and /llms.txt, by its path. */
  readonly served: ReadonlyMap<string, Served>;
  /** What a question finds: the whole page, or the results alone, for a script. */
  search(question: string, options: FrameOptions, isPiece: boolean): string;
}

/** A text that programs read. */
interface ReferenceText extends Pick<Section, 'title' | 'description'> {
  read(): string;
}

interface Served {
  readonly type: 'text/html' | 'text/markdown' | 'text/plain';
  /** Set for pages for customers, as Markdown. */
  readonly text?: ReferenceText | undefined;
  /** Writes the content. Only pages depend on whether the visitor has a session. */
  write(options: FrameOptions): string;
}

/** The reference as pages and as Markdown, with its search. */
export function createReference(data: DocsData): Reference {
  const all = writeSections(data);
  const sectionsOf = (groups: readonly Group[]): Section[] => groups.flatMap(({ sections }) => sections);
  const indexed = sectionsOf(all).map(indexSection);
  const places = placesOf(sectionsOf(all), indexed);
  const linked = all.map((group) => ({
    ...group,
    sections: group.sections.map((section) => ({ ...section, text: resolveLinks(section, places) })),
  }));
  const forCustomers = linked.filter(({ isForOperators }) => !isForOperators);
  const customers = new Set(sectionsOf(forCustomers).map(({ slug }) => slug));
  const groupsFor = ({ isOperator }: FrameOptions) => (isOperator ? linked : forCustomers);
  let find: SearchDocs | undefined;

  const served = new Map<string, Served>([
    ['/llms.txt', { type: 'text/plain', write: () => listOf(data, forCustomers) }],
  ]);
  for (const section of sectionsOf(linked)) {
    const path = pathOf(section);
    served.set(path, {
      type: 'text/html',
      write(options) {
        const groups = groupsFor(options);
        const sections = sectionsOf(groups);
        const at = sections.indexOf(section);
        const [previous, next] = at === -1 ? [] : [sections[at - 1], sections[at + 1]];
        return frame({ ...options, data, section, groups, previous, next });
      },
    });
    const read = () => markdownOf(data, section);
    const { title, description } = section;
    served.set(`${path}.md`, {
      type: 'text/markdown',
      text: customers.has(section.slug) ? { title, description, read } : undefined,
      write: read,
    });
  }
  return {
    served,
    search(question, options, isPiece) {
      // At the first question: it takes some 50 ms.
      find ??= createSearch(indexed, customers);
      const found = find(question, options.isOperator);
      return isPiece
        ? render(searchResults(question, found))
        : searchFrame({ ...options, groups: groupsFor(options) }, question, found);
    },
  };
}

/** The first page: how to begin. */
function quickStart({ openApi, limits }: DocsData): Section {
  return {
    id: 'docs',
    slug: '',
    title: 'Quick start',
    description: 'Run your first request in five steps.',
    text: `${openApi.info.summary}

1. [Sign up](/dashboard/sign-up), and create a key in the [dashboard](/dashboard/keys).
2. Put it into an environment variable: \`export REVGATE_KEY=rvg_…\`
3. Run the first request on this page. [Every request needs the key](#authentication).
4. Add [filters and a sort order](#startups), or select [fields](#Startup) in [GraphiQL](/graphql).
5. Read on [page by page](#paging), within your [rate limit](#rate-limits): ${count(limits.standard)} requests a minute with a standard key, ${count(limits.premium)} with a premium key.`,
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

/** Writes all pages. */
function writeSections(data: DocsData): readonly Group[] {
  const generated = generate(data);
  const operations = operationsOf(data);

  const sectionOf = ({ reads = [], write, ...page }: Page): Section => {
    const { file = '' } = page;
    const document = data.documents[file] ?? '';
    const [first] = reads.flatMap((name) => operations.get(name) ?? []);
    const rest = reads.flatMap((name) => operations.get(name)?.rest ?? data.openApi.paths[name]?.get ?? []);
    const slug = page.slug ?? posix.basename(file, '.md');
    const text = write?.(data) ?? servedDocument(document, data, generated);
    return {
      id: first === undefined ? slug : `Query.${first.field.name}`,
      slug,
      title: titleOf(document),
      ...page,
      text: blocks(text, ...rest.map((operation) => describeItems(data, operation))),
    };
  };
  return pageGroups.map(({ title, isForOperators = false, pages }, index) => ({
    title,
    isForOperators,
    sections: [...(index === 0 ? [quickStart(data)] : []), ...pages.map(sectionOf)],
  }));
}
