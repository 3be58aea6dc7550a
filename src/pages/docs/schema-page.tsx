import type { TypeDescription } from '../../graphql/describe-schema.ts';
import { highlight } from '../shared/highlight.tsx';
import type { Content } from '../shared/jsx.ts';
import { type FrameOptions, frame } from './frame.tsx';
import { heading } from './section.tsx';

const kinds: readonly { readonly kind: TypeDescription['kind']; readonly title: string }[] = [
  { kind: 'type', title: 'Objects' },
  { kind: 'interface', title: 'Interfaces' },
  { kind: 'input', title: 'Inputs' },
  { kind: 'enum', title: 'Enumerations' },
  { kind: 'scalar', title: 'Scalars' },
];

/** The printed schema, with an anchor for each type and links to it. */
export function schemaPage(schema: string, types: readonly TypeDescription[], options: FrameOptions): string {
  const names = new Set(types.map(({ name }) => name));
  // A definition is a block between empty lines at the outermost level; each begins where its description does.
  const definitions = new Map(
    schema
      .trimEnd()
      .split(/\n\n(?=\S)/)
      .map((text) => [/^(?:type|interface|input|enum|scalar) (\w+)/m.exec(text)?.[1], text]),
  );
  const groups = kinds.map(({ kind, title }) => ({
    title,
    // Query first: everything begins there.
    links: types
      .filter((type) => type.kind === kind)
      .map(({ name }) => ({ id: name, title: name }))
      .sort((a, b) => Number(b.id === 'Query') - Number(a.id === 'Query')),
  }));
  return frame({
    ...options,
    title: 'GraphQL schema',
    path: '/docs/schema',
    groups,
    main: (
      <>
        <p class="lead">
          The schema served at <code>/graphql</code>. The <a href="/docs">reference</a> explains it with
          examples. Download <a href="/schema.graphql">schema.graphql</a>.
        </p>
        {groups.map(({ links }) =>
          links.map(({ id }) => (
            <section class="definition" aria-labelledby={id}>
              {heading(2, { id, title: id })}
              <pre tabindex="0">
                <code>{highlight('graphql', definitions.get(id) ?? '', linked(names, id))}</code>
              </pre>
            </section>
          )),
        )}
      </>
    ),
  });
}

/** Leads from the name of a type to its definition. */
function linked(names: ReadonlySet<string>, own: string): (text: string) => Content {
  return (text) =>
    text
      .split(/\b([A-Z]\w+)\b/)
      .map((part) => (names.has(part) && part !== own ? <a href={`#${part}`}>{part}</a> : part));
}
