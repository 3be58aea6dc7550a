import type { ReadDocument } from '../../../access/keys/documents/list.ts';
import { isEmbedKey, type KeySummary } from '../../../access/keys/key.ts';
import {
  type DocumentVariable,
  documentVariables,
  exampleValues,
} from '../../../api/graphql/planning/document-variables.ts';
import { feedErrors } from '../../../api/graphql/planning/offered-operation.ts';
import { CodeBlock, CopyButton, CopyStatus, Samples } from '../../shared/code-blocks.tsx';
import type { SampleRequest } from '../../shared/code-samples.ts';
import { type Column, Facts, Table } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { documentEmbed } from '../embeds/embed-snippet.tsx';
import { ButtonForm } from '../forms.tsx';
import type { Services } from '../services.ts';

/** The most tokens of a document that are marked up: 100 kB of comments would be 50,000. */
const MOST_MARKED = 300;

/** What a document is called, by its operations. */
export const documentName = ({ operations }: Pick<ReadDocument, 'operations'>): string =>
  operations.join(', ') || 'Unnamed operation';

/** Whether the document of an embed key has a feed, at which address, and a button that changes it. */
function feedFact(key: KeySummary, document: ReadDocument, origin: string): [string, Content] {
  const { id, feed, text } = document;
  // One that had a feed may have none now, such as a document that reads changes.
  const [error] = feed ? feedErrors(text) : [];
  return [
    'Feed',
    <span class="actions">
      {feed && error === undefined ? (
        <code class="long">{`${origin}/feeds/${id.slice('sha256:'.length)}.atom?key=rvg_pub_…`}</code>
      ) : (
        ['none', error].filter(Boolean).join(': ')
      )}
      {key.state === 'active' && (
        <ButtonForm
          action={`/dashboard/keys/${key.id}/documents/feed`}
          hidden={{ document: id, feed: feed ? 'off' : 'on' }}
        >
          {feed ? 'End the feed' : 'Offer a feed'}
        </ButtonForm>
      )}
    </span>,
  ];
}

const variableColumns: readonly Column<DocumentVariable>[] = [
  ['Variable', ({ name }) => <span class="mono">${name}</span>],
  ['Type', ({ type }) => <code>{type}</code>],
  [
    'Default',
    ({ isRequired, defaultValue }) =>
      isRequired ? 'required' : <code class="long">{defaultValue ?? 'null'}</code>,
  ],
];

/**
 * Everything about one document of a key.
 *
 * @param slug of a startup, for samples.
 */
export function documentView(
  key: KeySummary,
  document: ReadDocument,
  { origin, service, slug }: Pick<Services, 'origin' | 'service'> & { readonly slug: string },
): Html {
  const { id, publishedAt, text } = document;
  const variables = documentVariables(text);
  const examples = exampleValues(
    variables.filter(({ isRequired }) => isRequired),
    slug,
  );
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
            ...(isEmbedKey(key) ? [feedFact(key, document, origin)] : []),
          ]}
        />
      </section>
      {isEmbedKey(key) && embedCard(document, origin, service)}
      <section class="card">
        <h2>Example request</h2>
        <p class="soft">
          Set <code>REVGATE_KEY</code> to the key, which was shown when it was created.
        </p>
        <Samples origin={origin} request={requestOf(key, document, examples)} />
        {Object.keys(examples).length > 0 && (
          <>
            <h3>As a GET request</h3>
            <CodeBlock id="document-url" label="URL of a GET request" title="URL">
              {origin + pathOf(document, examples)}
            </CodeBlock>
          </>
        )}
      </section>
      <section class="card">
        <h2>Text</h2>
        <CodeBlock id="document-text" label={`text of ${documentName(document)}`} title="GraphQL">
          {highlight('graphql', text, { most: MOST_MARKED })}
        </CodeBlock>
        {variables.length > 0 && (
          <Table caption="Variables of its first operation" columns={variableColumns} rows={variables} />
        )}
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

type Values = Readonly<Record<string, unknown>>;

/** A document of several operations is sent with the name of one. */
function namesOf({ id, operations }: ReadDocument) {
  const [operationName] = operations.length > 1 ? operations : [];
  return { documentId: id, ...(operationName !== undefined && { operationName }) };
}

/** The path of a GET request. */
function pathOf(document: ReadDocument, variables: Values): string {
  const query = Object.entries(namesOf(document)).map(([name, value]) => `${name}=${value}`);
  const hasVariables = Object.keys(variables).length > 0;
  const values = hasVariables ? [`variables=${encodeURIComponent(JSON.stringify(variables))}`] : [];
  return `/graphql?${[...query, ...values].join('&')}`;
}

/** Variables are in a body, where they can be read. An embed key works from its origins only. */
function requestOf(
  { origins: [page] }: KeySummary,
  document: ReadDocument,
  variables: Values,
): SampleRequest {
  const headers = page === undefined ? {} : { Origin: page };
  return Object.keys(variables).length === 0
    ? { path: pathOf(document, variables), headers }
    : { path: '/graphql', headers, body: { ...namesOf(document), variables } };
}
