import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { promoteAccount } from '../../../src/access/accounts/change.ts';
import { readUsageTotals } from '../../../src/access/usage/read.ts';
import { createUsageStore } from '../../../src/access/usage/store.ts';
import { tally } from '../../../src/web/dashboard/usage/buckets.ts';
import { openSite, textOf } from './site.ts';

/** Half past two: the hour under way counts too. */
const NOW = Date.UTC(2026, 10, 20, 14, 30);
const HOUR = 3_600_000;

const site = await openSite({ startsAt: NOW });
const ada = await site.member('ada@example.com');
const { id: accountId } = await site.accountOf('ada@example.com');
const key = { ...(await site.key({ name: 'billing', accountId })), accountId };
const at = (hoursAgo: number, surface: string, status: number, requests: number, upTo: number) => ({
  keyId: key.id,
  surface,
  status,
  upTo,
  requests,
  hour: NOW - (NOW % HOUR) - hoursAgo * HOUR,
  lastUsedAt: NOW - hoursAgo * HOUR,
});
await createUsageStore(
  site.database.pool,
  () => NOW,
)([
  at(0, 'rest', 200, 40, 1),
  at(0, 'graphql', 200, 15, 2.5),
  at(0, 'rest', 429, 5, 0.5),
  at(3, 'rest', 400, 20, Number.POSITIVE_INFINITY),
  // Within 7, 30 and 90 days.
  at(30, 'graphql', 200, 100, 0.5),
  at(24 * 20, 'rest', 200, 7_000, 1_000),
  at(24 * 35, 'rest', 200, 999_999, 50),
]);

/** The cells of the rows of a table that begins with a caption. */
function rowsOf(text: string, caption: string): string[][] {
  const table = text.split('<table').find((one) => one.includes(`>${caption}`)) ?? '';
  return [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, ''),
    ),
  );
}

it('a request whose client left counts as no error', async () => {
  const left = await site.key({ name: 'left' });
  const add = createUsageStore(site.database.pool, () => NOW);
  await add([
    { ...at(0, 'rest', 499, 3, 1), keyId: left.id },
    { ...at(0, 'rest', 500, 1, 1), keyId: left.id },
  ]);
  const since = new Date(NOW - (NOW % HOUR));
  const lastHour = { since, until: new Date(NOW), step: HOUR };
  expect((await readUsageTotals(site.database.prisma, [left.id], lastHour)).get(left.id)).toEqual({
    requests: 4,
    refused: 0,
    errors: 1,
  });
  const rows = [499, 499, 500, 200].map((status) => ({ start: since, surface: 'rest', status, requests: 1 }));
  expect(tally(rows)).toEqual({ requests: 4, succeeded: 1, errors: 1, refused: 0 });
});

it('pages are compressed, but not what a form returns', async () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const path = `/dashboard/usage/${key.id}`;
  const plain = await ada.get(path);
  const gzipped = await site.raw(path, { headers: { ...headers, cookie: ada.cookies() } });
  expect(gzipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  expect(gzipped.body.length).toBeLessThan(plain.text.length / 3);
  expect(gunzipSync(gzipped.body).toString()).toContain('Newest first');
  const form = await ada.post('/dashboard/keys', { name: '' }, headers);
  expect([form.status, form.headers['content-encoding']]).toEqual([400, undefined]);
});

