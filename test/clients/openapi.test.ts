import { expect, it } from 'vitest';
import { openProgram } from './program.ts';
import { serve, slugs } from './served.ts';

// Every status narrows the type of its data: what is read below is what the document promises.
const PROGRAM = `
import { defaults, getStartup, listStartups } from './api.ts';

defaults.headers = { authorization: 'Bearer ' + process.env.KEY };

const list = await listStartups({ category: ['saas'], sort: 'revenue-asc', limit: 2 });
if (list.status !== 200) throw new Error('list: ' + list.status);
const total: number = list.data.meta.total;
const first = list.data.data[0];
if (first === undefined) throw new Error('no record');

const detail = await getStartup(first.slug);
if (detail.status !== 200) throw new Error('detail: ' + detail.status);
const teamSize: '1' | '2-5' | '6-10' | '11-25' | '26-50' | '51+' | null = detail.data.data.teamSize;

const missing = await getStartup('no-such-startup');
if (missing.status !== 404) throw new Error('missing: ' + missing.status);

const invalid = await listStartups({ limit: 11 });
if (invalid.status !== 400) throw new Error('invalid: ' + invalid.status);

const refused = await listStartups();
if (refused.status !== 429) throw new Error('refused: ' + refused.status);

console.log(JSON.stringify({
  total,
  slugs: list.data.data.map(({ slug }) => slug),
  revenue: first.revenue.last30Days,
  teamSize,
  codes: [missing, invalid, refused].map(({ data }) => data.error.code),
  parameter: invalid.data.error.details?.[0]?.parameter,
}));
`;

const MISTAKES = `
import { listStartups } from './api.ts';

// @ts-expect-error no such order
await listStartups({ sort: 'newest' });
// @ts-expect-error no such parameter
await listStartups({ size: 5 });
const list = await listStartups();
// @ts-expect-error a refusal has no records
if (list.status === 429) list.data.meta;
`;

const served = await serve({ standard: 4, premium: 60 });
const program = await openProgram({ 'program.ts': PROGRAM, 'mistakes.ts': MISTAKES });

it('a client that oazapfts generates lists, reads, and distinguishes every error by its type', async () => {
  await program.write('openapi.json', await (await fetch(`${served.url}/openapi.json`)).text());
  await program.tool('oazapfts/dist/cli.js', 'openapi.json', 'api.ts');
  expect(await program.compile()).toBe('');
  expect(await program.run('program.js', { KEY: await served.key() })).toEqual({
    total: 12,
    slugs: [slugs[23], slugs[21]],
    revenue: 977,
    teamSize: null,
    codes: ['NOT_FOUND', 'BAD_USER_INPUT', 'RATE_LIMITED'],
    parameter: 'limit',
  });
});

const SCHEMAS = `
import { ListStartupsQueryParams, ListStartupsResponse } from './zod.ts';

const url = new URL('/api/v1/startups?limit=2', process.env.URL);
const response = await fetch(url, { headers: { authorization: 'Bearer ' + process.env.KEY } });
console.log(JSON.stringify({
  slugs: ListStartupsResponse.parse(await response.json()).data.map(({ slug }) => slug),
  isRefused: !ListStartupsQueryParams.safeParse({ limit: 11 }).success,
}));
`;

it('the schemas that orval writes for zod load, accept a response and refuse a parameter', async () => {
  const schemas = await openProgram({ 'program.ts': SCHEMAS });
  await schemas.write('openapi.json', await (await fetch(`${served.url}/openapi.json`)).text());
  const args = ['--input', 'openapi.json', '--output', 'zod.ts', '--client', 'zod'];
  await schemas.tool('orval/dist/bin/orval.mjs', ...args);
  expect(await schemas.compile()).toBe('');
  const env = { KEY: await served.key(), URL: served.url };
  expect(await schemas.run('program.js', env)).toEqual({ slugs: slugs.slice(0, 2), isRefused: true });
});
