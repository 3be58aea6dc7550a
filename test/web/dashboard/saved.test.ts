import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/access/accounts/change.ts';
import { readLists, SAVED_STARTUPS_MAX } from '../../../src/access/accounts/lists.ts';
import { bestOf } from '../../../src/web/dashboard/saved/comparison.tsx';
import { textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { expectPage, ORIGIN, openSite } from './site.ts';

const EXPLORER = '/dashboard/explorer';
const SHORTLIST = '/dashboard/shortlist';
const SEARCHES = '/dashboard/shortlist/searches';

const names = Array.from({ length: 14 }, (_, index) => `startup-${String(index).padStart(2, '0')}`);
const site = await openSite({
  records: names.map((slug) => record(slug, { name: slug, customers: Number(slug.slice(-2)) })),
});

let accounts = 0;
/** A member with a shortlist. */
const member = async (...slugs: string[]) => {
  accounts += 1;
  const browser = await site.member(`member-${accounts}@example.com`);
  const id = browser.accountId;
  const keep = (slug: string, more: Record<string, string> = {}) =>
    browser.post(SHORTLIST, { slug, keep: 'yes', ...more });
  for (const slug of slugs) {
    expect((await keep(slug)).status).toBe(303);
  }
  return { browser, id, keep, lists: () => readLists(site.database.prisma, id) };
};
const rowsOf = (text: string): string[] =>
  [...text.matchAll(/<th scope="row">([\s\S]*?)<\/th>/g)].map(([, cell = '']) => textIn(cell));

describe('the shortlist', () => {
  it('takes a startup from a row and from its page, and gives it back', async () => {
    const { browser, keep, lists } = await member();
    expect((await browser.get(SHORTLIST)).text).toContain('No saved startups yet');
    const star = (isOn: boolean) => new RegExp(`id="star-startup-00"[^>]* aria-pressed="${isOn}"`);
    const pages = [`${EXPLORER}?sort=name-asc`, `${EXPLORER}/startup-00`];
    for (const path of pages) {
      expect((await browser.get(path)).text).toMatch(star(false));
    }
    // Back to where the button is.
    const added = await keep('startup-00', { back: `${EXPLORER}?sort=name-asc` });
    expect(added.headers.location).toBe(`${EXPLORER}?sort=name-asc#star-startup-00`);
    for (const back of ['https://evil.example/', '//evil.example', '/dashboard/account', `${EXPLORER}\n`]) {
      expect((await keep('startup-00', { back })).headers.location, back).toBe(SHORTLIST);
    }
    for (const path of [...pages, SHORTLIST]) {
      expect((await browser.get(path)).text).toMatch(star(true));
    }
    await browser.post(SHORTLIST, { slug: 'startup-00', keep: 'no' });
    expect((await lists()).shortlist).toEqual([]);
  });

  it('lists its startups with the columns of the explorer, page by page', async () => {
    const { browser } = await member(...names);
    const first = await browser.get(SHORTLIST);
    expect(rowsOf(first.text).map((row) => /startup-\d\d/.exec(row)?.[0])).toEqual(
      names.toReversed().slice(0, 10),
    );
    expect(first.text).toContain('>14 startups<');
    expect(first.text).toMatch(/<th scope="col"[^>]*>Revenue 30d<\/th>/);
    expect(rowsOf((await browser.get(`${SHORTLIST}?page=2`)).text)).toHaveLength(4);
    // The page after the last is the last.
    expect(rowsOf((await browser.get(`${SHORTLIST}?page=9`)).text)).toHaveLength(4);
  });

  it('names a startup that is no longer listed, so that it can be removed', async () => {
    const { browser, lists } = await member('startup-02', 'long-gone');
    const { text } = await browser.get(SHORTLIST);
    expect(rowsOf(text)[0]).toContain('long-gone no longer listed');
    expect(text).toContain('aria-label="Save long-gone" aria-pressed="true"');
    await browser.post(SHORTLIST, { slug: 'long-gone', keep: 'no' });
    expect((await lists()).shortlist).toEqual(['startup-02']);
  });

  it('says when it is full, and what is no slug', async () => {
    const { browser, id, keep } = await member();
    const slugs = Array.from({ length: SAVED_STARTUPS_MAX }, (_, index) => `kept-${index}`);
    await site.database.prisma.accountLists.create({ data: { accountId: id, shortlist: slugs } });
    const full = await keep('startup-03');
    expectPage(full, 400, 'You have saved 100 startups, the maximum: remove one before you add');
    expect((await browser.post(SHORTLIST, { slug: 'No Slug', keep: 'yes' })).text).toContain('slug: got');
  });

  it('is of one account, needs the policy, and goes with the account', async () => {
    const one = await member('startup-05');
    const other = await member();
    expect((await other.browser.get(SHORTLIST)).text).not.toContain('startup-05');
    const guest = site.browser();
    expect((await guest.get(SHORTLIST)).headers.location).toContain('/dashboard/sign-in');
    const added = { slug: 'startup-05', keep: 'yes' };
    // A script adds it in place, and learns that a session has ended.
    const inPlace = { 'x-requested-with': 'fetch', referer: `${ORIGIN}${EXPLORER}?onSale=true` };
    expect((await other.browser.post(SHORTLIST, added, inPlace)).status).toBe(204);
    const ended = await guest.post(SHORTLIST, added, inPlace);
    expect(ended).toMatchObject({ status: 303, headers: { location: '/dashboard/sign-in?notice=expired' } });
    // Signed in again, one is back on the page with the button.
    expect(decodeURIComponent(guest.jar.get('revgate.next') ?? '')).toBe(`${ORIGIN}${EXPLORER}?onSale=true`);
    const late = await site.member('late@example.com', { accepts: false });
    expect((await late.get(SHORTLIST)).status).toBe(403);
    await deleteAccount(site.acting, one.id);
    expect(await site.database.prisma.accountLists.count({ where: { accountId: one.id } })).toBe(0);
  });
});

describe('a comparison', () => {
  it('puts two to four startups side by side', async () => {
    const { browser } = await member('startup-06');
    // As a form sends it.
    const query = 'compare=startup-06&compare=startup-07&compare=startup-07';
    const { text } = await browser.get(`${SHORTLIST}?${query}`);
    expect(text).toContain(`<a href="${EXPLORER}/startup-06">`);
    expect(text).toContain(`<a href="${EXPLORER}/startup-07">`);
    expect(text).toContain('aria-label="Save startup-06" aria-pressed="true"');
    expect(text).toContain('aria-label="Save startup-07" aria-pressed="false"');
    // What is the same for both is folded below the table, once.
    const parts = text.split('<summary>Same for all (');
    expect(parts.map((part) => part.includes('Verified by'))).toEqual([false, true]);
    expect(parts.map((part) => /(>|<dt>)Customers</.test(part))).toEqual([true, false]);
    for (const [number, query] of Object.entries({ 0: '', 1: 'startup-00', 5: 'a,b,c,d,e' })) {
      const refused = await browser.get(`${SHORTLIST}?compare=${query}`);
      expectPage(refused, 400, `Select 2 to 4 startups to compare. You selected ${number}.`);
    }
    const unknown = await browser.get(`${SHORTLIST}?compare=startup-06,it's`);
    expectPage(unknown, 200, "No startup is listed as “it's”. It may have been removed.");
    expect(unknown.text).not.toContain('Same for all');
    const gone = await browser.get(`${SHORTLIST}?compare=gone,away`);
    expectPage(gone, 200, 'No startup is listed as “gone” or “away”. They may have been removed.');
    expect(gone.text).toContain(`<a class="button" href="${SHORTLIST}">Saved startups</a>`);
  });

  it('marks the best values: all that are equal, unless all are', () => {
    expect(bestOf([1, 3, 2], 'more')).toEqual([1]);
    expect(bestOf([1, 3, 2], 'less')).toEqual([0]);
    expect(bestOf([3, null, 3, 1], 'more')).toEqual([0, 2]);
    expect([bestOf([2, 2], 'less'), bestOf([2, null], 'less'), bestOf([null], 'less')]).toEqual([[], [], []]);
  });
});

describe('a saved search', () => {
  it('is saved from the explorer, opened, renamed and deleted', async () => {
    const { browser, lists } = await member();
    const query = 'category=ai&minMrr=100050&sort=growth-desc';
    const explorer = await browser.get(`${EXPLORER}?${query}&page=2`);
    expect(explorer.text).toContain(`href="${SEARCHES}/new?${query.replaceAll('&', '&amp;')}"`);
    const form = await browser.get(`${SEARCHES}/new?${query}`);
    expect(textIn(form.text)).toContain(
      'Category: Artificial Intelligence · MRR ≥ $1,000.50Fastest growth first',
    );
    expect(form.text).toContain('value="Category: Artificial Intelligence · MRR ≥ $1,000.50"');
    const saved = await browser.submit(SEARCHES, { name: ' Growing AI ', query: `${query}&page=2` });
    expect(saved.text).toContain('The search is saved.');
    expect(saved.text).toContain(`<a href="${EXPLORER}?${query.replaceAll('&', '&amp;')}">Growing AI</a>`);
    const renamed = await browser.submit(`${SEARCHES}/edit`, { old: 'Growing AI', name: 'AI' });
    expect(renamed.text).toContain('The search was renamed.');
    expect((await lists()).searches).toEqual([{ name: 'AI', query, seenImport: null }]);
    // A page asks first; of what is not there, it asks nothing.
    const asked = await browser.get(`${SEARCHES}/edit?name=AI`);
    expect([asked.status, (await lists()).searches.length]).toEqual([200, 1]);
    expect((await browser.get(`${SEARCHES}/edit?name=other`)).status).toBe(404);
    const deleted = await browser.submit(`${SEARCHES}/edit/delete`, { old: 'AI' });
    expect(deleted.text).toContain('The search was deleted.');
    expect(deleted.text).toContain('No saved searches');
  });

  it('is listed with its filters, unless its name is made of them, and with its order', async () => {
    const { browser } = await member();
    const query = 'onSale=true&sort=growth-desc';
    const list = async (name: string) =>
      textIn((await browser.submit(SEARCHES, { name, query })).text).replaceAll('\n', ' ');
    expect(await list('Sale status: For sale')).toMatch(/Sale status: For sale *Fastest growth first/);
    expect(await list('To buy')).toMatch(/To buy *Sale status: For sale · Fastest growth first/);
  });

  it('is opened from a menu of the explorer, which marks the one that is shown', async () => {
    const { browser } = await member();
    const menu = async (query: string): Promise<string> =>
      /<button type="button" class="second" popovertarget="searches-menu">[\s\S]*?<\/div>/.exec(
        (await browser.get(`${EXPLORER}?${query}`)).text,
      )?.[0] ?? '';
    expect(await menu('onSale=true')).toBe('');
    await browser.post(SEARCHES, { name: 'To buy', query: 'onSale=true&minMrr=100' });
    await browser.post(SEARCHES, { name: 'All', query: '' });
    const shown = await menu('minMrr=100&onSale=true&page=1');
    expect(textIn(shown)).toBe('Saved searchesAllTo buyEdit saved searches');
    expect(shown).toContain(
      `<a href="${EXPLORER}?onSale=true&amp;minMrr=100" aria-current="true">To buy</a>`,
    );
    expect(shown).toContain(`<a href="${EXPLORER}">All</a>`);
    expect(await menu('onSale=true')).not.toContain('aria-current');
    // What is not saved yet can be, beside the menu.
    const offers = async (query: string): Promise<boolean> =>
      (await browser.get(`${EXPLORER}?${query}`)).text.includes('> this search<');
    expect([await offers('onSale=true'), await offers('minMrr=100&onSale=true')]).toEqual([true, false]);
  });

  it('is checked as the explorer checks it, and the form keeps what was typed', async () => {
    const { browser, lists } = await member();
    expect((await browser.post(SEARCHES, { name: 'a', query: 'category=robots' })).text).toContain(
      'Category: “robots” is not valid',
    );
    expect((await browser.get(`${SEARCHES}/new?foo=1`)).status).toBe(400);
    const unnamed = await browser.post(SEARCHES, { name: '', query: 'onSale=true' });
    expectPage(unnamed, 400, 'Name: got', 'name="query" value="onSale=true"');
    await browser.post(SEARCHES, { name: 'one', query: 'onSale=true' });
    await browser.post(SEARCHES, { name: 'two', query: 'onSale=true' });
    const used = await browser.post(`${SEARCHES}/edit`, { old: 'one', name: 'two' });
    expectPage(used, 400, 'which another of your searches has');
    expect((await lists()).searches).toHaveLength(2);
  });
});
