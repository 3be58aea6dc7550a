import { type ActContext, act } from '../audit/act.ts';
import { familyOf, getKey, type KeySummary, requireTier } from './key.ts';

/**
 * Changes the tier of a key, and of those that share its budget. Their open window continues, with the new
 * limit.
 *
 * @throws OperatorError for an unknown id or tier.
 */
export async function changeKeyTier(context: ActContext, id: string, tier: string): Promise<KeySummary> {
  const wanted = requireTier(tier);
  return act(context, async (within) => {
    const { prisma, record } = within;
    const key = await getKey(within, id);
    const { count } = await prisma.apiKey.updateMany({
      where: { ...familyOf(key), tier: { not: wanted } },
      data: { tier: wanted },
    });
    if (count > 0) {
      await record('key.tier', id, { from: key.tier, to: wanted });
    }
    return getKey(within, id);
  });
}
