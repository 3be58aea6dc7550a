import { Hono } from 'hono';
import { parseDocumentId } from '../../../access/keys/documents/document-id.ts';
import { getDocument, type ListedDocument, readDocuments } from '../../../access/keys/documents/list.ts';
import { parseManifest } from '../../../access/keys/documents/manifest.ts';
import { checkDocuments, publishDocuments, removeDocument } from '../../../access/keys/documents/publish.ts';
import { getKey, isEmbedKey } from '../../../access/keys/key.ts';
import { readPage, page as readPageOf } from '../../../db/read-page.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { CopyButton, CopyStatus } from '../../shared/code-blocks.tsx';
import { Badge, buttonLink, ListTable, Notice, Pager } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { previewLook } from '../embeds/embed-snippet.tsx';
import { createReader } from '../explorer/reader.ts';
import { action, FieldErrors, type SentForm, view } from '../form-actions.ts';
import { PostForm } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { documentEditor } from './document-editor.tsx';
import { documentName, documentView } from './document-view.tsx';
import { keyTabs } from './key-details.tsx';
import { ALL_KEYS } from './key-pages.tsx';

/** Of a page of the list. */
const DOCUMENTS = 25;

const pathOf = (keyId: string): string => `/dashboard/keys/${keyId}/documents`;
const documentPath = (keyId: string, id: string): string => `${pathOf(keyId)}/${parseDocumentId(id)}`;

