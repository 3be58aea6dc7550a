import { expect, it } from 'vitest';
import { openTestGateway } from '../../support/gateway.ts';

interface Found {
  readonly slug: string;
  readonly anchor: string;
  readonly title: string;
}

interface Parts {
  readonly name: readonly string[];
  readonly extract: readonly string[];
}

const gateway = await openTestGateway();
// The script of the page, which has no types.
const { prepare, partsOf } = await import(new URL('../../../assets/find.js', import.meta.url).href);
const search: (question: string) => readonly Found[] = prepare(
  (await gateway.call('/docs/search-all.json')).json,
);
const searchOfCustomers: typeof search = prepare((await gateway.call('/docs/search.json')).json);

const addresses = (question: string): string[] =>
  search(question).map(({ slug, anchor }) => (anchor === '' ? slug : `${slug}#${anchor}`));

it.each([
  ['how do I sort by growth in REST?', 'list-parameters#Query.startups.sort'],
  ['what does a 429 mean for me?', 'rate-limits'],
  ['can I show this on my page?', 'embedding'],
  ['how do I load my CSV?', 'import'],
  ['what happens when PostgreSQL is down?', 'failures'],
  ['how do I get only what changed since yesterday?', 'changes'],
  ['is growth30d a percentage or a fraction?', 'startup-record#Startup.growth30d'],
  ['how many requests may I send per minute?', 'rate-limits'],
  ['how do I restore a backup?', 'backup'],
])('answers “%s” with %s among the first three results', (question, address) => {
  expect(addresses(question).slice(0, 3)).toContain(address);
});

it.each([
  ['sort by mrr', 'list-parameters#Query.startups.sort'],
  ['429', 'rate-limits'],
  ['rate_lim', 'errors#RATE_LIMITED'],
  ['mrr-desc', 'enumerations#StartupSort.MRR_DESC'],
  ['If-None-Match', 'response-headers'],
  ['METRICS_TOKEN', 'settings'],
  ['startupsBySlug', 'by-id#several-startups-by-slug'],
])('finds “%s” in the text', (words, address) => {
  expect(addresses(words).slice(0, 3)).toContain(address);
});

it.each([
  ['euro', 'import#how-values-are-written'],
  ['registration', 'accounts'],
  ['lost password', 'troubleshooting#accounts-and-mail'],
])('finds “%s” for operators', (words, address) => {
  expect(addresses(words).slice(0, 4)).toContain(address);
});

it('finds the pages for operators in their own index only', () => {
  const ofOperators = (found: readonly Found[]) => found.filter(({ slug }) => slug === 'backup').length;
  expect(ofOperators(search('restore a backup'))).toBeGreaterThan(0);
  expect(ofOperators(searchOfCustomers('restore a backup'))).toBe(0);
  expect(searchOfCustomers('429').map(({ slug }) => slug)).toContain('rate-limits');
});

it.each([
  ['what currency are the amounts in?', 'introduction'],
  ['pagination', 'paging'],
  ['webhook', 'changes'],
  ['WordPress', 'embedding#in-frameworks'],
  ['many visitors', 'embedding#how-many-visitors'],
  ['accessibility', 'web-component#accessibility-and-privacy'],
  ['RTL', 'web-component#colors-fonts-and-dark-mode'],
  ['dark mode', 'web-component#colors-fonts-and-dark-mode'],
  ['yesterday', 'changes#Query.changes.since'],
  ['CORS', 'response-headers#cors'],
  ['delete account', 'authentication#your-account'],
  ['may I resell the data', 'introduction#what-you-may-do-with-the-data'],
  ['timezone', 'history#StartupPoint.day'],
  ['TypeScript', 'javascript-client'],
  ['CSV', 'paging#as-csv'],
  ['Apollo', 'graphql-clients#apollo-client'],
  ['how do I send my key?', 'authentication'],
  ['change the colors', 'web-component#colors-fonts-and-dark-mode'],
  ['median revenue of each category', 'summaries'],
  ['how do I page through all startups', 'paging'],
  ['quota', 'rate-limits'],
  ['RSS', 'feeds'],
  ['debug my requests', 'errors#failed-requests'],
  ['startup by domain', 'list-parameters#Query.startups.website'],
  ['outdated', 'introduction#how-current-the-data-is'],
  ['dump', 'changes'],
  ['how fresh is the data', 'introduction#how-current-the-data-is'],
  ['stale', 'introduction#how-current-the-data-is'],
  ['terms of use', 'introduction#what-you-may-do-with-the-data'],
  ['license of the data', 'introduction#what-you-may-do-with-the-data'],
  ['attribution', 'introduction#what-you-may-do-with-the-data'],
  ['how do I draw a chart', 'web-component'],
])('finds “%s” for customers', (words, address) => {
  const found = searchOfCustomers(words).map(({ slug, anchor }) =>
    anchor === '' ? slug : `${slug}#${anchor}`,
  );
  expect(found.slice(0, 3)).toContain(address);
});

