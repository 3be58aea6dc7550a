import { errorStatuses } from '../../../errors.ts';
import { sampleBlock } from '../sample-block.tsx';
import { codeLink, type DocsData, type Section } from '../section.tsx';

export function authentication(data: DocsData): Section {
  const { description } = data.openApi.components.securitySchemes.apiKey;
  return {
    id: 'authentication',
    title: 'Authentication',
    description: 'How to send a key, and what a request without a valid one gets.',
    text: (
      <>
        <p>
          Send your key with every request, in the header <code>Authorization: Bearer &lt;API_KEY&gt;</code>.{' '}
          {description}
        </p>
        <p>
          Create keys in the <a href="/dashboard">dashboard</a>. This requires that you accept the{' '}
          <a href="/policy">acceptable-use policy</a>. A key is shown once, when it is created; only its hash
          is stored. Never put a key into a URL, a log or the code of a web page; for web pages there are{' '}
          <a href="#embed-keys">embed keys</a>.
        </p>
        <p>
          A request without a valid key gets {errorStatuses.UNAUTHENTICATED} ({codeLink('UNAUTHENTICATED')}
          ); a key that was disabled under the policy gets {errorStatuses.ACCESS_DISABLED} (
          {codeLink('ACCESS_DISABLED')}
          ). Revocation takes effect within a second.
        </p>
        <p>
          The samples read the key from the environment variable <code>REVGATE_KEY</code>.
        </p>
      </>
    ),
    code: sampleBlock(data, 'unauthenticated'),
  };
}
