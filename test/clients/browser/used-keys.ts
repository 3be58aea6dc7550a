import type { BrowserContextOptions } from 'playwright-core';
import { createOperatorToken } from '../../../src/access/accounts/operator-tokens.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { createFailureStore } from '../../../src/access/usage/failures.ts';
import { createUsageStore } from '../../../src/access/usage/store.ts';
import type { Service } from '../../../src/lib/text/service.ts';
import { addOwnField } from '../../../src/startups/own/declarations.ts';
import { record } from '../../support/records.ts';
import { openSite } from '../../web/dashboard/site.ts';
import { openBrowser, openPage } from './browser.ts';

/** A Friday. */
export const NOW = Date.UTC(2026, 10, 20, 14, 30);
export const SERVICE: Service = {
  name: 'Acme & Sons',
  accent: { light: '#7a1fa2', dark: '#af79c7' },
};
/** What users may call a key, a token, a document, a startup or themselves, in one wide word. */
export const LONG = 'W'.repeat(64);
export const SLUG = LONG.toLowerCase();
/** A document with that name. */
export const DOCUMENT = `query ${LONG} { dataset { total } }`;
const [HOUR, DAY] = [3_600_000, 86_400_000];
const LATEST = `query Latest($category: Category, $last: Int! = 5) {
  startups(first: $last, filter: { category: $category }) {
    nodes { slug name updatedAt }
  }
}`;