/** The documents that a visitor's own key may request by their ids. */
export function documentRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, checkDocument } = services;
  const read = createReader(services);

  const open = async (context: SignedInContext) => {
    const acting = { ...actingFor(services, context.var.visitor), check: checkDocument };
    return { acting, key: await getKey(acting, context.req.param('id') ?? '') };
  };

  const documentsPage = async (
    context: SignedInContext,
    sent: SentForm,
    checked?: readonly Pick<ListedDocument, 'operations'>[],
  ): Promise<Page> => {
    const { key } = await open(context);
    const { id, name, trustedOnly, state } = key;
    const wanted = { page: readPage(context.req.query('page')), size: DOCUMENTS };
    const { items, hasMore } = await readPageOf(wanted, (range) => readDocuments(prisma, key, range));
    return {
      title: `Documents of ${name}`,
      heading: name,
      back: ALL_KEYS,
      main: (
        <>
          {keyTabs(id, 'Documents')}
          <p class="soft">
            {trustedOnly
              ? 'This key runs only the GraphQL documents published here. Requests name them by their ids.'
              : 'This key runs any GraphQL document. Those published here can be requested by their ids.'}{' '}
            Keys that replace this one keep its documents.
          </p>
          {state !== 'active' && (
            <Notice tone="warn">{`This key is ${state}: only an active key can publish documents.`}</Notice>
          )}
          {documentTable(id, items)}
          <Pager
            page={wanted.page}
            hasMore={hasMore}
            label="Pages of documents"
            isByTime
            link={(to) => `${pathOf(id)}?page=${to}`}
          />
          {state === 'active' && documentEditor(pathOf(id), isEmbedKey(key), sent, checked)}
        </>
      ),
    };
  };

  const openDocument = async (context: SignedInContext) => {
    const { key } = await open(context);
    return { key, document: await getDocument(prisma, key, context.req.param('document') ?? '') };
  };

  const documentPage = async (context: SignedInContext): Promise<Response> => {
    const { key, document } = await openDocument(context);
    // Marking up a document takes some ms, and an account can request many pages at once.
    await timeSlices.waitForTime({ ownerId: context.var.visitor.id });
    return context.render({
      title: documentName(document),
      back: { path: pathOf(key.id), label: `Documents of ${key.name}` },
      action: buttonLink(`${documentPath(key.id, document.id)}/remove`, 'Remove', 'second'),
      ...(isEmbedKey(key) && previewLook),
      main: documentView(key, document, { ...services, slug: await findSlug(context) }),
    });
  };

  /** A startup for samples; if there is none yet, any text. */
  const findSlug = async (context: SignedInContext): Promise<string> => {
    const first = '{ startups(first: 1) { nodes { slug } } }';
    const { startups } = await read<{ startups: { nodes: { slug: string }[] } }>(context, first);
    return startups.nodes[0]?.slug ?? 'acme';
  };

  const publish = async (context: SignedInContext): Promise<Response> => {
    const { acting, key } = await open(context);
    const { request } = context.env;
    const { form } = context.var;
    const throwIfAborted = () => request.disconnected().throwIfAborted();
    const publishing = { ...acting, throwIfAborted };
    const feed = form.feed === undefined ? undefined : form.feed === 'on';
    const text = (form.document ?? '').replaceAll('\r\n', '\n').trim();
    const isManifest = MANIFEST.test(text);
    const entries = isManifest ? parseManifest('Manifest', text) : [{ text }];
    if (form.check !== undefined || !isManifest) {
      const checked = await checkDocuments(publishing, entries, feed).catch((error: unknown) => {
        // Errors of a manifest name its documents; those of one document are shown with their lines.
        throw error instanceof OperatorError && !isManifest
          ? new FieldErrors({ document: error.lines.join('\n') })
          : error;
      });
      if (form.check !== undefined) {
        return context.render(await documentsPage(context, { values: form, errors: {} }, checked));
      }
    }
    const published = await publishDocuments(publishing, key.id, entries, feed);
    const [only, ...others] = published;
    const notice = published.some(({ isNew }) => isNew) ? 'published' : 'published-before';
    const path = only !== undefined && others.length === 0 ? documentPath(key.id, only.id) : pathOf(key.id);
    return redirect(context, `${path}?notice=${notice}`);
  };

  const changeFeed = async (context: SignedInContext): Promise<Response> => {
    const { acting, key } = await open(context);
    const { document = '', feed } = context.var.form;
    const { id, text } = await getDocument(prisma, key, document);
    await publishDocuments(acting, key.id, [{ text }], feed === 'on');
    return redirect(context, documentPath(key.id, id));
  };

  const removalPage = async (context: SignedInContext): Promise<Page> => {
    const { key, document } = await openDocument(context);
    const name = documentName(document);
    const path = documentPath(key.id, document.id);
    return {
      title: 'Remove this document?',
      back: { path, label: name },
      isNarrow: true,
      main: (
        <div class="card danger">
          <p>
            Within a second, requests that name <strong>{name}</strong> by its id get an error. If you publish
            the same text again, it gets the same id.
          </p>
          <PostForm
            action={`${pathOf(key.id)}/remove`}
            button="Remove document"
            kind="danger"
            cancel={path}
            hidden={{ document: document.id }}
          />
        </div>
      ),
    };
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { acting, key } = await open(context);
    await removeDocument(acting, key.id, context.var.form.document ?? '');
    return redirect(context, `${pathOf(key.id)}?notice=unpublished`);
  };

  return new Hono<SignedInEnv>()
    .get(pathOf(':id'), view(documentsPage))
    .post(pathOf(':id'), action(documentsPage, publish))
    .post(`${pathOf(':id')}/feed`, action(documentsPage, changeFeed))
    .get(`${pathOf(':id')}/:document`, documentPage)
    .get(`${pathOf(':id')}/:document/remove`, view(removalPage))
    .post(`${pathOf(':id')}/remove`, remove);
}

/** A list in JSON, or an object with a name: no GraphQL document begins like this. */
const MANIFEST = /^(\[|\{\s*["}])/;

function documentTable(keyId: string, documents: readonly ListedDocument[]): Html {
  return (
    <section>
      <div class="heading sub">
        <h2>Published</h2>
        <CopyStatus />
      </div>
      {documents.length === 0 ? (
        <p class="soft">No documents published.</p>
      ) : (
        <ListTable
          caption="Published documents, newest first"
          isCaptionHidden
          columns={[
            [
              'Document',
              (document) => (
                <>
                  <a href={documentPath(keyId, document.id)}>{documentName(document)}</a>{' '}
                  {document.feed && <Badge>feed</Badge>}
                </>
              ),
            ],
            [
              'Id',
              (document) => (
                <span class="actions id">
                  <code id={document.id}>{document.id}</code>
                  <CopyButton of={document.id} label={`Copy the id of ${documentName(document)}`} isQuiet />
                </span>
              ),
            ],
            ['Published', ({ publishedAt }) => time(publishedAt, 'minute')],
          ]}
          rows={documents}
        />
      )}
    </section>
  );
}
