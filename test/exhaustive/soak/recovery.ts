import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type HeldKey, unknownKey } from './asks.ts';
import { call, LIMITS } from './load.ts';
import type { SoakNode } from './nodes.ts';

/** What a failure takes away. */
export type Need = 'database' | 'redis' | 'node';

const LONGEST_MS = 30_000;
const PAUSE_MS = 25;

/**
 * How long it takes until every node again has what a request needs, in ms: the database for a key that no node has
 * heard of, Redis for the whole limit, or just the node.
 *
 * @param isOver whether to give up, as something else has failed.
 */
export async function timeRecovery(
  nodes: readonly SoakNode[],
  need: Need,
  { key }: HeldKey,
  isOver: () => boolean,
): Promise<number | undefined> {
  const startedAt = Date.now();
  const isBack = async (node: SoakNode): Promise<boolean> => {
    const known = { headers: { authorization: `Bearer ${key}` }, path: '/api/v1/startups?limit=1' };
    const ask = { ...(need === 'database' ? unknownKey() : known), kind: 'recovery', judge: () => undefined };
    // From an address of its own: one that asks with an unknown key often would get a 429.
    const { status, headers } = await call(node, ask, `10.1.${randomInt(256)}.${randomInt(256)}`);
    const isWhole = need !== 'redis' || headers['x-ratelimit-limit'] === String(LIMITS.premium);
    return isWhole && status === (need === 'database' ? 401 : 200);
  };
  const waitFor = async (node: SoakNode): Promise<void> => {
    while (!(await isBack(node).catch(() => false))) {
      if (isOver() || Date.now() - startedAt > LONGEST_MS) {
        throw new Error('not seen');
      }
      await wait(PAUSE_MS);
    }
  };
  try {
    await Promise.all(nodes.map(waitFor));
    return Date.now() - startedAt;
  } catch {
    return undefined;
  }
}
