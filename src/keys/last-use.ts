import type { PrismaClient } from '../db/generated/client/client.ts';

/** When the keys of an account were last used, accurate to some seconds; null: never. */
export async function readLastUse(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  accountId: string,
): Promise<Date | null> {
  const [row] = await prisma.$queryRaw<{ at: Date | null }[]>`SELECT max(last_used_at) AS at
    FROM key_last_uses JOIN api_keys ON id = key_id WHERE account_id = ${accountId}`;
  return row?.at ?? null;
}
