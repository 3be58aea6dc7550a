import type { TypeDescription } from '../../graphql/describe-schema.ts';
import { highlight } from '../shared/highlight.tsx';
import type { Content, Html } from '../shared/jsx.ts';
import { renderLine } from '../shared/markdown.tsx';
import { prose } from './entries.ts';

const DESCRIPTION = /"""\n?([\s\S]*?)\n? *"""/;

/** Lays out definitions of the schema: names of other types lead to their definitions, and descriptions are text. */
export function schemaCode(types: readonly TypeDescription[]): (definition: string) => Html {
  const names = new Set(types.map(({ name }) => name));
  return (definition) => {
    const [, own] = /^(?:type|interface|input|enum|scalar) (\w+)/m.exec(definition) ?? [];
    const linked = (text: string): Content =>
      text
        .split(/\b([A-Z]\w+)\b/)
        .map((part) => (names.has(part) && part !== own ? <a href={`#${part}`}>{part}</a> : part));
    const parts = definition
      .split(DESCRIPTION)
      .map((text, index) =>
        index % 2 === 0 ? (
          highlight('graphql', text, linked)
        ) : (
          <span class="comment">{renderLine(prose(text.trim().replace(/\s+/g, ' ')))}</span>
        ),
      );
    return (
      <pre class="definition" tabindex="0">
        <code>{parts}</code>
      </pre>
    );
  };
}
