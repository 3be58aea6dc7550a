import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { KeySummary } from './key.ts';

/**
 * Removes the published documents of each family of keys whose last key was revoked or has expired.
 *
 * @param of limits it to the family of a key, or to the keys of an account; all families by default.
 */
export async function removeEndedDocuments(
  { prisma, now }: { readonly prisma: Pick<PrismaClient, '$executeRaw'>; readonly now: () => number },
  of?: Pick<KeySummary, 'familyId'> | { readonly accountId: string },
): Promise<void> {
  // Loaded with the database: the help of commands needs none.
  const { Prisma } = await import('../../db/generated/client/client.ts');
  const lines =
    of === undefined
      ? Prisma.empty
      : 'familyId' in of
        ? Prisma.sql`AND line.id = ${of.familyId}`
        : Prisma.sql`AND line.account_id = ${of.accountId}`;
  await prisma.$executeRaw`DELETE FROM documents WHERE family_id = ANY (ARRAY(
    SELECT line.id FROM api_keys AS line
    WHERE line.family_id IS NULL ${lines}
      AND EXISTS (SELECT 1 FROM documents WHERE family_id = line.id)
      AND NOT EXISTS (
        SELECT 1 FROM api_keys AS key WHERE (key.id = line.id OR key.family_id = line.id)
          AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > ${new Date(now())})
      )
  ))`;
}
