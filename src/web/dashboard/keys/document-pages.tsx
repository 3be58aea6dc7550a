import { removeEmbed } from '../../../access/keys/documents/embed.ts';
import {
  countDocuments,
  getDocument,
  type ReadDocument,
  readDocuments,
  readTexts,
} from '../../../access/keys/documents/list.ts';
import { parseEntries } from '../../../access/keys/documents/manifest.ts';
import { publishDocuments } from '../../../access/keys/documents/publish-and-remove.ts';
import { isEmbedKey, type KeySummary } from '../../../access/keys/key.ts';
import { findDeprecated, hasDeprecated } from '../../../api/graphql/planning/deprecations.ts';
import { schema } from '../../../api/graphql/schema.ts';
import { page as pageOf } from '../../../db/read-page.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { checkbox, FormCard } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { FieldErrors, page, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { documentName, documentPath, documentsPath } from '../../parts/keys/key-parts.tsx';
import { listTable, readSearch } from '../../parts/lists/lists.tsx';
import { readDocument } from '../../parts/startups/documents.ts';
import { readEmbed, type ShownEmbed } from '../../parts/startups/embed-kinds.ts';
import { embedLook } from '../../parts/startups/snippet.tsx';
import { CopyStatus } from '../../shared/code-blocks.tsx';
import { Badge, buttonLink, capitalized, Notice } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EMBEDS_PATH, KEYS_PATH } from '../../shared/paths.ts';
import { time } from '../../shared/time.tsx';
import { documentView, idCell } from './document-view.tsx';
import { ownKey } from './own-key.ts';

const PATH = `${KEYS_PATH}/:id/documents`;
const EXAMPLE = 'query Top {\n  startups(sort: MRR_DESC) {\n    page { name revenue { mrr } }\n  }\n}';
type Slugs = { startups: { nodes: { slug: string }[] } };
const FIRST_SLUG = '{ startups(first: 1) { nodes { slug } } }';

type DocumentServices = Pick<Services, 'prisma' | 'checkDocument'>;

const publishing = ({ checkDocument }: DocumentServices, { acting, context }: Visit) => {
  const throwIfAborted = () => context.env.request.disconnected().throwIfAborted();
  return { ...acting, check: checkDocument, throwIfAborted };
};

/** The documents of a key on its page, and a form that publishes more. */
export async function documentList(
  { prisma }: DocumentServices,
  { context, path, sent, visitor }: Visit,
  key: KeySummary,
): Promise<Content> {
  const found = await pageOf(readSearch(context), (range) => readDocuments(prisma, [key], range));
  const texts = await readTexts(
    prisma,
    [key],
    found.items.map(({ id }) => id),
  );
  const rows = [];
  for (const document of found.items) {
    await timeSlices.waitForTime({ ownerId: visitor.id });
    const text = texts.get(document.id) ?? '';
    const isDeprecated = hasDeprecated(schema) && findDeprecated(schema, text).length > 0;
    rows.push({ ...document, name: embedName(key, { ...document, text }), isDeprecated });
  }
  return [
    <div class="heading sub" id="documents">
      <h2>Documents</h2>
    </div>,
    <p class="soft">
      {key.trustedOnly
        ? 'This key can run only the queries published here, by their IDs.'
        : 'This key can run any query. Queries published here can also be requested by ID.'}{' '}
      Keys that replace this one keep its documents.
    </p>,
    rows.length > 0 &&
      listTable(context, { ...found, items: rows }, [
        [
          'Document',
          ({ id, name, feed, isDeprecated }) => (
            <>
              <a href={documentPath(key.id, id)}>{name}</a> {feed && <Badge>feed</Badge>}{' '}
              {isDeprecated && <Badge tone="warn">deprecated</Badge>}
            </>
          ),
        ],
        ['ID', idCell, 'line'],
        ['Published', ({ publishedAt }) => time(publishedAt)],
      ]),
    <CopyStatus />,
    key.state === 'active' ? (
      <details open={sent.values.document !== undefined}>
        <summary>Publish a document</summary>
        <FormCard
          action={`${path}/documents`}
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
                  Try it in <a href="/graphql">GraphiQL</a> first. To publish all documents of a build, paste
                  the manifest of graphql-codegen, Relay or Apollo, or{' '}
                  <a href="/docs/published-documents#from-a-deployment">publish from a script</a>.
                </>
              ),
            },
          ]}
        />
      </details>
    ) : (
      <Notice tone="warn">{`This key is ${key.state}: only an active key can publish documents.`}</Notice>
    ),
  ];
}

