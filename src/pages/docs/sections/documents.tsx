import { sampleBlock } from '../sample-block.tsx';
import { codeLink, count, type DocsData, heading, type Section } from '../section.tsx';

const trusted = { id: 'trusted-documents', title: 'Trusted documents' };

export function publishedDocuments(data: DocsData): Section {
  return {
    id: 'published-documents',
    title: 'Published documents',
    description: 'Store GraphQL documents on the server, request them by id, and restrict a key to them.',
    parts: [trusted],
    text: (
      <>
        <p>
          A GraphQL document that is published for a key can be requested by its id: <code>sha256:</code> and
          the SHA-256 of its exact text in lower-case hex. Send <code>documentId</code> in place of{' '}
          <code>query</code>, with GET or POST; <code>extensions.persistedQuery</code>, which Apollo Client
          and urql send, means the same. Variables, cost and response are those of the text.
        </p>
        <p>
          Publish documents in the <a href="/dashboard/keys">dashboard</a> or with{' '}
          <code>revgate documents publish</code>. Requests never publish one: a request with an id and a text
          is invalid. An id that is not published for the key gets {codeLink('DOCUMENT_NOT_FOUND')}.
        </p>
        <p>
          Only an active key can publish documents. They are removed when the key and all keys that replaced
          it have ended. An account can store a <a href="#limits">limited number</a> of documents.
        </p>
        {heading(trusted)}
        <p>
          A key can be restricted to its published documents. Any other text then gets{' '}
          {codeLink('DOCUMENT_NOT_TRUSTED')}; REST still works.
        </p>
      </>
    ),
    code: sampleBlock(data, 'published'),
  };
}

export function embedKeys({ embedLimit }: DocsData): Section {
  return {
    id: 'embed-keys',
    title: 'Embed keys',
    description: 'Keys that web pages can contain: bound to your origins and your published documents.',
    text: (
      <>
        <p>
          A key that begins with <code>rvg_pub_</code> is for the scripts of web pages, where everyone can
          read it. It can run <a href="#published-documents">published documents</a> at <code>/graphql</code>{' '}
          and nothing else. A request must have an <code>Origin</code> that the key lists; another one, or
          none, gets {codeLink('ORIGIN_NOT_ALLOWED')}.
        </p>
        <p>
          The limit is that of the key's tier for each client address, and {count(embedLimit)} for all clients
          together. A successful response to GET is <code>Cache-Control: public, max-age=60</code>: shared
          caches may serve it for a minute.
        </p>
      </>
    ),
  };
}
