import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve, slugs } from './served.ts';

const compiler = fileURLToPath(new URL('../../node_modules/relay-compiler/cli.js', import.meta.url));

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

let served: Served;
let directory: string;
beforeAll(async () => {
  served = await serve();
  directory = await mkdtemp(join(tmpdir(), 'revgate-relay-'));
});
afterAll(async () => {
  await served.close();
  await rm(directory, { recursive: true, force: true });
});

it('the compiler of Relay takes the served schema, and its queries are answered', async () => {
  await mkdir(join(directory, 'src'));
  await writeFile(join(directory, 'src', 'App.js'), SOURCE);
  await writeFile(
    join(directory, 'schema.graphql'),
    await (await fetch(`${served.url}/schema.graphql`)).text(),
  );
  const config = { src: './src', schema: './schema.graphql', language: 'javascript' };
  await writeFile(join(directory, 'relay.config.json'), JSON.stringify(config));
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: directory });

  const artifacts = join(directory, 'src', '__generated__');
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