/** What that form does. */
export async function publishDocument(services: DocumentServices, visit: Visit, key: KeySummary) {
  // Forms send each line end as two characters. The rest is as sent: the id is that of the text.
  const text = (visit.form.document ?? '').replaceAll('\r\n', '\n');
  const documents = () =>
    publishDocuments(publishing(services, visit), key.id, readManifest(text) ?? [{ text }]);
  // What is wrong stands below the field, so that it stays where it is.
  const all = await documents().catch((error) => {
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
  return withNotice(documentPath(key.id, published?.id ?? ''), isNew ? 'published' : 'published-before');
}

/** What a document is called: that of an embed key, by what it shows. */
const embedName = (key: KeySummary, document: Pick<ReadDocument, 'operations' | 'text'>): string =>
  embedOf(key, document)?.subject.name ?? documentName(document);

const embedOf = (key: KeySummary, { text }: Pick<ReadDocument, 'text'>): ShownEmbed | undefined =>
  isEmbedKey(key) ? readEmbed(text) : undefined;

/** The pages of the documents that a visitor's own key may request by their ids. */
export function documentPages(services: Services) {
  const { prisma } = services;
  const load = async (visit: Visit) => {
    const key = await ownKey(visit);
    return { key, document: await getDocument(prisma, key, visit.context.req.param('document') ?? '') };
  };
  return [
    // Where documents were before they were on the page of their key.
    page({ path: '/dashboard/documents', view: () => KEYS_PATH }),
    page({ path: PATH, load: ownKey, view: (_, { id }) => documentsPath(id) }),
    page({
      path: `${PATH}/:document`,
      load,
      view: async ({ context, path, visitor }, { key, document }) => {
        // Marking up a document takes some ms, and an account can request many pages at once.
        await timeSlices.waitForTime({ ownerId: visitor.id });
        const { startups } = await readDocument<Slugs>(services, context, FIRST_SLUG);
        const slug = startups.nodes[0]?.slug ?? 'acme';
        const embed = embedOf(key, document);
        return {
          ...(embed !== undefined && embedLook),
          title: embed?.subject.name ?? documentName(document),
          back: embed === undefined ? { path: `${KEYS_PATH}/${key.id}`, label: key.name } : pageLinks.embeds,
          action: buttonLink(`${path}/remove`, 'Remove', 'second'),
          main: documentView({ ...services, key, document, embed, slug, path }),
        };
      },
      forms: {
        '/feed': async (visit, { key, document }) => {
          const { text } = document;
          await publishDocuments(publishing(services, visit), key.id, [{ text }], visit.form.feed === 'on');
          return visit.path;
        },
      },
    }),
    page({
      path: `${PATH}/:document/remove`,
      load,
      view: async (_, { key, document }) => {
        const name = embedName(key, document);
        const { count = 0 } = (await countDocuments(prisma, [key])).get(key.familyId) ?? {};
        return {
          title: isEmbedKey(key) ? 'Remove this embed?' : 'Remove this document?',
          back: { name },
          isDanger: true,
          button: 'Remove',
          text: (
            <>
              Within a second, requests with the ID of <strong>{name}</strong> fail. If you publish the same
              text again, it gets the same ID.
            </>
          ),
          after:
            isEmbedKey(key) &&
            key.state === 'active' &&
            count === 1 &&
            checkbox('revoke', 'Revoke its key, which has no other document', true),
        };
      },
      act: async ({ acting, form }, { key, document }) => {
        await removeEmbed(acting, key.id, document.id, form.revoke !== undefined);
        return isEmbedKey(key)
          ? withNotice(EMBEDS_PATH, 'embed-removed')
          : withNotice(`${KEYS_PATH}/${key.id}`, 'unpublished');
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
