import type { Paged } from '../../../db/paged.ts';
import type { ReadDocument } from '../../../documents/list.ts';
import type { ReviewedDocument } from '../../../documents/publish.ts';
import { requiredVariables } from '../../../graphql/documents/required-variables.ts';
import { isEmbedKey, type KeySummary } from '../../../keys/key.ts';
import { amount } from '../../../text/amount.ts';
import { CodeBlock, CopyButton, EmptyState, Notice, Pager, Samples } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Html } from '../../shared/jsx.ts';
import type { SampleRequest } from '../../shared/samples.ts';
import { time } from '../../shared/time.tsx';
import { embedPreview, previewLook } from '../explorer/embed-preview.tsx';
import { embedSnippet, placeholders } from '../explorer/embed-snippet.ts';
import type { Page } from '../page.ts';

interface Documents {
  readonly key: KeySummary;
  /** A page of them, newest first. */
  readonly documents: Paged<ReadDocument> & { readonly page: number };
  /** The submitted document, and its errors. */
  readonly sent: { readonly text: string; readonly errors: readonly string[] };
  /** The public origin of the gateway. */
  readonly origin: string;
}

/** The documents of a key, and the form to publish one. */
export function documentsPage({ key, documents, sent, origin }: Documents): Page {
  const { id, name, trustedOnly, state } = key;
  const { items, page, hasMore } = documents;
  return {
    status: sent.errors.length === 0 ? 200 : 400,
    title: `Documents of ${name}`,
    back: { path: `/dashboard/keys/${id}`, label: name },
    ...(isEmbedKey(key) && previewLook),
    main: (
      <>
        <p class="lead">
          {trustedOnly
            ? 'This key runs only the GraphQL documents published here. Requests name them by their ids.'
            : 'This key runs any GraphQL document. Those published here can be requested by their ids.'}
        </p>
        {sent.errors.map((error) => (
          <Notice tone="wrong">{error}</Notice>
        ))}
        {state !== 'active' && (
          <Notice tone="warn">{`This key is ${state}: only an active key can publish documents.`}</Notice>
        )}
        {state === 'active' && items.length === 0 && (
          <EmptyState title="No documents published">
            <p class="soft">Publish the first one below. Keys that replace this one keep its documents.</p>
          </EmptyState>
        )}
        {items.map((document, index) => documentCard(key, document, index, origin))}
        <Pager
          page={page}
          hasMore={hasMore}
          label="Pages of documents"
          isByTime
          link={(to) => `/dashboard/keys/${id}/documents?page=${to}`}
        />
        {state === 'active' && publishForm(id, sent.text)}
        {state === 'active' && (
          <section class="card">
            <h2>Publish a manifest</h2>
            {manifestForm(id)}
          </section>
        )}
      </>
    ),
  };
}

function publishForm(id: string, text: string): Html {
  return (
    <section class="card">
      <h2>Publish a document</h2>
      <form class="stack" method="post" action={`/dashboard/keys/${id}/documents`}>
        <div class="field">
          <label for="document">GraphQL document</label>
          <textarea
            id="document"
            name="document"
            rows="8"
            class="mono"
            spellcheck="false"
            required
            aria-describedby="document-hint"
          >
            {text}
          </textarea>
          <p class="hint" id="document-hint">
            Such as query Top {'{'} startups(first: 3) {'{'} nodes {'{'} name {'}'} {'}'} {'}'}
          </p>
        </div>
        <div class="actions">
          <button>Publish</button>
        </div>
      </form>
    </section>
  );
}

function manifestForm(id: string, manifest = ''): Html {
  return (
    <form class="stack" method="post" action={`/dashboard/keys/${id}/documents/manifest`}>
      <div class="field">
        <label for="manifest">Manifest of a build</label>
        <textarea
          id="manifest"
          name="manifest"
          rows="6"
          class="mono"
          spellcheck="false"
          required
          aria-describedby="manifest-hint"
        >
          {manifest}
        </textarea>
        <p class="hint" id="manifest-hint">
          The JSON that graphql-codegen, Relay or Apollo write, or a list of documents. Publish a manifest of
          more than 100 kB with revgate documents publish.
        </p>
      </div>
      <div class="actions">
        <button>Check the manifest</button>
      </div>
    </form>
  );
}

