import { parseDocumentId } from '../../../access/keys/documents/document-id.ts';
import { getDocument, type ReadDocument, readDocuments } from '../../../access/keys/documents/list.ts';
import { publishDocuments, removeDocument } from '../../../access/keys/documents/publish.ts';
import { listKeys } from '../../../access/keys/list.ts';
import { readPage, page as readPageOf } from '../../../db/read-page.ts';
import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { CopyButton, CopyStatus } from '../../shared/code-blocks.tsx';
import { Badge, buttonLink, EmptyState, ListTable, Notice, Pager } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { createReader } from '../explorer/reader.ts';
import { field, formPage, PostForm } from '../forms.tsx';
import { page, type Visit } from '../page.ts';
import type { Services } from '../services.ts';
import { documentName, documentView } from './document-view.tsx';
import { ownKey } from './key-pages.tsx';
import { nameCell } from './key-parts.tsx';
import { KEYS_PATH } from './list-page.tsx';

/** Of a page of the list. */
const DOCUMENTS = 25;
const PATH = `${KEYS_PATH}/:id/documents`;
const EXAMPLE = 'query Top {\n  startups(first: 3) {\n    nodes { name revenue { mrr } }\n  }\n}';
const FIRST_SLUG = '{ startups(first: 1) { nodes { slug } } }';

/** An id with its button. */
const idCell = ({ id, operations }: Pick<ReadDocument, 'id' | 'operations'>): Html => (
  <span class="actions id">
    <code id={id}>{id}</code>
    <CopyButton of={id} label={`Copy the id of ${documentName({ operations })}`} isQuiet />
  </span>
);

/** The documents that a visitor's own key may request by their ids. */
export function documentPages(services: Services) {
  const { prisma, checkDocument } = services;
  const read = createReader(services);
  const publishing = ({ acting, context }: Visit) => {
    const throwIfAborted = () => context.env.request.disconnected().throwIfAborted();
    return { ...acting, check: checkDocument, throwIfAborted };
  };
  const load = async (visit: Visit) => {
    const key = await ownKey(visit);
    return { key, document: await getDocument(prisma, key, visit.context.req.param('document') ?? '') };
  };
  return [
    page({
      path: '/dashboard/documents',
      view: async ({ acting }) => {
        const keys = (await listKeys(acting, { which: 'working' })).toReversed();
        const counts = await prisma.trustedDocument.groupBy({
          by: ['familyId'],
          where: { familyId: { in: keys.map(({ familyId }) => familyId) } },
          _count: true,
        });
        const countOf = new Map(counts.map((row) => [row.familyId, row._count]));
        const pathOf = (id: string) => `${KEYS_PATH}/${id}/documents`;
        return {
          title: 'Documents',
          main: (
            <>
              <p class="soft">
                A key can have GraphQL documents published for it, which requests name by their ids. An embed
                key runs nothing else.
              </p>
              {keys.length === 0 ? (
                <EmptyState title="No key yet">{buttonLink(`${KEYS_PATH}/new`, 'New key')}</EmptyState>
              ) : (
                <ListTable
                  caption="Documents by key"
                  isCaptionHidden
                  columns={[
                    ['Key', (key) => nameCell(pathOf(key.id), key)],
                    ['Published documents', ({ familyId }) => countOf.get(familyId) ?? 0, 'number'],
                  ]}
                  rows={keys}
                />
              )}
            </>
          ),
        };
      },
    }),
    page({
      path: PATH,
      load: ownKey,
      view: async ({ path, query, sent }, key) => {
        const { name, trustedOnly, state } = key;
        const wanted = { page: readPage(query('page')), size: DOCUMENTS };
        const { items, hasMore } = await readPageOf(wanted, (range) => readDocuments(prisma, key, range));
        return {
          title: `Documents of ${name}`,
          back: name,
          main: (
            <>
              <p class="soft">
                {trustedOnly
                  ? 'This key runs only the GraphQL documents published here. Requests name them by their ids.'
                  : 'This key runs any GraphQL document. Those published here can be requested by their ids.'}{' '}
                Keys that replace this one keep its documents.
              </p>
              <div class="heading sub">
                <h2>Published</h2>
                <CopyStatus />
              </div>
              {items.length === 0 ? (
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
                          <a href={`${path}/${parseDocumentId(document.id)}`}>{documentName(document)}</a>{' '}
                          {document.feed && <Badge>feed</Badge>}
                        </>
                      ),
                    ],
                    ['Id', idCell],
                    ['Published', ({ publishedAt }) => time(publishedAt, 'minute')],
                  ]}
                  rows={items}
                />
              )}
              <Pager
                page={wanted.page}
                hasMore={hasMore}
                label="Pages of documents"
                isByTime
                link={(to) => `${path}?page=${to}`}
              />
              {state === 'active' ? (
                <section class="card">
                  <h2>Publish a document</h2>
                  <PostForm action={path} button="Publish">
                    {field({
                      name: 'document',
                      label: 'GraphQL document',
                      placeholder: EXAMPLE,
                      sent,
                      rows: 12,
                      isCode: true,
                      hint: (
                        <>
                          Try it in <a href="/graphql">GraphiQL</a> first. A program publishes the manifest
                          that graphql-codegen, Relay or Apollo writes with{' '}
                          <code>revgate documents publish</code>.
                        </>
                      ),
                    })}
                  </PostForm>
                </section>
              ) : (
                <Notice tone="warn">{`This key is ${state}: only an active key can publish documents.`}</Notice>
              )}
            </>
          ),
        };
      },
      forms: {
        '': async (visit, key) => {
          const text = (visit.form.document ?? '').replaceAll('\r\n', '\n').trim();
          const [published] = await publishDocuments(publishing(visit), key.id, [{ text }]);
          const notice = published?.isNew ? 'published' : 'published-before';
          return `${visit.path}/${parseDocumentId(published?.id ?? '')}?notice=${notice}`;
        },
      },
    }),
    page({
      path: `${PATH}/:document`,
      load,
      view: async ({ context, path, visitor }, { key, document }) => {
        // Marking up a document takes some ms, and an account can request many pages at once.
        await timeSlices.waitForTime({ ownerId: visitor.id });
        const { startups } = await read<{ startups: { nodes: { slug: string }[] } }>(context, FIRST_SLUG);
        const slug = startups.nodes[0]?.slug ?? 'acme';
        return {
          title: documentName(document),
          back: `Documents of ${key.name}`,
          action: buttonLink(`${path}/remove`, 'Remove', 'second'),
          main: documentView({ ...services, key, document, slug, path, idCell }),
        };
      },
      forms: {
        '/feed': async (visit, { key, document }) => {
          const { text } = document;
          await publishDocuments(publishing(visit), key.id, [{ text }], visit.form.feed === 'on');
          return visit.path;
        },
      },
    }),
    page({
      path: `${PATH}/:document/remove`,
      load,
      view: (visit, { document }) =>
        formPage(visit, {
          title: 'Remove this document?',
          back: documentName(document),
          isDanger: true,
          button: 'Remove document',
          children: (
            <p>
              Within a second, requests that name <strong>{documentName(document)}</strong> by its id get an
              error. If you publish the same text again, it gets the same id.
            </p>
          ),
        }),
      forms: {
        '': async ({ acting }, { key, document }) => {
          await removeDocument(acting, key.id, document.id);
          return `${KEYS_PATH}/${key.id}/documents?notice=unpublished`;
        },
      },
    }),
  ];
}
