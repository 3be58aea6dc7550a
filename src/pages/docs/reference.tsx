import { type FrameOptions, frame } from './frame.tsx';
import { guideSection } from './guides.tsx';
import { toMarkdown } from './markdown-text.ts';
import { sampleBlock } from './sample-block.tsx';
import { indexSection } from './search-index.ts';
import { type DocsData, type Group, renderSection, type Section, slugOf } from './section.tsx';
import { authentication } from './sections/authentication.tsx';
import { embedding } from './sections/embedding.tsx';
import { enumerations } from './sections/enumerations.tsx';
import { errors } from './sections/errors.tsx';
import { introduction } from './sections/introduction.tsx';
import { sizeLimits } from './sections/limits.tsx';
import { operations } from './sections/operations.tsx';
import { overview } from './sections/overview.tsx';
import { paging } from './sections/paging.tsx';
import { rateLimits } from './sections/rate-limits.tsx';
import { responseHeaders } from './sections/response-headers.tsx';
import { schemaSection } from './sections/schema.tsx';
import { startup } from './sections/startup.tsx';
import { summaries } from './sections/summaries.tsx';
import { graphqlTypes, restTypes } from './sections/types.tsx';

/** The reference of both surfaces, generated from the descriptions that they are built from, and the guides. */
function groupsOf(data: DocsData): readonly Group[] {
  const guide = (id: Parameters<typeof guideSection>[1]): Section => guideSection(data, id);
  const [list, ...others] = operations(data) as [Section, ...Section[]];
  return [
    {
      title: 'Basics',
      sections: [
        introduction(data),
        authentication(data),
        rateLimits(data),
        errors(data),
        responseHeaders(data),
        { ...guide('conditional-requests'), code: sampleBlock(data, 'unchanged') },
        paging(data),
      ],
    },
    {
      title: 'Operations',
      sections: [list, { ...guide('search'), code: sampleBlock(data, 'search') }, summaries(data), ...others],
    },
    {
      title: 'Types',
      sections: [
        startup(data),
        restTypes(data),
        graphqlTypes(data),
        enumerations(data),
        sizeLimits(),
        schemaSection(data),
      ],
    },
    {
      title: 'Applications',
      sections: [
        embedding(data),
        { ...guide('trusted-documents'), code: sampleBlock(data, 'published') },
        guide('embed-keys'),
        guide('web-component'),
        guide('javascript-client'),
      ],
    },
    { title: 'Guides', sections: [guide('tutorial'), guide('operate'), guide('changelog')] },
  ];
}

/** What is served below /docs, and /llms.txt. */
export interface Reference {
  /** Every path with the type of its content. */
  readonly paths: ReadonlyMap<string, string>;
  /** The content of a path. Only pages depend on whether the visitor has a session. */
  render(path: string, options: FrameOptions): string;
}

/** The reference as pages, as Markdown and as an index to search. Sections are built for each page, and not kept. */
export function createReference(data: DocsData): Reference {
  const groups = groupsOf(data);
  const indexed = groups.flatMap(({ sections }) => sections.map(indexSection));
  /** The page of each anchor; of one that two pages have, the first. */
  const pages = new Map(
    indexed
      .toReversed()
      .flatMap(([slug, , entries]) =>
        entries.map(([anchor]): [string, string] => [anchor, `/docs/${slug}#${anchor}`]).toReversed(),
      ),
  );
  for (const section of groups.flatMap(({ sections }) => sections)) {
    for (const name of [slugOf(section), section.id]) {
      pages.set(name, `/docs/${slugOf(section)}`);
    }
  }
  const anchors = new Map(
    indexed.map(([slug, , entries]) => [slug, new Set(entries.map(([anchor]) => anchor))]),
  );
  /** Where a link to an anchor leads: sections do not know each other's pages. */
  const resolve = (slug: string, anchor: string): string =>
    anchors.get(slug)?.has(anchor) ? `#${anchor}` : (pages.get(anchor) ?? `#${anchor}`);

  const paths = new Map([
    ['/llms.txt', 'text/plain'],
    ['/docs/search.json', 'application/json'],
    ...['', ...indexed.map(([slug]) => `/${slug}`)].flatMap((path): [string, string][] => [
      [`/docs${path}`, 'text/html'],
      [`/docs${path}.md`, 'text/markdown'],
    ]),
  ]);
  const searched = JSON.stringify(indexed.filter(([slug]) => slug !== 'schema'));

  return {
    paths,
    render(path, options) {
      if (path === '/docs/search.json') {
        return searched;
      }
      const groups = groupsOf(data);
      if (path === '/llms.txt') {
        return listOf(data, groups);
      }
      const sections = [overview(data, groups), ...groups.flatMap(({ sections }) => sections)];
      const [, slug = ''] = /^\/docs\/?(.*?)(?:\.md)?$/.exec(path) ?? [];
      const at = slug === '' ? 0 : sections.findIndex((section) => slugOf(section) === slug);
      const section = sections[at] as Section;
      return path.endsWith('.md')
        ? markdownOf(section).replace(/\]\(#([^)]+)\)/g, (_, anchor) => `](${resolve(slug, anchor)})`)
        : frame({ ...options, section, groups, previous: sections[at - 1], next: sections[at + 1] }).replace(
            /href="#([^"]+)"/g,
            (_, anchor) => `href="${resolve(slug, anchor)}"`,
          );
    },
  };
}

function markdownOf(section: Section): string {
  return section.markdown === undefined
    ? toMarkdown(
        <>
          <h1>{section.title}</h1>
          {renderSection(section)}
        </>,
      )
    : `# ${section.title}\n\n${section.markdown}`;
}

/** The pages for programs that read text, one line each: https://llmstxt.org. */
function listOf({ origin, openApi }: DocsData, groups: readonly Group[]): string {
  const lines = groups.flatMap(({ title, sections }) => [
    `\n## ${title}\n`,
    ...sections.map(
      (section) => `- [${section.title}](${origin}/docs/${slugOf(section)}.md): ${section.description}`,
    ),
  ]);
  return [`# revgate\n\n> ${openApi.info.summary} ${openApi.info.description}`, ...lines, ''].join('\n');
}
