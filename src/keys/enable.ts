import { getKey, type KeyContext, type KeySummary } from './key.ts';

/**
 * Lifts what `disableKey` did. A key that was revoked or has expired stays so, as its state then says.
 *
 * @throws OperatorError for an unknown id.
 */
export async function enableKey(context: KeyContext, id: string): Promise<KeySummary> {
  const key = await getKey(context, id);
  if (key.disabledAt === null) {
    return key;
  }
  await context.prisma.apiKey.updateMany({ where: { id }, data: { disabledAt: null } });
  return getKey(context, id);
}
