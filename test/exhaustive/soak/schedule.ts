import { type SampleRandom, sampleRandom } from '../../../src/startups/import/sample-random.ts';

/** Longest pause between two actions: some begin before the last one has reached every node. */
const LONGEST_PAUSE_MS = 3_000;

/**
 * Actions without an end, the same for the same seed, each with the ms to wait before it and numbers that do not
 * depend on what earlier actions chose. Each occurs once in every round, in a random order.
 */
export function* schedule(
  seed: number,
  names: readonly string[],
): Generator<{ name: string; pauseMs: number; random: SampleRandom }> {
  for (let index = 0; ; index += 1) {
    const order = sampleRandom(seed, index);
    const round = [...names];
    while (round.length > 0) {
      index += 1;
      for (const name of round.splice(order.below(round.length), 1)) {
        yield { name, pauseMs: order.below(LONGEST_PAUSE_MS), random: sampleRandom(seed, index) };
      }
    }
  }
}
