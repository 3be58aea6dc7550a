import { expect, it } from 'vitest';
import { record } from '../support/records.ts';
import { openProgram } from './program.ts';
import { serve } from './served.ts';

const served = await serve(undefined, {
  records: [record('acme', { onSale: true, category: 'ai' }), record('other', { category: 'ai' })],
});
const document = await (await fetch(`${served.url}/openapi.json`)).text();
const base = `${served.url}/api/v1`;

const AUTHORIZATION = "{ authorization: 'Bearer ' + process.env.KEY }";
const PRINT = 'console.log(JSON.stringify(list.data.map(({ slug, category }) => [slug, category])));';

/** Each generator: how it writes a client of the document, and a program that filters by a boolean with it. */
const generators: [name: string, tool: string, args: string[], program: string, packages?: string][] = [
  [
    'openapi-typescript',
    'openapi-typescript/bin/cli.js',
    ['openapi.json', '-o', 'api.ts'],
    `import createClient from 'openapi-fetch';
     import type { paths } from './api.ts';
     const client = createClient<paths>({ baseUrl: '${base}', headers: ${AUTHORIZATION} });
     const { data: list } = await client.GET('/startups', { params: { query: { onSale: 'true', limit: 2 } } });
     if (list === undefined) throw new Error('no list');
     ${PRINT}`,
  ],
  [
    'hey-api',
    '@hey-api/openapi-ts/bin/run.js',
    ['-i', 'openapi.json', '-o', 'api', '-c', '@hey-api/client-fetch'],
    `import { client } from './api/client.gen.js';
     import { listStartups } from './api/index.js';
     client.setConfig({ baseUrl: '${base}', headers: ${AUTHORIZATION} });
     const { data: list } = await listStartups({ query: { onSale: 'true', category: ['ai', 'saas'] } });
     if (list === undefined) throw new Error('no list');
     ${PRINT}`,
  ],
  [
    'orval',
    'orval/dist/bin/orval.mjs',
    ['--config', 'orval.config.mjs'],
    `import { listStartups } from './api.ts';
     const { status, data: list } = await listStartups({ onSale: 'true' }, { headers: ${AUTHORIZATION} });
     if (status !== 200) throw new Error(String(status));
     ${PRINT}`,
  ],
  [
    'oazapfts',
    'oazapfts/dist/cli.js',
    ['openapi.json', 'api.ts'],
    `import { defaults, listStartups } from './api.ts';
     defaults.headers = ${AUTHORIZATION};
     const response = await listStartups({ onSale: 'true', category: ['ai', 'saas'] });
     if (response.status !== 200) throw new Error(String(response.status));
     const list = response.data;
     ${PRINT}`,
  ],
  [
    'swagger-typescript-api',
    'swagger-typescript-api/dist/cli.mjs',
    ['generate', '-p', 'openapi.json', '-o', '.', '-n', 'api.ts'],
    `import { Api } from './api.ts';
     const api = new Api({ baseUrl: '${base}', baseApiParams: { headers: ${AUTHORIZATION}, format: 'json' } });
     const { data: list } = await api.startups.listStartups({ onSale: 'true' });
     ${PRINT}`,
  ],
  [
    'openapi-zod-client',
    'openapi-zod-client/bin.js',
    ['openapi.json', '-o', 'api.ts'],
    // Types of zodios walk through all parameters of an operation, and those of a list are too many for TypeScript.
    `import type { z } from 'zod';
     import { createApiClient, schemas } from './api.ts';
     type Lists = { get: (path: '/startups', options: object) => Promise<z.infer<typeof schemas.StartupPage>> };
     const api = createApiClient('${base}');
     const headers = ${AUTHORIZATION};
     const history = await api.get('/startups/:slug/history', {
       params: { slug: 'acme' }, queries: { fill: 'true' }, headers,
     });
     if (history.data.length > 90) throw new Error('days');
     const list = await (api as unknown as Lists).get('/startups', { queries: { onSale: 'true' }, headers });
     ${PRINT}`,
    // The versions of zod and zodios that it writes for.
    'openapi-zod-client/node_modules',
  ],
];

it.each(generators)(
  'a client that %s writes compiles strictly, and filters by a boolean',
  async (_name, tool, args, text, packages) => {
    const program = await openProgram({ 'program.ts': text, 'openapi.json': document }, {}, packages);
    const output = { target: 'api.ts', client: 'fetch', baseUrl: base };
    const config = { api: { input: 'openapi.json', output } };
    await program.write('orval.config.mjs', `export default ${JSON.stringify(config)};`);
    await program.tool(tool, ...args);
    expect(await program.compile()).toBe('');
    expect(await program.run('program.js', { KEY: await served.key() })).toEqual([['acme', 'ai']]);
  },
);