describe('the usage of a key', () => {
  it.each([
    ['', '80', ['55 68.8%', '20 25%', '5 6.3%'], ['≤ 1 ms', '&gt; 5 s']],
    ['?period=24h', '80', ['55 68.8%', '20 25%', '5 6.3%'], ['≤ 1 ms', '&gt; 5 s']],
    ['?period=7d', '180', ['155 86.1%', '20 11.1%', '5 2.8%'], ['≤ 0.5 ms', '&gt; 5 s']],
    ['?period=30d', '7,180', ['7,155 99.7%', '20 0.3%', '5 0.1%'], ['≤ 1 s', '≤ 1 s']],
    [
      '?period=90d',
      '1,007,179',
      ['1,007,154 &gt; 99.9%', '20 &lt; 0.1%', '5 &lt; 0.1%'],
      ['≤ 50 ms', '≤ 50 ms'],
    ],
    ['?period=nonsense', '80', ['55 68.8%', '20 25%', '5 6.3%'], ['≤ 1 ms', '&gt; 5 s']],
  ])('is summed up in figures for the period %s', async (query, requests, shares, durations) => {
    const { text } = await ada.get(`/dashboard/usage/${key.id}${query}`);
    const figures = /<dl class="figures">([\s\S]*?)<\/dl>/.exec(text)?.[1] ?? '';
    const values = [...figures.matchAll(/<dd>([\s\S]*?)<\/dd>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, ''),
    );
    expect(values).toEqual([requests, ...shares, ...durations]);
  });

  it.each([
    [
      '24h',
      'an hour',
      [
        ['2026-11-20 14:00 UTC', '60', '55', '0', '5'],
        ['2026-11-20 11:00 UTC', '20', '0', '20', '0'],
        ['Total', '80', '55', '20', '5'],
      ],
    ],
    [
      '7d',
      '6 hours',
      [
        ['2026-11-20 12:00 UTC', '60', '55', '0', '5'],
        ['2026-11-20 06:00 UTC', '20', '0', '20', '0'],
        ['2026-11-19 06:00 UTC', '100', '100', '0', '0'],
        ['Total', '180', '155', '20', '5'],
      ],
    ],
    [
      '30d',
      'a day (UTC)',
      [
        ['2026-11-20', '80', '55', '20', '5'],
        ['2026-11-19', '100', '100', '0', '0'],
        ['2026-10-31', '7,000', '7,000', '0', '0'],
        ['Total', '7,180', '7,155', '20', '5'],
      ],
    ],
  ])('is listed in a table for the period %s, by %s', async (period, bucket, rows) => {
    const { text } = await ada.get(`/dashboard/usage/${key.id}?period=${period}`);
    expect(rowsOf(text, `Newest first; each row is ${bucket}.`)).toEqual([
      ['From', 'Requests', 'Succeeded', 'Errors', 'Rate limited'],
      ...rows,
    ]);
  });

  it.each([`/${key.id}`, ''])('is listed by surface and status, on the page %j', async (path) => {
    const { text } = await ada.get(`/dashboard/usage${path}?period=30d`);
    expect(rowsOf(text, 'Responses by API and status')).toEqual([
      ['API', 'Status', 'Requests'],
      ['REST', '200', '7,040'],
      ['GraphQL', '200', '115'],
      ['REST', '400', '20'],
      ['REST', '429', '5'],
    ]);
  });

  it('is drawn as labelled bars', async () => {
    const { text } = await ada.get(`/dashboard/usage/${key.id}`);
    const [chart = ''] = /<svg viewBox[^>]*role="group"[\s\S]*?<\/svg>/.exec(text) ?? [];
    expect(chart).toContain(
      '>80 requests, 5 of them rate limited. Most in an hour: 60, from 2026-11-20 14:00 UTC.</desc>',
    );
    expect(chart.match(/<g /g)).toHaveLength(24);
    expect(chart).toContain('<title>2026-11-20 14:00 UTC: 55 succeeded, 0 errors, 5 rate limited</title>');
    expect(chart).toContain('<title>2026-11-20 11:00 UTC: 0 succeeded, 20 errors, 0 rate limited</title>');
    // 55 and 5 of 60, the last of 24 bars; those over the limit stand on the others.
    expect(chart).toMatch(/<rect class="succeeded" x="231" y="8.33" width="8" height="91.67"\/?>/);
    expect(chart).toMatch(/<rect class="refused" x="231" y="0" width="8" height="8.33"\/?>/);
    expect(text).not.toMatch(/\sstyle=/);
    const long = await ada.get(`/dashboard/usage/${key.id}?period=90d`);
    expect(long.text.match(/<g /g)).toHaveLength(90);
  });

  it('shows the remaining requests of the minute, also to a script', async () => {
    // Of another account, as its use is stored while others are looked at.
    const bea = await site.member('bea@example.com');
    const { id: own } = await site.accountOf('bea@example.com');
    const { id, key: secret } = await site.key({ name: 'busy', accountId: own });
    const left = async () => (await bea.get(`/dashboard/usage/${id}/left`)).text;
    expect(await left()).toContain('<strong>10</strong> of 10 requests left');
    expect(await left()).toContain('The next request starts a window');
    for (let request = 0; request < 3; request++) {
      await site.call('/api/v1/startups', { key: secret });
    }
    expect(await left()).toContain('<strong>7</strong> of 10 requests left');
    expect(await left()).toContain('The limit resets in 60 s.');
    // Looking costs nothing.
    expect(await left()).toContain('<strong>7</strong>');
    const page = await bea.get(`/dashboard/usage/${id}`);
    expect(page.text).toContain('<strong>7</strong> of 10 requests left');
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
    expect((await bea.get(`/dashboard/usage/${id}/left`)).headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['2026-11-20', ['80', '55 68.8%', '20 25%', '5 6.3%'], ['14:00', '11:00']],
    ['2026-11-20T11', ['20', '0 0%', '20 100%', '0 0%'], []],
    ['2026-02-30', ['80', '55 68.8%', '20 25%', '5 6.3%'], ['14:00', '11:00']],
    ['0000-01-01', ['80', '55 68.8%', '20 25%', '5 6.3%'], ['14:00', '11:00']],
    ['2026-11-21', ['80', '55 68.8%', '20 25%', '5 6.3%'], ['14:00', '11:00']],
    ['Fri-14', ['80', '55 68.8%', '20 25%', '5 6.3%'], ['14:00', '11:00']],
  ])('is that of a day or an hour: %s', async (at, figures, hours) => {
    const { text } = await ada.get(`/dashboard/usage/${key.id}?at=${at}`);
    const values = [...text.matchAll(/<dd>([\s\S]*?)<\/dd>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, ''),
    );
    expect(values.slice(0, 4)).toEqual(figures);
    const rows = rowsOf(text, 'Newest first');
    expect(rows.slice(1, -1).map(([from]) => from?.slice(11, 16))).toEqual(hours);
  });

  it('leads from a bar to its day or hour, and to keys', async () => {
    const links = async (path: string) =>
      [...(await ada.get(path)).text.matchAll(/<a href="([^"]*\?at=[^"]*)"/g)].map(([, link]) => link);
    const path = `/dashboard/usage/${key.id}`;
    expect(await links(`${path}?period=30d`)).toContain(`${path}?at=2026-10-31`);
    expect(await links(`${path}?period=7d`)).toContain(`${path}?at=2026-11-19`);
    expect(await links(`${path}?at=2026-11-20`)).toContain(`${path}?at=2026-11-20T11`);
    expect(await links(path)).toContain(`${path}?at=2026-11-20T14`);
    expect(await links(`/dashboard/keys/${key.id}`)).toContain(`${path}?at=2026-11-20`);
    expect((await ada.get('/dashboard/usage?at=2026-11-20')).text).toContain(`href="${path}?at=2026-11-20"`);
  });

  it('is listed with that of the other keys of the account', async () => {
    const { text } = await ada.get('/dashboard/usage');
    expect(text).toContain(`href="/dashboard/usage/${key.id}?period=24h"`);
    expect(
      rowsOf(text, 'Keys in the last 24 hours')
        .find(([name]) => name?.startsWith('billing'))
        ?.slice(1, 5),
    ).toEqual(['80', '20', '5', '10 of 10']);
    expect(textOf(await ada.get(`/dashboard/keys/${key.id}`), /href="(\/dashboard\/usage\/[^"]*)"/)).toBe(
      `/dashboard/usage/${key.id}`,
    );
  });

  it('is visible to its holder and operators only', async () => {
    const bob = await site.member('bob@example.com');
    expect((await bob.get('/dashboard/usage')).text).toContain('No key yet');
    for (const path of [
      `/dashboard/usage/${key.id}`,
      `/dashboard/usage/${key.id}/left`,
      '/dashboard/usage/key_000000000000',
      '/dashboard/usage/%00',
    ]) {
      expect((await bob.get(path)).status).toBe(404);
    }
    await promoteAccount(site.acting, 'bob@example.com');
    const seen = await bob.get(`/dashboard/usage/${key.id}`);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain(`/dashboard/operator/keys/${key.id}`);
  });
});
