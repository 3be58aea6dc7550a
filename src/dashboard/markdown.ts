import { type Html, html } from '../html.ts';

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
  return html`${blocks.map((block) => html`${renderBlock(block)}\n`)}`;
}

function renderBlock(block: string): Html {
  if (block.startsWith('## ')) {
    return html`<h2>${block.slice(3)}</h2>`;
  }
  if (!ITEM.test(block)) {
    return html`<p>${renderLine(block)}</p>`;
  }
  const items = block.split(/\n(?=(?:\d+\.|-) )/).map((item) => item.replace(ITEM, ''));
  const list = items.map((item) => html`<li>${renderLine(item)}</li>`);
  return block.startsWith('-') ? html`<ul>${list}</ul>` : html`<ol>${list}</ol>`;
}

function renderLine(text: string): Html {
  const parts = text.replace(/\s*\n\s*/g, ' ').split('**');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<strong>${part}</strong>` : part))}`;
}
