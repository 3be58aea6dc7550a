import { type SampleRandom, sampleRandom } from '../../../src/startups/import/sample-random.ts';

/** What operators do. */
const commands = [
  'import',
  'import --replace',
  'backup',
  'restore',
  'create a key',
  'revoke a key',
  'rotate a key',
  'disable a key',
  'enable a key',
  'set a clock',
] as const;

/** What nodes have to recover from. */
export const failures = [
  'PostgreSQL frozen',
  'connections dropped',
  'failover',
  'failover that loses commits',
  'Redis frozen',
  'Redis killed and started',
  'node restarted',
  'node killed and started',
] as const;

export type Action = (typeof commands | typeof failures)[number];

/** Longest pause between two actions: some begin before the last one has reached every node. */
const LONGEST_PAUSE_MS = 3_000;

/**
 * Actions without an end, the same for the same seed, each with the ms to wait before it and numbers that do not
 * depend on what earlier actions chose. Each occurs once in every round, in a random order.
 */
export function* schedule(seed: number): Generator<{ name: Action; pauseMs: number; random: SampleRandom }> {
  for (let index = 0; ; index += 1) {
    const order = sampleRandom(seed, index);
    const round: Action[] = [...commands, ...failures];
    while (round.length > 0) {
      index += 1;
      for (const name of round.splice(order.below(round.length), 1)) {
        yield { name, pauseMs: order.below(LONGEST_PAUSE_MS), random: sampleRandom(seed, index) };
      }
    }
  }
}
