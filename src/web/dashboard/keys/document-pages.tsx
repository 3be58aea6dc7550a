import {
  getDocument,
  type ListedDocument,
  parseDocumentId,
  readDocuments,
} from '../../../access/keys/documents/list.ts';
import { publishDocuments, removeDocument } from '../../../access/keys/documents/publish-and-remove.ts';
import { listKeys } from '../../../access/keys/key.ts';
import { page as pageOf } from '../../../db/read-page.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { commandBlock, copyHeading } from '../../shared/code-blocks.tsx';
import { writeSample } from '../../shared/code-samples.ts';
import { Badge, buttonLink, type Column, EmptyState, Notice } from '../../shared/components.tsx';
import { time } from '../../shared/time.tsx';
import { readDocument } from '../explorer/documents.ts';
import { FormCard } from '../forms.tsx';
import { listTable, readSearch } from '../operator/list-page.tsx';
import { FieldErrors, page, type Visit } from '../page.ts';
import type { Services } from '../services.ts';
import { documentName, documentView, idCell } from './document-view.tsx';
import { ownKey } from './key-pages.tsx';
import { KEYS_PATH } from './key-parts.tsx';

const PATH = `${KEYS_PATH}/:id/documents`;
const EXAMPLE =
  'query Top {\n  startups(sort: MRR_DESC, limit: 3) {\n    page { name revenue { mrr } }\n  }\n}';
const BY_ID = { path: '/graphql?documentId=sha256:YOUR_DOCUMENT_ID' };
type Slugs = { startups: { nodes: { slug: string }[] } };
const FIRST_SLUG = '{ startups(first: 1) { nodes { slug } } }';

/** The documents that a visitor's own key may request by their ids. */
export function documentPages(services: Services) {
  const { prisma, checkDocument, origin } = services;
  const publishing = ({ acting, context }: Visit) => {
    const throwIfAborted = () => context.env.request.disconnected().throwIfAborted();
    return { ...acting, check: checkDocument, throwIfAborted };
  };
  const load = async (visit: Visit) => {
    const key = await ownKey(visit);
    return { key, document: await getDocument(prisma, key, visit.context.req.param('document') ?? '') };
  };
  const byId = (
    <section class="card">
      {copyHeading('Request a document by its id')}
      {commandBlock('by-id', 'Example request', writeSample.curl({ origin, request: BY_ID }))}
    </section>
  );
  return [
    page({
      path: '/dashboard/documents',
      view: async ({ acting, context }) => {
        const keys = (await listKeys(acting, { which: 'working' })).toReversed();
        const keyOf = new Map(keys.map((key) => [key.familyId, key]));
        const pathOf = (id = '') => `${KEYS_PATH}/${id}/documents`;
        const found = await pageOf(readSearch(context), (range) => readDocuments(prisma, keys, range));
        return {
          title: 'Documents',
          main: [
            <p class="lead">Publish a GraphQL query once, then request it by its id.</p>,
            found.items.length > 0 &&
              listTable(context, found, [
                nameColumn(({ familyId }) => pathOf(keyOf.get(familyId)?.id)),
                ['Key', ({ familyId }) => keyOf.get(familyId)?.name],
                ['Id', idCell],
                ['Published', ({ publishedAt }) => time(publishedAt, 'minute')],
              ]),
            keys.length === 0 ? (
              <EmptyState title="No key yet">{buttonLink(`${KEYS_PATH}/new`, 'New key')}</EmptyState>
            ) : (
              <section class="card">
                <h2>Publish a document</h2>
                <p class="soft">For which key?</p>
                <div class="actions">
                  {keys
                    .filter(({ state }) => state === 'active')
                    .map(({ id, name }) => buttonLink(`${pathOf(id)}#document`, name, 'second'))}
                </div>
              </section>
            ),
            byId,
          ],
        };
      },
    }),
    page({
      path: PATH,
      load: ownKey,
      view: async ({ context, path, sent }, key) => {
        const { name, trustedOnly, state } = key;
        const found = await pageOf(readSearch(context), (range) => readDocuments(prisma, [key], range));
        return {
          title: `Documents of ${name}`,
          back: name,
          main: [
            <div class="columns halves">
              <div>
                {state === 'active' ? (
                  <FormCard
                    title="Publish a document"
                    action={path}
                    button="Publish"
                    sent={sent}
                    fields={[
                      {
                        name: 'document',
                        label: 'GraphQL document',
                        placeholder: EXAMPLE,
                        rows: 12,
                        isCode: true,
                        hint: (
                          <>
                            Try it in <a href="/graphql">GraphiQL</a> first. To publish all documents that
                            graphql-codegen, Relay or Apollo has collected in a manifest, run{' '}
                            <code>revgate documents publish</code>.
                          </>
                        ),
                      },
                    ]}
                  />
                ) : (
                  <Notice tone="warn">{`This key is ${state}: only an active key can publish documents.`}</Notice>
                )}
              </div>
              <div>
                <p class="soft">
                  {trustedOnly
                    ? 'This key runs only the GraphQL documents published here. Requests name them by their ids.'
                    : 'This key runs any GraphQL document. Those published here can be requested by their ids.'}{' '}
                  Keys that replace this one keep its documents.
                </p>
                {found.items.length > 0 &&
                  listTable(context, found, [
                    nameColumn(() => path),
                    ['Id', idCell],
                    ['Published', ({ publishedAt }) => time(publishedAt)],
                  ])}
                {byId}
              </div>
            </div>,
          ],
        };
      },
      act: async (visit, key) => {
        const text = (visit.form.document ?? '').replaceAll('\r\n', '\n').trim();
        // What is wrong stands below the field, so that it stays where it is.
        const [published] = await publishDocuments(publishing(visit), key.id, [{ text }]).catch((error) => {
          throw error instanceof OperatorError ? new FieldErrors({ document: error.lines.join(' ') }) : error;
        });
        const notice = published?.isNew ? 'published' : 'published-before';
        return `${visit.path}/${parseDocumentId(published?.id ?? '')}?notice=${notice}`;
      },
    }),
    page({
      path: `${PATH}/:document`,
      load,
      view: async ({ context, path, visitor }, { key, document }) => {
        // Marking up a document takes some ms, and an account can request many pages at once.
        await timeSlices.waitForTime({ ownerId: visitor.id });
        const { startups } = await readDocument<Slugs>(services, context, FIRST_SLUG);
        const slug = startups.nodes[0]?.slug ?? 'acme';
        return {
          title: documentName(document),
          back: `Documents of ${key.name}`,
          action: buttonLink(`${path}/remove`, 'Remove', 'second'),
          main: documentView({ ...services, key, document, slug, path }),
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
      view: (_, { document }) => ({
        title: 'Remove this document?',
        back: documentName(document),
        isDanger: true,
        button: 'Remove document',
        text: (
          <>
            Within a second, requests that name <strong>{documentName(document)}</strong> by its id get an
            error. If you publish the same text again, it gets the same id.
          </>
        ),
      }),
      act: async ({ acting }, { key, document }) => {
        await removeDocument(acting, key.id, document.id);
        return `${KEYS_PATH}/${key.id}/documents?notice=unpublished`;
      },
    }),
  ];
}

/** The name of a document, which leads to its page. @param pathOf the page of its key's documents. */
const nameColumn = (pathOf: (document: ListedDocument) => string): Column<ListedDocument> => [
  'Document',
  (document) => (
    <>
      <a href={`${pathOf(document)}/${parseDocumentId(document.id)}`}>{documentName(document)}</a>{' '}
      {document.feed && <Badge>feed</Badge>}
    </>
  ),
];
