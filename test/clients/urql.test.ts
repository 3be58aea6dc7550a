import { readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import {
  Client,
  createRequest,
  fetchExchange,
  formatDocument,
  gql,
  makeOperation,
  stringifyDocument,
} from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { persistedExchange } from '@urql/exchange-persisted';
import { type DocumentNode, Kind, parse } from 'graphql';
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

describe('urql with Graphcache', () => {
  const none = () => null;
  const cached = (key: string): Client =>
    new Client({
      url: `${served.url}/graphql`,
      exchanges: [
        cacheExchange({ keys: { StartupConnection: none, PageInfo: none } }),
        persistedExchange({ preferGetForPersistedQueries: 'force' }),
        fetchExchange,
      ],
      fetchOptions: { headers: { authorization: `Bearer ${key}` } },
      preferGetMethod: false,
    });

  it('finds a document that was published with __typename, as it sends it', async () => {
    const urql = cached(await served.trustedKey(stringifyDocument(formatDocument(LIST) as DocumentNode)));
    const { data, error } = await urql.query(LIST, { first: 3 }).toPromise();
    expect(error).toBeUndefined();
    expect(data?.startups.nodes).toHaveLength(3);
  });
});

it('urql and Apollo wait after a 429 with the fetch of the documentation', async () => {
  const page = readFileSync(new URL('../../docs/use/graphql-clients.md', import.meta.url), 'utf8');
  const [, text = ''] = /```js\n(async function patientFetch[\s\S]*?)```/.exec(page) ?? [];
  const statuses: number[] = [];
  const busyOnce: typeof fetch = async (url, init) => {
    const response =
      statuses.length === 0
        ? new Response('{}', { status: 429, headers: { 'retry-after': '0' } })
        : await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  const patientFetch = new Function('fetch', `${text} return patientFetch;`)(busyOnce);
  const headers = { authorization: `Bearer ${await served.key()}` };
  const options = { url: `${served.url}/graphql`, exchanges: [fetchExchange], fetchOptions: { headers } };
  const urql = new Client({ ...options, fetch: patientFetch, preferGetMethod: false });
  const { data } = await urql.query(LIST, { first: 2 }).toPromise();
  expect(data?.startups.nodes).toHaveLength(2);
  expect(statuses).toEqual([429, 200]);
  statuses.length = 0;
  const apollo = new ApolloClient({
    link: new HttpLink({ uri: options.url, headers, fetch: patientFetch }),
    cache: new InMemoryCache(),
  });
  const list = parse('query Two { startups(first: 2) { nodes { id slug } } }');
  expect((await apollo.query({ query: list })).data).toMatchObject({ startups: { nodes: [{}, {}] } });
  expect(statuses).toEqual([429, 200]);
});
