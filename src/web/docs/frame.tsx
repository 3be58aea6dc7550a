import { CodeBlock } from '../shared/code-blocks.tsx';
import { LinkCards } from '../shared/components.tsx';
import { fences, highlight } from '../shared/highlight.tsx';
import type { Content, Html } from '../shared/jsx.ts';
import { renderLine, renderMarkdown, splitSummary } from '../shared/markdown.tsx';
import { KEYS_PATH, SIGN_UP_FOR_KEY_PATH } from '../shared/paths.ts';
import { type Look, shellPage } from '../shared/shell.tsx';
import { type DocsData, type Group, pathOf, type Section } from './contents.ts';
import { ENTRY, headingOf, placesIn, splitAnchor } from './places.ts';
import { sampleBlock } from './sample-block.tsx';

/** What the header and the head of a page depend on. */
export interface FrameOptions extends Look {
  readonly isSignedIn: boolean;
  /** Whether the visitor sees the pages for operators. */
  readonly isOperator: boolean;
}

interface Framed extends FrameOptions {
  readonly data: DocsData;
  readonly section: Section;
  readonly groups: readonly Group[];
}

/** How a reader gets a key, and one who is signed in. */
export const SIGN_UP = `[Sign up](${SIGN_UP_FOR_KEY_PATH}), and create a key in the [dashboard](${KEYS_PATH}).`;
const OWN_KEY =
  'You are signed in: use one of [your keys](/dashboard/keys), or [create one](/dashboard/keys/new).';

/** Lays out a page of the reference: the navigation, the text and its neighbours. */
export function frame({ data, section, groups, ...options }: Framed): string {
  const path = pathOf(section);
  const text = options.isSignedIn ? section.text.replace(SIGN_UP, OWN_KEY) : section.text;
  const sections = groups.flatMap((group) => group.sections);
  const at = sections.indexOf(section);
  return docsPage({ ...options, groups, section, markdown: `${path}.md` }, [
    <div class={section.isDense ? 'section dense' : 'section'}>
      {textWithSample(data, { ...section, text })}
    </div>,
    section.slug === '' && [<h2>Next steps</h2>, tasksOf(groups)],
    <nav class="actions pager" aria-label="Previous and next page">
      {neighbour('prev', '←\u00a0', sections[at === -1 ? 0 : at - 1])}
      <a href={`${path}.md`}>This page as Markdown</a>
      {at !== -1 && neighbour('next', '', sections[at + 1], '\u00a0→')}
    </nav>,
    <p class="hidden" id="copied" role="status" />,
  ]);
}

/** A page that is only a text, such as the policy. @param first what stands before it. */
export const plainPage = (page: DocsPage, first: Content): string =>
  docsPage(
    page,
    <div class="text prose">
      {first}
      {viewOf(page.section.text)}
    </div>,
  );

/** The page without a text of its own, for what a question finds. @param found how many places. */
export const searchSection = (question: string, found: number) => ({
  title: found === 0 ? 'Search' : `Results for “${question.trim().slice(0, 100)}”`,
  description: 'Search the documentation.',
  text: '',
});

interface DocsPage extends FrameOptions, Pick<Framed, 'groups'> {
  readonly section: Pick<Section, 'title' | 'description' | 'text' | 'sample'> & { readonly slug?: string };
  readonly markdown?: string;
  readonly question?: string;
}

/** Lays out any content beside the navigation. */
export function docsPage({ section, groups, question = '', ...page }: DocsPage, content: Content): string {
  const { title, description } = section;
  return shellPage({
    ...page,
    title,
    description,
    path: '/docs',
    styles: ['docs.css'],
    modules: ['dashboard.js', 'docs.js'],
    search: question,
    children: (
      <div class="layout">
        {navigation(groups, section)}
        <main id="main">
          <h1>{title}</h1>
          {content}
        </main>
        {onThisPage(section)}
      </div>
    ),
  });
}

/** On narrow pages, the sample stands between the summary and the rest of the text, and below the steps of the first page. */
function textWithSample(data: DocsData, { text, sample, file, slug }: Section): Content {
  const kind = file === undefined ? 'text' : 'text prose';
  const codes = { count: 0 };
  const isSplit = sample !== undefined && slug !== '';
  const [summary = '', rest = ''] = isSplit ? splitSummary(text) : [text];
  return [
    <div class={kind}>{viewOf(summary, codes)}</div>,
    sample !== undefined && <div class="code">{sampleBlock(data, sample)}</div>,
    rest !== '' && <div class={kind}>{viewOf(rest, codes)}</div>,
  ];
}

