import { Hono } from 'hono';
import { readPage, page as readPageOf } from '../../../db/read-page.ts';
import { documentId, hashDocument } from '../../../documents/document-id.ts';
import { type ReadDocument, readDocuments } from '../../../documents/list.ts';
import { type ManifestEntry, parseManifest } from '../../../documents/manifest.ts';
import { publishDocuments, removeDocument } from '../../../documents/publish.ts';
import { timeSlices } from '../../../event-loop/time-slices.ts';
import { requiredVariables } from '../../../graphql/documents/required-variables.ts';
import { getKey, isEmbedKey, type KeySummary } from '../../../keys/key.ts';
import type { SampleRequest } from '../../shared/code-samples.ts';
import { CodeBlock, CopyButton, EmptyState, Notice, Pager, Samples } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { embedSnippet, placeholders, previewLook } from '../explorer/embed-snippet.tsx';
import { action, type SentForm, view } from '../form-actions.ts';
import { ButtonForm, field, PostForm } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';

/** Of a page: each may contain as much text as a request. */
const DOCUMENTS = 10;

const pathOf = (keyId: string): string => `/dashboard/keys/${keyId}/documents`;

/** The documents that a visitor's own key may request by their ids. */
export function documentRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, checkDocument } = services;

  const open = async (context: SignedInContext) => {
    const acting = { ...actingFor(services, context.var.visitor), check: checkDocument };
    return { acting, key: await getKey(acting, context.req.param('id') ?? '') };
  };

  const documentsPage = async (context: SignedInContext, sent: SentForm): Promise<Page> => {
    const { key } = await open(context);
    const { id, name, trustedOnly, state } = key;
    const wanted = { page: readPage(context.req.query('page')), size: DOCUMENTS };
    const { items, hasMore } = await readPageOf(wanted, (range) => readDocuments(prisma, key, range));
    // Marking up ten documents takes some ms, and an account can request many pages at once.
    await timeSlices.waitForTime({ ownerId: context.var.visitor.id });
    return {
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
          {items.map((document, index) => documentCard(key, document, index, services))}
          <Pager
            page={wanted.page}
            hasMore={hasMore}
            label="Pages of documents"
            isByTime
            link={(to) => `${pathOf(id)}?page=${to}`}
          />
          {state === 'active' && (
            <section class="card">
              <h2>Publish documents</h2>
              <PostForm action={pathOf(id)} button="Publish">
                {field({
                  name: 'document',
                  label: 'GraphQL document, or manifest of a build',
                  sent,
                  rows: 8,
                  isCode: true,
                  hint: (
                    <>
                      Such as query Top {'{ startups(first: 3) { nodes { name } } }'}, or the JSON that
                      graphql-codegen, Relay or Apollo write. Publish a manifest of more than 100 kB with
                      revgate documents publish.
                    </>
                  ),
                })}
              </PostForm>
            </section>
          )}
        </>
      ),
    };
  };

  const publish = async (context: SignedInContext): Promise<Response> => {
    const { acting, key } = await open(context);
    const { request } = context.env;
    const throwIfAborted = () => request.disconnected().throwIfAborted();
    await publishDocuments(
      { ...acting, throwIfAborted },
      key.id,
      readDocumentField(context.var.form.document ?? ''),
    );
    return redirect(context, pathOf(key.id));
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { acting, key } = await open(context);
    await removeDocument(acting, key.id, context.var.form.document ?? '');
    return redirect(context, pathOf(key.id));
  };

  return new Hono<SignedInEnv>()
    .get(pathOf(':id'), view(documentsPage))
    .post(pathOf(':id'), action(documentsPage, publish))
    .post(`${pathOf(':id')}/remove`, remove);
}

/** A list in JSON, or an object with a name: no GraphQL document begins like this. */
const MANIFEST = /^(\[|\{\s*["}])/;

/** The documents of a manifest, or the one that was typed. */
function readDocumentField(sent: string): ManifestEntry[] {
  const text = sent.replaceAll('\r\n', '\n').trim();
  return MANIFEST.test(text)
    ? parseManifest('Manifest', text)
    : [{ id: documentId(hashDocument(text)), text }];
}

function documentCard(
  key: KeySummary,
  document: ReadDocument,
  index: number,
  { origin, service }: Pick<Services, 'origin' | 'service'>,
): Html {
  const { id, operations, publishedAt, text } = document;
  const name = operations.join(', ') || 'Unnamed operation';
  const idPlace = `document-${index}-id`;
  return (
    <section class="card document">
      <div class="heading sub">
        <h2>{name}</h2>
        <ButtonForm action={`${pathOf(key.id)}/remove`} hidden={{ document: id }}>
          Remove<span class="hidden"> {name}</span>
        </ButtonForm>
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
                service,
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
