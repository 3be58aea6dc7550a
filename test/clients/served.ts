import { hashDocument } from '../../src/documents/document-id.ts';
import { publishDocuments } from '../../src/documents/publish.ts';
import { checkDocument } from '../../src/graphql/documents.ts';
import { listen } from '../../src/http/node-server.ts';
import { setKeyDocuments } from '../../src/keys/documents.ts';
import type { TierLimits } from '../../src/rate-limit/tiers.ts';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

/** Slugs in the order of the default sort. */
export const slugs: string[] = Array.from({ length: 25 }, (_, i) => `s-${String(i).padStart(2, '0')}`);

/** A gateway that listens, with records of these slugs, and what was asked of it. */
export async function serve(limits: TierLimits = { standard: 1_000, premium: 1_000 }) {
  const records = slugs.map((slug, i) =>
    record(slug, {
      revenue: { last30Days: 1_000 - i, mrr: 0, total: 0 },
      category: i % 2 === 0 ? 'ai' : 'saas',
    }),
  );
  const gateway = await openTestGateway({ records, limits });
  const methods: string[] = [];
  const context = { prisma: gateway.database.prisma, now: Date.now, actor: 'a test' };
  const server = await listen(
    (request) => {
      methods.push(request.method);
      return gateway.handle(request);
    },
    { host: '127.0.0.1', port: 0, trustedProxies: 0 },
  );
  return {
    gateway,
    methods,
    url: server.url,
    key: async (): Promise<string> => (await gateway.key()).key,
    /** A key that may ask for these documents only. */
    trustedKey: async (...texts: string[]): Promise<string> => {
      const { id, key } = await gateway.key();
      const entries = texts.map((text) => ({ id: hashDocument(text), text }));
      await publishDocuments({ ...context, check: checkDocument }, id, entries);
      await setKeyDocuments(context, id, 'trusted');
      return key;
    },
    close: async (): Promise<void> => {
      await server.close();
      await gateway.close();
    },
  };
}

export type Served = Awaited<ReturnType<typeof serve>>;
