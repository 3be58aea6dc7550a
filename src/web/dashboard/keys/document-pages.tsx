import {
  countDocuments,
  getDocument,
  parseDocumentId,
  readDocuments,
  readTexts,
} from '../../../access/keys/documents/list.ts';
import { parseEntries } from '../../../access/keys/documents/manifest.ts';
import { publishDocuments, removeDocument } from '../../../access/keys/documents/publish-and-remove.ts';
import { type KeySummary, listKeys } from '../../../access/keys/key.ts';
import { findDeprecated, hasDeprecated } from '../../../api/graphql/planning/deprecations.ts';
import { schema } from '../../../api/graphql/schema.ts';
import { page as pageOf } from '../../../db/read-page.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { FormCard } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { FieldErrors, page, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { keyNameCell } from '../../parts/keys/key-parts.tsx';
import { listTable, readSearch } from '../../parts/lists/lists.tsx';
import { readDocument } from '../../parts/startups/documents.ts';
import { CopyStatus } from '../../shared/code-blocks.tsx';
import { Badge, buttonLink, capitalized, EmptyState, ListTable, Notice } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import { pageLinks } from '../../shared/page-links.ts';
import { KEYS_PATH } from '../../shared/paths.ts';
import { time, timeOr } from '../../shared/time.tsx';
import { documentName, documentView, idCell } from './document-view.tsx';
import { ownKey } from './key-pages.tsx';

const PATH = `${KEYS_PATH}/:id/documents`;
const EXAMPLE = 'query Top {\n  startups(sort: MRR_DESC) {\n    page { name revenue { mrr } }\n  }\n}';
type Slugs = { startups: { nodes: { slug: string }[] } };
const FIRST_SLUG = '{ startups(first: 1) { nodes { slug } } }';

