import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parseManifest } from '../../src/access/keys/documents/manifest.ts';
import { publishDocuments } from '../../src/access/keys/documents/publish-and-remove.ts';
import { documentCheck } from '../../src/api/graphql/planning/check-document.ts';
import { schema } from '../../src/api/graphql/schema.ts';
import { testDirectory } from '../main/commands/process.ts';
import { serve, slugs } from './served.ts';

const checkDocument = documentCheck(() => schema);

const compiler = fileURLToPath(new URL('node_modules/relay-compiler/cli.js', import.meta.url));

// What an application would write: a connection, and a fragment that is read again by its id.
const SOURCE = `
graphql\`
  fragment App_list on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
  @refetchable(queryName: "AppListQuery") {
    startups(first: $count, after: $cursor, sort: GROWTH_DESC) @connection(key: "App_startups") {
      edges { node { slug ...App_card } }
      facets { category { value count } }
    }
  }
\`;
graphql\`
  fragment App_card on Startup @refetchable(queryName: "AppCardQuery") { slug name revenue { mrr } }
\`;
`;

const served = await serve();
const directory = testDirectory();

/** Compiles the application, and tells where its artifacts are. */
async function compile(more: object = {}): Promise<string> {
  await mkdir(join(directory, 'src'), { recursive: true });
  await writeFile(join(directory, 'src', 'App.js'), SOURCE);
  await writeFile(join(directory, 'schema.graphql'), (await served.gateway.call('/schema.graphql')).text);
  const config = { src: './src', schema: './schema.graphql', language: 'javascript', ...more };
  await writeFile(join(directory, 'relay.config.json'), JSON.stringify(config));
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: directory });
  return join(directory, 'src', '__generated__');
}

it('the compiler of Relay takes the served schema, and its queries are answered', async () => {
  const artifacts = await compile();
  expect((await readdir(artifacts)).sort()).toContain('AppListQuery.graphql.js');
  const textOf = async (name: string): Promise<string> => {
    const artifact = await readFile(join(artifacts, `${name}.graphql.js`), 'utf8');
    return JSON.parse(/"text": (".*")/.exec(artifact)?.[1] as string);
  };
  const key = await served.key();
  const list = await served.gateway.graphql(await textOf('AppListQuery'), { count: 3 }, { key });
  expect(list.json.errors).toBeUndefined();
  const { edges, pageInfo } = list.json.data.startups;
  expect(edges.map(({ node }: { node: { slug: string } }) => node.slug)).toEqual(slugs.slice(0, 3));
  expect(pageInfo).toEqual({ hasNextPage: true, endCursor: edges[2].cursor });
  const card = await served.gateway.graphql(await textOf('AppCardQuery'), { id: edges[1].node.id }, { key });
  expect(card.json.data.node).toMatchObject({ __typename: 'Startup', slug: slugs[1] });
});

it('documents that the Relay compiler persists are published, and requested by their ids', async () => {
  // The compiler adds to a file that is there.
  await writeFile(join(directory, 'persisted.json'), '{}');
  const artifacts = await compile({ persistConfig: { file: './persisted.json', algorithm: 'SHA256' } });
  const manifest = await readFile(join(directory, 'persisted.json'), 'utf8');
  const entries = parseManifest('persisted.json', manifest);
  expect(entries).toHaveLength(2);
  const { id, key } = await served.gateway.key();
  const context = { ...served.gateway.acting, check: checkDocument };
  const published = await publishDocuments(context, id, entries);
  expect(published.every(({ replacedId }) => replacedId === null)).toBe(true);
  const artifact = await readFile(join(artifacts, 'AppListQuery.graphql.js'), 'utf8');
  const documentId = /"id": "([0-9a-f]{64})"/.exec(artifact)?.[1] ?? '';
  const params = new URLSearchParams({ documentId, variables: JSON.stringify({ count: 3 }) });
  const answer = await served.gateway.call(`/graphql?${params}`, { key });
  expect(answer.status).toBe(200);
  expect(answer.json.data.startups.edges).toHaveLength(3);
});
