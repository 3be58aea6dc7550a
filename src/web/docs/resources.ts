import type { Resource } from '../../api/mcp/protocol.ts';
import type { Reference } from './reference.ts';

/** What agents can read: the documentation as Markdown, the schema and the policy, at the addresses where they are served. */
export function resourcesOf(
  reference: Reference,
  { origin, schema, policy }: { readonly origin: string; readonly schema: string; readonly policy: string },
): readonly Resource[] {
  const pages = [...reference.served].flatMap(([path, { text }]): Resource[] =>
    text === undefined ? [] : [{ uri: origin + path, name: path, mimeType: 'text/markdown', ...text }],
  );
  return [
    ...pages,
    {
      uri: `${origin}/schema.graphql`,
      name: '/schema.graphql',
      title: 'GraphQL schema',
      description: 'The types of /graphql, with a description of each field.',
      mimeType: 'text/plain',
      read: () => schema,
    },
    {
      uri: `${origin}/policy`,
      name: '/policy',
      title: 'Acceptable-use policy',
      description: 'What the data may be used for.',
      mimeType: 'text/markdown',
      read: () => policy,
    },
  ];
}