/** The documents that a visitor's own key may request by their ids. */
export function documentPages(services: Services) {
  const { prisma, checkDocument } = services;
  const publishing = ({ acting, context }: Visit) => {
    const throwIfAborted = () => context.env.request.disconnected().throwIfAborted();
    return { ...acting, check: checkDocument, throwIfAborted };
  };
  /** Which documents use what is deprecated. */
  const findUses = async (
    ownerId: string,
    key: KeySummary,
    documents: readonly { readonly id: string }[],
  ) => {
    const uses = new Set<string>();
    if (hasDeprecated(schema)) {
      const texts = await readTexts(
        prisma,
        key,
        documents.map(({ id }) => id),
      );
      for (const [id, text] of texts) {
        await timeSlices.waitForTime({ ownerId });
        if (findDeprecated(schema, text).length > 0) {
          uses.add(id);
        }
      }
    }
    return uses;
  };
  const publishText = async (visit: Visit, key: KeySummary, text: string) =>
    publishDocuments(publishing(visit), key.id, readManifest(text) ?? [{ text }]);
  const load = async (visit: Visit) => {
    const key = await ownKey(visit);
    return { key, document: await getDocument(prisma, key, visit.context.req.param('document') ?? '') };
  };
  return [
    page({
      path: '/dashboard/documents',
      view: async ({ acting }) => {
        const keys = (await listKeys(acting, { which: 'working' })).toReversed();
        const pathOf = ({ id }: KeySummary) => `${KEYS_PATH}/${id}/documents`;
        const [one, ...others] = keys;
        if (one !== undefined && others.length === 0) {
          return pathOf(one);
        }
        const counts = await countDocuments(prisma, keys);
        return {
          title: pageLinks.documents.label,
          main: [
            <p class="lead">Publish a GraphQL query for a key, then request it by its ID.</p>,
            keys.length === 0 ? (
              <EmptyState title="No key yet">{buttonLink(`${KEYS_PATH}/new`, 'New key')}</EmptyState>
            ) : (
              <ListTable
                caption="Working keys"
                isCaptionHidden
                layout="entries"
                columns={[
                  ['Key', (key) => keyNameCell(pathOf(key), key)],
                  ['Documents', ({ familyId }) => count(counts.get(familyId)?.count ?? 0), 'number'],
                  ['Last published', ({ familyId }) => timeOr('Never', counts.get(familyId)?.lastAt ?? null)],
                  [
                    <span class="hidden">Actions</span>,
                    (key) =>
                      key.state === 'active' && buttonLink(`${pathOf(key)}#document`, 'Publish', 'second'),
                    'aside',
                  ],
                ]}
                rows={keys}
              />
            ),
          ],
        };
      },
    }),
    page({
      path: PATH,
      load: ownKey,
      view: async ({ context, path, sent, visitor }, key) => {
        const { name, trustedOnly, state } = key;
        const found = await pageOf(readSearch(context), (range) => readDocuments(prisma, [key], range));
        const deprecated = await findUses(visitor.id, key, found.items);
        return {
          title: `Documents of ${name}`,
          back: { name },
          main: [
            <p class="lead">
              {trustedOnly
                ? 'This key can run only the queries published here, by their IDs.'
                : 'This key can run any query. Queries published here can also be requested by ID.'}{' '}
              Keys that replace this one keep its documents.
            </p>,
            <div class="columns halves">
              <div>
                {state === 'active' ? (
                  <FormCard
                    action={path}
                    button="Publish"
                    sent={sent}
                    fields={[
                      {
                        name: 'document',
                        label: 'GraphQL document, or a manifest',
                        placeholder: EXAMPLE,
                        rows: 8,
                        isCode: true,
                        hint: (
                          <>
                            Try it in <a href="/graphql">GraphiQL</a> first. To publish all documents of a
                            build, paste the manifest of graphql-codegen, Relay or Apollo, or{' '}
                            <a href="/docs/published-documents#from-a-deployment">publish from a script</a>.
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
                {listTable(
                  context,
                  found,
                  [
                    [
                      'Document',
                      (document) => (
                        <>
                          <a href={`${path}/${parseDocumentId(document.id)}`}>{documentName(document)}</a>{' '}
                          {document.feed && <Badge>feed</Badge>}{' '}
                          {deprecated.has(document.id) && <Badge tone="warn">deprecated</Badge>}
                        </>
                      ),
                    ],
                    ['ID', idCell, 'line'],
                    ['Published', ({ publishedAt }) => time(publishedAt)],
                  ],
                  {
                    empty: (
                      <EmptyState title="No document yet" text="Each one gets an ID to request it by." />
                    ),
                  },
                )}
                <CopyStatus />
              </div>
            </div>,
          ],
        };
      },
      act: async (visit, key) => {
        // Forms send each line end as two characters. The rest is as sent: the id is that of the text.
        const text = (visit.form.document ?? '').replaceAll('\r\n', '\n');
        // What is wrong stands below the field, so that it stays where it is.
        const all = await publishText(visit, key, text).catch((error) => {
          throw error instanceof OperatorError
            ? new FieldErrors({ document: capitalized(error.lines.join(' ')) })
            : error;
        });
        const [published, ...more] = all;
        const isNew = all.some((one) => one.isNew);
        if (all.some(({ replacedId }) => replacedId !== null)) {
          return withNotice(visit.path, 'published-replaced');
        }
        if (more.length > 0) {
          return withNotice(visit.path, isNew ? 'published-all' : 'published-before');
        }
        const notice = isNew ? 'published' : 'published-before';
        return withNotice(`${visit.path}/${parseDocumentId(published?.id ?? '')}`, notice);
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
          back: { name: `Documents of ${key.name}` },
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
        back: { name: documentName(document) },
        isDanger: true,
        button: 'Remove document',
        text: (
          <>
            Within a second, requests with the ID of <strong>{documentName(document)}</strong> fail. If you
            publish the same text again, it gets the same ID.
          </>
        ),
      }),
      act: async ({ acting }, { key, document }) => {
        await removeDocument(acting, key.id, document.id);
        return withNotice(`${KEYS_PATH}/${key.id}/documents`, 'unpublished');
      },
    }),
  ];
}

/** The documents of a manifest; undefined for a text that is none, such as a document, which is no JSON. */
function readManifest(text: string): ReturnType<typeof parseEntries> | undefined {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return undefined;
  }
  return parseEntries('Manifest', manifest);
}
