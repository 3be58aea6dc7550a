/** The size of the lower part of an amount. */
const PART = 2 ** 32;

/**
 * Sums of a column, one for each of some groups. Each value is added in two parts, so that a sum of up to a million
 * amounts is exact, and rounded once when it is read: a sum in one number is rounded at each step beyond 2^53.
 */
export class Sums {
  readonly #high: Float64Array;
  readonly #low: Float64Array;

  constructor(groups: number) {
    this.#high = new Float64Array(groups);
    this.#low = new Float64Array(groups);
  }

  add(group: number, value: number): void {
    const high = Math.trunc(value / PART);
    this.#high[group] = (this.#high[group] as number) + high;
    this.#low[group] = (this.#low[group] as number) + (value - high * PART);
  }

  /** The sum of a group, rounded to the nearest number beyond 2^53. */
  of(group: number): number {
    return (this.#high[group] as number) * PART + (this.#low[group] as number);
  }
}
