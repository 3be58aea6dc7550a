import { getKey, type KeyContext, type KeySummary, requireTier } from './key.ts';

/**
 * Moves a key to a tier. Its open window goes on, under the new limit.
 *
 * @throws OperatorError for an unknown id or tier.
 */
export async function changeKeyTier(context: KeyContext, id: string, tier: string): Promise<KeySummary> {
  const wanted = requireTier(tier);
  const key = await getKey(context, id);
  if (key.tier === wanted) {
    return key;
  }
  await context.prisma.apiKey.updateMany({ where: { id }, data: { tier: wanted } });
  return getKey(context, id);
}
