import { type KeyContext, type KeySummary, summarize, summaryColumns } from './key.ts';

/** A key in the list of all. */
export interface ListedKey extends KeySummary {
  /** When it was last used, to within some seconds; null: not yet. */
  readonly lastUsedAt: Date | null;
}

/** All keys, oldest first, revoked and expired ones included. */
export async function listKeys({ prisma, now }: KeyContext): Promise<ListedKey[]> {
  const rows = await prisma.apiKey.findMany({
    select: summaryColumns,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const uses = await prisma.keyLastUse.findMany();
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  const at = now();
  return rows.map((row) => ({ ...summarize(row, at), lastUsedAt: lastUses.get(row.id) ?? null }));
}
