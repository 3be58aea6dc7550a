/** The figures of lists and of the market by their names in GraphQL, each with its unit. */
const figures = {
  revenue: ['revenue', 'cents'],
  mrr: ['MRR', 'cents'],
  growth: ['growth', 'change'],
  price: ['price', 'cents'],
  multiple: ['multiple', 'ratio'],
} as const;
const statistics = {
  sum: 'Total',
  median: 'Median',
  min: 'Lowest',
  max: 'Highest',
  p90: '90th percentile,',
} as const;
type Figure = keyof typeof figures;
type Statistic = keyof typeof statistics;

const isFigure = (name: string): name is Figure => Object.hasOwn(figures, name);
const isStatistic = (name: string): name is Statistic => Object.hasOwn(statistics, name);
const endOf = (path: string): [last: string, parent: string] => {
  const [last = '', parent = ''] = path.split('.').reverse();
  return [last, parent];
};

/**
 * What a statistic is called. A sum of revenue is of 30 days, and not the total revenue of a startup: as its column, without the
 * table of fields, which embedded elements do not carry.
 */
function statisticLabel(figure: Figure, statistic: Statistic): string {
  return figure === 'revenue' && statistic === 'sum'
    ? 'Revenue 30d'
    : `${statistics[statistic]} ${figures[figure][0]}`;
}

/** The same by a path such as `stats.mrr.median`; undefined for anything else. */
export function figureLabel(path: string): string | undefined {
  const [last, parent] = endOf(path);
  return isStatistic(last) && isFigure(parent) ? statisticLabel(parent, last) : undefined;
}

/** The unit of a figure such as `mrr`, or of a statistic of it; undefined for anything else. */
export function figureUnit(path: string): string | undefined {
  const [last, parent] = endOf(path);
  const name = isStatistic(last) ? parent : last;
  return isFigure(name) ? figures[name][1] : undefined;
}
