import { type KeyContext, type KeySummary, ownedBy, summarize, summaryColumns } from './key.ts';

/** A key in the list of all. */
export interface ListedKey extends KeySummary {
  /** When it was last used, to within some seconds; null: not yet. */
  readonly lastUsedAt: Date | null;
}

/** All keys, or all of the holder's, oldest first, revoked and expired ones included. */
export async function listKeys({ prisma, now, holder }: KeyContext): Promise<ListedKey[]> {
  const rows = await prisma.apiKey.findMany({
    where: ownedBy(holder),
    select: summaryColumns,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const uses = await prisma.keyLastUse.findMany({
    where: holder === undefined ? {} : { keyId: { in: rows.map(({ id }) => id) } },
  });
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  const at = now();
  return rows.map((row) => ({ ...summarize(row, at), lastUsedAt: lastUses.get(row.id) ?? null }));
}
