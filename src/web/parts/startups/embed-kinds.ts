import { type RootField, readRootField } from '../../../api/graphql/planning/root-field.ts';
import { MAX_DAYS } from '../../../startups/history/request.ts';
import { shortLabelOf } from '../../../startups/model/field-labels.ts';
import { type StartupFieldPath, startupFields } from '../../../startups/model/fields.ts';
import { figureLabel } from '../../../startups/model/figure-labels.ts';
import { listParameters, type QueryParameter } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName, type StartupSort } from '../../../startups/model/vocabulary.ts';
import { EXPLORER_PATH } from '../../shared/paths.ts';
import { listArguments } from './documents.ts';
import { listName, sortLabel } from './filter-texts.ts';
import { choiceLabel } from './filters.ts';
import { historySeries } from './history-chart.tsx';
import { explorerPath, readExplorerQuery, readRequest } from './query.ts';

/** What an element looks like: each shape is an element, an attribute of which names what it shows. */
export const shapes = {
  list: { label: 'List', attribute: 'columns', legend: 'Columns' },
  figures: { label: 'Figures', attribute: 'figures', legend: 'Figures' },
  chart: { label: 'Chart', attribute: 'value', legend: 'Line' },
} as const;
export type Shape = keyof typeof shapes;

/** Something that can be shown. */
interface Kind {
  readonly shape: Shape;
  /** The labels of the columns, figures or lines to choose from, by their paths in the document. */
  readonly showable: ReadonlyMap<string, string>;
  /** How many of them, the first ones, are shown until people choose. */
  readonly usual: number;
  /** The document that reads what was chosen. */
  readonly documentOf: (selection: string, about: About) => string;
  /** Whether it can show this; without it, it always can. */
  readonly canShow?: (about: About) => boolean;
  /** What is shown, in a sentence. Undefined: the filters of the list say that. */
  readonly summaryOf?: (about: About, shown: string) => string;
}

/** What it is about: a startup, or those that match. */
interface About {
  readonly slug: string;
  readonly args: QueryArguments;
}

const fieldLabels = (...paths: readonly StartupFieldPath[]): Kind['showable'] =>
  new Map(paths.map((path) => [path, shortLabelOf(path)]));
const figureLabels = (...paths: readonly string[]): Kind['showable'] =>
  new Map(paths.map((path) => [path, figureLabel(path) ?? otherLabels[path] ?? path]));
const otherLabels: Readonly<Record<string, string>> = {
  'meta.total': 'Startups',
  count: 'Startups',
  onSale: 'Startups for sale',
};

const document = (name: string, field: string, selection: string): string =>
  `query ${name} {\n  ${field} {\n    ${selection}\n  }\n}`;
const startupDocument = ({ slug }: About, selection: string): string =>
  document('Startup', `startup(slug: ${JSON.stringify(slug)})`, selection);

/** The category of the days of the market: the only filter that they have. */
const categoryOf = ({ args: { filter } }: About): string | undefined =>
  typeof filter.category === 'string' ? filter.category : undefined;

/** What can be shown of startups that match, and of one startup. The first one is the usual one. */
const kinds: Readonly<Record<'list' | 'startup', readonly Kind[]>> = {
  list: [
    {
      shape: 'list',
      showable: fieldLabels(
        'name',
        'revenue.last30Days',
        'revenue.mrr',
        'growth30d',
        'askingPrice',
        'multiple',
        'category',
        'country',
        'revenue.total',
        'customers',
        'profitMarginLast30Days',
        'visitorsLast30Days',
        'foundedDate',
        'paymentProvider',
        'verifiedAt',
        'website',
      ),
      usual: 6,
      documentOf: (selection, { args }) =>
        document('Startups', `startups${listArguments(args)}`, `page { ${selection} }`),
    },
    {
      shape: 'figures',
      showable: figureLabels(
        'meta.total',
        'stats.revenue.sum',
        'stats.revenue.median',
        'stats.mrr.median',
        'stats.growth.median',
        'stats.price.median',
      ),
      usual: 4,
      documentOf: (selection, { args: { filter } }) =>
        document('Figures', `startups${listArguments({ filter })}`, selection),
    },
    {
      shape: 'chart',
      showable: figureLabels('mrr.sum', 'mrr.median', 'revenue.sum', 'revenue.median', 'count', 'onSale'),
      usual: 1,
      canShow: ({ args: { filter } }) => filter.categories === undefined,
      documentOf(selection, about) {
        const category = categoryOf(about);
        const args = category === undefined ? '' : `(category: ${constantName(category)})`;
        return document('Market', `market${args}`, `day ${selection}`);
      },
      summaryOf(about) {
        const category = categoryOf(about);
        const whose = category === undefined ? 'All startups' : choiceLabel('category', category);
        return `${whose} by day, up to ${MAX_DAYS} days. Charts use the category filter only.`;
      },
    },
  ],
  startup: [
    {
      shape: 'chart',
      showable: new Map(historySeries.map(({ path, label }) => [path, label])),
      usual: 1,
      documentOf: (selection, about) =>
        startupDocument(about, `history(last: ${MAX_DAYS}, fill: true) { day ${selection} }`),
      summaryOf: ({ slug }, shown) => `${shown} of ${slug} in the last ${MAX_DAYS} days.`,
    },
    {
      shape: 'figures',
      showable: fieldLabels(
        'revenue.last30Days',
        'revenue.mrr',
        'revenue.total',
        'growth30d',
        'customers',
        'profitMarginLast30Days',
        'askingPrice',
        'multiple',
      ),
      usual: 4,
      documentOf: (selection, about) => startupDocument(about, selection),
      summaryOf: ({ slug }) => `The latest figures of ${slug}.`,
    },
  ],
};

