import {
  getDocument,
  parseDocumentId,
  type ReadDocument,
  readDocuments,
} from '../../../access/keys/documents/list.ts';
import { publishDocuments, removeDocument } from '../../../access/keys/documents/publish-and-remove.ts';
import { isEmbedKey, type KeySummary } from '../../../access/keys/key.ts';
import { listKeys } from '../../../access/keys/list.ts';
import { exampleVariables } from '../../../api/graphql/planning/document-variables.ts';
import { feedErrors } from '../../../api/graphql/planning/feed-list.ts';
import { page as pageOf } from '../../../db/read-page.ts';
import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { CodeBlock, CopyButton, CopyStatus, Samples } from '../../shared/code-blocks.tsx';
import { languages, type SampleRequest, writeSample } from '../../shared/code-samples.ts';
import { Badge, buttonLink, EmptyState, Facts, ListTable, Notice } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { readDocument } from '../explorer/documents.ts';
import { ButtonForm, FormCard } from '../forms.tsx';
import { listTable, readSearch } from '../operator/list-page.tsx';
import { page, type Visit } from '../page.ts';
import type { Services } from '../services.ts';
import { ownKey } from './key-pages.tsx';
import { KEYS_PATH, nameCell } from './key-parts.tsx';

const PATH = `${KEYS_PATH}/:id/documents`;
const EXAMPLE = 'query Top {\n  startups(first: 3) {\n    nodes { name revenue { mrr } }\n  }\n}';
const BY_ID = { path: '/graphql?documentId=sha256:YOUR_DOCUMENT_ID' };
type Slugs = { startups: { nodes: { slug: string }[] } };
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
  const { prisma, checkDocument, origin } = services;
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
              <p class="lead">Publish a GraphQL query once, then request it by its id.</p>
              {keys.length === 0 ? (
                <EmptyState title="No key yet">{buttonLink(`${KEYS_PATH}/new`, 'New key')}</EmptyState>
              ) : (
                <ListTable
                  caption="Documents by key"
                  isCaptionHidden
                  columns={[
                    ['Key', (key) => nameCell(pathOf(key.id), key)],
                    ['Published documents', ({ familyId }) => countOf.get(familyId) ?? 0, 'number'],
                    [
                      <span class="hidden">Publish</span>,
                      ({ id, state }) =>
                        state === 'active' &&
                        buttonLink(`${pathOf(id)}#document`, 'Publish a document', 'second'),
                      'end',
                    ],
                  ]}
                  rows={keys}
                />
              )}
              <section class="card">
                <div class="heading sub">
                  <h2>Request a document by its id</h2>
                  <CopyStatus />
                </div>
                <CodeBlock id="by-id" label="Example request" title={languages.curl}>
                  {highlight('curl', writeSample.curl({ origin, request: BY_ID }))}
                </CodeBlock>
              </section>
            </>
          ),
        };
      },
    }),
    page({
      path: PATH,
      load: ownKey,
      view: async ({ context, path, sent }, key) => {
        const { name, trustedOnly, state } = key;
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
              {listTable(
                context,
                await pageOf(readSearch(context), (range) => readDocuments(prisma, key, range)),
                [
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
                ],
                { empty: <p class="soft">No documents published.</p> },
              )}
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
            </>
          ),
        };
      },
      act: async (visit, key) => {
        const text = (visit.form.document ?? '').replaceAll('\r\n', '\n').trim();
        const [published] = await publishDocuments(publishing(visit), key.id, [{ text }]);
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
      form: (_, { document }) => ({
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

/** The most tokens of a document that are marked up: 100 kB of comments would be 50,000. */
const MOST_MARKED = 300;

/** What a document is called, by its operations. */
const documentName = ({ operations }: Pick<ReadDocument, 'operations'>): string =>
  operations.join(', ') || 'Unnamed operation';

interface ViewedDocument extends Pick<Services, 'origin'> {
  readonly key: KeySummary;
  readonly document: ReadDocument;
  /** Of a startup, for samples. */
  readonly slug: string;
  /** Of the page. */
  readonly path: string;
}

/** Everything about one document of a key. */
function documentView(viewed: ViewedDocument): Html {
  const { key, document, origin, slug } = viewed;
  const { text } = document;
  return (
    <>
      <section class="card">
        <div class="heading sub">
          <h2>Document</h2>
          <CopyStatus />
        </div>
        <Facts
          facts={[
            ['Id', idCell(document)],
            ['Published', time(document.publishedAt, 'minute')],
            isEmbedKey(key) && ['Feed', feedFact(viewed)],
          ]}
        />
      </section>
      <section class="card">
        <h2>Example request</h2>
        <p class="soft">
          Set <code>REVGATE_KEY</code> to the key, which was shown when it was created.
        </p>
        <Samples origin={origin} request={requestOf(key, document, exampleVariables(text, slug))} />
      </section>
      <section class="card">
        <h2>Text</h2>
        <CodeBlock id="document-text" label={`text of ${documentName(document)}`} title="GraphQL">
          {highlight('graphql', text, MOST_MARKED)}
        </CodeBlock>
      </section>
    </>
  );
}

/** Whether the document of an embed key has a feed, at which address, and a button that changes it. */
function feedFact({ key, document: { id, feed, text }, origin, path }: ViewedDocument): Content {
  // One that had a feed may have none now, such as a document that reads changes.
  const [error] = feed ? feedErrors(text) : [];
  return (
    <span class="actions">
      {feed && error === undefined ? (
        <code class="long">{`${origin}/feeds/${id.slice('sha256:'.length)}.atom?key=rvg_pub_…`}</code>
      ) : (
        ['none', error].filter(Boolean).join(': ')
      )}
      {key.state === 'active' && (
        <ButtonForm action={`${path}/feed`} hidden={{ feed: feed ? 'off' : 'on' }}>
          {feed ? 'End the feed' : 'Offer a feed'}
        </ButtonForm>
      )}
    </span>
  );
}

/** Variables are in a body, where they can be read. An embed key works from its origins only. */
function requestOf(
  { origins: [page] }: KeySummary,
  { id, operations }: ReadDocument,
  variables: Readonly<Record<string, unknown>>,
): SampleRequest {
  const headers = page === undefined ? {} : { Origin: page };
  // A document of several operations is sent with the name of one.
  const [operationName] = operations.length > 1 ? operations : [];
  const names = { documentId: id, ...(operationName !== undefined && { operationName }) };
  return Object.keys(variables).length === 0
    ? { path: `/graphql?${new URLSearchParams(names).toString().replace('%3A', ':')}`, headers }
    : { path: '/graphql', headers, body: { ...names, variables } };
}
