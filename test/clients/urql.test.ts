import { Client, createRequest, fetchExchange, gql, makeOperation, stringifyDocument } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { type DocumentNode, Kind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { hashDocument } from '../../src/access/keys/documents/list.ts';
import { serve, slugs } from './served.ts';

const served = await serve();

const LIST = gql`
  query List($first: Int, $after: String) {
    startups(first: $first, after: $after) { nodes { id slug } pageInfo { hasNextPage endCursor } }
  }
`;

describe('urql with persisted queries', () => {
  const persisted = (key: string): Client =>
    new Client({
      url: `${served.url}/graphql`,
      exchanges: [persistedExchange({ preferGetForPersistedQueries: 'force' }), fetchExchange],
      fetchOptions: { headers: { authorization: `Bearer ${key}` } },
      preferGetMethod: false,
    });

  it('requests published documents by GET, with a key for trusted documents only', async () => {
    const urql = persisted(await served.trustedKey(stringifyDocument(LIST)));
    served.methods.length = 0;
    const { data } = await urql.query(LIST, { first: 3 }).toPromise();
    expect(data.startups.nodes.map(({ slug }: { slug: string }) => slug)).toEqual(slugs.slice(0, 3));
    expect(served.methods).toEqual(['GET']);
  });

  it('requests a document by documentId, knowing only its id', async () => {
    const text = stringifyDocument(LIST);
    const key = await served.trustedKey(text);
    const documentId = `sha256:${hashDocument(text)}`;
    const document = { kind: Kind.DOCUMENT, definitions: [], documentId } as unknown as DocumentNode;
    // Such a document does not tell its kind.
    const operation = makeOperation('query', createRequest(document, { first: 3 }), {
      url: `${served.url}/graphql`,
      requestPolicy: 'network-only',
      preferGetMethod: 'force',
      fetchOptions: { headers: { authorization: `Bearer ${key}` } },
    });
    const urql = new Client({
      url: operation.context.url,
      exchanges: [fetchExchange],
      preferGetMethod: false,
    });
    const { data } = await urql.executeRequestOperation(operation).toPromise();
    expect(data.startups.nodes).toHaveLength(3);
  });
});