/** What is shown of the result at an address, the words that were asked for in brackets. */
const shown = (question: string, address: string) => {
  const result = search(question).find(({ slug, anchor }) => `${slug}#${anchor}` === address);
  const { name, extract }: Parts = partsOf(result);
  return [name, extract].map((parts) => parts.map((part, at) => (at % 2 ? `[${part}]` : part)).join(''));
};

it.each([
  [
    'rate limit',
    'errors#RATE_LIMITED',
    '[RATE]_[LIMITED]',
    'The request costs more than is left of the [rate] [limit]; retry after the seconds in Retry-After.',
  ],
  [
    'pagination of lists',
    'paging#',
    'Paging',
    /^\[Pagination\]: how to page through a whole \[list\], by pages or by cursors\. .* …$/,
  ],
  ['window', 'rate-limits#', 'Rate limits', /^Your key has a limit for a \[window\]/],
  ['listedSince', 'startups#', 'List startups', /^… .*new listings · \[listedSince\]=\S+ · reduced prices/],
  [
    'discount',
    'list-parameters#Query.startups.priceReducedSince',
    /^priceReducedSince$/,
    /was \[reduced\] at/,
  ],
])('shows of “%s” at %s the name, and the text around its words', (question, address, name, extract) => {
  const [shownName, shownExtract = ''] = shown(question, address);
  expect(shownName).toMatch(name);
  expect(shownExtract).toMatch(extract);
  expect(shownExtract.replace(/[[\]]/g, '').length).toBeLessThanOrEqual(155);
});

it('shows of every result a name, and at most two lines', () => {
  for (const result of [...search('startup'), ...search('key')]) {
    const { name, extract }: Parts = partsOf(result);
    expect(name.join('')).not.toBe('');
    expect(extract.join('')).toMatch(/^(?!·).{0,155}$/);
  }
});

it('finds nothing for words that no page has', () => {
  expect(search('xylophone')).toEqual([]);
  expect(search('  ')).toEqual([]);
  expect(search('?!')).toEqual([]);
  expect(search('hasOwnProperty')).toEqual([]);
});

it.each(['/docs/search.json', '/docs/search-all.json'])(
  '%s is read from the pages, and has at most 64 kB',
  async (path) => {
    const { status, headers, body } = await gateway.raw(path, {
      headers: { 'accept-encoding': 'br' },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'br',
    });
    expect(body.length).toBeLessThanOrEqual(64_000);
    // Every result leads to an anchor of a page.
    const found = [...search('startup'), ...search('error'), ...search('key')];
    expect(found.length).toBeGreaterThan(50);
    for (const { slug, anchor } of found) {
      const { text } = await gateway.call(`/docs/${slug}`);
      expect(anchor === '' || text.includes(`id="${anchor}"`), `${slug}#${anchor}`).toBe(true);
    }
  },
);

it('has no marks of Markdown in the texts that it reads', async () => {
  const { text } = await gateway.call('/docs/search-all.json');
  expect(text).not.toMatch(/<!--|-->|--- ---|```/);
});
