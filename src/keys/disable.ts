import { type ActContext, act } from '../audit/act.ts';
import { readReason } from '../plain-text.ts';
import { familyOf, getKey, type KeySummary } from './key.ts';

/**
 * Disables a key under the acceptable-use policy: its requests get 403 until it is enabled again. The keys
 * that it was rotated from or to are disabled too, or their holder would continue to use another of them.
 * Disabling it again changes nothing, not even the time.
 *
 * @param reason shown to its holder.
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export async function disableKey(context: ActContext, id: string, reason?: string): Promise<KeySummary> {
  const disabledReason = readReason(reason);
  return act(context, async (within) => {
    const { prisma, now, record } = within;
    const key = await getKey(within, id);
    const { count } = await prisma.apiKey.updateMany({
      where: { ...familyOf(key), disabledAt: null },
      data: { disabledAt: new Date(now()), disabledReason },
    });
    if (count > 0) {
      await record('key.disable', id, { reason: disabledReason });
    }
    return getKey(within, id);
  });
}
