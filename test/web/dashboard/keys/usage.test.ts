import { expect, it } from 'vitest';
import { promoteAccount } from '../../../../src/access/accounts/change.ts';
import { readUsageTotals } from '../../../../src/access/usage/read.ts';
import { createUsageStore } from '../../../../src/access/usage/store.ts';
import { tally } from '../../../../src/web/parts/keys/usage-views.tsx';
import { rowsOf, textIn } from '../../../support/html.ts';
import { openSite } from '../site.ts';

/** Half past two: the hour under way counts too. */
const NOW = Date.UTC(2026, 10, 20, 14, 30);
const HOUR = 3_600_000;
const PATH = '/dashboard/usage';

const site = await openSite({ startsAt: NOW });
const ada = await site.member('ada@example.com');
const { accountId } = ada;
const key = await site.key({ name: 'billing', accountId });
const other = await site.key({ name: 'other', accountId });
const at = (hoursAgo: number, surface: string, status: number, requests: number, upTo: number) => ({
  keyId: key.id,
  surface,
  status,
  upTo,
  requests,
  hour: NOW - (NOW % HOUR) - hoursAgo * HOUR,
  lastUsedAt: NOW - hoursAgo * HOUR,
});
const add = createUsageStore(site.database.pool, () => NOW);
await add([
  at(0, 'rest', 200, 40, 1),
  at(0, 'graphql', 200, 15, 2.5),
  at(0, 'rest', 429, 5, 0.5),
  at(3, 'rest', 400, 20, Number.POSITIVE_INFINITY),
  // Within 7, 30 and 90 days.
  at(30, 'graphql', 200, 100, 0.5),
  at(24 * 20, 'rest', 200, 7_000, 1_000),
  at(24 * 35, 'rest', 200, 999_999, 50),
]);
const see = async (query: string, browser = ada) =>
  (await browser.get(`${PATH}?key=${key.id}&${query}`)).text;

it('a request whose client left counts as no error', async () => {
  const left = await site.key({ name: 'left' });
  await add([
    { ...at(0, 'rest', 499, 3, 1), keyId: left.id },
    { ...at(0, 'rest', 500, 1, 1), keyId: left.id },
  ]);
  const since = new Date(NOW - (NOW % HOUR));
  const totals = await readUsageTotals(site.database.prisma, [left.id], {
    since,
    until: new Date(NOW),
    step: HOUR,
  });
  expect(totals.get(left.id)).toEqual({ requests: 4, refused: 0, errors: 1 });
  const rows = [499, 499, 500, 200].map((status) => ({ status, requests: 1 }));
  expect(tally(rows)).toEqual({ requests: 4, succeeded: 1, errors: 1, refused: 0 });
});

it.each([
  ['', '80', ['55 68.8%', '20 25%', '5 6.3%'], ['< 1 ms', '> 5 s']],
  ['period=7d', '180', ['155 86.1%', '20 11.1%', '5 2.8%'], ['< 0.5 ms', '> 5 s']],
  ['period=90d', '1,007,179', ['1,007,154 > 99.9%', '20 < 0.1%', '5 < 0.1%'], ['< 50 ms', '< 50 ms']],
  ['period=nonsense', '80', ['55 68.8%', '20 25%', '5 6.3%'], ['< 1 ms', '> 5 s']],
])('the usage of a key is summed up in figures: %s', async (query, requests, shares, durations) => {
  const [, figures = ''] = /<dl class="figures">([\s\S]*?)<\/dl>/.exec(await see(query)) ?? [];
  const values = [...figures.matchAll(/<dd>([\s\S]*?)<\/dd>/g)].map(([, cell = '']) => textIn(cell));
  expect(values).toEqual([requests, ...shares, ...durations]);
});

it.each([
  ['24h', 'an hour', ['2026-11-20 14:00 UTC', '60', '0', '5'], ['2026-11-20 11:00 UTC', '20', '20', '0']],
  ['30d', 'a day', ['2026-11-20', '80', '20', '5'], ['2026-11-19', '100', '0', '0']],
] as const)(
  'the usage of a key is listed in a table, in buckets as long as the period needs: %s',
  async (period, bucket, ...rows) => {
    const text = await see(`period=${period}`);
    expect(rowsOf(text, `Newest first; each row is ${bucket}`).slice(0, 2)).toEqual(rows);
  },
);

it('the usage of a key is listed by surface and status, with a colour of its own for 429', async () => {
  const text = await see('period=30d');
  expect(rowsOf(text, 'Responses by API and status')).toEqual([
    ['REST', '200', '7,040'],
    ['GraphQL', '200', '115'],
    ['REST', '400', '20'],
    ['REST', '429', '5'],
  ]);
  expect(text).toContain('<span class="badge refused">429</span>');
});

it('the usage of a key is drawn as labelled bars', async () => {
  const [chart = ''] = /<svg viewBox="0 0 240[\s\S]*?<\/svg>/.exec(await see('')) ?? [];
  expect(chart).toContain(
    '>80 requests, 5 of them rate limited. Most in an hour: 60, from 2026-11-20 14:00 UTC.</desc>',
  );
  expect(chart).toContain('<title>2026-11-20 14:00 UTC: 55 succeeded, 0 errors, 5 rate limited</title>');
  // 55 and 5 of 60, the last of 24 bars; those over the limit stand on the others.
  expect(chart).toMatch(/<rect class="succeeded" x="231" y="8.33" width="8" height="91.67"\/?>/);
  expect(chart).toMatch(/<rect class="refused" x="231" y="0" width="8" height="8.33"\/?>/);
});

it('the usage of an account lists its keys, which lead to that of each, with what is left of its limit', async () => {
  const { text } = await ada.get(PATH);
  expect(rowsOf(text, 'Keys')).toEqual([
    [expect.stringMatching(/^billing/), '80', '20', '5', '10 of 10'],
    [expect.stringMatching(/^other/), '0', '0', '0', '10 of 10'],
  ]);
  expect(text).toContain(`href="${PATH}?key=${key.id}&amp;period=24h"`);
  await site.call('/api/v1/startups', { key: other.key });
  // Counted at once, as what is left of the limit is.
  expect(rowsOf((await ada.get(PATH)).text, 'Keys')[1]?.slice(1)).toEqual(['1', '0', '0', '9 of 10']);
  const keys = rowsOf((await ada.get('/dashboard/keys')).text, 'Working');
  expect(keys.find(([name]) => name?.startsWith('other'))?.slice(2, 4)).toEqual(['1', '9 of 10']);
});

it('the usage of a key is visible to its holder and operators only', async () => {
  const bob = await site.member('bob@example.com');
  expect((await bob.get(PATH)).text).toContain('No key yet');
  for (const id of [key.id, 'key_000000000000', '%00']) {
    expect((await bob.get(`${PATH}?key=${id}`)).status).toBe(404);
  }
  await promoteAccount(site.acting, 'bob@example.com');
  expect(await see('', bob)).toContain(`<a href="/dashboard/operator/keys/${key.id}">billing</a>`);
});
