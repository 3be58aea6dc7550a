import { expect } from 'vitest';

type Work = () => unknown;

const MOST_RUNS = 30;

/**
 * Expects that one piece of work takes less than some times as long as another, on whatever machine. Both are done in
 * turns until that is seen, and the shortest time of each counts, so that other programs on the machine matter little.
 */
export async function expectCheap(work: Work, reference: Work, mostTimes: number): Promise<void> {
  let [shortest, shortestReference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 1; run <= MOST_RUNS && !(run > 2 && shortest < mostTimes * shortestReference); run += 1) {
    shortest = Math.min(shortest, await timeOf(work));
    shortestReference = Math.min(shortestReference, await timeOf(reference));
  }
  expect(shortest / shortestReference).toBeLessThan(mostTimes);
}

/** In ms. */
async function timeOf(work: Work): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
