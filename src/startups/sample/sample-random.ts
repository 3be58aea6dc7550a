export type SampleRandom = ReturnType<typeof sampleRandom>;

/** Spreads 32 bits over 32 bits, so that neighbouring seeds give unrelated sequences. */
function scramble(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}

/**
 * The numbers of one record of a sample: a small, fast, repeatable source, not for secrets. They depend on seed and index alone, so that a shorter sample is a
 * beginning of a longer one, however many numbers a record draws.
 *
 * @param seed any safe integer.
 * @param index of the record, from 0.
 */
export function sampleRandom(seed: number, index: number) {
  const high = scramble(Math.floor(seed / 2 ** 32));
  let state = scramble(scramble(seed ^ high) + scramble(index + 0x9e3779b9));
  const next = (): number => {
    // Weyl sequence through a mixer: one record draws some fifty numbers, far below its period.
    state = (state + 0x9e3779b9) | 0;
    return (scramble(state) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    /** Uniform in [0, 1). */
    next,
    /** Uniform integer in [0, bound). */
    below,
    /** Uniform choice. */
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    /** True with this probability. */
    chance: (probability: number): boolean => next() < probability,
    /** Near normal: mean 0, deviation 1, never beyond 4.25. */
    // The sum of six uniforms: only additions, whose results no engine's library can change.
    normal: (): number => (next() + next() + next() + next() + next() + next() - 3) * Math.SQRT2,
  };
}