/** What a manifest would add to a key, and what is invalid. */
export function manifestPage({
  key: { id, name },
  manifest,
  reviewed,
  errors,
}: {
  readonly key: KeySummary;
  readonly manifest: string;
  readonly reviewed: readonly ReviewedDocument[];
  readonly errors: readonly string[];
}): Page {
  const invalid = reviewed.filter((document) => document.errors.length > 0);
  const added = reviewed.filter(({ isNew }) => isNew).length;
  const isValid = errors.length === 0 && invalid.length === 0;
  return {
    status: isValid ? 200 : 400,
    title: 'Publish a manifest',
    back: { path: `/dashboard/keys/${id}/documents`, label: `Documents of ${name}` },
    main: (
      <>
        {[...errors, ...invalid.flatMap((document) => document.errors)].map((error) => (
          <Notice tone="wrong">{error}</Notice>
        ))}
        {reviewed.length > 0 && (
          <div class="table">
            <table>
              <thead>
                <tr>
                  <th scope="col">Operations</th>
                  <th scope="col">State</th>
                  <th scope="col">Id that clients send</th>
                </tr>
              </thead>
              <tbody>
                {reviewed.map((document) => (
                  <tr>
                    <th scope="row">{document.operations.join(', ') || 'Unnamed operation'}</th>
                    <td>
                      {document.errors.length > 0 ? 'Invalid' : document.isNew ? 'New' : 'Published before'}
                    </td>
                    <td>
                      <code class="long">{document.id}</code>
                      {document.replacedId !== null && ` in place of ${document.replacedId}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {!isValid ? (
          <section class="card">{manifestForm(id, manifest)}</section>
        ) : added === 0 ? (
          <p>Everything in this manifest is published already.</p>
        ) : (
          <form class="stack" method="post" action={`/dashboard/keys/${id}/documents/manifest`}>
            <input type="hidden" name="manifest" value={manifest} />
            <div class="actions">
              <button name="reviewed" value="yes">
                Publish {amount(added, 'document')}
              </button>
              <a class="button second" href={`/dashboard/keys/${id}/documents`}>
                Cancel
              </a>
            </div>
          </form>
        )}
      </>
    ),
  };
}

function documentCard(key: KeySummary, document: ReadDocument, index: number, origin: string): Html {
  const { id, operations, publishedAt, text } = document;
  const name = operations.join(', ') || 'Unnamed operation';
  const idPlace = `document-${index}-id`;
  return (
    <section class="card document">
      <div class="heading sub">
        <h2>{name}</h2>
        <form method="post" action={`/dashboard/keys/${key.id}/documents/remove`}>
          <input type="hidden" name="document" value={id} />
          <button class="quiet">
            Remove<span class="hidden"> {name}</span>
          </button>
        </form>
      </div>
      <dl class="facts">
        <dt>Id</dt>
        <dd class="actions">
          <code class="long" id={idPlace}>
            {id}
          </code>
          <CopyButton of={idPlace} label="Copy the id" isQuiet />
        </dd>
        <dt>Published</dt>
        <dd>{time(publishedAt, 'minute')}</dd>
      </dl>
      <details>
        <summary>Text</summary>
        <CodeBlock id={`document-${index}-text`} label={`text of ${name}`}>
          {highlight('graphql', text)}
        </CodeBlock>
      </details>
      {isEmbedKey(key) && (
        <details>
          <summary>Embed</summary>
          {operations.length > 1 ? (
            <p class="soft">An element runs documents of one operation. This one has {operations.length}.</p>
          ) : (
            <>
              <p class="soft">
                Replace rvg_pub_… with the key, which was shown when it was created. The preview runs with
                your session.
              </p>
              {embedPreview({
                text,
                id: `document-${index}-embed`,
                snippet: embedSnippet({ origin, key: 'rvg_pub_…', documentId: id, text }),
              })}
            </>
          )}
        </details>
      )}
      <details>
        <summary>Example request</summary>
        <Samples id={`document-${index}-`} origin={origin} request={requestOf(key, document)} />
      </details>
    </section>
  );
}

/**
 * A document of several operations is sent with the name of one, and required variables in a body, where they can be read;
 * an embed key works from its origins only.
 */
function requestOf({ origins: [page] }: KeySummary, { id, operations, text }: ReadDocument): SampleRequest {
  const [operationName] = operations.length > 1 ? operations : [];
  const headers = page === undefined ? {} : { Origin: page };
  const variables = requiredVariables(text);
  return variables.length === 0
    ? {
        path: `/graphql?documentId=${id}${operationName === undefined ? '' : `&operationName=${operationName}`}`,
        headers,
      }
    : {
        path: '/graphql',
        headers,
        body: {
          documentId: id,
          ...(operationName !== undefined && { operationName }),
          variables: placeholders(variables),
        },
      };
}
