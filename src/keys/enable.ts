import { type ActContext, act } from '../audit/act.ts';
import { readReason } from '../plain-text.ts';
import { familyOf, getKey, type KeySummary } from './key.ts';

/**
 * Lifts what `disableKey` did. A key that was revoked or has expired stays so, as its state then says, and
 * so does one whose account is disabled.
 *
 * @param reason for the record only.
 * @throws OperatorError for an unknown id or an unfit reason.
 */
export async function enableKey(context: ActContext, id: string, reason?: string): Promise<KeySummary> {
  const why = readReason(reason);
  return act(context, async (within) => {
    const { prisma, record } = within;
    const key = await getKey(within, id);
    const { count } = await prisma.apiKey.updateMany({
      where: { ...familyOf(key), disabledAt: { not: null } },
      data: { disabledAt: null, disabledReason: null },
    });
    if (count > 0) {
      await record('key.enable', id, { reason: why });
    }
    return getKey(within, id);
  });
}
