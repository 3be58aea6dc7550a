/** The interval to which a margin is limited, as a fraction, and the value for an unknown margin. */
const MARGIN = { least: 0.05, most: 1, unknown: 0.5 };
/** The same for the factor of growth: 1 is no growth. */
const GROWTH = { least: 0.5, most: 2, unknown: 1 };

/**
 * The deal score, by which best-deal sorts: the price in years of profit, divided by the factor of growth. Unlike the
 * payback of a startup, it counts growth, and estimates what is unknown. The lower, the better.
 *
 * @param multiple the price in years of revenue.
 * @param margin a percentage, NaN if unknown; the same for growth.
 */
export function dealScoreOf(multiple: number, margin: number, growth: number): number {
  return multiple / (within(MARGIN, margin / 100) * within(GROWTH, 1 + growth / 100));
}

function within({ least, most, unknown }: typeof MARGIN, value: number): number {
  return Number.isNaN(value) ? unknown : Math.min(Math.max(value, least), most);
}