/** A served dashboard whose keys were used for months: one was rotated, one is idle, and one has failed requests. */
export async function openUsedKeys() {
  const names = ['Outseta', 'Plausible', 'Tally', 'Beehiiv', 'Senja', 'Typefully'];
  const site = await openSite({
    startsAt: NOW,
    isServed: true,
    app: { service: SERVICE },
    records: [
      ...names.map((name, index) =>
        record(name.toLowerCase(), {
          name,
          category: index % 2 === 0 ? 'saas' : 'analytics',
          growth30d: 12 - index * 5,
          onSale: index !== 2,
          askingPrice: index === 2 ? null : 9_490_000 * (index + 1),
          revenue: { last30Days: 1_234_500 * (6 - index), mrr: 1_100_000 * (6 - index), total: 30_000_000 },
        }),
      ),
      record(SLUG, {
        name: SLUG,
        category: 'saas',
        country: 'US',
        description: LONG,
        techStack: [LONG],
        website: `https://${SLUG.slice(1)}.example/`,
        founderName: LONG,
        customers: 1_234,
        onSale: true,
        askingPrice: 9_490_000,
        growth30d: 12,
        revenue: { last30Days: 500, mrr: 400, total: 30_000_000 },
        // So long ago that it has a badge.
        verifiedAt: new Date(NOW - 48 * DAY).toISOString(),
      }),
    ],
  });
  await addOwnField(site.database.prisma, {
    name: 'employees',
    kind: 'count',
    label: LONG.slice(0, 60),
    indexed: true,
  });
  await site.database.pool.query(`UPDATE startups SET own = '{"employees": 12}' WHERE slug = $1`, [SLUG]);
  const ada = await site.operator('ada@example.com');
  const { accountId } = ada;
  const make = async (name: string, days: number, more: { origins?: string[] } = {}): Promise<string> => {
    const { id } = await site.key({ name, accountId, ...more });
    const createdAt = new Date(NOW - days * DAY);
    await site.database.prisma.apiKey.update({ where: { id }, data: { createdAt } });
    return id;
  };
  const add = createUsageStore(site.database.pool, () => NOW);
  const use = (
    keyId: string,
    hoursAgo: number,
    status: number,
    requests: number,
    upTo = 2.5,
    surface = 'rest',
  ) => {
    const hour = NOW - (NOW % HOUR) - hoursAgo * HOUR;
    return { keyId, surface, status, upTo, requests, hour, lastUsedAt: Math.min(NOW, hour + HOUR / 2) };
  };
  const old = await make('Billing report', 210);
  const { id: billing, key: billingKey } = await rotateKey(site.acting, old, '24h');
  const shop = await make('Shop window', 60, { origins: ['https://shop.example'] });
  const idle = await make('Laptop', 150);
  const unused = await make('Nightly export of the warehouse', 3);
  const long = await make(LONG, 30);
  const counts = Array.from({ length: 90 * 24 }, (_, hoursAgo) => {
    const at = new Date(NOW - hoursAgo * HOUR);
    const [weekday, hour] = [at.getUTCDay(), at.getUTCHours()];
    const isWork = weekday % 6 !== 0 && hour > 6 && hour < 19;
    const requests = Math.round(
      (isWork ? 90 : 9) * (1 + Math.sin(hoursAgo / 37) / 2) + (hour % 5) * (isWork ? 9 : 1),
    );
    const key = hoursAgo < 3 ? billing : old;
    return [
      use(key, hoursAgo, 200, requests),
      use(key, hoursAgo, 200, Math.round(requests / 3), 10, 'graphql'),
      ...(hoursAgo % 29 === 0 ? [use(key, hoursAgo, 400, Math.round(requests / 6))] : []),
      ...(hoursAgo % 53 === 1 ? [use(key, hoursAgo, 429, Math.round(requests / 4))] : []),
      ...(hoursAgo < 50 * 24 ? [use(shop, hoursAgo, 200, Math.round(requests / 8), 1, 'graphql')] : []),
    ];
  }).flat();
  await add(counts);
  await add([use(idle, 24 * 97, 200, 12)]);
  await createFailureStore(
    site.database.pool,
    () => NOW,
  )([
    {
      keyId: billing,
      code: 'BAD_USER_INPUT',
      target: '/api/v1/startups',
      parameters: 'limit, sort',
      requests: 1_214,
      firstAt: NOW - 2 * DAY,
      lastAt: NOW - HOUR,
      status: 400,
      requestId: '6f1c2c9e-0b8e-4a6f-9f0e-6a3df0e4b1c7',
      traceId: '0af7651916cd43dd8448eb211c80319c',
    },
    {
      keyId: billing,
      code: 'RATE_LIMITED',
      target: '',
      parameters: '',
      requests: 7,
      status: 429,
      firstAt: NOW - DAY,
      lastAt: NOW - 2 * HOUR,
      requestId: '1d5a7c55-6dc1-4f0d-92c5-0f5f1c1f7f11',
    },
  ]);
  await site.publish(billing, LATEST, 'query Total { startups { meta { total } } }', '{ dataset { total } }');
  await site.publish(shop, 'query Shop { startups(first: 5) { nodes { name website revenue { mrr } } } }');
  await site.publish(long, DOCUMENT);
  for (const slug of [SLUG, 'outseta', 'tally', 'senja', 'beehiiv']) {
    await ada.post('/dashboard/shortlist', { slug, keep: 'yes' });
  }
  await ada.post('/dashboard/shortlist/searches', { name: LONG, query: 'category=saas' });
  const { id: tokenId } = await createOperatorToken(
    { ...site.acting, operators: [] },
    { name: LONG, account: 'ada@example.com' },
  );
  const browser = await openBrowser();
  /** A page of the holder of the keys. */
  const open = async (options: BrowserContextOptions = {}) => {
    const watched = await openPage(browser, { baseURL: site.origin, ...options });
    await watched.page
      .context()
      .addCookies([...ada.jar].map(([name, value]) => ({ name, value, url: site.origin })));
    return watched;
  };
  /** The same, at a path, in a minute of its own. */
  const visit = async (path: string, options: BrowserContextOptions = {}) => {
    site.nextMinute();
    const watched = await open(options);
    await watched.page.goto(path);
    return watched;
  };
  const keys = { old, billing, shop, idle, unused, long };
  return { ...site, ada, accountId, tokenId, open, visit, browserOfPages: browser, keys, billingKey };
}
