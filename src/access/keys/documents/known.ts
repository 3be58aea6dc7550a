import type { RunningAction } from '../../audit/run-action.ts';
import type { KeySummary } from '../key.ts';

/**
 * The hashes of the documents that a key may request, and whether each has a feed. One row: Prisma occupies the event
 * loop with each row that it reads.
 */
export async function findKnown(
  prisma: Pick<RunningAction['prisma'], '$queryRaw'>,
  { familyId }: KeySummary,
): Promise<ReadonlyMap<string, boolean>> {
  const [row] = await prisma.$queryRaw<{ known: Record<string, boolean> }[]>`
    SELECT coalesce(jsonb_object_agg(encode(hash, 'hex'), feed), '{}') AS known
    FROM documents WHERE family_id = ${familyId}`;
  return new Map(Object.entries(row?.known ?? {}));
}
