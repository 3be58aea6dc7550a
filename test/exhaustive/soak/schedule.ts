import { type SampleRandom, sampleRandom } from '../../../src/startups/import/sample-random.ts';

/** What operators do, and what happens to them. */
const actNames = [
  'import',
  'import --replace',
  'backup',
  'restore',
  'create a key',
  'revoke a key',
  'rotate a key',
  'disable a key',
  'enable a key',
  'freeze the database',
  'drop the connections',
  'fail over',
  'fail over with loss',
  'freeze Redis',
  'kill Redis',
  'set a clock',
  'restart a node',
  'kill a node',
] as const;
export type ActName = (typeof actNames)[number];

/** One act of a schedule. */
export interface ScheduledAct {
  readonly name: ActName;
  /** ms to wait before it. */
  readonly pauseMs: number;
  /** Its own, so that its choices do not depend on what earlier acts chose. */
  readonly random: SampleRandom;
}

/** Longest pause between two acts: some begin before the last one has reached every node. */
const LONGEST_PAUSE_MS = 3_000;

/** Acts without an end, the same for the same seed. Each comes once in every round, in a random order. */
export function* schedule(seed: number): Generator<ScheduledAct> {
  for (let index = 0; ; index += 1) {
    const order = sampleRandom(seed, index);
    const round = [...actNames];
    while (round.length > 0) {
      const [name] = round.splice(order.below(round.length), 1);
      index += 1;
      if (name !== undefined) {
        yield { name, pauseMs: order.below(LONGEST_PAUSE_MS), random: sampleRandom(seed, index) };
      }
    }
  }
}
