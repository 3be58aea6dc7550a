import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { addTypenameToDocument, print, relayStylePagination } from '@apollo/client/utilities';
import { describe, expect, it } from 'vitest';
import { hashDocument } from '../../src/access/keys/documents/list.ts';
import { serve, slugs } from './served.ts';

const served = await serve();

const client = (key: string, url = served.url): ApolloClient =>
  new ApolloClient({
    link: new HttpLink({
      uri: `${url}/graphql`,
      headers: { authorization: `Bearer ${key}` },
      useGETForQueries: true,
    }),
    cache: new InMemoryCache({
      typePolicies: { Query: { fields: { startups: relayStylePagination(['filter', 'sort']) } } },
    }),
  });

interface Connection {
  startups: {
    edges: { node: { id: string; slug: string } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
    meta: { total: number };
  };
}
const LIST = gql`
  query List($filter: StartupFilter, $after: String) {
    startups(filter: $filter, first: 10, after: $after) {
      edges { cursor node { id slug } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      meta { total }
    }
  }
`;

describe('Apollo Client', () => {
  it('joins pages by its own policy for Relay connections, over GET', async () => {
    const apollo = client(await served.key());
    served.methods.length = 0;
    const list = apollo.watchQuery<Connection>({ query: LIST });
    const subscription = list.subscribe(() => {});
    const seen = (): Connection['startups'] | undefined =>
      apollo.readQuery<Connection>({ query: LIST })?.startups;
    await expect.poll(seen, { interval: 10 }).toBeDefined();
    while (seen()?.pageInfo.hasNextPage) {
      await list.fetchMore({ variables: { after: seen()?.pageInfo.endCursor } });
    }
    expect(seen()?.edges.map(({ node }) => node.slug)).toEqual(slugs);
    expect(seen()?.meta.total).toBe(slugs.length);
    subscription.unsubscribe();
    expect(served.methods).toEqual(['GET', 'GET', 'GET']);
    const again = await apollo.query<Connection>({ query: LIST });
    expect(again.data?.startups.edges).toHaveLength(slugs.length);
    expect(served.methods).toHaveLength(3);
    apollo.stop();
  });

  it('knows a startup again by its identifier', async () => {
    const apollo = client(await served.key());
    const { data } = await apollo.query<Connection>({ query: LIST });
    const { id, slug } = data?.startups.edges[3]?.node ?? { id: '', slug: '' };
    const fragment = gql`fragment Known on Startup { slug }`;
    expect(apollo.readFragment({ fragment, from: { __typename: 'Startup', id } })).toMatchObject({ slug });
    apollo.stop();
  });

  it('sees the code of an error, and of a refusal', async () => {
    const codeOf = async (apollo: ApolloClient, variables: object): Promise<unknown> => {
      const error = await apollo.query({ query: LIST, variables }).catch((thrown) => thrown);
      apollo.stop();
      return CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.code : error;
    };
    expect(await codeOf(client(await served.key()), { after: 'nothing' })).toBe('BAD_USER_INPUT');
    expect(await codeOf(client('rvg_wrong'), {})).toBe('UNAUTHENTICATED');
    const small = await serve({ standard: 1, premium: 1 });
    const key = await small.key();
    await client(key, small.url).query({ query: LIST });
    expect(await codeOf(client(key, small.url), {})).toBe('RATE_LIMITED');
  });
});

describe('Apollo Client with persisted queries', () => {
  const persisted = (key: string, headers: Record<string, string> = {}): ApolloClient =>
    new ApolloClient({
      link: ApolloLink.from([
        new PersistedQueryLink({ sha256: hashDocument, useGETForHashedQueries: true }),
        new HttpLink({
          uri: `${served.url}/graphql`,
          headers: { authorization: `Bearer ${key}`, ...headers },
        }),
      ]),
      cache: new InMemoryCache(),
    });

  it('requests published documents by GET, with a key for trusted documents only', async () => {
    // As its own tool writes it into the manifest.
    const apollo = persisted(await served.trustedKey(print(addTypenameToDocument(LIST))));
    served.methods.length = 0;
    const { data } = await apollo.query<Connection>({ query: LIST });
    expect(data?.startups.edges.map(({ node }) => node.slug)).toEqual(slugs.slice(0, 10));
    expect(served.methods).toEqual(['GET']);
    apollo.stop();
  });

  it('reports what was not published after one request, and continues', async () => {
    const key = await served.trustedKey(print(addTypenameToDocument(LIST)));
    for (const kind of [key, await served.key()]) {
      const apollo = persisted(kind);
      served.methods.length = 0;
      const error = await apollo.query({ query: gql`{ dataset { total } }` }).catch((thrown) => thrown);
      expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.code).toBe('DOCUMENT_NOT_FOUND');
      expect(served.methods).toEqual(['GET']);
      apollo.stop();
    }
    const apollo = persisted(key);
    await apollo.query({ query: gql`{ dataset { total } }` }).catch(() => {});
    expect((await apollo.query<Connection>({ query: LIST })).data?.startups.meta.total).toBe(slugs.length);
    apollo.stop();
  });
});
