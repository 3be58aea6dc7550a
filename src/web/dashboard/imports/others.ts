import { setTimeout as wait } from 'node:timers/promises';
import { ImportRunningError } from '../../../startups/import/import.ts';

/** How often something is tried while another import runs, and the ms between. */
const [ATTEMPTS, PAUSE_MS] = [20, 250];

/**
 * Imports or undoes, and tries again for a few seconds while another import runs: that of a form that was sent twice is about
 * to end.
 *
 * @param look called before each further attempt: throws where the other one has done what was asked for.
 * @throws ImportRunningError if it still runs; what the attempt and the look throw; the signal's reason.
 */
export async function afterOthers<Result>(
  attempt: () => Promise<Result>,
  look: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<Result> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ImportRunningError) || left === 0) {
        throw error;
      }
    }
    await wait(PAUSE_MS, undefined, { signal });
    await look();
  }
}
