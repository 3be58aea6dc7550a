/** The upper ends of the ranges in which durations are counted, in ms. */
export const durationEnds = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const;

/** The upper end of the range of a duration, in ms: Infinity for the last one. */
export function durationEnd(ms: number): number {
  return durationEnds.find((end) => ms <= end) ?? Number.POSITIVE_INFINITY;
}
