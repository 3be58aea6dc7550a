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

it.each<[string, Record<string, string>]>([
  ['', { first: '?page=1', next: '?page=2', last: '?page=3' }],
  ['?page=2', { first: '?page=1', prev: '?page=1', next: '?page=3', last: '?page=3' }],
  ['?page=3', { first: '?page=1', prev: '?page=2', last: '?page=3' }],
  ['?page=9', { first: '?page=1', prev: '?page=3', last: '?page=3' }],
  [
    '?limit=5&page=2&sort=price-asc',
    {
      first: '?limit=5&page=1&sort=price-asc',
      prev: '?limit=5&page=1&sort=price-asc',
      next: '?limit=5&page=3&sort=price-asc',
      last: '?limit=5&page=5&sort=price-asc',
    },
  ],
  [
    '?teamSize=51%2B&limit=2',
    {
      first: '?teamSize=51%2B&limit=2&page=1',
      next: '?teamSize=51%2B&limit=2&page=2',
      last: '?teamSize=51%2B&limit=2&page=2',
    },
  ],
  // Letters of a name may be escaped.
  ['?limit=5&%70age=5', { first: '?limit=5&page=1', prev: '?limit=5&page=4', last: '?limit=5&page=5' }],
  // In a header, these would end the reference.
  ['?search=<z>', { first: '?search=%3Cz%3E&page=1', last: '?search=%3Cz%3E&page=1' }],
  ['?search=c#', { first: '?search=c%23&page=1', last: '?search=c%23&page=1' }],
  ['?xHandle=%40nobody', { first: '?xHandle=%40nobody&page=1', last: '?xHandle=%40nobody&page=1' }],
])('of %s lead to the other pages, with the same parameters in their order', async (query, expected) => {
  const links = Object.entries(expected).map(([relation, reference]) => [relation, `${LIST}${reference}`]);
  expect(await linksOf(`${LIST}${query}`)).toEqual(Object.fromEntries(links));
});

it('are on lists alone', async () => {
  for (const target of [`${LIST}/s-1`, `${LIST}?page=0`, `${LIST}/no-such`]) {
    expect((await gateway.call(target, { key })).headers).not.toHaveProperty('link');
  }
});
