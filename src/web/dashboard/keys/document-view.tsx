import type { ReadDocument } from '../../../access/keys/documents/list.ts';
import { isEmbedKey, type KeySummary } from '../../../access/keys/key.ts';
import {
  DEPRECATED_DAYS,
  findDeprecated,
  hasDeprecated,
} from '../../../api/graphql/planning/deprecations.ts';
import { exampleVariables } from '../../../api/graphql/planning/document-variables.ts';
import { feedErrors } from '../../../api/graphql/planning/feed-list.ts';
import { schema } from '../../../api/graphql/schema.ts';
import { ButtonForm } from '../../page/forms.tsx';
import type { Services } from '../../page/services.ts';
import { documentName } from '../../parts/keys/key-parts.tsx';
import { type ShownEmbed, shapes } from '../../parts/startups/embed-kinds.ts';
import { type Embedded, preview, snippetCard, snippetOf, USUAL_ROWS } from '../../parts/startups/snippet.tsx';
import { CodeBlock, CopyButton, copyHeading, Samples } from '../../shared/code-blocks.tsx';
import type { SampleRequest } from '../../shared/code-samples.ts';
import { Facts, Notice } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { KEYS_PATH } from '../../shared/paths.ts';
import { time } from '../../shared/time.tsx';

/** The most tokens of a document that are marked up: 100 kB of comments would be 50,000. */
const MOST_MARKED = 300;

/** An id with its button. */
export const idCell = ({ id, operations }: Pick<ReadDocument, 'id' | 'operations'>): Html => (
  <span class="actions id">
    <code id={id}>{id}</code>
    <CopyButton of={id} label={`Copy the ID of ${documentName({ operations })}`} isQuiet />
  </span>
);

interface ViewedDocument extends Pick<Services, 'origin' | 'service'> {
  readonly key: KeySummary;
  readonly document: ReadDocument;
  /** What it shows, if it was published to embed that. */
  readonly embed: ShownEmbed | undefined;
  /** Of a startup, for samples. */
  readonly slug: string;
  /** Of the page. */
  readonly path: string;
}

/** Everything about one document of a key. */
export function documentView(viewed: ViewedDocument): Content {
  const { key, document, origin, slug } = viewed;
  const { text } = document;
  const deprecated = hasDeprecated(schema) ? findDeprecated(schema, text) : [];
  return [
    deprecated.length > 0 && (
      <Notice tone="warn">
        {`${deprecated.join(' ')} What is deprecated works for at least ${DEPRECATED_DAYS} days.`}
      </Notice>
    ),
    codeCards(viewed),
    <section class="card">
      {copyHeading('Document')}
      <Facts
        facts={[
          isEmbedKey(key) && ['Sites', key.origins.join(', ')],
          ['Key', <a href={`${KEYS_PATH}/${key.id}`}>{key.name}</a>],
          ['ID', idCell(document)],
          ['Published', time(document.publishedAt, 'minute')],
          isEmbedKey(key) && ['Feed', feedFact(viewed)],
        ]}
      />
    </section>,
    <section class="card">
      <h2>Example request</h2>
      <p class="soft">
        Set <code>REVGATE_KEY</code> to your key.
      </p>
      <Samples origin={origin} request={requestOf(key, document, exampleVariables(text, slug))} />
    </section>,
    <section class="card">
      <h2>Query</h2>
      <CodeBlock id="document-text" label={`text of ${documentName(document)}`} title="GraphQL">
        {highlight('graphql', text, MOST_MARKED)}
      </CodeBlock>
    </section>,
  ];
}

/** The code of what is embedded, without the look that was chosen for it, and a preview. */
function codeCards({ key, document, embed, origin, service }: ViewedDocument): Content {
  if (embed === undefined) {
    return null;
  }
  const { shape, args } = embed.subject;
  const { limit = USUAL_ROWS } = args;
  const embedded: Embedded = {
    shape,
    text: document.text,
    service,
    attributes: {
      ...(shape === 'list' && limit !== USUAL_ROWS && { rows: String(limit) }),
      [shapes[shape].attribute]: embed.paths.join(','),
    },
  };
  const started = `${key.prefix}…`;
  return [
    snippetCard(
      'Code',
      snippetOf({ ...embedded, key: started, documentId: document.id }, origin),
      undefined,
      <>
        Its key was shown once: write it in place of <code>{started}</code>, or{' '}
        <a href={`${KEYS_PATH}/${key.id}/rotate`}>rotate the key</a>. Its theme and its accent are{' '}
        <a href="/docs/web-component#attributes">attributes</a> that you can add.
      </>,
    ),
    <section class="card stage">
      <h2>Preview</h2>
      {preview(embedded)}
    </section>,
  ];
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
        ['None', error].filter(Boolean).join(': ')
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
