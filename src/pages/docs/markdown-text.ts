import type { Content, Html } from '../shared/jsx.ts';

/** What a view has for a screen only. */
const OMITTED = /\b(?:anchor|hidden|languages|pager)\b/;
/** How a block of code names its language in Markdown. */
const languages: Readonly<Record<string, string>> = { curl: 'sh', http: '' };

/** Writes a view as Markdown: the elements that the reference uses. Links keep their targets. */
export function toMarkdown(view: Content): string {
  return `${block(view)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** The children of an element, those of a component being what it returns. */
export function childrenOf({ tag, props, children }: Html): Content {
  return typeof tag === 'function' ? (tag as (props: unknown) => Content)(props) : (children as Content);
}

/** Whether a child is an element. */
export const isElement = (view: Content): view is Html =>
  typeof view === 'object' && view !== null && !Array.isArray(view);

/** The text of a view as it is written, without markup. */
export function textOf(view: Content): string {
  if (Array.isArray(view)) {
    return view.map(textOf).join('');
  }
  return isElement(view) ? textOf(childrenOf(view)) : typeof view === 'boolean' ? '' : String(view ?? '');
}

function block(view: Content): string {
  if (Array.isArray(view)) {
    return view.map(block).join('');
  }
  if (!isElement(view)) {
    return inline(view);
  }
  const { tag, props } = view;
  const children = childrenOf(view);
  if (OMITTED.test(String(props.class ?? '')) || tag === 'button') {
    return '';
  }
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
      return `\n\n${'#'.repeat(Number(tag.slice(1)))} ${inline(children).trim()}\n\n`;
    case 'p':
    case 'figcaption':
    case 'summary':
      return `\n\n${inline(children).trim()}\n\n`;
    case 'pre': {
      const [code] = elements(children);
      const language = String(code?.props.class ?? '').replace('language-', '');
      return `\n\n\`\`\`${languages[language] ?? language}\n${textOf(children).trimEnd()}\n\`\`\`\n\n`;
    }
    case 'ul':
    case 'ol':
      return `\n\n${elements(children)
        .map((item, index) => `${tag === 'ul' ? '-' : `${index + 1}.`} ${indented(item)}`)
        .join('\n')}\n\n`;
    case 'dl':
      return `\n\n${elements(children)
        .map((entry) => {
          const [term, definition] = elements(childrenOf(entry));
          const facts = elements(term && childrenOf(term)).map((fact) => inline(fact).trim());
          return `- ${facts.join(' · ')}${definition === undefined || textOf(definition) === '' ? '' : `: ${indented(definition)}`}`;
        })
        .join('\n')}\n\n`;
    case 'tr': {
      const cells = elements(children);
      const row = `| ${cells.map((cell) => inline(cell).trim().replaceAll('|', '\\|')).join(' | ')} |\n`;
      return cells[0]?.tag === 'th' ? `${row}|${' --- |'.repeat(cells.length)}\n` : row;
    }
    case 'table':
      return `\n\n${block(children)}\n\n`;
    case 'a':
    case 'code':
    case 'span':
    case 'strong':
      return inline(view);
    default:
      return block(children);
  }
}

/** The elements among children. */
function elements(view: Content): Html[] {
  if (Array.isArray(view)) {
    return view.flatMap(elements);
  }
  return !isElement(view)
    ? []
    : typeof view.tag === 'function' || view.tag === ''
      ? elements(childrenOf(view))
      : [view];
}

/** An item of a list, whose blocks stand below its mark. */
const indented = (item: Html | undefined): string =>
  block(item && childrenOf(item))
    .trim()
    .replace(/\n{2,}/g, '\n\n')
    .replace(/\n(?=.)/g, '\n  ');

/** Text within a block: the white space of the source means nothing there. */
function inline(view: Content): string {
  if (Array.isArray(view)) {
    return view.map(inline).join('');
  }
  if (!isElement(view)) {
    return typeof view === 'boolean' ? '' : String(view ?? '').replace(/\s+/g, ' ');
  }
  const { tag, props } = view;
  const text = inline(childrenOf(view));
  if (OMITTED.test(String(props.class ?? ''))) {
    return '';
  }
  switch (tag) {
    case 'a':
      return `[${text}](${props.href})`;
    case 'code':
      // A link cannot be within code.
      return `\`${textOf(view).replace(/\s+/g, ' ')}\``;
    case 'strong':
      return `**${text}**`;
    default:
      return text;
  }
}