/** What readers come for, as cards that lead to the pages about it. */
export function tasksOf(groups: readonly Group[]): Html {
  const links = groups.flatMap(({ sections }) =>
    sections.flatMap((one) =>
      one.task === undefined ? [] : { label: one.task, text: one.description, path: pathOf(one) },
    ),
  );
  return <LinkCards links={links} />;
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

/** The navigation: beside the text on wide screens, otherwise a menu. */
function navigation(groups: readonly Group[], current: DocsPage['section']): Content {
  const links = groups.map(({ title, sections }) => [
    <p class="group soft">{title}</p>,
    <ul>
      {sections.map((section) => {
        const isCurrent = section.slug === current.slug;
        const parts = isCurrent ? headingsOf(current) : [];
        return (
          <li>
            <a href={pathOf(section)} aria-current={isCurrent ? 'page' : undefined}>
              {section.title}
            </a>
            {parts.length > 0 && <ul>{parts.map(partLink)}</ul>}
          </li>
        );
      })}
    </ul>,
  ]);
  return [
    <button type="button" class="contents" popovertarget="contents-menu">
      Contents
    </button>,
    <nav id="contents-menu" class="popup items side" popover="auto" aria-label="Contents">
      {links}
    </nav>,
  ];
}

const headingsOf = ({ text }: DocsPage['section']) =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, part = '']) => headingOf(part));

const partLink = ([title, anchor]: readonly [title: string, anchor: string]): Html => (
  <li>
    <a href={`#${anchor}`}>{title}</a>
  </li>
);

/** Where a wide window has no sample on the right: the headings of the page, or its entries if it has none. */
function onThisPage(section: DocsPage['section']): Html | false {
  const headings = headingsOf(section);
  const entries = placesIn(section)
    .slice(1)
    .map(([anchor, name]) => [name, anchor] as const);
  const parts = headings.length > 0 ? headings : entries;
  // A wide table needs the room.
  const isWide = /^\|(?:[^|\n]*\|){5}/m.test(section.text);
  return (
    section.sample === undefined &&
    !isWide &&
    parts.length > 1 && (
      <nav class="side items parts" aria-label="On this page">
        <p class="group soft">On this page</p>
        <ul>{parts.map(partLink)}</ul>
      </nav>
    )
  );
}

/** The text of a section as a view: its headings and entries have anchors. */
function viewOf(
  text: string,
  /** Blocks of code have ids by their number in the page. */
  codes = { count: 0 },
): Html {
  return renderMarkdown(text, {
    heading,
    list,
    code(content, language) {
      const [title = 'Text', grammar] = fences[language] ?? [];
      const text = language === 'console' ? content.replace(/^\$ /gm, '') : content;
      return (
        <CodeBlock id={`code-${++codes.count}`} label={`Code ${codes.count}`} title={title}>
          {grammar === undefined ? atCommas(text) : highlight(grammar, text)}
        </CodeBlock>
      );
    },
  });
}

/** A text that may break after each comma, as rows of a CSV file are long. */
const atCommas = (text: string): Content => text.split(/(?<=,)/).map((part) => [part, <wbr />]);

/** A heading with a link to itself. */
function heading(level: number, text: string): Html {
  const [title, anchor] = headingOf(text);
  const content = (
    <>
      {renderLine(title)}{' '}
      <a class="anchor soft" href={`#${anchor}`} aria-label={`Link to ${title}`}>
        #
      </a>
    </>
  );
  return level === 2 ? <h2 id={anchor}>{content}</h2> : <h3 id={anchor}>{content}</h3>;
}

/** A list whose items have anchors, as entries if they begin with code. */
function list(items: readonly string[]): Html | undefined {
  const [first = ''] = items;
  if (splitAnchor(first)[1] === undefined) {
    return undefined;
  }
  return first.startsWith('`') ? (
    <dl class="attributes">{items.map(entry)}</dl>
  ) : (
    <ul>
      {items.map(splitAnchor).map(([text, anchor]) => (
        <li id={anchor}>{renderLine(text)}</li>
      ))}
    </ul>
  );
}

function entry(item: string): Content {
  const [text, anchor] = splitAnchor(item);
  const [, name = '', facts = '', description = ''] = ENTRY.exec(text) ?? [];
  const [meaning = '', values = ''] = description.split(/(?<= Values in REST:) /);
  const listed = [...values.matchAll(/`([^`]+)`/g)];
  const many = listed.length > 12;
  return (
    <div id={anchor}>
      <dt>
        {renderLine(name)}{' '}
        {facts
          .split(' · ')
          .slice(1)
          .map((fact) => (
            <span class="fact">{renderLine(fact)}</span>
          ))}
      </dt>
      <dd>
        {renderLine(many ? meaning : description)}
        {many && (
          <ul class="bare values">
            {listed.map(([, value]) => (
              <li>
                <code>{value}</code>
              </li>
            ))}
          </ul>
        )}
      </dd>
    </div>
  );
}
