import type { ReadDocument } from '../../../documents/list.ts';
import type { Offer } from '../../../documents/offers.ts';
import { requiredVariables } from '../../../graphql/documents/required-variables.ts';
import { isEmbedKey, type KeySummary } from '../../../keys/key.ts';
import type { SampleRequest } from '../../shared/code-samples.ts';
import { CodeBlock, CopyButton, CopyStatus, Facts, Samples } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { documentEmbed, placeholders } from '../explorer/embed-snippet.tsx';
import { ButtonForm } from '../forms.tsx';
import type { Services } from '../services.ts';

/** The most tokens of a document that are marked up: 100 kB of comments would be 50,000. */
const MOST_MARKED = 300;

/** What a document is called, by its operations. */
export const documentName = ({ operations }: Pick<ReadDocument, 'operations'>): string =>
  operations.join(', ') || 'Unnamed operation';

/** What the documents of a key can be offered as. */
export const offerOf = (key: KeySummary): Offer => (isEmbedKey(key) ? 'feed' : 'tool');

/** What a holder chooses, and how the choice is changed later. */
export const offerTexts: Readonly<
  Record<Offer, { readonly choose: string; readonly start: string; readonly end: string }>
> = {
  feed: {
    choose: 'Offer an Atom feed, which everyone with its address can read',
    start: 'Offer a feed',
    end: 'End the feed',
  },
  tool: {
    choose: 'Offer it to agents that connect with this key, as a tool',
    start: 'Offer as a tool',
    end: 'End the tool',
  },
};

/** What a document is offered as, and how to reach it so. */
function offerFact(key: KeySummary, document: ReadDocument, origin: string): [string, Content] {
  const offer = offerOf(key);
  const isOffered = document[offer];
  const { start, end } = offerTexts[offer];
  const address =
    offer === 'feed' ? (
      <code class="long">{`${origin}/feeds/${document.id.slice('sha256:'.length)}.atom?key=rvg_pub_…`}</code>
    ) : (
      <span>
        <code>{documentName(document)}</code> for agents at <a href="/docs/agents">/mcp</a>
      </span>
    );
  return [
    offer === 'feed' ? 'Feed' : 'Tool',
    <span class="actions">
      {isOffered ? address : 'not offered'}
      {(isOffered || key.state === 'active') && (
        <ButtonForm
          action={`/dashboard/keys/${key.id}/documents/offer`}
          hidden={{ document: document.id, offered: isOffered ? 'off' : 'on' }}
        >
          {isOffered ? end : start}
        </ButtonForm>
      )}
    </span>,
  ];
}

/** Everything about one document of a key. */
export function documentView(
  key: KeySummary,
  document: ReadDocument,
  { origin, service }: Pick<Services, 'origin' | 'service'>,
): Html {
  const { id, publishedAt, text } = document;
  return (
    <>
      <section class="card">
        <div class="heading sub">
          <h2>Document</h2>
          <CopyStatus />
        </div>
        <Facts
          facts={[
            [
              'Id',
              <span class="actions">
                <code class="long" id="document-id">
                  {id}
                </code>
                <CopyButton of="document-id" label="Copy the id" isQuiet />
              </span>,
            ],
            ['Published', time(publishedAt, 'minute')],
            offerFact(key, document, origin),
          ]}
        />
        <CodeBlock id="document-text" label={`text of ${documentName(document)}`}>
          {highlight('graphql', text, { most: MOST_MARKED })}
        </CodeBlock>
      </section>
      {isEmbedKey(key) && embedCard(document, origin, service)}
      <section class="card">
        <h2>Example request</h2>
        <Samples origin={origin} request={requestOf(key, document)} />
      </section>
    </>
  );
}

function embedCard(
  { id, operations, text }: ReadDocument,
  origin: string,
  service: Services['service'],
): Html {
  return (
    <section class="card">
      <h2>Embed</h2>
      {operations.length > 1 ? (
        <p class="soft">An element runs documents of one operation. This one has {operations.length}.</p>
      ) : (
        <>
          <p class="soft">
            Replace rvg_pub_… with the key, which was shown when it was created. The preview runs with your
            session.
          </p>
          {documentEmbed({ id: 'document-embed', origin, service, key: 'rvg_pub_…', documentId: id, text })}
        </>
      )}
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
