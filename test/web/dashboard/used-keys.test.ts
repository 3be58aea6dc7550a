import { expect, it } from 'vitest';
import { promoteAccount } from '../../../src/access/accounts/change.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { createUsageStore } from '../../../src/access/usage/store.ts';
import { textIn } from '../../support/html.ts';
import { openSite } from './site.ts';

const NOW = Date.UTC(2026, 10, 20, 14, 30);
const [HOUR, DAY] = [3_600_000, 86_400_000];

const site = await openSite({ startsAt: NOW });
const ada = await site.member('ada@example.com');
const { id: accountId } = await site.accountOf('ada@example.com');

/** A key of Ada's that is some days old. */
const make = async (name: string, days: number): Promise<string> => {
  const { id } = await site.key({ name, accountId });
  const createdAt = new Date(NOW - days * DAY);
  await site.database.prisma.apiKey.update({ where: { id }, data: { createdAt } });
  return id;
};
const use = (keyId: string, hoursAgo: number, status: number, requests: number) =>
  createUsageStore(
    site.database.pool,
    () => NOW,
  )([
    {
      keyId,
      surface: 'rest',
      status,
      upTo: 1,
      requests,
      hour: NOW - (NOW % HOUR) - hoursAgo * HOUR,
      lastUsedAt: NOW - hoursAgo * HOUR,
    },
  ]);

const old = await make('billing', 200);
const { id: next } = await rotateKey(site.acting, old, '24h');
const idle = await make('idle', 150);
const unused = await make('unused', 3);
const fresh = await make('fresh', 0);
await use(old, 2, 200, 1_200);
await use(old, 50, 429, 30);
await use(old, 24 * 8, 200, 5_000);
await use(next, 1, 500, 2);
await use(next, 2, 500, 1);
await use(next, 3, 500, 1);
await use(idle, 24 * 90, 200, 7);
site.nextMinute();

/** The rows of the table of working keys, by the ids of their keys. */
async function rowsOf(browser = ada, path = '/dashboard/keys'): Promise<Map<string, string>> {
  const { text } = await browser.get(path);
  const [, body = ''] = /<tbody>([\s\S]*?)<\/tbody>/.exec(text) ?? [];
  return new Map(
    body
      .split('<tr>')
      .slice(1)
      .map((row) => [/(key_\w{12})"/.exec(row)?.[1] ?? '', row]),
  );
}

it('a replaced key stands below its replacement, with the time that is left', async () => {
  const rows = await rowsOf();
  const shown = [...rows.keys()];
  expect(shown.indexOf(old)).toBe(shown.indexOf(next) + 1);
  expect(shown.slice(-2)).toEqual([unused, idle]);
  expect(rows.get(old)).toContain('class="two-lines nested"');
  expect(textIn(rows.get(old) ?? '')).toContain('replaced, ends in 23 h');
  expect(rows.get(next)).not.toContain('nested');
});

it('each key has its last seven days, and what is left of its limit', async () => {
  const rows = await rowsOf();
  expect(rows.get(old)).toContain('aria-label="1,230 requests in 7 days, 0 with an error, 30 rate limited"');
  // Of today and of two days before, on a scale up to the busiest day.
  expect(rows.get(old)).toMatch(/<rect class="refused" x="41" y="97.5" width="8" height="2.5"/);
  expect(rows.get(old)).toMatch(/<rect class="succeeded" x="61" y="0" width="8" height="100"/);
  expect(rows.get(next)).toContain('aria-label="4 requests in 7 days, 4 with an error, 0 rate limited"');
  expect(rows.get(unused)).not.toContain('<svg class="spark');
  const text = textIn(rows.get(unused) ?? '');
  expect(text).toContain('–');
  expect(text).toContain('10 of 10');
});

it('says which keys were never used, or not for 90 days', async () => {
  const { text } = await ada.get('/dashboard/keys');
  expect(textIn(text)).toContain('2 keys were never used, or not for 90 days.');
  const rows = await rowsOf();
  const marks = [next, old, fresh, unused, idle].map(
    (id) => /never used|idle for \d+ days|not yet|\b\d+ h ago/.exec(rows.get(id) ?? '')?.[0],
  );
  expect(marks).toEqual(['1 h ago', '2 h ago', 'not yet', 'never used', 'idle for 90 days']);
});

it('operators see the holder and the use of each key, and a way back from every page', async () => {
  const op = await site.member('op@example.com');
  await promoteAccount(site.acting, 'op@example.com');
  const PATH = '/dashboard/operator';
  const rows = await rowsOf(op, `${PATH}/keys`);
  expect(rows.get(old)).toContain(`<a href="${PATH}/accounts/${accountId}">ada@example.com</a>`);
  expect(rows.get(old)).toContain('1,230 requests in 7 days');
  const key = (await op.get(`${PATH}/keys/${old}`)).text;
  expect(key).toMatch(/<dt>Holder<\/dt><dd><a href="[^"]+">ada@example\.com<\/a>/);
  expect(key).toContain('6,230 requests, 30 of them rate limited.');
  const account = (await op.get(`${PATH}/accounts/${accountId}`)).text;
  // With those of another test, if that ran before.
  expect(account).toMatch(/6,2[34]4 requests, 30 of them rate limited\./);

  const back = (path: string) =>
    op.get(path).then(({ text }) => /<p class="back"><a href="([^"]*)"/.exec(text)?.[1]);
  const pages = {
    [`${PATH}/keys/${old}`]: `${PATH}/keys`,
    [`${PATH}/accounts/${accountId}`]: `${PATH}/accounts`,
    [`${PATH}/accounts/${accountId}/delete`]: `${PATH}/accounts/${accountId}`,
    [`${PATH}/policies/2026-11-20`]: `${PATH}/policies`,
    [`${PATH}/imports/new`]: `${PATH}/imports`,
    [`/dashboard/usage/${old}`]: `${PATH}/keys/${old}`,
  };
  for (const [path, parent] of Object.entries(pages)) {
    expect([path, await back(path)]).toEqual([path, parent]);
  }
  const made = await op.post(`${PATH}/tokens`, { name: 'nightly' });
  expect(made.text).toContain(`<p class="back"><a href="${PATH}/tokens">`);
});

it('usage shows the share of errors', async () => {
  const { text } = await ada.get(`/dashboard/usage/${next}`);
  // All requests of three hours failed, and the others had none.
  expect(text).toContain('data-step="3600000"');
  expect(text).toMatch(/<path class="line errors" d="M200 0H210V0H220V0H230"\/?>/);
  expect(text).toContain('At most 100 %.');
});

it('429 has a color of its own wherever it appears', async () => {
  const { text } = await ada.get(`/dashboard/usage/${old}?period=7d`);
  expect(text).toContain('<span class="badge refused">429</span>');
  expect(text).toContain('class="cell-bar refused"');
  expect(text).toContain('<rect class="refused"');
  const { id, key } = await site.key({ name: 'used up', accountId });
  for (let request = 0; request < 10; request += 1) {
    await site.call('/api/v1/startups', { key });
  }
  expect((await ada.get(`/dashboard/usage/${id}/left`)).text).toContain('class="cell-bar refused"');
});
