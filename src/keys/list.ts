import { type KeyContext, type KeySummary, summarize, summaryColumns } from './key.ts';

/** All keys, oldest first, revoked and expired ones included. */
export async function listKeys({ prisma, now }: KeyContext): Promise<KeySummary[]> {
  const rows = await prisma.apiKey.findMany({
    select: summaryColumns,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const at = now();
  return rows.map((row) => summarize(row, at));
}
