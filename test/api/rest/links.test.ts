import { expect, it } from 'vitest';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const records = Array.from({ length: 25 }, (_, i) => record(`s-${i}`, { teamSize: i < 3 ? '51+' : null }));
const gateway = await openTestGateway({ records, limits: { standard: 1_000, premium: 1_000 } });
const { key } = await gateway.key();

const LIST = '/api/v1/startups';

/** The references of a Link header by their relation. */
async function linksOf(target: string): Promise<Record<string, string>> {
  const { status, headers } = await gateway.call(target, { key, headers: { host: 'evil.example' } });
  expect(status).toBe(200);
  const links = [...(headers.link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"(?:, |$)/g)];
  expect(links.map(([whole]) => whole).join('')).toBe(headers.link);
  return Object.fromEntries(links.map(([, reference, relation]) => [relation, reference]));
}

it.each<[string, string, Record<string, number>]>([
  ['', '?page=%', { first: 1, next: 2, last: 3 }],
  ['?page=2', '?page=%', { first: 1, prev: 1, next: 3, last: 3 }],
  ['?page=3', '?page=%', { first: 1, prev: 2, last: 3 }],
  ['?page=9', '?page=%', { first: 1, prev: 3, last: 3 }],
  [
    '?limit=5&page=2&sort=price-asc',
    '?limit=5&page=%&sort=price-asc',
    { first: 1, prev: 1, next: 3, last: 5 },
  ],
  ['?teamSize=51%2B&limit=2', '?teamSize=51%2B&limit=2&page=%', { first: 1, next: 2, last: 2 }],
  // Letters of a name may be escaped.
  ['?limit=5&%70age=5', '?limit=5&page=%', { first: 1, prev: 4, last: 5 }],
  // In a header, these would end the reference.
  ['?search=<z>', '?search=%3Cz%3E&page=%', { first: 1, last: 1 }],
  ['?search=c#', '?search=c%23&page=%', { first: 1, last: 1 }],
  ['?xHandle=%40nobody', '?xHandle=%40nobody&page=%', { first: 1, last: 1 }],
])('of %s lead to the other pages, with the same parameters in their order', async (query, form, pages) => {
  const links = Object.entries(pages).map(([relation, page]) => [
    relation,
    `${LIST}${form.replace('page=%', `page=${page}`)}`,
  ]);
  expect(await linksOf(`${LIST}${query}`)).toEqual(Object.fromEntries(links));
});

it.each([`${LIST}/s-1`, `${LIST}?page=0`, `${LIST}/no-such`])(
  'are on lists alone: not on %s',
  async (target) => {
    expect((await gateway.call(target, { key })).headers).not.toHaveProperty('link');
  },
);
