import { lineChart } from '../shared/charts.tsx';
import { type Column, Table } from '../shared/components.tsx';
import { count, money } from '../shared/figures.tsx';
import type { Content, Html } from '../shared/jsx.ts';

/** A startup on one day, as GraphQL returns it; amounts are cents. */
export interface StartupDay {
  /** Such as 2026-11-23. */
  readonly day: string;
  readonly revenue: { readonly last30Days: number; readonly mrr: number; readonly total: number };
  readonly customers: number;
  readonly activeSubscriptions: number;
  readonly askingPrice: number | null;
  readonly onSale: boolean;
}

/**
 * The revenue of a startup day by day as a line, with all its figures in a table behind it.
 *
 * @param points one for each day, as history returns them with `fill`.
 */
export function historyChart(points: readonly StartupDay[]): Html {
  return points.length === 0 ? (
    <section class="card">
      <h2>History</h2>
      <p class="soft">There are no figures for these days.</p>
    </section>
  ) : (
    lineChart({
      id: 'history',
      title: 'History',
      legend: 'revenue last 30 days',
      points: points.map((point) => ({ day: point.day, value: revenueOf(point) })),
      table: historyTable(points),
    })
  );
}

function revenueOf({ revenue }: StartupDay): number {
  return revenue.last30Days;
}

const amount = (cents: number | null): Content =>
  cents === null ? <span class="soft">–</span> : money(cents);

const columns: readonly Column<StartupDay>[] = [
  ['Day', ({ day }) => day],
  ['Revenue last 30 days', (point) => amount(revenueOf(point))],
  ['MRR', ({ revenue }) => amount(revenue.mrr)],
  ['Total revenue', ({ revenue }) => amount(revenue.total)],
  ['Customers', ({ customers }) => count(customers)],
  ['Active subscriptions', ({ activeSubscriptions }) => count(activeSubscriptions)],
  ['Asking price', ({ askingPrice }) => amount(askingPrice)],
  ['On sale', ({ onSale }) => (onSale ? 'yes' : 'no')],
];

function historyTable(points: readonly StartupDay[]): Html {
  const figuresOf = (point: StartupDay | undefined): string => JSON.stringify({ ...point, day: '' });
  const changes = points.filter((point, index) => figuresOf(point) !== figuresOf(points[index - 1]));
  return (
    <div class="scroll" tabindex="0" role="region" aria-label="History in numbers">
      <Table
        kind="counts"
        caption="In UTC, the last day first; a day on which no figure changed is left out. Amounts are US dollars."
        columns={columns}
        rows={changes.toReversed()}
      />
    </div>
  );
}
