import type { ImportRecord } from '../../support/records.ts';

/** The values of a point, in the order of the table's columns; onSale is 0 or 1. */
export type PointValues = (number | null)[];

/** The point of the history that a record leaves. */
export function pointOf({
  revenue,
  customers,
  activeSubscriptions,
  askingPrice,
  onSale,
}: ImportRecord): PointValues {
  const { last30Days, mrr, total } = revenue;
  return [last30Days, mrr, total, customers, activeSubscriptions, askingPrice, Number(onSale)];
}

/** Works out plainly what the market of each day is. */
export function createMarketOracle() {
  /** By day and category: count, on sale, sum and median of the revenue, sum and median of the MRR. */
  const rows: Record<string, (number | null)[]> = {};
  const categories = new Set(['']);
  return {
    rows,
    /** Records the market of a day later than all before. */
    record(day: string, startups: readonly ImportRecord[]): void {
      for (const { category } of startups) {
        categories.add(category ?? '');
      }
      for (const category of categories) {
        const own = startups.filter((one) => category === '' || one.category === category);
        const revenues = own.map(({ revenue }) => revenue.last30Days);
        const mrrs = own.map(({ revenue }) => revenue.mrr);
        rows[`${day} ${category}`] = [
          ...[own.length, own.filter(({ onSale }) => onSale).length],
          ...[sum(revenues), median(revenues), sum(mrrs), median(mrrs)],
        ];
      }
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The lower of the two in the middle. */
function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? null;
}
