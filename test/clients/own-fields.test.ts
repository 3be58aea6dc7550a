import { mkdir } from 'node:fs/promises';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, introspectionFromSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { addOwnField } from '../../src/startups/own/declarations.ts';
import { openTestDatabase } from '../support/database.ts';
import { openTestGateway } from '../support/gateway.ts';
import { insertRecords, record } from '../support/records.ts';
import { openProgram } from './program.ts';

// Clients of a service that declares ten fields, one of each kind, know them by their types.

const declared = [
  ['note', 'text'],
  ['deck', 'url'],
  ['employees', 'count'],
  ['valuation', 'cents'],
  ['churn', 'percent'],
  ['rating', 'number'],
  ['launched', 'date'],
  ['type', 'boolean'],
  ['stage', 'choice'],
  ['tags', 'texts'],
] as const;

const OWN = {
  note: 'A note',
  deck: 'https://a.example/deck',
  employees: 24,
  valuation: -5,
  churn: 1.5,
  rating: 4.5,
  launched: '2020-01-02T00:00:00.000Z',
  type: true,
  stage: 'Series A',
  tags: ['a', 'b'],
};

const database = await openTestDatabase();
await insertRecords(database, [record('one'), record('two')]);
for (const [name, kind] of declared) {
  await addOwnField(database.prisma, {
    name,
    kind,
    indexed: !['text', 'url', 'texts'].includes(kind),
  });
}
await database.pool.query("UPDATE own_fields SET choices = '{Series A}' WHERE name = 'stage'");
await database.pool.query("UPDATE startups SET own = $1::jsonb WHERE slug = 'one'", [
  JSON.stringify({ ...OWN, launched: Date.parse(OWN.launched) }),
]);
const gateway = await openTestGateway({ database, limits: 1_000 });
const url = await gateway.listen();
const { key } = await gateway.key();
const textOf = async (path: string): Promise<string> => (await fetch(url + path)).text();

const VALUES = `
const own = first?.own;
if (own == null) throw new Error('no values');
const employees: number | null = own.employees;
const tags: readonly string[] | null = own.tags;
const stage: string | null = own.stage;
const type: boolean | null = own.type;
console.log(JSON.stringify({ own, employees, tags, stage, type }));
`;
const EXPECTED = { own: OWN, employees: 24, tags: ['a', 'b'], stage: 'Series A', type: true };

const DOCUMENT = `
  query Own($filter: StartupFilter) {
    startups(filter: $filter, sort: OWN_EMPLOYEES_DESC, first: 1) {
      nodes { own { ${declared.map(([name]) => name).join(' ')} } }
    }
  }
`;
const FILTER = "{ own: { employees: { min: 24 }, stage: { in: ['Series A'] }, type: true } }";
const SEND = `
const answer = await fetch('${url}/graphql', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + process.env.KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});
`;

it('openapi-typescript knows their parameters and values', async () => {
  const program = await openProgram({
    'openapi.json': await textOf('/openapi.json'),
    'program.ts': `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';
const client = createClient<paths>({ baseUrl: '${url}/api/v1', headers: { authorization: 'Bearer ' + process.env.KEY } });
const { data: list } = await client.GET('/startups', {
  params: { query: { include: 'own', 'own.employees.min': 24, 'own.stage': ['Series A'], 'own.type': 'true', sort: 'own.employees-desc' } },
});
const first = list?.data[0];
${VALUES}
// @ts-expect-error no such field
void own.nothing;
// @ts-expect-error no such order: a text has none
void (() => client.GET('/startups', { params: { query: { sort: 'own.note-desc' } } }));
`,
  });
  await program.tool('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'api.ts');
  expect(await program.compile()).toBe('');
  expect(await program.run('program.js', { KEY: key })).toEqual(EXPECTED);
});

it('graphql-codegen knows their conditions and values', async () => {
  const program = await openProgram({
    'program.ts': `
import { graphql } from './gql/gql.ts';
import type { OwnQuery, OwnQueryVariables } from './gql/graphql.ts';
const query = graphql(\`${DOCUMENT}\`);
const variables: OwnQueryVariables = { filter: ${FILTER} };
${SEND}
const { data } = (await answer.json()) as { data: OwnQuery };
const first = data.startups?.nodes[0];
${VALUES}
// @ts-expect-error no such field
export const wrong: OwnQueryVariables = { filter: { own: { nothing: true } } };
`,
  });
  await mkdir(`${program.directory}/gql`);
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir: 'gql/',
    presetConfig: { fragmentMasking: false },
    config: {
      documentMode: 'string',
      useTypeImports: true,
      enumsAsTypes: true,
      importExtension: '.ts',
      scalars: { Cents: 'number', DateTime: 'string' },
    },
    schema: parse(await textOf('/schema.graphql')),
    documents: [{ location: 'program.ts', document: parse(DOCUMENT), rawSDL: DOCUMENT }],
    plugins: [],
    pluginMap: {},
  });
  for (const output of outputs) {
    await program.write(output.filename, await codegen(output));
  }
  expect(await program.compile()).toBe('');
  expect(await program.run('program.js', { KEY: key })).toEqual(EXPECTED);
});

it('gql.tada knows their conditions and values', async () => {
  const introspection = introspectionFromSchema(buildSchema(await textOf('/schema.graphql')));
  const program = await openProgram({
    'introspection.ts': `export const introspection = ${JSON.stringify(introspection)} as const;`,
    'program.ts': `
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import { print } from 'graphql';
import type { introspection } from './introspection.ts';
const graphql = initGraphQLTada<{
  introspection: typeof introspection;
  scalars: { Cents: number; DateTime: string; Date: string };
}>();
const document = graphql(\`${DOCUMENT}\`);
const query = print(document);
const variables: VariablesOf<typeof document> = { filter: ${FILTER} };
${SEND}
const { data } = (await answer.json()) as { data: ResultOf<typeof document> };
const first = data.startups?.nodes[0];
${VALUES}
// @ts-expect-error no such field
export const wrong: VariablesOf<typeof document> = { filter: { own: { nothing: true } } };
`,
  });
  expect(await program.compile()).toBe('');
  expect(await program.run('program.js', { KEY: key })).toEqual(EXPECTED);
});
