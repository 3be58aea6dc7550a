import { FACETS, type Figures, STATS, type Stats } from '../catalogue/query/summary.ts';
import { statTexts } from '../graphql/documents/result-texts.ts';
import { GROUPED_SUMMARY_DOCUMENT, MARKET_DOCUMENT, SUMMARY_DOCUMENT } from '../rest/endpoint-documents.ts';
import { summarySchema } from '../rest/openapi-bodies.ts';
import { daysSchema, marketDaySchema } from '../rest/openapi-days.ts';
import type { Schema } from '../rest/openapi-schemas.ts';
import { dayOf } from '../startups/days.ts';
import { MARKET_TEXT } from '../startups/history/descriptions.ts';
import { marketParameters } from '../startups/history/parameters.ts';
import { dayRange } from '../startups/history/request.ts';
import { listParameters, summaryParameters } from '../startups/requests/list-parameters.ts';
import { listArguments } from '../startups/requests/query-parameters.ts';
import { dollars } from '../startups/words.ts';
import { amount } from '../text/amount.ts';
import { createTool, undescribed } from './tool.ts';
import { boundsText, CORRECTED, quoted } from './words.ts';

interface Summary {
  readonly facets: Readonly<Record<string, readonly { readonly value: unknown; readonly count: number }[]>>;
  readonly stats: Stats;
  readonly groups?: readonly {
    readonly value: string | null;
    readonly count: number;
    readonly onSale: number;
    readonly stats: Stats;
  }[];
  readonly meta: { readonly total: number; readonly corrected: boolean };
}

function figuresOf(name: (typeof STATS)[number], figures: Partial<Figures>): string {
  const texts = Object.entries(figures).flatMap(([figure, value]) =>
    // A sum of percentages or ratios says nothing.
    value === null || (figure === 'sum' && statTexts[name] !== dollars)
      ? []
      : [`${figure} ${statTexts[name](value)}`],
  );
  return texts.join(', ') || 'none';
}

function statsLine(name: (typeof STATS)[number], { count, ...figures }: Figures): string {
  return `${name} of ${count}: ${figuresOf(name, figures)}`;
}

function groupLine({ value, count, onSale, stats }: NonNullable<Summary['groups']>[number]): string {
  const { sum, median } = stats.revenue;
  const figures = [
    `revenue ${figuresOf('revenue', { sum, median })}`,
    ...(['growth', 'multiple'] as const).map(
      (name) => `${name} ${figuresOf(name, { median: stats[name].median })}`,
    ),
  ];
  return `${value ?? 'unknown'}: ${amount(count, 'startup')}, ${onSale} for sale; ${figures.join('; ')}`;
}

export const summarizeStartups = createTool<{ startups: Summary }>({
  name: 'summarize_startups',
  title: 'Summarize startups',
  description:
    'Counts by value, and sum, minimum, median, 90th percentile and maximum of revenue, MRR, price, multiple and growth, of all startups that match: one call in place of reading a whole list. With by, also the figures of each category, country or other group, to compare them. Takes the filters of search_startups, which describes them. Costs 3, and 4 with by.',
  parameters: summaryParameters,
  described: listParameters,
  output: undescribed(summarySchema().properties as Record<string, Schema>),
  call: (args) => ({
    query: args.by === undefined ? SUMMARY_DOCUMENT : GROUPED_SUMMARY_DOCUMENT,
    variables: listArguments(args),
    answer({ startups: { meta, ...data } }) {
      const { facets, stats, groups = [] } = data;
      const counts = FACETS.map((name) => {
        const values = (facets[name] ?? [])
          .slice(0, 8)
          // Technologies are texts of records, all other values are ours.
          .map(
            ({ value, count }) =>
              `${name === 'techStack' ? quoted(String(value)) : (value ?? 'unknown')} ${count}`,
          );
        return `${name}: ${values.join(', ') || 'none'}`;
      });
      return {
        body: { data, meta },
        summary: `${amount(meta.total, 'startup')} found.${boundsText(args)}${meta.corrected ? CORRECTED : ''}`,
        // The figures of all come first, as a long list of groups is cut; what is left then are groups only.
        lines: [
          ...STATS.map((name) => statsLine(name, stats[name])),
          ...(groups.length > 0 ? groups.map(groupLine) : counts),
        ],
      };
    },
  }),
});

interface MarketDay {
  readonly day: string;
  readonly count: number;
  readonly onSale: number;
  readonly revenue: { readonly sum: number; readonly median: number | null };
  readonly mrr: { readonly sum: number };
}

export const readMarket = createTool<{ market: MarketDay[] }>({
  name: 'read_market',
  title: 'Read the market by day',
  description: `${MARKET_TEXT} Costs 1.`,
  parameters: marketParameters,
  output: daysSchema(marketDaySchema).properties as Record<string, Schema>,
  call: (args) => ({
    query: MARKET_DOCUMENT,
    variables: args,
    answer({ market: data }, { plannedAt }) {
      const meta = { ...dayRange(args, dayOf(plannedAt)), count: data.length };
      const lines = data.map(
        ({ day, count, onSale, revenue, mrr }) =>
          `${day}: ${amount(count, 'startup')}, ${onSale} for sale; revenue in 30 days ${dollars(revenue.sum)}, median ${revenue.median === null ? 'none' : dollars(revenue.median)}; MRR ${dollars(mrr.sum)}`,
      );
      const { category } = args;
      const summary = `${category === undefined ? '' : `${category}: `}${amount(data.length, 'day')} from ${data[0]?.day ?? meta.from} to ${meta.to}, the latest first.`;
      return { body: { data, meta }, summary, lines: lines.toReversed() };
    },
  }),
});
