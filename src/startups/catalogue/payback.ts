/** The interval that a margin counts within, as a fraction, and what an unknown one counts as. */
const MARGIN = { least: 0.05, most: 1, unknown: 0.5 };
/** Likewise the factor of growth: 1 is no growth. */
const GROWTH = { least: 0.5, most: 2, unknown: 1 };

/** The years in which a startup pays its price back, as best-deal estimates them. Margin and growth are percentages. */
export function paybackOf(multiple: number, margin: number, growth: number): number {
  return multiple / (within(MARGIN, margin / 100) * within(GROWTH, 1 + growth / 100));
}

function within({ least, most, unknown }: typeof MARGIN, value: number): number {
  return Number.isNaN(value) ? unknown : Math.min(Math.max(value, least), most);
}
