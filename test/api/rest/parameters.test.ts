import { expect, it } from 'vitest';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { openTestGateway } from '../../support/gateway.ts';

const gateway = await openTestGateway({
  records: [...sampleStartups({ count: 5, seed: 1 })],
  limits: 100_000,
});
const { key } = await gateway.key();

const messageOf = async (path: string): Promise<string> => {
  const { status, json } = await gateway.call(`/api/v1${path}`, { key });
  expect([status, json.error.code]).toEqual([400, 'BAD_USER_INPUT']);
  return json.error.message;
};

const upTo = (most: number): string => `allowed: an integer from 1 to ${most}`;
const more = '(and 1 more in details)';
it.each([
  ['/startups?limit=11', `limit: got 11, ${upTo(10)}`],
  ['/startups?limit=ten', `limit: got "ten", ${upTo(10)}`],
  ['/startups?limit=99999999999999999999', `limit: got "99999999999999999999", ${upTo(10)}`],
  ['/startups?minPrice=2&maxPrice=1&limit=0', `limit: got 0, ${upTo(10)} ${more}`],
  ['/startups?limt=3&page=0', `page: got 0, ${upTo(2147483647)} ${more}`],
  ['/changes?limit=101', `limit: got 101, ${upTo(100)}`],
  ['/startups/x?limit=1', 'limit: unknown parameter, allowed: none'],
  ['/startups?limit=1&limit=2', 'limit: got ["1","2"], allowed: one value, given once'],
])('says the first invalid value and what is allowed: %s', async (path, message) => {
  expect(await messageOf(path)).toBe(message);
});

it.each<[string, RegExp]>([
  ['sort=newest', /^sort: .*allowed: one of revenue-desc, /],
  ['onSale=yes', /^onSale: got "yes", allowed: true or false$/],
  ['onSale=TRUE', /^onSale: got "TRUE", allowed: true or false$/],
  ['category=AI', /^category: .*allowed: one of ai, saas/],
  ['xHandle=', /^xHandle: .*1 to 30 letters/],
  ['minrevenue=1', /^minrevenue: unknown parameter.*did you mean "minRevenue"/],
  ['?page=2', /^\?page: .*did you mean "page"/],
  ['__proto__=1', /^__proto__: unknown parameter, allowed: [\w, ]+$/],
  ['category[]=ai', /^category\[\]: .*allowed: category without brackets, .+ separated by commas$/],
  ['page[]=2', /^page\[\]: .*allowed: page without brackets, one value, given once$/],
  ['search=Caf%E9', /^search: .*allowed: text in UTF-8, percent-encoded$/],
  ['category=ai,', /^category: got "ai,"/],
  ['category=ai,sas', /^category: got "ai,sas" \(did you mean "saas"\?\), allowed: one of ai, /],
  ['foundedAfter=yesterday', /a date of the years/],
  [
    'category=Artificial%20Intelligence',
    /^category: got "Artificial Intelligence" \(did you mean "ai"\?\), allowed: .+ commas$/,
  ],
  ['category=banking', /mobile-apps; in a URL, [\w ]+ commas$/],
  ['teamSize=51+', /^teamSize: got "51 " \(did you mean "51\+"\?\), allowed: one of 1, 2-5.+ commas$/],
  ['q=ai', /^q: unknown parameter \(did you mean "search"\?\), allowed: page, /],
  ['per_page=5', /^per_page: unknown parameter \(did you mean "limit"\?\), /],
  ['offset=20', /^offset: unknown parameter \(did you mean "page"\?\), /],
  ['order_by=mrr', /^order_by: unknown parameter \(did you mean "sort"\?\), /],
  ['colour=red', /^colour: unknown parameter, allowed: page, /],
  ['techStack=%2C', /^techStack: .+ without commas, separated by commas in a URL$/],
  ['page=007000000000', /^page: got "007000000000", /],
  ['minRevenue=9007199254740993&maxRevenue=1.50', /got 9007199254740992, allowed: at most .+ \(1.5\)$/],
])('says what is allowed, and the nearest name or value: ?%s', async (query, message) => {
  expect(await messageOf(`/startups?${query}`)).toMatch(message);
});

it.each([
  ['true', ['1', 'True']],
  ['false', ['0', 'False']],
])('takes other notations of %s, as generated clients send them', async (value, others) => {
  const read = async (text: string) => (await gateway.call(`/api/v1/startups?onSale=${text}`, { key })).json;
  const expected = await read(value);
  expect(expected.data).toBeDefined();
  for (const other of others) {
    expect(await read(other)).toEqual(expected);
  }
});

it.each(['/startups', '/startups/one'])('names a hundred of the invalid ones of %s at most', async (path) => {
  const names = Array.from({ length: 3_000 }, (_, i) => `a${i}`);
  expect(await messageOf(`${path}?${names.join('&')}`)).toMatch(/ \(and 99 more in details\)$/);
});

const anySlugs = 'allowed: 1 to 10 different slugs such as acme';
const eleven = 'a,b,c,d,e,f,g,h,i,j,k';
it.each([
  ['acme,No Slug,zz,-', 'no slug: "No Slug"'],
  ['acme,', 'no slug: ""'],
  ['acme,zz,acme', 'repeated: "acme"'],
  [eleven, 'these are 11'],
])('refuses the slugs %s as they were sent, and says: %s', async (slugs, wrong) => {
  const list = `/startups?slug=${encodeURIComponent(slugs)}`;
  expect(await messageOf(list)).toBe(
    `slug: got ${JSON.stringify(slugs)}, ${anySlugs}, separated by commas in a URL; ${wrong}`,
  );
  const got = `got ${JSON.stringify(slugs.split(','))}, ${anySlugs}; ${wrong}`;
  const document = 'query ($slugs: [String!]) { startups(filter: { slugs: $slugs }) { meta { total } } }';
  const { json } = await gateway.graphql(document, { slugs: slugs.split(',') }, { key });
  const details = [{ parameter: 'slugs', message: got }];
  expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', details });
});

it('says how to give several values where a parameter of a vocabulary is repeated', async () => {
  const message = await messageOf('/startups?category=ai&category=saas');
  expect(message).toMatch(/^category: got \["ai","saas"\], allowed: the parameter once, with .+ by commas$/);
});

const numbers = [`1${'0'.repeat(40)}`, `0.${'1'.repeat(41)}`, '1e3', '+1', '0x10', 'Infinity', '.5'];
it.each(numbers)('says how long a number may be where it gets %s', async (value) => {
  expect(await messageOf(`/startups?minPrice=${encodeURIComponent(value)}`)).toBe(
    `minPrice: got "${value}", allowed: a decimal number such as 2500 or -0.5, with at most 40 digits before and after the point`,
  );
});
