import { describe, expect, it } from 'vitest';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';
import { openSite } from '../../web/dashboard/site.ts';

const gateway = await openTestGateway({
  records: [
    record('acme', {
      name: '<script>alert(1)</script>"\'&',
      revenue: { last30Days: 1_234_500, mrr: 99_900, total: 5_000_000 },
      growth30d: 24.25,
    }),
    record('shrinking', { growth30d: -3 }),
    record('quiet', { growth30d: null }),
    record('hidden'),
  ],
  app: { badges: { except: ['hidden'] } },
});

describe('/badge', () => {
  it('shows one figure and its date to everyone, without a text of the record', async () => {
    const { status, headers, text } = await gateway.call('/badge/acme.svg');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-ratelimit-limit']).toBeUndefined();
    expect(text).toMatch(/<title>revenue \(30 days\): \$12,345, as of \d{4}-\d{2}-\d{2}<\/title>/);
    expect(text).not.toContain('script');
    // Both halves have room for their text, and together they are as wide as the badge.
    const [, width, left, right] =
      /^<svg [^>]*width="(\d+)".*class="label" width="(\d+)".*<rect x="\2" width="(\d+)"/.exec(text) ?? [];
    expect(Number(left) + Number(right)).toBe(Number(width));
  });

  it.each([
    ['acme.json', { label: 'revenue (30 days)', message: '$12,345', color: '#0b6bcb' }],
    ['acme.json?figure=mrr', { label: 'MRR', message: '$999' }],
    ['acme.json?figure=growth', { message: '+24.3%', color: '#2e7d32' }],
    ['shrinking.json?figure=growth', { message: '−3%', color: '#b3261e' }],
    ['quiet.json?figure=growth', { message: 'unknown', color: '#6e7781' }],
  ])('answers %s in the format of shields.io', async (path, expected) => {
    const { status, json } = await gateway.call(`/badge/${path}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ schemaVersion: 1, cacheSeconds: 3_600, ...expected });
    expect(json).not.toHaveProperty('isError');
  });

  it('is light, dark, or as the page of the reader', async () => {
    const fills = async (theme: string) => {
      const { text } = await gateway.call(`/badge/acme.svg${theme}`);
      return [/class="label"[^>]*fill="([^"]+)"/.exec(text)?.[1], text.includes('prefers-color-scheme')];
    };
    expect(await fills('')).toEqual(['#555', true]);
    expect(await fills('?theme=light')).toEqual(['#555', false]);
    expect(await fills('?theme=dark')).toEqual(['#3d444d', false]);
  });

  it('says the same of a startup that does not exist as of one without a badge', async () => {
    const unknown = await gateway.call('/badge/nobody.svg');
    const hidden = await gateway.call('/badge/hidden.svg');
    expect([unknown?.status, unknown?.text]).toEqual([404, hidden?.text]);
    expect(unknown?.text).toContain('not found');
    const { json } = await gateway.call('/badge/hidden.json');
    expect(json).toMatchObject({ message: 'not found', isError: true });
  });

  it.each([
    ['/badge/acme.svg?figure=profit', 400, 'figure: got "profit", allowed: one of revenue, mrr, growth'],
    ['/badge/acme.svg?label=<b>', 400, 'label: unknown parameter, allowed: figure, theme'],
    ['/badge/acme.png', 404, 'No such path'],
    ['/badge/%3Csvg%3E.svg', 404, 'No such path'],
    ['/badge/', 404, 'No such path'],
  ])('refuses %s', async (path, status, message) => {
    const answer = await gateway.call(path);
    expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringContaining(message)]);
    expect((await gateway.call('/badge/acme.svg', { method: 'POST' })).status).toBe(405);
  });

  it('is limited for each address', async () => {
    const address = '192.0.2.77';
    for (let index = 0; index < 600; index += 1) {
      await gateway.call('/badge/', { address });
    }
    const { status, headers, json } = await gateway.call('/badge/acme.svg', { address });
    expect([status, json.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await gateway.call('/badge/acme.svg')).status).toBe(200);
  });
});

it('is shown on the page of a startup in the explorer, with what to paste', async () => {
  const site = await openSite({
    records: [record('acme'), record('hidden')],
    app: { badges: { except: ['hidden'] } },
  });
  const ada = await site.member('ada@example.com');
  const { text } = await ada.get('/dashboard/explorer/acme');
  expect(text).toContain('<img src="/badge/acme.svg"');
  expect(text).toMatch(/!\[revenue\]\(https?:\/\/[^/]+\/badge\/acme\.svg\)/);
  expect(text).toMatch(/&lt;img src=&quot;https?:\/\/[^/]+\/badge\/acme\.svg&quot;/);
  expect((await ada.get('/dashboard/explorer/hidden')).text).not.toContain('/badge/');
});

it('is off unless the operator turns it on', async () => {
  const other = await openTestGateway({ database: gateway.database });
  expect((await other.call('/badge/acme.svg')).status).toBe(404);
});
