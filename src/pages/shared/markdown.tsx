import type { Html } from './jsx.ts';

const ITEM = /^(?:\d+\.|-) /;

/**
 * The subset of Markdown that a policy uses: second-level headings, paragraphs, lists and
 * strong words. Everything else is shown as is; the page shows the first-level heading.
 */
export function renderMarkdown(text: string): Html {
  const blocks = text
    .trim()
    .split(/\n\s*\n/)
    .filter((block) => !block.startsWith('# '));
  return (
    <>
      {blocks.map((block) => (
        <>{renderBlock(block)}</>
      ))}
    </>
  );
}

function renderBlock(block: string): Html {
  if (block.startsWith('## ')) {
    return <h2>{block.slice(3)}</h2>;
  }
  if (!ITEM.test(block)) {
    return <p>{renderLine(block)}</p>;
  }
  const items = block.split(/\n(?=(?:\d+\.|-) )/).map((item) => item.replace(ITEM, ''));
  const list = items.map((item) => <li>{renderLine(item)}</li>);
  return block.startsWith('-') ? <ul>{list}</ul> : <ol>{list}</ol>;
}

function renderLine(text: string): Html {
  const parts = text.replace(/\s*\n\s*/g, ' ').split('**');
  return <>{parts.map((part, index) => (index % 2 === 1 ? <strong>{part}</strong> : part))}</>;
}
