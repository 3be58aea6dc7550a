import { describe, expect, it } from 'vitest';
import { createFailureStore } from '../../../../src/access/usage/failures.ts';
import { createUsageStore } from '../../../../src/access/usage/store.ts';
import { rowsOf } from '../../../support/html.ts';
import { openSite } from '../site.ts';

const NOW = Date.UTC(2026, 10, 20, 14, 30);
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PAGE = 'https://example.com';

const site = await openSite({ startsAt: NOW });
const ada = await site.member('ada@example.com');
const { accountId } = ada;
const key = await site.key({ name: 'billing', accountId });
const embed = await site.key({ name: 'page', accountId, origins: [PAGE] });
const add = createFailureStore(site.database.pool, () => NOW);
const at = (minutesAgo: number): number => NOW - minutesAgo * 60_000;
await add([
  {
    keyId: key.id,
    code: 'BAD_USER_INPUT',
    target: '/api/v1/startups',
    requests: 1_200,
    firstAt: at(90),
    lastAt: at(5),
    status: 400,
    requestId: 'the-request',
    traceId: TRACE,
    parameters: 'limit, 2 unknown',
  },
  {
    keyId: key.id,
    code: 'RATE_LIMITED',
    target: '',
    requests: 7,
    firstAt: at(4),
    lastAt: at(3),
    status: 429,
    requestId: 'another',
    parameters: '',
  },
  {
    keyId: embed.id,
    code: 'NOT_FOUND',
    target: '<i>x</i>',
    requests: 1,
    firstAt: at(9),
    lastAt: at(9),
    status: 404,
    requestId: 'third',
    parameters: '<b>y</b>',
  },
]);
const usage = { keyId: embed.id, hour: NOW - 1_800_000, surface: 'graphql', upTo: 1, lastUsedAt: NOW };
await createUsageStore(
  site.database.pool,
  () => NOW,
)([
  { ...usage, status: 200, requests: 40, origin: PAGE },
  { ...usage, status: 429, requests: 2, origin: PAGE },
  { ...usage, status: 403, requests: 3, origin: 'other' },
]);

const expected = [
  ['429 RATE_LIMITED', 'Any request', '7', '2026-11-20 14:27 UTC', 'another'],
  [
    '400 BAD_USER_INPUT',
    '/api/v1/startups Invalid: limit, 2 unknown',
    '1,200',
    '2026-11-20 14:25 UTC',
    `the-request Trace ${TRACE}`,
  ],
];

describe('the page of a key', () => {
  it('lists its failed requests, grouped, the last first', async () => {
    const { text } = await ada.get(`/dashboard/keys/${key.id}`);
    expect(rowsOf(text, 'Last 7 days, newest')).toEqual(expected);
    expect(text).not.toContain('id="origins"');
  });

  it('shows them to operators, and to nobody else', async () => {
    const operator = await site.operator('root@example.com');
    const page = await operator.get(`/dashboard/operator/keys/${key.id}`);
    expect(rowsOf(page.text, 'Last 7 days, newest')).toEqual(expected);
    const stranger = await site.member('eve@example.com');
    for (const path of [`/dashboard/keys/${key.id}`, `/dashboard/operator/keys/${key.id}`]) {
      const { text } = await stranger.get(path);
      expect(text).not.toContain('the-request');
    }
  });

  it('shows an embed key by origin, and every text as text', async () => {
    const { text } = await ada.get(`/dashboard/keys/${embed.id}`);
    expect(rowsOf(text, 'Last 7 days<')).toEqual([
      [PAGE, '42', '0', '2'],
      ['other: not allowed, or no web page', '3', '3', '0'],
    ]);
    expect(text).toContain('&lt;i&gt;x&lt;/i&gt;');
    expect(text).not.toMatch(/<i>x|<b>y/);
  });
});
