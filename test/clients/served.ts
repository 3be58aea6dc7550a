import { setKeyDocuments } from '../../src/access/keys/change.ts';
import { hashDocument } from '../../src/access/keys/documents/list.ts';
import { publishDocuments } from '../../src/access/keys/documents/publish-and-remove.ts';
import type { TierLimits } from '../../src/access/limits/tiers.ts';
import { checkDocument } from '../../src/api/graphql/planning/check-document.ts';
import { listen } from '../../src/lib/http/node-server.ts';
import { closeAfterwards } from '../support/closing.ts';
import { LOCAL_SERVER, openTestGateway } from '../support/gateway.ts';
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

/** A clock that stands still, so that no window of a limit ends. */
function frozenClock(): () => number {
  const at = Date.now();
  return () => at;
}

/** A gateway that listens, with records, and what was asked of it. Its clock stands still by default. */
export async function serve(
  limits: TierLimits = { standard: 1_000, premium: 1_000 },
  { records = slugRecords, now = frozenClock() }: { records?: ImportRecord[]; now?: () => number } = {},
) {
  let url = '';
  const gateway = await openTestGateway({
    records,
    limits,
    now,
    dashboard: {
      origin: () => url,
      secret: undefined,
      github: undefined,
      mailer: { kind: 'none', send: async () => {}, close: () => {} },
    },
  });
  const methods: string[] = [];
  const context = { prisma: gateway.database.prisma, now: Date.now, actor: 'a test' };
  const publish = (keyId: string, texts: readonly string[]) => {
    const entries = texts.map((text) => ({ id: hashDocument(text), text }));
    return publishDocuments({ ...context, check: checkDocument }, keyId, entries);
  };
  const server = await listen((request) => {
    methods.push(request.method);
    return gateway.handle(request);
  }, LOCAL_SERVER);
  closeAfterwards(server.close);
  url = server.url;
  return {
    gateway,
    methods,
    url,
    key: async (): Promise<string> => (await gateway.key()).key,
    /** A key that may ask for these documents only. */
    trustedKey: async (...texts: string[]): Promise<string> => {
      const { id, key } = await gateway.key();
      await publish(id, texts);
      await setKeyDocuments(context, id, 'trusted');
      return key;
    },
    /** A key for pages of an origin, that may ask for these documents only. */
    embedKey: async (origin: string, ...texts: string[]): Promise<string> => {
      const { id, key } = await gateway.key({ origins: [origin] });
      await publish(id, texts);
      return key;
    },
  };
}
