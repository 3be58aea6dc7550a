/**
 * How to check a property with fast-check: so many runs as are enough here, TEST_RUNS times as many where that
 * is set. Each run of the tests takes the same values, and others with another TEST_SEED.
 */
export function runs(enough: number): { numRuns: number; seed: number } {
  return { numRuns: enough * Number(process.env.TEST_RUNS ?? 1), seed: testSeed() };
}

/** Where random values of a test begin. */
export function testSeed(): number {
  return Number(process.env.TEST_SEED ?? 1);
}

/** A function like Math.random whose numbers follow from a seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  // A linear congruential generator, of which the high bits count.
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
