import { setKeyDocuments } from '../../src/access/keys/change.ts';
import type { TierLimits } from '../../src/access/limits/tiers.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestGateway } from '../support/gateway.ts';
import { type ImportRecord, record } from '../support/records.ts';

/** Slugs in the order of the default sort. */
export const slugs: string[] = Array.from({ length: 25 }, (_, i) => `s-${String(i).padStart(2, '0')}`);

/** Records of these slugs. */
const slugRecords: ImportRecord[] = slugs.map((slug, i) =>
  record(slug, {
    revenue: { last30Days: 1_000 - i, mrr: 0, total: 0 },
    category: i % 2 === 0 ? 'ai' : 'saas',
  }),
);

/** A gateway that listens, with records, and what was asked of it. Its clock stands still by default. */
export async function serve(
  limits: TierLimits = { standard: 1_000, premium: 1_000 },
  {
    records = slugRecords,
    now = createTestClock().now,
  }: { records?: ImportRecord[]; now?: () => number } = {},
) {
  let url = '';
  const gateway = await openTestGateway({ records, limits, now, origin: () => url });
  const methods: string[] = [];
  url = await gateway.listen((request) => {
    methods.push(request.method);
    return gateway.handle(request);
  });
  return {
    gateway,
    methods,
    url,
    key: async (): Promise<string> => (await gateway.key()).key,
    /** A key that may ask for these documents only. */
    trustedKey: async (...texts: string[]): Promise<string> => {
      const { id, key } = await gateway.key();
      await gateway.publish(id, ...texts);
      await setKeyDocuments(gateway.acting, id, 'trusted');
      return key;
    },
    /** A key for pages of an origin, that may ask for these documents only. */
    embedKey: async (origin: string, ...texts: string[]): Promise<string> => {
      const { id, key } = await gateway.key({ origins: [origin] });
      await gateway.publish(id, ...texts);
      return key;
    },
  };
}
