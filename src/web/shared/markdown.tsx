import { Lexer, type MarkedToken, type Token, type Tokens, walkTokens } from 'marked';
import { type Column, capitalized, Table } from './components.tsx';
import type { Content, Html } from './jsx.ts';

/** What pages lay out differently. */
interface MarkdownStyle {
  readonly heading?: (level: number, text: string) => Html;
  /** Lays out a list of these items; undefined if it is like any other. */
  readonly list?: (items: readonly string[]) => Html | undefined;
  readonly code?: (text: string, language: string) => Html;
}

/**
 * Markdown as a view. Only links to pages of this server, and to http, https and mailto, lead somewhere. Other links and HTML are
 * shown as they are written, but comments are left out. The page shows the first-level heading.
 */
export function renderMarkdown(text: string, style: MarkdownStyle = {}): Html {
  return <>{renderBlocks(Lexer.lex(text), style)}</>;
}

/** Markdown of one line. */
export function renderLine(text: string): Content {
  return renderInline(Lexer.lexInline(text));
}

/** A text in two: up to its first paragraph with the code or the steps that follow it, and the rest. */
export function splitSummary(text: string): [summary: string, rest: string] {
  const tokens = Lexer.lex(text);
  const isSummary = ({ type }: Token): boolean => ['code', 'list', 'space'].includes(type);
  const paragraph = tokens.findIndex(({ type }) => type === 'paragraph');
  const after = tokens.findIndex((token, at) => at > paragraph && !isSummary(token));
  const end = after === -1 ? tokens.length : after;
  const textOf = (some: readonly Token[]): string => some.map(({ raw }) => raw).join('');
  return [textOf(tokens.slice(0, end)), textOf(tokens.slice(end))];
}

const isSafe = (href: string): boolean => /^(?:https?:\/\/|mailto:|\/|#)/i.test(href);

/** What a page would show of a text as it is written: HTML, images, and links that lead nowhere. */
export function findUnsupported(text: string): string[] {
  const found: string[] = [];
  walkTokens(Lexer.lex(text), (token) => {
    const { type, raw, href } = token as { type: string; raw: string; href?: string };
    const isLink = type === 'link' && href !== undefined && isSafe(href);
    if (type === 'image' || (type === 'html' && !raw.startsWith('<!--')) || (type === 'link' && !isLink)) {
      found.push(raw.trim());
    }
  });
  return found;
}

function renderBlocks(tokens: readonly Token[], style: MarkdownStyle): Content {
  return (tokens as readonly MarkedToken[]).map((token) => renderBlock(token, style));
}

function renderBlock(token: MarkedToken, style: MarkdownStyle): Content {
  switch (token.type) {
    case 'heading':
      return token.depth > 1 && renderHeading(token, style);
    case 'paragraph':
      return <p>{renderInline(token.tokens)}</p>;
    case 'list':
      return style.list?.(token.items.map((item) => item.text)) ?? renderList(token, style);
    case 'text':
      return renderInline(token.tokens);
    case 'code':
      return (style.code ?? plainCode)(token.text, token.lang ?? '');
    case 'table':
      return renderTable(token);
    case 'blockquote':
      return <blockquote>{renderBlocks(token.tokens, style)}</blockquote>;
    case 'space':
      return false;
    default:
      return !token.raw.startsWith('<!--') && <p>{token.raw.trim()}</p>;
  }
}

/** A table of texts. Short numbers stay in their columns on a phone. */
function renderTable({ header, align, rows }: Tokens.Table): Html {
  const layout = align.includes('right') ? 'scroll' : 'sentence';
  const columns = header.map(
    (head, at): Column<Tokens.TableCell[]> => [
      capitalized(head.text),
      // Cells begin with a capital letter, but not names such as docs/policy.md.
      (cells) => renderLine((cells[at]?.text ?? '').replace(/^[a-z]+(?![^ ,;:-])/, capitalized)),
      align[at] === 'right' ? 'number' : at === 0 ? 'line' : 'named line',
    ],
  );
  return <Table layout={layout} box="Table" caption="Table" isCaptionHidden columns={columns} rows={rows} />;
}

function renderHeading({ depth, text }: Tokens.Heading, { heading }: MarkdownStyle): Html {
  return heading?.(depth, text) ?? (depth === 2 ? <h2>{renderLine(text)}</h2> : <h3>{renderLine(text)}</h3>);
}

function renderList({ ordered, items }: Tokens.List, style: MarkdownStyle): Html {
  const list = items.map(({ tokens }) => <li>{renderBlocks(tokens, style)}</li>);
  return ordered ? <ol>{list}</ol> : <ul>{list}</ul>;
}

function renderInline(tokens: readonly Token[] = []): Content {
  return (tokens as readonly MarkedToken[]).map((token) => {
    switch (token.type) {
      case 'codespan':
        return <code class={token.text.length > 24 ? 'long' : undefined}>{token.text}</code>;
      case 'strong':
        return <strong>{renderInline(token.tokens)}</strong>;
      case 'em':
        return <em>{renderInline(token.tokens)}</em>;
      case 'link':
        return renderLink(token);
      case 'text':
      case 'escape':
        return token.text;
      default:
        return token.raw;
    }
  });
}

function renderLink({ autolink, raw, href, text, tokens }: Tokens.Link): Content {
  if (autolink) {
    return <code>{text}</code>;
  }
  return isSafe(href) ? <a href={href}>{renderInline(tokens)}</a> : raw;
}

function plainCode(text: string): Html {
  return (
    <pre tabindex="0">
      <code>{text}</code>
    </pre>
  );
}
