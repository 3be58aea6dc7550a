import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { openProgram } from './program.ts';
import { serve, slugs } from './served.ts';

const DOCUMENT = `
  query List($filter: StartupFilter, $sort: StartupSort) {
    startups(filter: $filter, sort: $sort, first: 3) {
      nodes { slug category teamSize revenue { mrr } growth30d firstListedForSaleAt }
      meta { total page }
    }
  }
`;

const CLIENT = fileURLToPath(new URL('../../client/dist/index.js', import.meta.url));

const PROGRAM = `
import { createClient, RevgateError, type Startup } from '${CLIENT}';
import { graphql } from './gql/gql.ts';

const client = createClient({ url: process.env.API ?? '', key: process.env.KEY ?? '' });
const { startups } = await client.query(graphql(\`${DOCUMENT}\`), {
  filter: { category: 'SAAS', minRevenue: 980 },
  sort: 'REVENUE_ASC',
});
if (startups == null) throw new Error('no list');
const total: number = startups.meta.total;
const listedAt: (string | null | undefined)[] = startups.nodes.map((node) => node.firstListedForSaleAt);
const mrr: number[] = startups.nodes.map((node) => node.revenue.mrr);
const first: Startup[] = (await client.list({ category: 'saas', sort: 'revenue-asc', limit: 1, xHandle: undefined })).data;
const code = await client.startup('nobody').catch((error: unknown) => (error instanceof RevgateError ? error.code : ''));
console.log(JSON.stringify({ first: first.map(({ slug }) => slug), code, total, listedAt, mrr, slugs: startups.nodes.map((node) => node.slug) }));
`;

const MISTAKES = `
import { createClient } from '${CLIENT}';
import { graphql } from './gql/gql.ts';
import type { ListQuery, ListQueryVariables } from './gql/graphql.ts';

// @ts-expect-error no such category
export const variables: ListQueryVariables = { filter: { category: 'developer-tools' } };
// @ts-expect-error no such field was asked for
export type Name = NonNullable<ListQuery['startups']>['nodes'][number]['name'];
const client = createClient({ url: '', key: '' });
// @ts-expect-error no such category of REST
export const list = (): unknown => client.list({ category: 'SAAS' });
// @ts-expect-error no such sort
export const walk = (): unknown => client.startups({ sort: 'newest' });
const document = graphql(\`${DOCUMENT}\`);
// @ts-expect-error no such filter in the document
export const query = (): unknown => client.query(document, { filter: { nothing: 1 } });
// @ts-expect-error growth may be unknown
export const growth = (list: NonNullable<ListQuery['startups']>): number => list.nodes[0]!.growth30d;
`;

const served = await serve();
const files = { 'program.ts': PROGRAM, 'mistakes.ts': MISTAKES };
const program = await openProgram(files, { exactOptionalPropertyTypes: true });

/** What the command line of graphql-codegen does for a client preset that imports no graphql. */
async function generate(schema: string): Promise<void> {
  await mkdir(`${program.directory}/gql`);
  const config = {
    documentMode: 'string',
    useTypeImports: true,
    enumsAsTypes: true,
    importExtension: '.ts',
    scalars: { Cents: 'number', DateTime: 'string' },
  };
  const document = { location: 'program.ts', document: parse(DOCUMENT), rawSDL: DOCUMENT };
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: 'gql/',
    presetConfig: { fragmentMasking: false },
    config,
    schema: parse(schema),
    documents: [document],
    plugins: [],
    pluginMap: {},
  });
  for (const output of outputs) {
    await program.write(output.filename, await codegen(output));
  }
}

it('an operation that graphql-codegen typed from the served schema is answered as its types say', async () => {
  await generate(await (await fetch(`${served.url}/schema.graphql`)).text());
  expect(await program.compile()).toBe('');
  expect(await program.run('program.js', { API: served.url, KEY: await served.key() })).toEqual({
    first: [slugs[23]],
    code: 'NOT_FOUND',
    total: 10,
    slugs: [slugs[19], slugs[17], slugs[15]],
    mrr: [0, 0, 0],
    listedAt: [null, null, null],
  });
});
