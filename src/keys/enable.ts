import { type ActContext, act } from '../audit/act.ts';
import { readReason } from '../plain-text.ts';
import { familyOf, getKey, type KeySummary } from './key.ts';

/**
 * Reverts `disableKey`. A key that was revoked or has expired does not become active again, as its state shows;
 * nor does a key whose account is disabled.
 *
 * @param reason for the audit log only.
 * @throws OperatorError for an unknown id or an invalid reason.
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
