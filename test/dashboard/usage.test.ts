import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promoteAccount } from '../../src/accounts/promote.ts';
import { createUsageStore } from '../../src/usage/store.ts';
import { type Browser, openSite, type Site, textOf } from './site.ts';

/** Half past two: the hour under way counts too. */
const NOW = Date.UTC(2026, 10, 20, 14, 30);
const HOUR = 3_600_000;

let site: Site;
let ada: Browser;
let key: { id: string; accountId: string };
beforeAll(async () => {
  site = await openSite({ now: () => NOW });
  ada = await site.member('ada@example.com');
  const { id: accountId } = await site.accountOf('ada@example.com');
  key = { ...(await site.key({ name: 'billing', accountId })), accountId };
  const at = (hoursAgo: number, surface: string, status: number, requests: number) => ({
    ...{ keyId: key.id, surface, status, requests },
    hour: NOW - (NOW % HOUR) - hoursAgo * HOUR,
    lastUsedAt: NOW - hoursAgo * HOUR,
  });
  await createUsageStore(
    site.database.pool,
    () => NOW,
  )([
    at(0, 'rest', 200, 40),
    at(0, 'graphql', 200, 15),
    at(0, 'rest', 429, 5),
    at(3, 'rest', 400, 20),
    // On another day, in 48 hours; then beyond them; then beyond the 30 days.
    at(30, 'graphql', 200, 100),
    at(24 * 20, 'rest', 200, 7_000),
    at(24 * 35, 'rest', 200, 999_999),
  ]);
});
afterAll(() => site.close());

/** The cells of the rows of a table that begins with a caption. */
function rowsOf(text: string, caption: RegExp): string[][] {
  const table = new RegExp(`<table[^>]*><caption>${caption.source}[\\s\\S]*?</table>`).exec(text)?.[0] ?? '';
  return [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, ''),
    ),
  );
}

describe('the usage of a key', () => {
  it('is told by hour, by day, and by surface and status', async () => {
    const { status, text } = await ada.get(`/dashboard/usage/${key.id}`);
    expect(status).toBe(200);
    expect(rowsOf(text, /In UTC, the last first; an hour/)).toEqual([
      ['Hour', 'Requests', 'Refused', 'GraphQL', 'REST', '200', '400', '429'],
      ['11-20 14:00', '60', '5', '15', '45', '55', '0', '5'],
      ['11-20 11:00', '20', '0', '0', '20', '0', '20', '0'],
      ['11-19 08:00', '100', '0', '100', '0', '100', '0', '0'],
      ['All', '180', '5', '115', '65', '155', '20', '5'],
    ]);
    expect(rowsOf(text, /In UTC, the last first; a day/)).toEqual([
      ['Day', 'Requests', 'Refused', 'GraphQL', 'REST', '200', '400', '429'],
      ['2026-11-20', '80', '5', '15', '65', '55', '20', '5'],
      ['2026-11-19', '100', '0', '100', '0', '100', '0', '0'],
      ['2026-10-31', '7,000', '0', '0', '7,000', '7,000', '0', '0'],
      ['All', '7,180', '5', '115', '7,065', '7,155', '20', '5'],
    ]);
    expect(rowsOf(text, /The last 30 days/)).toEqual([
      ['Surface', 'Status', 'Requests'],
      ['REST', '200', '7,040'],
      ['GraphQL', '200', '115'],
      ['REST', '400', '20'],
      ['REST', '429', '5'],
    ]);
  });

  it('is drawn as bars that say what they stand for', async () => {
    const { text } = await ada.get(`/dashboard/usage/${key.id}`);
    const charts = [...text.matchAll(/<svg viewBox[^>]*role="img"[\s\S]*?<\/svg>/g)].map(([chart]) => chart);
    expect(charts).toHaveLength(2);
    expect(charts[0]).toContain(
      '>180 requests, 5 of them refused by the limit. Most in one hour: 100, 11-19 08:00.</desc>',
    );
    expect(charts[0]?.match(/<g>/g)).toHaveLength(3);
    expect(charts[0]).toContain('<title>11-20 14:00: 55 admitted, 5 refused</title>');
    // 55 and 5 of 100, the last of 48 bars; the refused stand on the admitted.
    expect(charts[0]).toMatch(/<rect class="admitted" x="471" y="45" width="8" height="55"\/?>/);
    expect(charts[0]).toMatch(/<rect class="refused" x="471" y="40" width="8" height="5"\/?>/);
    expect(charts[1]?.match(/<g>/g)).toHaveLength(3);
    expect(text).not.toMatch(/\sstyle=/);
  });

  it('says what is left of the minute, also to a script', async () => {
    // Another one, as what it is used for is stored while others are looked at.
    const { id, key: secret } = await site.key({ name: 'busy', accountId: key.accountId });
    const left = async () => (await ada.get(`/dashboard/usage/${id}/left`)).text;
    expect(await left()).toContain('<strong>10</strong> of 10 requests left');
    expect(await left()).toContain('No window is open');
    for (let request = 0; request < 3; request++) {
      await site.call('/api/v1/startups', { key: secret });
    }
    expect(await left()).toContain('<strong>7</strong> of 10 requests left');
    expect(await left()).toContain('The window ends in 60 s.');
    // Looking costs nothing.
    expect(await left()).toContain('<strong>7</strong>');
    const page = await ada.get(`/dashboard/usage/${id}`);
    expect(page.text).toContain('<strong>7</strong> of 10 requests left');
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
    expect((await ada.get(`/dashboard/usage/${id}/left`)).headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it('stands beside that of the other keys of the account', async () => {
    const { text } = await ada.get('/dashboard/usage');
    expect(text).toContain(`href="/dashboard/usage/${key.id}"`);
    expect(
      rowsOf(text, /The last 24 hours/)
        .find(([name]) => name?.startsWith('billing'))
        ?.slice(1, 4),
    ).toEqual(['80', '5', '10 of 10']);
    expect(textOf(await ada.get(`/dashboard/keys/${key.id}`), /href="(\/dashboard\/usage\/[^"]*)"/)).toBe(
      `/dashboard/usage/${key.id}`,
    );
  });

  it("is its holder's and operators' to see, and nobody else's", async () => {
    const bob = await site.member('bob@example.com');
    expect((await bob.get('/dashboard/usage')).text).toContain('No key yet');
    for (const path of [
      `/dashboard/usage/${key.id}`,
      `/dashboard/usage/${key.id}/left`,
      '/dashboard/usage/key_000000000000',
      '/dashboard/usage/%00',
    ]) {
      expect((await bob.get(path)).status).toBe(404);
      expect((await site.browser().get(path)).status).toBe(303);
    }
    await promoteAccount(site.acting, 'bob@example.com');
    const seen = await bob.get(`/dashboard/usage/${key.id}`);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain(`/dashboard/operator/keys/${key.id}`);
  });

  it('of one that nobody used, or that ended, is said to be so', async () => {
    await ada.post('/dashboard/keys', { name: 'idle' });
    const { id } = await site.database.prisma.apiKey.findFirstOrThrow({ where: { name: 'idle' } });
    expect((await ada.get(`/dashboard/usage/${id}`)).text).toContain('No request yet.');
    await ada.post(`/dashboard/keys/${id}/revoke`);
    expect((await ada.get(`/dashboard/usage/${id}/left`)).text).toContain('no longer works');
    expect((await ada.get('/dashboard/usage')).text).not.toContain(id);
  });
});
