import { CodeBlock } from '../shared/code-blocks.tsx';
import { fences, highlight } from '../shared/highlight.tsx';
import type { Content, Html } from '../shared/jsx.ts';
import { renderLine, renderMarkdown } from '../shared/markdown.tsx';
import { headingOf, splitAnchor } from './anchors.ts';

/** The text of a section as a view: its headings and entries have anchors. */
export function viewOf(
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
          {grammar === undefined ? text : highlight(grammar, text)}
        </CodeBlock>
      );
    },
  });
}

/** A heading with a link to itself. */
function heading(level: number, text: string): Html {
  const { title, anchor } = headingOf(level, text);
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

/** An entry: its name, its facts and its description. Colons in code end nothing. */
const ENTRY = /^(`[^`]+`)((?:`[^`]*`|[^`:]|:(?! ))*)(?:: (.*))?$/s;

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
      {items.map((item) => {
        const [text, anchor] = splitAnchor(item);
        return <li id={anchor}>{renderLine(text)}</li>;
      })}
    </ul>
  );
}

function entry(item: string): Content {
  const [text, anchor] = splitAnchor(item);
  const [, name = '', facts = '', description = ''] = ENTRY.exec(text) ?? [];
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
      <dd>{renderLine(description)}</dd>
    </div>
  );
}
