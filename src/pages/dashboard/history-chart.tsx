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

/** A column of the table. */
function figure<T>(head: string, read: (point: StartupDay) => T, show: (value: T) => Content) {
  return { head, read, show: (point: StartupDay) => show(read(point)) };
}

const amount = (cents: number | null): Content =>
  cents === null ? <span class="soft">–</span> : money(cents);

/** The columns of the table, in addition to the day. */
const figures = [
  figure('Revenue last 30 days', revenueOf, amount),
  figure('MRR', ({ revenue }) => revenue.mrr, amount),
  figure('Total revenue', ({ revenue }) => revenue.total, amount),
  figure('Customers', ({ customers }) => customers, count),
  figure('Active subscriptions', ({ activeSubscriptions }) => activeSubscriptions, count),
  figure('Asking price', ({ askingPrice }) => askingPrice, amount),
  figure(
    'On sale',
    ({ onSale }) => onSale,
    (onSale) => (onSale ? 'yes' : 'no'),
  ),
];

function historyTable(points: readonly StartupDay[]): Html {
  const changes = points.filter((point, index) => {
    const before = points[index - 1];
    return before === undefined || figures.some(({ read }) => read(point) !== read(before));
  });
  return (
    <div class="scroll" tabindex="0" role="region" aria-label="History in numbers">
      <Table
        kind="counts"
        caption="In UTC, the last day first; a day on which no figure changed is left out. Amounts are US dollars."
        columns={[
          ['Day', ({ day }) => day],
          ...figures.map(({ head, show }): Column<StartupDay> => [head, show]),
        ]}
        rows={changes.toReversed()}
      />
    </div>
  );
}
