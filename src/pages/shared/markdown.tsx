import { ScrollTable } from './components.tsx';
import type { Content, Html } from './jsx.ts';

/** What pages lay out differently. */
interface MarkdownStyle {
  readonly heading?: (level: 2 | 3, title: string) => Html;
  readonly code?: (text: string, language: string) => Html;
  /** Where a link leads; undefined leaves its text only. Without this function, links are shown as they are written. */
  readonly link?: (target: string) => string | undefined;
}

const ITEM = /^(?:\d+\.|-) /;
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/m;
const INLINE =
  /`(?<code>[^`]+)`|\*\*(?<strong>.+?)\*\*|\[(?<label>(?:`[^`]*`|[^\]])+)\]\((?<target>[^)\s]+)\)|<(?<url>https?:[^>]+)>/;

/**
 * The subset of Markdown that the policy, the guides and the changelog use: second- and third-level headings, paragraphs,
 * lists, tables, code, links and strong words. Everything else is shown as is; the page shows the first-level heading.
 */
export function renderMarkdown(text: string, style: MarkdownStyle = {}): Html {
  const parts = text.split(FENCE);
  return (
    <>
      {parts.map((part, index) =>
        // Text, language, code, text, …
        index % 3 === 0
          ? blocksOf(part).map((block) => renderBlock(block, style))
          : index % 3 === 2 && (style.code ?? plainCode)(part.trimEnd(), parts[index - 1] ?? ''),
      )}
    </>
  );
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function blocksOf(text: string): string[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((block) => !/^(?:# |<!-- .* -->$|$)/.test(block));
}

function renderBlock(block: string, style: MarkdownStyle): Html {
  const [, marks, title = ''] = /^(###?) (.*)$/.exec(block) ?? [];
  if (marks !== undefined) {
    const level = marks.length === 2 ? 2 : 3;
    return style.heading?.(level, title) ?? (level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>);
  }
  if (block.startsWith('|')) {
    return renderTable(block, style);
  }
  if (!ITEM.test(block)) {
    return <p>{renderLine(block, style)}</p>;
  }
  const items = block.split(/\n(?=(?:\d+\.|-) )/).map((item) => item.replace(ITEM, ''));
  const list = items.map((item) => <li>{renderLine(item, style)}</li>);
  return block.startsWith('-') ? <ul>{list}</ul> : <ol>{list}</ol>;
}

function renderTable(block: string, style: MarkdownStyle): Html {
  const [head = [], , ...rows] = block.split('\n').map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => renderLine(cell.trim(), style)),
  );
  return <ScrollTable label="Table" head={head} rows={rows} />;
}

/** The text of a paragraph, an item or a cell. */
function renderLine(text: string, style: MarkdownStyle): Content {
  return renderInline(text.replace(/\s*\n\s*/g, ' '), style);
}

function renderInline(text: string, style: MarkdownStyle): Content {
  const found = INLINE.exec(text);
  if (found === null) {
    return text.replace(/\\([<|])/g, '$1');
  }
  const { code, strong, label = '', target = '', url } = found.groups ?? {};
  const rest = text.slice(found.index + found[0].length);
  return [
    renderInline(text.slice(0, found.index), style),
    code !== undefined ? (
      <code>{code.replace(/\\([<|])/g, '$1')}</code>
    ) : strong !== undefined ? (
      <strong>{renderInline(strong, style)}</strong>
    ) : url !== undefined ? (
      <code>{url}</code>
    ) : style.link === undefined ? (
      found[0]
    ) : (
      link(style.link(target), renderInline(label, style))
    ),
    renderInline(rest, style),
  ];
}

function link(href: string | undefined, label: Content): Html {
  return href === undefined ? <>{label}</> : <a href={href}>{label}</a>;
}

function plainCode(text: string): Html {
  return (
    <pre tabindex="0">
      <code>{text}</code>
    </pre>
  );
}
