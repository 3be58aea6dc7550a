import { MAX_DAYS } from '../../../startups/history/parameters.ts';
import { shortLabelOf } from '../../../startups/model/field-labels.ts';
import { type StartupFieldPath, startupFields } from '../../../startups/model/fields.ts';
import { figureLabel } from '../../../startups/model/figure-labels.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';
import { EXPLORER_PATH, explorerPath, readExplorerQuery, readRequest } from '../explorer/query.ts';
import { listArguments } from '../explorer/requests.ts';
import { historySeries } from '../history-chart.tsx';

/** How something can be shown on a web page. */
export const shapes = { list: 'List', figures: 'Figures', chart: 'Chart' } as const;
export type Shape = keyof typeof shapes;

/** Something that can be chosen of it: a column, a figure, or the line of a chart. */
interface Choice {
  readonly path: string;
  readonly label: string;
}

/** What is embedded: a list, figures of it or the market by day, or figures or the history of a startup. */
export interface EmbedSubject {
  readonly shape: Shape;
  /** In which shapes it can be shown. */
  readonly shapes: readonly Shape[];
  /** The startup, unless it is about many. */
  readonly slug?: string;
  /** The parameters of the list in the format of REST. */
  readonly query: URLSearchParams;
  /** The page on which it is chosen. */
  readonly path: string;
  readonly choices: readonly Choice[];
  /** Those that are chosen until people choose. Of a chart, one. */
  readonly usual: readonly string[];
  /** How many rows a list has now. */
  readonly rows?: number;
  /** The document that reads what was chosen. */
  readonly documentOf: (paths: readonly string[]) => string;
}

/** The columns of a list. */
const columnPaths: readonly StartupFieldPath[] = [
  'name',
  'category',
  'country',
  'revenue.last30Days',
  'revenue.mrr',
  'revenue.total',
  'growth30d',
  'customers',
  'profitMarginLast30Days',
  'askingPrice',
  'multiple',
  'visitorsLast30Days',
  'foundedDate',
  'paymentProvider',
  'verifiedAt',
  'website',
];
const usualColumns: readonly StartupFieldPath[] = [
  'name',
  'revenue.last30Days',
  'revenue.mrr',
  'growth30d',
  'askingPrice',
  'multiple',
];
const startupFigures: readonly StartupFieldPath[] = [
  'revenue.last30Days',
  'revenue.mrr',
  'revenue.total',
  'growth30d',
  'customers',
  'profitMarginLast30Days',
  'askingPrice',
  'multiple',
];
const fieldChoices = (paths: readonly StartupFieldPath[]): Choice[] =>
  paths.map((path) => ({ path, label: shortLabelOf(path) }));

const figureChoices = (paths: readonly string[], others: Readonly<Record<string, string>>): Choice[] =>
  paths.map((path) => ({ path, label: figureLabel(path) ?? others[path] ?? path }));
const listFigures = figureChoices(
  [
    ...['meta.total', 'stats.revenue.sum', 'stats.revenue.median', 'stats.mrr.median'],
    ...['stats.growth.median', 'stats.price.median'],
  ],
  { 'meta.total': 'Startups' },
);
const marketLines = figureChoices(
  ['mrr.sum', 'mrr.median', 'revenue.sum', 'revenue.median', 'count', 'onSale'],
  { count: 'Startups', onSale: 'Startups for sale' },
);

/**
 * Reads what is to be embedded from the address of the page: the parameters of a list, with `total` if it is known how
 * many startups match, or `chart` with the slug of a startup; `show` for its shape, and `value` for the line of a chart.
 * Undefined if that is invalid.
 */
