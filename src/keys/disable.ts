import { getKey, type KeyContext, type KeySummary } from './key.ts';

/**
 * Shuts a key off under the acceptable-use policy: its requests get 403 until it is enabled again.
 * Disabling it again changes nothing, not even the time.
 *
 * @throws OperatorError for an unknown id.
 */
export async function disableKey(context: KeyContext, id: string): Promise<KeySummary> {
  const key = await getKey(context, id);
  if (key.disabledAt !== null) {
    return key;
  }
  await context.prisma.apiKey.updateMany({
    where: { id, disabledAt: null },
    data: { disabledAt: new Date(context.now()) },
  });
  return getKey(context, id);
}
