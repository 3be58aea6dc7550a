import { amount } from '../../lib/errors.ts';
import { FACETS } from '../../startups/catalogue/query/facets.ts';
import { type Figures, STATS, type StatName, type Stats } from '../../startups/catalogue/query/statistics.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import { choice, integerParameter, listParameters } from '../../startups/model/requests/list-parameters.ts';
import { parameterError } from '../../startups/model/requests/list-request.ts';
import {
  invalidParameters,
  listArguments,
  type QueryParameters,
} from '../../startups/model/requests/query-parameters.ts';
import { type Grouping, leftOutOfGroups } from '../../startups/model/vocabulary.ts';
import { dollars, percent, rounded } from '../../startups/model/words.ts';
import { STATS_SELECTION } from '../rest/endpoint-documents.ts';
import { operations, operationsWith } from '../rest/endpoint-table.ts';
import { createTool } from './tool.ts';
import { countFitting, earlierText, fittingLines, quoted, searchText } from './words.ts';

interface Group {
  readonly value: string | null;
  readonly count: number;
  readonly onSale: number;
  readonly stats: Stats;
}

/** The body of a summary. */
interface SummaryBody {
  readonly data: {
    readonly facets?: Readonly<
      Record<string, readonly { readonly value: unknown; readonly count: number }[]>
    >;
    readonly stats: Stats;
    readonly groups?: readonly Group[];
  };
  readonly meta: { readonly total: number; readonly corrected?: true };
}

const statTexts: Readonly<Record<StatName, (value: number) => string>> = {
  revenue: dollars,
  mrr: dollars,
  price: dollars,
  multiple: (value) => `${rounded(value)}x`,
  growth: percent,
};

function figuresOf(name: StatName, figures: Partial<Figures>): string {
  const texts = Object.entries(figures).flatMap(([figure, value]) =>
    // A sum of percentages or ratios says nothing.
    value === null || (figure === 'sum' && statTexts[name] !== dollars)
      ? []
      : [`${figure} ${statTexts[name](value)}`],
  );
  return texts.join(', ') || 'none';
}

function statsLine(name: StatName, { count, ...figures }: Figures): string {
  return `${name} of ${count}: ${figuresOf(name, figures)}`;
}

function groupLine(group: Group, by: Grouping): string {
  const { count, onSale, stats } = group;
  const sums = (['revenue', 'mrr'] as const).map((name) => {
    const { sum, median } = stats[name];
    return `${name === 'mrr' ? 'MRR' : name} ${figuresOf(name, { sum, median })}`;
  });
  const medians = (['price', 'growth', 'multiple'] as const).map(
    (name) => `${name} ${figuresOf(name, { median: stats[name].median })}`,
  );
  const figures = sums.concat(medians).join('; ');
  return `${groupName(group.value, by)}: ${amount(count, 'startup')}, ${onSale} for sale; ${figures}`;
}

/** What groups are sorted by: a sum of revenue or MRR by its name alone. */
const measures: Readonly<Record<string, (group: Group) => number | null>> = {
  count: ({ count }) => count,
  revenue: ({ stats }) => stats.revenue.sum,
  mrr: ({ stats }) => stats.mrr.sum,
  growth: ({ stats }) => stats.growth.median,
  multiple: ({ stats }) => stats.multiple.median,
  'median-revenue': ({ stats }) => stats.revenue.median,
  'median-mrr': ({ stats }) => stats.mrr.median,
  'median-price': ({ stats }) => stats.price.median,
};

/** The most groups that are asked for at a time: all countries. As many are returned as the text holds. */
const MAX_GROUPS = 250;
/** The most values of a field with their counts. */
const MAX_VALUES = 40;

