import type { TypeDescription } from '../../../graphql/describe-schema.ts';
import { highlight } from '../../shared/highlight.tsx';
import type { Content } from '../../shared/jsx.ts';
import { prose } from '../prose.tsx';
import { type DocsData, heading, type Section } from '../section.tsx';

const kinds: readonly TypeDescription['kind'][] = ['type', 'interface', 'input', 'enum', 'scalar'];
const DESCRIPTION = /"""\n?([\s\S]*?)\n? *"""/;

/** The printed schema, with an anchor for each type, links to it, and descriptions as text. */
export function schemaSection({ schema, types }: DocsData): Section {
  const names = new Set(types.map(({ name }) => name));
  // A definition is a block between empty lines at the outermost level; each begins where its description does.
  const definitions = new Map(
    schema
      .trimEnd()
      .split(/\n\n(?=\S)/)
      .map((text) => [/^(?:type|interface|input|enum|scalar) (\w+)/m.exec(text)?.[1], text]),
  );
  // Query first: everything begins there.
  const parts = kinds
    .flatMap((kind) => types.filter((type) => type.kind === kind))
    .map(({ name }) => ({ id: name, title: name }))
    .sort((a, b) => Number(b.id === 'Query') - Number(a.id === 'Query'));
  return {
    id: 'schema',
    title: 'GraphQL schema',
    description: 'Every type of the GraphQL schema, as the server prints it.',
    parts,
    markdown: `\`\`\`graphql\n${schema.trimEnd()}\n\`\`\`\n`,
    text: (
      <>
        <p class="lead">
          The schema served at <code>/graphql</code>. Download <a href="/schema.graphql">schema.graphql</a>.
        </p>
        {parts.map(({ id, title }) => (
          <section class="definition" aria-labelledby={id}>
            {heading({ id, title })}
            <pre tabindex="0">
              <code>
                {(definitions.get(id) ?? '')
                  .split(DESCRIPTION)
                  .map((text, index) =>
                    index % 2 === 0 ? (
                      highlight('graphql', text, linked(names, id))
                    ) : (
                      <span class="comment">{prose(text.trim().replace(/\s+/g, ' '))}</span>
                    ),
                  )}
              </code>
            </pre>
          </section>
        ))}
      </>
    ),
  };
}

/** Leads from the name of a type to its definition. */
function linked(names: ReadonlySet<string>, own: string): (text: string) => Content {
  return (text) =>
    text
      .split(/\b([A-Z]\w+)\b/)
      .map((part) => (names.has(part) && part !== own ? <a href={`#${part}`}>{part}</a> : part));
}
