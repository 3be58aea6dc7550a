import type { MarketComparison } from '../../startups/history/history.ts';
import { figureLabel, figureUnit } from '../../startups/model/figure-labels.ts';
import { readField } from '../parts/startups/columns.tsx';
import { seriesChart } from '../shared/charts.tsx';
import { Badge, Figures } from '../shared/components.tsx';
import { count, money } from '../shared/figures.tsx';
import type { Html } from '../shared/jsx.ts';
import { NEW_EMBED_PATH } from '../shared/paths.ts';
import { sinceText } from '../shared/time.tsx';

/** What the page says of all startups. */
export const FACTS = `{
  dataset { total importedAt }
  startups { facets { category { value count } paymentProvider { value } } }
  sale: startups(filter: { onSale: true }) {
    meta { total } stats { price { median } } facets { category { value count } }
  }
}`;
/** How many startups have each category, by the names of GraphQL; null: none. */
export type CategoryCounts = readonly { readonly value: string | null; readonly count: number }[];
export interface Facts {
  readonly dataset: { readonly total: number; readonly importedAt: string | null };
  readonly startups: {
    readonly facets: { readonly category: CategoryCounts; readonly paymentProvider: readonly unknown[] };
  };
  readonly sale: {
    readonly meta: { readonly total: number };
    readonly stats: { readonly price: { readonly median: number | null } };
    readonly facets: { readonly category: CategoryCounts };
  };
}

/** Amounts are cents. */
export interface MarketDay {
  readonly day: string;
  readonly onSale: number;
  readonly revenue: { readonly sum: number };
  readonly mrr: { readonly sum: number; readonly median: number | null };
}

/** What the data has, in figures. */
export function factFigures({ dataset, startups, sale }: Facts, now: number): Html {
  const { total, importedAt } = dataset;
  const { median } = sale.stats.price;
  return (
    <section aria-label="The data">
      <Figures
        figures={[
          ['Startups', count(total)],
          ['For sale', count(sale.meta.total)],
          ...(median === null ? [] : [['Median price', money(median)] as const]),
          ['Payment providers', count(startups.facets.paymentProvider.length)],
        ]}
      />
      {/* Before the first import, startups are those of the sample. */}
      {importedAt === null ? (
        total > 0 && <Badge>Invented sample</Badge>
      ) : (
        <p class="soft small">Updated {sinceText(new Date(importedAt), now)}.</p>
      )}
    </section>
  );
}

/** The figures of the chart, by their paths in a day of the market; the builder of embeds has them by the same. */
const marketSeries = [
  ['mrr', 'mrr.sum', 'mrrSum'],
  ['revenue', 'revenue.sum', 'revenueSum'],
  ['median', 'mrr.median', 'mrrMedian'],
  ['sale', 'onSale', 'onSale'],
] as const;

/**
 * The market day by day.
 *
 * @param comparison how those startups have grown that are in the data on the first of the days and now.
 */
export const marketChart = (
  heading: Html,
  days: readonly MarketDay[],
  comparison: MarketComparison | undefined,
): Html =>
  seriesChart({
    heading,
    series: marketSeries.map(([name, path, compares]) => ({
      name,
      path,
      label: figureLabel(path) ?? 'For sale',
      unit: figureUnit(path) === 'cents' ? 'cents' : 'count',
      compared: comparison?.[compares] ?? null,
      // A median of none is 0.
      points: days.map((one) => ({ day: one.day, value: Number(readField(one, path)) })),
    })),
    isClose: true,
    embed: (value) => `${NEW_EMBED_PATH}?${new URLSearchParams({ show: 'chart', value })}`,
  });
