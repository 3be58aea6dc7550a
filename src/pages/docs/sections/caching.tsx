import { sampleBlock } from '../sample-block.tsx';
import { codeLink, type DocsData, type Section } from '../section.tsx';

export function caching(data: DocsData): Section {
  return {
    id: 'conditional-requests',
    title: 'Conditional requests',
    description: 'Save transfers with ETag and If-None-Match.',
    text: (
      <>
        <p>
          A response to GET or HEAD with status 200 and without errors has a strong <code>ETag</code> and{' '}
          <code>Cache-Control: private, no-cache</code>. Keep the response, and send its tag in{' '}
          <code>If-None-Match</code> with the next request: as long as the response would be the same, you get
          304 without a body. This saves the transfer, but not the cost: the request counts as before.
        </p>
        <p>
          All other responses of the API are <code>no-store</code>. <code>Vary</code> names{' '}
          <code>Authorization</code> and, for GraphQL, <code>Accept</code>. Responses to{' '}
          <a href="#embed-keys">embed keys</a> may be cached for a minute. To learn whether any data has
          changed, compare {codeLink('Dataset.version', 'dataset.version')}.
        </p>
      </>
    ),
    code: sampleBlock(data, 'unchanged'),
  };
}
