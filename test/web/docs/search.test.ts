import { describe, expect, it } from 'vitest';
import type { Steps } from '../../../src/lib/loop/time-slices.ts';
import { createSearch, MOST_WORDS } from '../../../src/web/docs/search.tsx';
import { textIn } from '../../support/html.ts';
import { type Browser, expectPage, openSite } from '../dashboard/site.ts';

const site = await openSite({ settings: { operators: ['op@example.com'] } });
const guest = site.browser();
const operator = await site.member('op@example.com');

/** Does all steps of some work, and counts them. */
function finish<T>(work: Steps<T>): { steps: number; result: T } {
  for (let steps = 0; ; steps += 1) {
    const { done, value } = work.next();
    if (done === true) {
      return { steps, result: value };
    }
  }
}

/** What a script puts below the field. */
const search = async (question: string, by: Browser = operator): Promise<string> =>
  (await by.get(`/docs?${new URLSearchParams({ q: question })}`, { 'x-requested-with': 'fetch' })).text;
const addresses = async (question: string, by?: Browser): Promise<string[]> =>
  [...(await search(question, by)).matchAll(/<a href="\/docs\/([^"]+)"/g)].map(([, address = '']) => address);

it.each([
  ['how do I sort by growth in REST?', 'list-parameters#Query.startups.sort'],
  ['what does a 429 mean for me?', 'rate-limits'],
  ['can I show this on my page?', 'embedding'],
  ['is growth30d a percentage or a fraction?', 'startup-record#Startup.growth30d'],
  ['how many requests may I send per minute?', 'rate-limits'],
  ['how do I page through all startups', 'startups#paging'],
  ['what currency are the amounts in?', 'introduction'],
  ['may I resell the data', 'introduction#what-you-may-do-with-the-data'],
  ['how fresh is the data', 'introduction#how-current-the-data-is'],
  ['median revenue of each category', 'summaries'],
  ['startup by domain', 'list-parameters#Query.startups.website'],
  ['rate_lim', 'errors#RATE_LIMITED'],
  ['mrr-desc', 'enumerations#StartupSort.MRR_DESC'],
  ['If-None-Match', 'response-headers'],
  ['startupsBySlug', 'startup#several-by-slug'],
  ['yesterday', 'changes#Query.changes.since'],
  ['webhook', 'changes'],
  ['timezone', 'history#StartupPoint.day'],
  ['WordPress', 'embedding#in-frameworks'],
  ['RTL', 'web-component#colors-fonts-and-dark-mode'],
  ['accessibility', 'web-component#accessibility-and-privacy'],
  ['delete account', 'authentication#your-account'],
  ['debug my requests', 'errors#failed-requests'],
  ['CSV', 'startups#as-csv'],
  ['deprecation', 'compatibility'],
  ['sdk', 'javascript-client'],
  ['python', 'languages#python'],
  ['Apollo', 'graphql-clients#apollo-client'],
  ['TypeScript', 'javascript-client'],
  ['RSS', 'feeds'],
])('finds “%s” for customers', async (question, address) => {
  // Results are by groups: one of a second group may be below the first group's.
  expect((await addresses(question, guest)).slice(0, 8)).toContain(address);
});

it.each([
  ['how do I load my CSV?', 'import'],
  ['what happens when PostgreSQL is down?', 'failures'],
  ['how do I restore a backup?', 'backup'],
  ['METRICS_TOKEN', 'monitoring'],
  ['euro', 'import#how-values-are-written'],
  ['registration', 'accounts'],
  ['lost password', 'troubleshooting#accounts-and-mail'],
])('finds “%s” for operators, and none of their pages for customers', async (question, address) => {
  expect((await addresses(question)).slice(0, 4)).toContain(address);
  expect(await addresses(question, guest)).not.toContain(address);
});

/** What is shown of the result at an address, the words that were asked for in brackets. */
const shown = async (question: string, address: string): Promise<string[]> => {
  const [, result = ''] = (await search(question)).split(`<a href="/docs/${address}">`);
  const [, name = '', extract = ''] = /<strong>(.*?)<\/strong>.*?<span>(.*?)<\/span>/s.exec(result) ?? [];
  return [name, extract].map((text) => textIn(text.replace(/<mark>(.*?)<\/mark>/g, '[$1]')));
};

