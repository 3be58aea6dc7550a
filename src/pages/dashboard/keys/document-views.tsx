import type { Paged } from '../../../db/read-page.ts';
import type { ReadDocument } from '../../../documents/list.ts';
import type { ReviewedDocument } from '../../../documents/publish.ts';
import { requiredVariables } from '../../../graphql/documents/required-variables.ts';
import { isEmbedKey, type KeySummary } from '../../../keys/key.ts';
import { amount } from '../../../text/amount.ts';
import type { SampleRequest } from '../../shared/code-samples.ts';
import {
  CodeBlock,
  CopyButton,
  EmptyState,
  Notice,
  Pager,
  Samples,
  Table,
} from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { embedSnippet, placeholders, previewLook } from '../explorer/embed-snippet.tsx';
import { field, PostForm } from '../forms.tsx';
import type { Page } from '../page.ts';

/**
 * The documents of a key, and the form to publish one.
 *
 * @param documents a page of them, newest first.
 * @param sent the submitted document, and its errors.
 * @param origin the public origin of the gateway.
 */
export function documentsPage(
  key: KeySummary,
  { items, page, hasMore }: Paged<ReadDocument> & { readonly page: number },
  sent: { readonly text: string; readonly errors: readonly string[] },
  origin: string,
): Page {
  const { id, name, trustedOnly, state } = key;
  return {
    errors: sent.errors,
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
      <PostForm action={`/dashboard/keys/${id}/documents`} button="Publish">
        {field({
          name: 'document',
          label: 'GraphQL document',
          value: text,
          rows: 8,
          isCode: true,
          hint: 'Such as query Top { startups(first: 3) { nodes { name } } }',
        })}
      </PostForm>
    </section>
  );
}

function manifestForm(id: string, manifest = ''): Html {
  return (
    <PostForm action={`/dashboard/keys/${id}/documents/manifest`} button="Check the manifest">
      {field({
        name: 'manifest',
        label: 'Manifest of a build',
        value: manifest,
        rows: 6,
        isCode: true,
        hint: (
          <>
            The JSON that graphql-codegen, Relay or Apollo write, or a list of documents. Publish a manifest
            of more than 100 kB with revgate documents publish.
          </>
        ),
      })}
    </PostForm>
  );
}

/** What a manifest would add to a key, and what is invalid. */
export function manifestPage(
  { id, name }: KeySummary,
  manifest: string,
  reviewed: readonly ReviewedDocument[],
  errors: readonly string[] = [],
): Page {
  const problems = [...errors, ...reviewed.flatMap((document) => document.errors)];
  const added = reviewed.filter(({ isNew }) => isNew).length;
  return {
    errors: problems,
    title: 'Publish a manifest',
    back: { path: `/dashboard/keys/${id}/documents`, label: `Documents of ${name}` },
    main: (
      <>
        {reviewed.length > 0 && (
          <div class="table">
            <Table
              caption="Documents of the manifest"
              isCaptionHidden
              columns={[
                ['Operations', ({ operations }) => operations.join(', ') || 'Unnamed operation'],
                [
                  'State',
                  (one) => (one.errors.length > 0 ? 'Invalid' : one.isNew ? 'New' : 'Published before'),
                ],
                [
                  'Id that clients send',
                  (one) => (
                    <>
                      <code class="long">{one.id}</code>
                      {one.replacedId !== null && ` in place of ${one.replacedId}`}
                    </>
                  ),
                ],
              ]}
              rows={reviewed}
            />
          </div>
        )}
        {problems.length > 0 ? (
          <section class="card">{manifestForm(id, manifest)}</section>
        ) : added === 0 ? (
          <p>Everything in this manifest is published already.</p>
        ) : (
          <PostForm
            action={`/dashboard/keys/${id}/documents/manifest`}
            button={`Publish ${amount(added, 'document')}`}
            cancel={`/dashboard/keys/${id}/documents`}
          >
            <input type="hidden" name="manifest" value={manifest} />
            <input type="hidden" name="reviewed" value="yes" />
          </PostForm>
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
              {embedSnippet({
                id: `document-${index}-embed`,
                origin,
                key: 'rvg_pub_…',
                documentId: id,
                text,
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
