type Work = () => unknown;

/**
 * How many times as long one piece of work takes as another, on whatever machine. Both are done by turns, and
 * the shortest time of each counts, so that others on the machine matter little.
 */
export async function relativeCost(work: Work, reference: Work, runs = 7): Promise<number> {
  let [shortest, shortestReference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let run = 0; run < runs; run += 1) {
    shortest = Math.min(shortest, await timeOf(work));
    shortestReference = Math.min(shortestReference, await timeOf(reference));
  }
  return shortest / shortestReference;
}

/** In ms. */
async function timeOf(work: Work): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
