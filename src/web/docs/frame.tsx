import type { Brand } from '../shared/brand.ts';
import { LinkCards } from '../shared/components.tsx';
import type { Content, Html } from '../shared/jsx.ts';
import { splitSummary } from '../shared/markdown.tsx';
import { type AssetUrl, shellPage } from '../shared/shell.tsx';
import { headingsOf } from './anchors.ts';
import { sampleBlock } from './sample-block.tsx';
import { type Found, searchResults } from './search.tsx';
import { type DocsData, type Group, pathOf, type Section } from './section.ts';
import { viewOf } from './view.tsx';

/** What the header and the head of a page depend on. */
export interface FrameOptions {
  readonly isSignedIn: boolean;
  /** Whether the visitor sees the pages for operators. */
  readonly isOperator: boolean;
  readonly brand: Brand;
  readonly assetUrl: AssetUrl;
}

interface Framed extends FrameOptions {
  readonly data: DocsData;
  readonly section: Section;
  readonly groups: readonly Group[];
  readonly previous: Section | undefined;
  readonly next: Section | undefined;
}

/** Lays out a page of the reference: the navigation, the text and its neighbours. */
export function frame({ data, section, groups, previous, next, ...options }: Framed): string {
  const path = pathOf(section);
  return docsPage({ ...options, groups, section, markdown: `${path}.md` }, [
    <div class={section.isDense ? 'section dense' : 'section'}>
      {textWithSample(data, section, section.slug === '' ? groups : [])}
    </div>,
    <nav class="actions pager" aria-label="Previous and next page">
      {neighbour('prev', '← ', previous)}
      <a href={`${path}.md`}>This page as Markdown</a>
      {neighbour('next', '', next, ' →')}
    </nav>,
    <p class="hidden" id="copied" role="status" />,
  ]);
}

/** Lays out what a question finds. */
export function searchFrame(
  options: FrameOptions & Pick<Framed, 'groups'>,
  question: string,
  found: readonly Found[],
): string {
  const section = { id: 'search', title: 'Search', description: 'Search the documentation.', text: '' };
  return docsPage({ ...options, section, question }, [
    question.trim() === '' && <p>Type what you look for into the field above.</p>,
    searchResults(question, found),
  ]);
}

interface DocsPage extends FrameOptions, Pick<Framed, 'groups'> {
  readonly section: Pick<Section, 'id' | 'title' | 'description' | 'text'>;
  readonly markdown?: string;
  readonly question?: string;
}

function docsPage({ section, groups, question = '', ...page }: DocsPage, content: Content): string {
  const { title, description } = section;
  return shellPage({
    ...page,
    ...{ title, description, path: '/docs', styles: ['docs.css'], modules: ['dashboard.js', 'docs.js'] },
    search: question,
    children: (
      <div class="layout">
        {navigation(groups, section)}
        <main id="main">
          <h1>{title}</h1>
          {content}
        </main>
      </div>
    ),
  });
}

/**
 * On narrow pages, the sample stands between the summary and the rest of the text.
 *
 * @param groups of the first page: those with tasks to lead to.
 */
function textWithSample(data: DocsData, section: Section, groups: readonly Group[]): Html {
  const { text, sample, file } = section;
  const kind = file === undefined ? 'text' : 'text prose';
  const codes = { count: 0 };
  const [summary, rest] = sample === undefined ? [text, ''] : splitSummary(text);
  const tasks = groups.flatMap(({ sections }) =>
    sections.flatMap((one) =>
      one.task === undefined ? [] : { title: one.task, text: one.description, path: pathOf(one) },
    ),
  );
  return (
    <>
      <div class={kind}>{viewOf(summary, codes)}</div>
      {sample !== undefined && <div class="code">{sampleBlock(data, sample)}</div>}
      {rest !== '' && <div class={kind}>{viewOf(rest, codes)}</div>}
      {tasks.length > 0 && <LinkCards links={tasks} />}
    </>
  );
}

function neighbour(rel: string, before: string, section: Section | undefined, after = ''): Html | false {
  return (
    section !== undefined && (
      <a class="button second" rel={rel} href={pathOf(section)}>
        {before}
        {section.title}
        {after}
      </a>
    )
  );
}

/**
 * The navigation: beside the text on wide screens, otherwise a menu. A `details` cannot be forced open by a
 * style in every browser, so it is written twice, and the style shows one of them.
 */
function navigation(groups: readonly Group[], current: DocsPage['section']): Html {
  const links = groups.map(({ title, sections }) => (
    <>
      <p class="group soft">{title}</p>
      <ul>
        {sections.map((section) => {
          const isCurrent = section.id === current.id;
          const parts = isCurrent ? headingsOf(current.text).filter(({ level }) => level === 2) : [];
          return (
            <li>
              <a href={pathOf(section)} aria-current={isCurrent ? 'page' : undefined}>
                {section.title}
              </a>
              {parts.length > 0 && (
                <ul>
                  {parts.map(({ anchor, title }) => (
                    <li>
                      <a href={`#${anchor}`}>{title}</a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </>
  ));
  return (
    <>
      <details class="menu">
        <summary>Contents</summary>
        <nav class="items" aria-label="Contents">
          {links}
        </nav>
      </details>
      <nav class="side items" aria-label="Contents">
        {links}
      </nav>
    </>
  );
}