it.each([
  [
    'rate limit',
    'errors#RATE_LIMITED',
    '[RATE]_[LIMITED]',
    /^The request costs .* left of the \[rate\] \[limit\]/,
  ],
  [
    'pagination of lists',
    'startups',
    '[List] startups',
    /\[pagination\]: how to page through a whole \[list\]/,
  ],
  ['window', 'rate-limits', 'Rate limits', /\[window\] of 60 seconds/],
])(
  'shows of “%s” at %s the name, and the text around its words',
  async (question, address, name, extract) => {
    const [shownName, shownExtract = ''] = await shown(question, address);
    expect(shownName).toBe(name);
    expect(shownExtract).toMatch(extract);
    expect(shownExtract.replace(/[[\]]/g, '').length).toBeLessThanOrEqual(155);
  },
);

it('leaves out what the changelog says was removed, and finds what replaced it', async () => {
  expect(await addresses('busy and idle keys')).not.toContainEqual(
    expect.stringMatching(/^changelog#removed/),
  );
  expect((await addresses('changelog')).slice(0, 3)).toContain('changelog');
});

it('corrects a typing error where nothing is found without', async () => {
  expect(await addresses('pagniation')).toContain('startups');
});

describe('a question takes a bounded time', () => {
  const section = (slug: string, text: string) => ({ slug, title: slug, description: '', text });
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz012345678');
  const texts = [letters.map((letter) => `${letter}word`).join(' '), 'Startups have figures.', 'Nothing.'];
  const sections = texts.map((text, at) => section(`page-${at}`, text));
  const find = finish(createSearch([{ title: 'Group', isForOperators: false, sections }])).result;
  const ask = (question: string) => finish(find(question, false));

  it('with a step for each of at most eight words, once without and once with corrections', () => {
    expect(ask(letters.join(' '))).toEqual({ steps: 2 * MOST_WORDS + 1, result: { best: [], count: 0 } });
    expect(ask('startups figures').steps).toBe(3);
  });

  it('with words that begin with a word of three letters, not of fewer', () => {
    expect([ask('sta').result.count, ask('st').result.count, ask('a').result.count]).toEqual([1, 0, 0]);
  });

  it('with corrections of words of four letters, not of fewer', () => {
    expect([ask('figurse').result.count, ask('awo').result.count, ask('bor').result.count]).toEqual([
      1, 1, 0,
    ]);
  });

  it('once for each of the latest questions', () => {
    const first = ask('Startups have');
    expect(ask(' startups HAVE ')).toEqual({ steps: 0, result: first.result });
    for (let question = 0; question < 200; question += 1) {
      ask(`startups ${question}`);
    }
    expect(ask('Startups have').steps).toBe(first.steps);
  });
});

it.each(['xylophone', '', '?!', 'hasOwnProperty', '<xylophone>', 'a'.repeat(5_000)])(
  'finds nothing for words that are nowhere, and no words: case %#',
  async (words) => {
    expect(await addresses(words)).toEqual([]);
    expect(await search(words)).not.toContain('<xylophone');
  },
);

it('leads only to places that exist, and shows no marks of Markdown', async () => {
  const found = [...(await addresses('startup')), ...(await addresses('key'))];
  expect(found.length).toBeGreaterThan(30);
  const slugs = new Set(found.map((address) => address.split('#')[0] ?? ''));
  for (const slug of slugs) {
    const { status, text } = await operator.get(`/docs/${slug}`);
    expect([slug, status]).toEqual([slug, 200]);
    for (const [, anchor] of found.map((address) => address.split('#')).filter(([of]) => of === slug)) {
      expect(anchor === undefined || text.includes(`id="${anchor}"`), `${slug}#${anchor}`).toBe(true);
    }
  }
  expect(textIn(await search('startup'))).not.toMatch(/<!--|-->|--- ---|```/);
});

it('has a page of results without a script, to which a page that does not exist leads too', async () => {
  const { status, headers, text } = await guest.get('/docs?q=quota');
  expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(text).toContain('value="quota"');
  expect(text).toContain('<a href="/docs/rate-limits">');
  const missing = await guest.get('/nowhere', { accept: 'text/html' });
  expectPage(missing, 404, 'action="/docs"');
  expect(missing.headers['content-security-policy']).toContain("form-action 'self'");
});