export function readSubject(query: URLSearchParams): EmbedSubject | undefined {
  const rest = new URLSearchParams(query);
  const [slug, show, value, total] = ['chart', 'show', 'value', 'total'].map((name) => {
    const given = rest.get(name) ?? undefined;
    rest.delete(name);
    return given;
  });
  const subject =
    slug === undefined ? listSubject(rest, show, total) : startupSubject(slug, show ?? 'chart', rest);
  if (subject === undefined || value === undefined) {
    return subject;
  }
  return subject.shape === 'chart' && subject.choices.some(({ path }) => path === value)
    ? { ...subject, usual: [value] }
    : undefined;
}

function startupSubject(slug: string, show: string, query: URLSearchParams): EmbedSubject | undefined {
  if (!new RegExp(startupFields.slug.pattern).test(slug)) {
    return undefined;
  }
  const common = { slug, query, path: `${EXPLORER_PATH}/${slug}`, shapes: ['chart', 'figures'] } as const;
  const startup = (selection: string): string =>
    `query Startup {\n  startup(slug: ${JSON.stringify(slug)}) {\n    ${selection}\n  }\n}`;
  if (show === 'figures') {
    return {
      ...common,
      shape: show,
      choices: fieldChoices(startupFigures),
      usual: startupFigures.slice(0, 4),
      documentOf: (paths) => startup(selectionOf(paths)),
    };
  }
  const lines = historySeries.map(({ path, label }) => ({ path, label }));
  return show !== 'chart'
    ? undefined
    : {
        ...common,
        shape: show,
        choices: lines,
        usual: lines.slice(0, 1).map(({ path }) => path),
        documentOf: (paths) =>
          startup(`history(last: ${MAX_DAYS}, fill: true) { day ${selectionOf(paths)} }`),
      };
}

function listSubject(query: URLSearchParams, show = 'list', total = ''): EmbedSubject | undefined {
  query.delete('page');
  const read = readRequest(readExplorerQuery(query));
  if ('errors' in read) {
    return undefined;
  }
  const { args, request } = read;
  const common = { query, path: explorerPath(query), shapes: ['list', 'figures', 'chart'] } as const;
  switch (show) {
    case 'list':
      return {
        ...common,
        shape: show,
        choices: fieldChoices(columnPaths),
        usual: usualColumns,
        rows: /^[1-9]\d*$/.test(total) ? Math.min(Number(total), request.limit) : request.limit,
        // Names lead to the websites.
        documentOf: (paths) =>
          `query Startups {\n  startups${listArguments(args)} {\n    page { ${selectionOf([...new Set([...paths, 'website'])])} }\n  }\n}`,
      };
    case 'figures':
      return {
        ...common,
        shape: show,
        choices: listFigures,
        usual: listFigures.slice(0, 4).map(({ path }) => path),
        documentOf: (paths) =>
          `query Figures {\n  startups${listArguments({ filter: args.filter })} {\n    ${selectionOf(paths)}\n  }\n}`,
      };
    case 'chart':
      return {
        ...common,
        shape: show,
        choices: marketLines,
        usual: ['mrr.sum'],
        documentOf: (paths) =>
          `query Market {\n  market${marketArguments(args)} { day ${selectionOf(paths)} }\n}`,
      };
    default:
      return undefined;
  }
}

/** The category of the days of the market: the only filter that they have. */
export const marketCategory = ({ filter }: Pick<QueryArguments, 'filter'>): string | undefined =>
  typeof filter.category === 'string' ? filter.category : undefined;

function marketArguments(args: QueryArguments): string {
  const category = marketCategory(args);
  return category === undefined ? '' : `(category: ${constantName(category)})`;
}

/** Dotted paths, such as `stats.revenue.sum`, as a selection. */
function selectionOf(paths: readonly string[]): string {
  const nested = new Map<string, string[]>();
  for (const path of paths) {
    const [head = '', ...below] = path.split('.');
    nested.set(head, [...(nested.get(head) ?? []), ...(below.length === 0 ? [] : [below.join('.')])]);
  }
  return [...nested]
    .map(([name, below]) => (below.length === 0 ? name : `${name} { ${selectionOf(below)} }`))
    .join(' ');
}
