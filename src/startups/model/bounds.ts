/** The units of bounds, each as the middle of a description. */
const units = {
  cents: ', in US cents',
  fraction: ', as a fraction: write 0.24, not 24, for 24% (growth30d has 24)',
  percent: ', in percent (24 means 24%)',
  ratio: '',
  count: '',
  date: '',
} as const;

/** A row of {@link ranges}. */
const range = <const Name extends string, const Column extends string, const Unit extends keyof typeof units>(
  name: Name,
  column: Column,
  unit: Unit,
  value: string,
  excluded?: string,
) => ({ name, column, unit, value, excluded });

/**
 * The ranges of a filter: the column that each bounds, its unit, the value in a sentence, and which startups have none, as
 * the end of a sentence. The bounds of revenue are minRevenue and maxRevenue, and so on; those of dates have other names.
 * GraphQL, REST, OpenAPI, the explorer and the catalogue derive from this.
 */
const ranges = [
  range('revenue', 'revenueLast30Days', 'cents', 'revenue of the last 30 days'),
  range('mrr', 'revenueMrr', 'cents', 'monthly recurring revenue'),
  range('growth', 'growth30d', 'fraction', '30-day revenue growth', 'whose growth is unknown'),
  range('price', 'askingPrice', 'cents', 'asking price', 'without an asking price'),
  range(
    'multiple',
    'multiple',
    'ratio',
    'multiple: the asking price in years of revenue',
    'without an asking price or revenue',
  ),
  range('customers', 'customers', 'count', 'number of customers'),
  range('total', 'revenueTotal', 'cents', 'total revenue'),
  range(
    'visitors',
    'visitorsLast30Days',
    'count',
    'number of website visitors in the last 30 days',
    'whose visitors are unknown',
  ),
  range(
    'margin',
    'profitMarginLast30Days',
    'percent',
    'profit margin over the last 30 days',
    'whose margin is unknown',
  ),
  {
    ...range('founded', 'foundedDate', 'date', 'founded', 'whose founding date is unknown'),
    min: 'foundedAfter',
    max: 'foundedBefore',
  },
  { ...range('updated', 'updatedAt', 'date', 'created or changed'), min: 'updatedSince' },
  {
    ...range(
      'priceReduced',
      'priceReducedAt',
      'date',
      'whose asking price was reduced',
      'whose price rose when it last changed',
    ),
    min: 'priceReducedSince',
  },
  { ...range('created', 'createdAt', 'date', 'added to the data'), min: 'createdSince' },
  {
    ...range('listed', 'firstListedForSaleAt', 'date', 'first listed for sale', 'never listed'),
    min: 'listedSince',
  },
  { ...range('verified', 'verifiedAt', 'date', 'last verified', 'never verified'), min: 'verifiedSince' },
] as const;
type Range = (typeof ranges)[number];
type DateRange = Extract<Range, { unit: 'date' }>;
type DateBoundName = DateRange['min'] | Extract<DateRange, { max: string }>['max'];
type NumberBoundName = `${'min' | 'max'}${Capitalize<Exclude<Range, { unit: 'date' }>['name']>}`;

/** A range of a filter, see {@link bounds}. */
export interface Bound {
  readonly name: Range['name'];
  readonly min: NumberBoundName | DateBoundName;
  readonly max?: NumberBoundName | DateBoundName;
  readonly column: Range['column'];
  readonly unit: keyof typeof units;
  readonly value: string;
  readonly excluded: string | undefined;
}
export const bounds: readonly Bound[] = ranges.map((range) => {
  const suffix = range.name.replace(/^./, (letter) => letter.toUpperCase());
  const names = { min: `min${suffix}`, max: `max${suffix}` } as Pick<Bound, 'min' | 'max'>;
  return range.unit === 'date' ? range : { ...names, ...range };
});

/** The parameters of lists that the bounds are, in their order. */
export function boundParameters(): Record<NumberBoundName, { kind: 'number'; description: string }> &
  Record<DateBoundName, { kind: 'instant'; description: string }> {
  const described = bounds.flatMap(({ min, max, unit, value, excluded }) => {
    const note = `inclusive.${excluded === undefined ? '' : ` Excludes startups ${excluded}.`}`;
    const kind = unit === 'date' ? 'instant' : 'number';
    const text = (side: 'Minimum' | 'Maximum', when: string): string =>
      unit === 'date'
        ? `Only startups ${value} at this time or ${when}, ${note} An ISO 8601 date (midnight UTC) or date-time.`
        : `${side} ${value}${units[unit]}, ${note}`;
    return [
      [min, { kind, description: text('Minimum', 'later') }],
      ...(max === undefined ? [] : [[max, { kind, description: text('Maximum', 'earlier') }]]),
    ];
  });
  return Object.fromEntries(described) as ReturnType<typeof boundParameters>;
}
