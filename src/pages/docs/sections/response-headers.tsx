import { attributeList, jsonFacts } from '../attributes.tsx';
import type { DocsData, Section } from '../section.tsx';

export function responseHeaders({ openApi }: DocsData): Section {
  const responses = Object.values(openApi.paths).flatMap(({ get }) => Object.entries(get.responses));
  const attributes = Object.entries(openApi.components.headers).map(([name, { description, schema }]) => {
    const statuses = new Set(
      responses.filter(([, { headers }]) => Object.hasOwn(headers, name)).map(([status]) => status),
    );
    const isEverywhere = responses.every(([status]) => statuses.has(status));
    return {
      id: `header.${name}`,
      name,
      facts: [
        ...jsonFacts(schema).slice(0, 1),
        isEverywhere ? 'every response' : `with ${[...statuses].sort().join(', ')}`,
      ],
      description,
    };
  });
  return {
    id: 'response-headers',
    title: 'Response headers',
    description: 'Every header of the API, and the responses that have it.',
    text: (
      <>
        {attributeList(attributes)}
        <p>
          Scripts of any web origin may call the API with a key and read these headers (CORS), except{' '}
          <code>WWW-Authenticate</code>. Cookies are not used.
        </p>
      </>
    ),
  };
}
