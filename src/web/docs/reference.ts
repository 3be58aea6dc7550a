import { posix } from 'node:path';
import { count } from '../shared/figures.tsx';
import { plainMarkdown } from './anchors.ts';
import { servedDocument, titleOf } from './documents.ts';
import { blocks } from './entries.ts';
import { type FrameOptions, frame } from './frame.tsx';
import { generate } from './generated.ts';
import { placesOf, resolveLinks } from './links.ts';
import { describeResponses, operationsOf } from './operations.ts';
import { type Page, groups as pageGroups } from './pages.ts';
import { sampleText } from './sample-block.tsx';
import { indexSection } from './search-index.ts';
import { type DocsData, type Group, pathOf, type Section, searchPaths } from './section.ts';
import { describeItems } from './types.ts';

/** What is served below /docs, and /llms.txt, by its path. */
export type Reference = ReadonlyMap<string, Served>;

/** A text that programs read. */
interface ReferenceText extends Pick<Section, 'title' | 'description'> {
  read(): string;
}

interface Served {
  readonly type: 'text/html' | 'text/markdown' | 'text/plain' | 'application/json';
  /** Set for pages for customers, as Markdown. */
  readonly text?: ReferenceText | undefined;
  /** Writes the content. Only pages depend on whether the visitor has a session. */
  write(options: FrameOptions): string;
}

/** The reference as pages, as Markdown and as indexes to search. */
export function createReference(data: DocsData): Reference {
  const all = writeSections(data);
  const forCustomers = all.filter(({ isForOperators }) => !isForOperators);
  const sectionsOf = (groups: readonly Group[]): Section[] => groups.flatMap(({ sections }) => sections);
  const indexed = sectionsOf(all).map(indexSection);
  const places = placesOf(sectionsOf(all), indexed);
  const link = (section: Section): Section => ({ ...section, text: resolveLinks(section, places) });
  const linked = all.map((group) => ({ ...group, sections: group.sections.map(link) }));
  /** The first page, and the pages of some groups. */
  const viewOf = (groups: readonly Group[]) => {
    const shown = linked.filter(({ title }) => groups.some((group) => group.title === title));
    return { groups: shown, sections: [link(overview(data, groups)), ...sectionsOf(shown)] };
  };
  const views = { all: viewOf(all), customers: viewOf(forCustomers) };

  const reference = new Map<string, Served>([
    ['/llms.txt', { type: 'text/plain', write: () => listOf(data, forCustomers) }],
    ...(['all', 'customers'] as const).map((audience): [string, Served] => {
      const slugs = new Set(views[audience].sections.map(({ slug }) => slug));
      const found = indexed.filter(([slug]) => slugs.has(slug));
      return [searchPaths[audience], { type: 'application/json', write: () => JSON.stringify(found) }];
    }),
  ]);
  const customers = new Set(sectionsOf(forCustomers).map(({ id }) => id));
  for (const section of views.all.sections) {
    const path = pathOf(section);
    reference.set(path, {
      type: 'text/html',
      write(options) {
        const { groups, sections } = views[options.isOperator ? 'all' : 'customers'];
        const at = sections.findIndex(({ id }) => id === section.id);
        const [previous, next] = at === -1 ? [] : [sections[at - 1], sections[at + 1]];
        return frame({ ...options, data, section: sections[at] ?? section, groups, previous, next });
      },
    });
    const [first = section] = views.customers.sections;
    const text = section.slug === '' ? first : section;
    const read = () => markdownOf(data, text);
    const isForCustomers = section.slug === '' || customers.has(section.id);
    const { title, description } = text;
    reference.set(`${path}.md`, {
      type: 'text/markdown',
      text: isForCustomers ? { title, description, read } : undefined,
      write: read,
    });
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
    text: `${openApi.info.summary}

## Quick start

1. [Sign up](/dashboard/sign-up), and create a key in the [dashboard](/dashboard/keys).
2. Put it into an environment variable: \`export REVGATE_KEY=rvg_…\`
3. Run the first request on this page. [Every request needs the key](#authentication).
4. Add [filters and a sort order](#startups), or select [fields](#Startup) in [GraphiQL](/graphql).
5. Read on [page by page](#paging), within your [rate limit](#rate-limits): ${count(limits.standard)} requests a minute with a standard key, ${count(limits.premium)} with a premium key.

To put a list or a chart on your own page, you need no server: [show data on your page](#embedding).

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
  const generated = generate(data);
  const operations = operationsOf(data);

  const sectionOf = ({ operation = '', path = '', write, ...page }: Page): Section => {
    const { file = '' } = page;
    const { field, rest = data.openApi.paths[path]?.get } = operations.get(operation) ?? {};
    const document = data.documents[file] ?? '';
    const slug = page.slug ?? posix.basename(file, '.md');
    const text = write?.(data) ?? servedDocument(document, data, generated);
    return {
      id: field === undefined ? slug : `Query.${field.name}`,
      slug,
      title: titleOf(document),
      description: firstSentence(rest?.description ?? field?.description ?? ''),
      ...page,
      text: blocks(text, rest && describeItems(data, rest), rest && describeResponses(rest)),
    };
  };
  return pageGroups.map(({ title, isForOperators = false, pages }) => ({
    title,
    isForOperators,
    sections: pages.map(sectionOf),
  }));
}

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? '';
