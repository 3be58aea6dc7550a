import { type KeyContext, type KeySummary, ownedBy, summarize, summaryColumns } from './key.ts';

/** A key in a list. */
export interface ListedKey extends KeySummary {
  /** When it was last used, accurate to some seconds; null: never. */
  readonly lastUsedAt: Date | null;
}

/** Which keys to list; all by default. */
interface ListedKeys {
  /** Only keys that work or are disabled, or only those that were revoked or have expired. */
  readonly which?: 'working' | 'ended';
  /** At most this many of the newest keys, after skipping `skip` of them. */
  readonly newest?: number;
  readonly skip?: number;
}

/** All keys, or those of the holder, oldest first. */
export async function listKeys(
  { prisma, now, holder }: KeyContext,
  { which, newest, skip = 0 }: ListedKeys = {},
): Promise<ListedKey[]> {
  const at = now();
  const working = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(at) } }] };
  const order = newest === undefined ? 'asc' : 'desc';
  const rows = await prisma.apiKey.findMany({
    where: {
      ...ownedBy(holder),
      ...(which === 'working' ? working : which === 'ended' ? { NOT: working } : {}),
    },
    select: summaryColumns,
    orderBy: [{ createdAt: order }, { id: order }],
    ...(newest === undefined ? {} : { skip, take: newest }),
  });
  if (newest !== undefined) {
    rows.reverse();
  }
  const isAll = holder === undefined && which === undefined && newest === undefined;
  const uses = await prisma.keyLastUse.findMany({
    where: isAll ? {} : { keyId: { in: rows.map(({ id }) => id) } },
  });
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  return rows.map((row) => ({ ...summarize(row, at), lastUsedAt: lastUses.get(row.id) ?? null }));
}