/** What is embedded. */
export interface EmbedSubject extends Pick<Kind, 'shape' | 'showable'> {
  /** In which shapes it can be shown. */
  readonly shapes: readonly Shape[];
  /** The startup, unless it is about many. */
  readonly slug: string | undefined;
  /** The parameters of the list in the format of REST. */
  readonly query: URLSearchParams;
  /** The page on which it is chosen. */
  readonly path: string;
  /** What it is called: its shape, and what it is about. */
  readonly name: string;
  readonly summary: string | undefined;
  /** Those that are chosen until people choose. Of a chart, one. */
  readonly usual: readonly string[];
  /** What is asked of the list. */
  readonly args: QueryArguments;
  /** The document that reads what was chosen. */
  readonly documentOf: (paths: readonly string[]) => string;
}

/**
 * Reads what is to be embedded from the address of the page: the parameters of a list, or `chart` with the slug of a
 * startup; `show` for its shape, and `value` for the line of a chart. Undefined if that is invalid.
 */
export function readSubject(given: URLSearchParams): EmbedSubject | undefined {
  const query = new URLSearchParams(given);
  const [slug, show, value] = ['chart', 'show', 'value'].map((name) => {
    query.delete(name);
    return given.get(name) ?? undefined;
  });
  query.delete('page');
  const read = readRequest(readExplorerQuery(query));
  const about = { slug: slug ?? '', args: read.args };
  const all = kinds[slug === undefined ? 'list' : 'startup'];
  const possible = all.filter(({ canShow }) => canShow?.(about) ?? true);
  const isShape = show === undefined || all.some(({ shape }) => shape === show);
  // The first one in place of one that cannot show this.
  const kind = isShape ? (possible.find(({ shape }) => shape === show) ?? possible[0]) : undefined;
  if (
    kind === undefined ||
    read.errors.length > 0 ||
    (slug !== undefined && !new RegExp(startupFields.slug.pattern).test(slug)) ||
    (value !== undefined && !(kind.shape === 'chart' && kind.showable.has(value)))
  ) {
    return undefined;
  }
  const { shape, showable, documentOf } = kind;
  const usual = value === undefined ? [...showable.keys()].slice(0, kind.usual) : [value];
  // Names of a list lead to the websites.
  const linked = shape === 'list' ? ['website'] : [];
  return {
    shape,
    showable,
    usual,
    slug,
    query,
    shapes: possible.map((one) => one.shape),
    path: slug === undefined ? explorerPath(query) : `${EXPLORER_PATH}/${slug}`,
    name: `${shapes[shape].label}: ${slug ?? listName(query)}`,
    summary: kind.summaryOf?.(about, showable.get(usual[0] ?? '') ?? ''),
    args: read.args,
    documentOf: (paths) => documentOf(selectionOf([...new Set([...paths, ...linked])]), about),
  };
}

/** Dotted paths, such as `stats.revenue.sum`, as a selection. */
function selectionOf(paths: readonly string[]): string {
  const heads = new Set(paths.map((path) => path.replace(/\..*/, '')));
  return [...heads]
    .map((head) => {
      const below = paths.flatMap((path) => (path.startsWith(`${head}.`) ? path.slice(head.length + 1) : []));
      return below.length === 0 ? head : `${head} { ${selectionOf(below)} }`;
    })
    .join(' ');
}

/** What a document of an embed key shows. */
export interface ShownEmbed {
  readonly subject: EmbedSubject;
  /** The columns, figures or line. */
  readonly paths: readonly string[];
  /** The same in words, after the order of a list. */
  readonly text: string;
}

/** Reads a document that was published to embed something; undefined for a text that these pages do not write. */
export function readEmbed(document: string): ShownEmbed | undefined {
  const root = readRootField(document);
  const query = root && queryOf(root);
  if (root === undefined || query === undefined) {
    return undefined;
  }
  // Below a list and a history, what each of their rows has.
  const selected = new Set([...root.paths].map((path) => path.replace(/^(page|history)\./, '')));
  for (const shape of Object.keys(shapes)) {
    const subject = readSubject(new URLSearchParams([...query, ['show', shape]]));
    if (subject?.shape === shape) {
      const chosen = [...subject.showable.keys()].filter((path) => selected.has(path));
      // That of a list is read for the links of its names.
      const paths = chosen.filter((path) => path !== 'website' || chosen.length === 1);
      if (subject.documentOf(paths) === document) {
        return { subject, paths, text: shownText(subject, paths) };
      }
    }
  }
  return undefined;
}

/** What a root field asks, as the address of the page that embeds it; undefined if that cannot have it. */
function queryOf({ name, args }: RootField): URLSearchParams | undefined {
  const { filter, ...others } = args;
  const given = { ...(filter as object | undefined), ...others };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    const parameter = Object.entries<QueryParameter>(listParameters).find(
      ([one, of]) => one === name || ('plural' in of && of.plural === name),
    );
    if (parameter === undefined) {
      return undefined;
    }
    const values = (Array.isArray(value) ? value : [value]).map((one) => valueText(parameter[1], one));
    query.set(name === 'slug' && !Array.isArray(value) ? 'chart' : parameter[0], values.join(','));
  }
  return ['startup', 'startups', 'market'].includes(name) ? query : undefined;
}

/** A value as the address has it: of a document, it is the name of an enumeration's value. */
const valueText = (parameter: QueryParameter, value: unknown): string =>
  (parameter.kind === 'choice' && parameter.values.find((one) => constantName(one) === value)) ||
  String(value);

function shownText({ showable, args: { sort }, shape }: EmbedSubject, paths: readonly string[]): string {
  const order = shape === 'list' && typeof sort === 'string' ? [sortLabel(sort as StartupSort)] : [];
  return [...order, paths.map((path) => showable.get(path)).join(', ')].join(' · ');
}
