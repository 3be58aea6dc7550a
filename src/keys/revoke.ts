import { getKey, type KeyContext, type KeySummary } from './key.ts';

/**
 * Ends a key for good. Revoking it again changes nothing, not even the time.
 *
 * @throws OperatorError for an unknown id.
 */
export async function revokeKey(context: KeyContext, id: string): Promise<KeySummary> {
  const key = await getKey(context, id);
  if (key.revokedAt !== null) {
    return key;
  }
  await context.prisma.apiKey.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: new Date(context.now()) },
  });
  return getKey(context, id);
}
