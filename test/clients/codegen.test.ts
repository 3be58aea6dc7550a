import { mkdir } from 'node:fs/promises';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProgram, type Program } from './program.ts';
import { type Served, serve, slugs } from './served.ts';

const DOCUMENT = `
  query List($filter: StartupFilter, $sort: StartupSort) {
    startups(filter: $filter, sort: $sort, first: 3) {
      nodes { slug category teamSize revenue { mrr } growth30d firstListedForSaleAt }
      meta { total page }
    }
  }
`;

const PROGRAM = `
import { graphql } from './gql/gql.ts';
import type { TypedDocumentString } from './gql/graphql.ts';

async function ask<Result, Variables>(query: TypedDocumentString<Result, Variables>, variables: Variables) {
  const response = await fetch(process.env.API + '/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.KEY },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Result; errors?: unknown };
  if (errors !== undefined || data === undefined) throw new Error(JSON.stringify(errors));
  return data;
}

const { startups } = await ask(graphql(\`${DOCUMENT}\`), {
  filter: { category: 'SAAS', minRevenue: 980 },
  sort: 'REVENUE_ASC',
});
if (startups == null) throw new Error('no list');
const total: number = startups.meta.total;
const listedAt: (string | null | undefined)[] = startups.nodes.map((node) => node.firstListedForSaleAt);
const mrr: number[] = startups.nodes.map((node) => node.revenue.mrr);
console.log(JSON.stringify({ total, listedAt, mrr, slugs: startups.nodes.map((node) => node.slug) }));
`;

const MISTAKES = `
import type { ListQuery, ListQueryVariables } from './gql/graphql.ts';

// @ts-expect-error no such category
export const variables: ListQueryVariables = { filter: { category: 'developer-tools' } };
// @ts-expect-error no such field was asked for
export type Name = NonNullable<ListQuery['startups']>['nodes'][number]['name'];
// @ts-expect-error growth may be unknown
export const growth = (list: NonNullable<ListQuery['startups']>): number => list.nodes[0]!.growth30d;
`;

let served: Served;
let program: Program;
beforeAll(async () => {
  served = await serve();
  program = await openProgram({ 'program.ts': PROGRAM, 'mistakes.ts': MISTAKES });
});
afterAll(async () => {
  await program.close();
  await served.close();
});

/** What the command line of graphql-codegen does for a client preset that imports no graphql. */
async function generate(schema: string): Promise<void> {
  await mkdir(`${program.directory}/gql`);
  const config = {
    ...{ documentMode: 'string', useTypeImports: true, enumsAsTypes: true, importExtension: '.ts' },
    scalars: { Cents: 'number', DateTime: 'string' },
  };
  const document = { location: 'program.ts', document: parse(DOCUMENT), rawSDL: DOCUMENT };
  const outputs = await preset.buildGeneratesSection({
    ...{ baseOutputDir: 'gql/', presetConfig: { fragmentMasking: false }, config },
    ...{ schema: parse(schema), documents: [document], plugins: [], pluginMap: {} },
  });
  for (const output of outputs) {
    await program.write(output.filename, await codegen(output));
  }
}

it('an operation that graphql-codegen typed from the served schema is answered as its types say', async () => {
  await generate(await (await fetch(`${served.url}/schema.graphql`)).text());
  expect(await program.compile()).toBe('');
  expect(await program.run('program.js', { API: served.url, KEY: await served.key() })).toEqual({
    total: 10,
    slugs: [slugs[19], slugs[17], slugs[15]],
    mrr: [0, 0, 0],
    listedAt: [null, null, null],
  });
});