const groupParameters = {
  top: integerParameter(MAX_GROUPS, MAX_GROUPS, 'At most this many groups: the first in the order of sort.'),
  after: {
    kind: 'cursor',
    givenBy: 'a call with the same by and sort',
    description: 'Only groups after this one: the next of an earlier result.',
  },
  sort: choice(
    Object.keys(measures).flatMap((name) => [`${name}-desc`, `${name}-asc`]),
    'The order of groups: by count, by revenue or MRR together, or by a median. Default: count-desc.',
  ),
} as const satisfies QueryParameters;

/** Groups in an order such as `mrr-desc`: those without the figure last, behind them that of startups without a value. */
function sortGroups(groups: readonly Group[], order: string): readonly Group[] {
  const [, name = '', direction] = /^(.+)-(asc|desc)$/.exec(order) ?? [];
  const measure = measures[name] as (group: Group) => number | null;
  const sign = direction === 'asc' ? 1 : -1;
  const rank = (group: Group): number => {
    const value = measure(group);
    return value === null ? Number.POSITIVE_INFINITY : sign * value;
  };
  return groups.toSorted(
    (one, other) =>
      Number(one.value === null) - Number(other.value === null) ||
      // Infinity minus itself is no number.
      rank(one) - rank(other) ||
      0,
  );
}

/** What a group is called in a text: a technology is a text of records. */
function groupName(value: string | null, by: Grouping): string {
  if (value === null) {
    return 'unknown';
  }
  return by === 'techStack' ? quoted(value) : by === 'xHandle' ? `@${value}` : value;
}

/** The value that a cursor means: a handle may have the @ of texts, while of a technology it is a part. */
function givenValue(after: unknown, by: Grouping): string {
  return by === 'xHandle' ? String(after).replace(/^@/, '') : String(after);
}

/** @throws ApiError for a cursor that is no group of this result. */
function groupsAfter(groups: readonly Group[], by: Grouping, after: unknown): readonly Group[] {
  const exact = groups.findIndex(({ value }) => value !== null && value === after);
  const given = givenValue(after, by);
  // As the text has it, in which spaces may differ.
  const index =
    exact === -1
      ? groups.findIndex(({ value }) => value !== null && groupName(value, by) === groupName(given, by))
      : exact;
  if (after !== undefined && index === -1) {
    const error = parameterError('after', after, 'the next of a call with the same filters, by and sort');
    throw invalidParameters(groupParameters, [error]);
  }
  return groups.slice(index + 1);
}

/** The document of a summary. @param selected what else it has, beside statistics. */
const summaryDocument = (variables: string, selected: string): string =>
  `query McpSummary($filter: StartupFilter${variables}) {
  startups(filter: $filter) { ${selected} ${STATS_SELECTION} meta { total corrected } }
}`;
const SUMMARY_DOCUMENT = summaryDocument(
  '',
  `facets { ${FACETS.map((name) => `${name} { value count }`).join(' ')} }`,
);
const GROUPS_DOCUMENT = summaryDocument(
  ', $by: StartupGrouping!',
  `groups(by: $by) { value count onSale
      stats { revenue { sum median } mrr { sum median } price { median } growth { median } multiple { median } } }`,
);

