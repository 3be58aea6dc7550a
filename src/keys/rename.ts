import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import { getKey, type KeySummary, nameErrors } from './key.ts';

/**
 * Renames a key. The keys that it was rotated from or to keep their names.
 *
 * @throws OperatorError for an unknown id and for an invalid name.
 */
export async function renameKey(context: ActContext, id: string, name: string): Promise<KeySummary> {
  const [error] = nameErrors(name);
  if (error !== undefined) {
    throw new OperatorError(error);
  }
  return act(context, async (within) => {
    const { prisma, record } = within;
    const key = await getKey(within, id);
    if (key.name === name) {
      return key;
    }
    await prisma.apiKey.update({ where: { id }, data: { name }, select: { id: true } });
    await record('key.rename', id, { from: key.name, to: name });
    return getKey(within, id);
  });
}
