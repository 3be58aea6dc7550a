import { CodeBlock } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import { sampleBlock } from '../sample-block.tsx';
import type { DocsData, Section } from '../section.tsx';

export function introduction(data: DocsData): Section {
  const { origin, openApi } = data;
  const base = openApi.servers[0]?.url ?? '';
  return {
    id: 'introduction',
    title: 'Introduction',
    description: 'Base addresses, currency and units, and what REST and GraphQL have in common.',
    text: (
      <>
        <p class="lead">{openApi.info.summary}</p>
        <p>
          The API is read-only. Amounts of money are integers in US cents, dates are ISO 8601 in UTC, and
          every response body is JSON.
        </p>
        <p>
          REST and GraphQL read the same data with the same rules, the same keys and one rate limit. REST
          returns whole records; in GraphQL, a request selects the fields that it needs and may combine
          several reads.
        </p>
        <p>
          Each example can be shown for cURL, JavaScript, Python and GraphQL. The responses are real: they
          were recorded from the sample data that comes with revgate.
        </p>
        <p>
          For programs: <a href="/openapi.json">openapi.json</a> describes REST (OpenAPI {openApi.openapi}),{' '}
          <a href="/schema.graphql">schema.graphql</a> describes GraphQL, with a{' '}
          <a href="/docs/schema">page to read it</a>. To write queries with completion, open{' '}
          <a href="/graphql">GraphiQL</a>.
        </p>
      </>
    ),
    code: (
      <>
        <figure class="sample">
          <figcaption class="hint">Base addresses</figcaption>
          <CodeBlock id="addresses" label="Base addresses">
            {highlight('http', `REST: ${origin}${base}\nGraphQL: ${origin}/graphql`)}
          </CodeBlock>
        </figure>
        {sampleBlock(data, 'first')}
      </>
    ),
  };
}