export const summarizeStartups = (own: readonly OwnField[]) =>
  createTool<SummaryBody>({
    name: 'summarize_startups',
    title: 'Summarize startups',
    description:
      'Counts by value, and sum, minimum, median, 90th percentile and maximum of revenue, MRR, price, ' +
      'multiple and growth, of all startups that match: one call in place of reading a whole list. With by, ' +
      'the figures of each category, country, founder, technology or other group in place of the counts, to compare them: as many ' +
      'groups as the text holds in the order of sort, and next to continue after. Takes the filters of search_startups, which describes them. ' +
      'Costs 3.',
    parameters: { ...operationsWith(own).summary.parameters, ...groupParameters },
    described: { ...listParameters, ...operationsWith(own).startups.parameters },
    call: ({ top = MAX_GROUPS, sort, after, ...args }) => ({
      operation: operations.summary,
      document: args.by === undefined ? SUMMARY_DOCUMENT : GROUPS_DOCUMENT,
      variables: listArguments(args),
      errors:
        args.by === undefined && (sort !== undefined || after !== undefined || top !== MAX_GROUPS)
          ? [parameterError('by', null, 'a field with top, sort or after')]
          : [],
      answer({ data: { stats, facets = {}, groups }, meta }) {
        const found = `${amount(meta.total, 'startup')} found.${searchText(args, meta.total, meta.corrected)}`;
        const all = STATS.map((name) => statsLine(name, stats[name]));
        if (groups !== undefined) {
          const by = args.by as Grouping;
          const order = String(sort ?? 'count-desc');
          const left = groupsAfter(sortGroups(groups, order), by, after);
          const written = left.slice(0, Number(top)).map((group) => groupLine(group, by));
          const shown = left.slice(0, countFitting(written, all));
          const last = shown.at(-1);
          const next = last !== undefined && shown.length < left.length ? last.value : null;
          const first = after === undefined ? 'the first ' : '';
          const cut = shown.length < groups.length ? `${first}${shown.length} by ${order}` : `by ${order}`;
          const from = after === undefined ? '' : ` after ${groupName(givenValue(after, by), by)}`;
          const more = next === null ? '' : ` More follow: call again with after ${groupName(next, by)}.`;
          const leftOut = leftOutOfGroups(by, groups.filter(({ value }) => value !== null).length);
          const without = leftOut === null ? '' : ` Left out: ${leftOut}.`;
          return {
            body: { data: { stats, groups: shown }, meta: { ...meta, groups: groups.length, leftOut, next } },
            summary: `${found} ${amount(groups.length, 'group')}, ${cut}${from}.${without}${more}`,
            lines: [...all, ...written.slice(0, shown.length)],
          };
        }
        const counts = Object.entries(facets).map(
          ([name, values]) => [name, values.slice(0, MAX_VALUES)] as const,
        );
        const lines = fittingLines((length) => [
          ...all,
          ...counts.map(([name, values]) => {
            const more = (facets[name]?.length ?? 0) - values.length;
            const texts = values.map(({ value, count }) => {
              // Technologies are texts of records, all other values are ours.
              const isText = name === 'techStack' && value !== null;
              return `${isText ? quoted(String(value), length) : (value ?? 'unknown')} ${count}`;
            });
            return `${name}: ${texts.join(', ') || 'none'}${more > 0 ? `, and ${more} more values` : ''}`;
          }),
        ]);
        return { body: { data: { facets: Object.fromEntries(counts), stats }, meta }, summary: found, lines };
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

interface MarketBody {
  readonly data: readonly MarketDay[];
  readonly meta: { readonly from: string; readonly to: string };
}

export const readMarket = createTool<MarketBody>({
  name: 'read_market',
  title: 'Read the market by day',
  description: `${operations.market.words} Costs 1.`,
  parameters: operations.market.parameters,
  call: (args) => ({
    operation: operations.market,
    variables: args,
    answer({ data: market, meta }) {
      const written = market
        .toReversed()
        .map(
          ({ day, count, onSale, revenue, mrr }) =>
            `${day}: ${amount(count, 'startup')}, ${onSale} for sale; revenue in 30 days ` +
            `${dollars(revenue.sum)}, median ` +
            `${revenue.median === null ? 'none' : dollars(revenue.median)}; MRR ${dollars(mrr.sum)}`,
        );
      const lines = written.slice(0, countFitting(written));
      const data = market.slice(market.length - lines.length);
      const from = data.length < market.length ? (data[0]?.day ?? meta.from) : meta.from;
      const { category } = args;
      const summary =
        `${category === undefined ? '' : `${category}: `}${amount(data.length, 'day')} from ` +
        `${data[0]?.day ?? from} to ${meta.to}, the latest ` +
        `first.${earlierText(from, market.length - data.length)}`;
      return { body: { data, meta: { ...meta, from, count: data.length } }, summary, lines };
    },
  }),
});
