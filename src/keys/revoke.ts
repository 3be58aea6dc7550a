import { type ActContext, act } from '../audit/act.ts';
import { getKey, type KeySummary } from './key.ts';

/**
 * Revokes a key permanently, and only this one: a key it was rotated from or to still works.
 * Revoking it again changes nothing, not even the time.
 *
 * @throws OperatorError for an unknown id.
 */
export async function revokeKey(context: ActContext, id: string): Promise<KeySummary> {
  return act(context, async (within) => {
    const { prisma, now, record } = within;
    const key = await getKey(within, id);
    if (key.revokedAt !== null) {
      return key;
    }
    await prisma.apiKey.update({
      where: { id },
      data: { revokedAt: new Date(now()) },
      select: { id: true },
    });
    await record('key.revoke', id);
    return getKey(within, id);
  });
}
