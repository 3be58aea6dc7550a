import { expect, it } from 'vitest';
import { readLists } from '../../../src/access/accounts/lists.ts';
import { textIn } from '../../support/html.ts';
import { insertRecords, record } from '../../support/records.ts';
import { openSite } from './site.ts';

const EXPLORER = '/dashboard/explorer';
const SEARCHES = '/dashboard/shortlist/searches';
const site = await openSite({ records: [record('mint-1')] });
const { database } = site;

/** Adds startups as an import does: first them, then its entry in the log. */
async function importStartups(...slugs: string[]): Promise<void> {
  await insertRecords(
    database,
    slugs.map((slug) => record(slug)),
  );
  await database.prisma.$executeRaw`
    INSERT INTO imports (finished_at, sources, imported_by, via, duration_ms, created, updated, unchanged, rejected, removed)
    VALUES (clock_timestamp(), '{a.csv}', 'operator', 'command', 1, ${slugs.length}, 0, 0, 0, 0)`;
}

it('says how many startups of a search were added since it was opened, at no further cost', async () => {
  const browser = await site.member('ada@example.com');
  const read = async (): Promise<string[]> => {
    const { text } = await browser.get(SEARCHES);
    site.nextMinute();
    return [...text.matchAll(/<td class="number"[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => textIn(cell));
  };
  const expectMatches = (expected: readonly string[]) =>
    expect
      .poll(async () => {
        await site.notice();
        return read();
      })
      .toEqual(expected);
  for (const [name, query] of [
    ['All', 'sort=mrr-desc'],
    ['Mint', 'search=mint&sort=mrr-desc'],
  ] as const) {
    await browser.post(SEARCHES, { name, query });
  }
  // Before the first import, nothing is new. It removes the sample.
  await expectMatches(['1', '1']);
  await database.prisma.startup.deleteMany();
  await importStartups('mint-2', 'mint-3', 'labs-1');
  await expectMatches(['3 · 3 new', '2 · 2 new']);

  // Another list opens no search; the same filters do in any order, and lead to what is new.
  await browser.get(`${EXPLORER}?search=labs`);
  const { text } = await browser.get(SEARCHES);
  expect(text).toContain(`<a href="${EXPLORER}?search=mint&amp;sort=created-desc">2 new</a>`);
  await browser.get(`${EXPLORER}?search=mint&sort=created-desc`);
  await expectMatches(['3 · 3 new', '2']);
  const seen = (await readLists(database.prisma, browser.accountId)).searches.map(
    ({ seenImport }) => seenImport,
  );
  expect(seen).toEqual([null, expect.stringMatching(/^\d{4}-.*Z$/)]);

  await importStartups(...Array.from({ length: 11 }, (_, index) => `mint-1${index}`));
  await expectMatches(['14 · 10+ new', '13 · 10+ new']);
  // An import that adds nothing makes nothing new.
  await browser.get(EXPLORER);
  await importStartups('labs-2');
  await expectMatches(['15 · 1 new', '13 · 10+ new']);
});
