import { shortLabelOf } from '../../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import { sparkline } from '../../shared/charts.tsx';
import { count, money, moneyText, rounded } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import { freshness } from '../../shared/time.tsx';
import { hasValue, NONE, showField } from './fields.tsx';
import type { ShownStartup } from './requests.ts';

/** One column of the table of results. */
export interface ShownColumn {
  /** Its name in the settings of the table. */
  readonly id: string;
  readonly heading: string;
  /** What it reads of a startup. */
  readonly fields: readonly StartupFieldPath[];
  /** @param now ms since 1970. */
  readonly cell: (record: ShownStartup, now: number) => Content;
  /** The orders by it. */
  readonly sorts?: { readonly descending?: StartupSort; readonly ascending?: StartupSort };
  /** What a CSV has of it, if it is not its only field. */
  readonly csv?: StartupFieldPath | ((record: ShownStartup) => unknown);
  readonly isText?: boolean;
  /** Set for a column that people choose: whether it is shown until they do. */
  readonly isChosen?: boolean;
}

/** What both an ascending and a descending order are by, such as revenue. */
type SortedBy<Sort> = Sort extends `${infer Name}-asc` ? Name : never;

const sortsBy = (by: SortedBy<StartupSort>): NonNullable<ShownColumn['sorts']> => ({
  descending: `${by}-desc`,
  ascending: `${by}-asc`,
});

const fieldColumn = (
  path: StartupFieldPath,
  { by, ...more }: { by?: SortedBy<StartupSort> } & Pick<ShownColumn, 'isText' | 'isChosen'> = {},
): ShownColumn => ({
  id: path.split('.').at(-1) ?? path,
  heading: shortLabelOf(path),
  fields: [path],
  cell: (record) => showField(record, { path }),
  ...(by && { sorts: sortsBy(by) }),
  ...more,
});

/** The cookie with the ids of the chosen columns. */
export const COLUMNS_COOKIE = 'revgate.columns';

const chosen = { isChosen: false } as const;
const DAY_MS = 86_400_000;

/** The column of names, before all others. */
export const nameColumn: ShownColumn = fieldColumn('name', { by: 'name', isText: true });

/** All other columns, in order. */
export const columns: readonly ShownColumn[] = [
  fieldColumn('category', { isText: true }),
  fieldColumn('revenue.last30Days', { by: 'revenue' }),
  fieldColumn('revenue.mrr', { by: 'mrr' }),
  { id: 'trend', heading: 'MRR, 60 days', fields: [], cell: trendOf },
  fieldColumn('growth30d', { by: 'growth' }),
  {
    ...fieldColumn('askingPrice', { by: 'price' }),
    fields: ['askingPrice', 'previousAskingPrice'],
    cell: priceOf,
  },
  fieldColumn('multiple', { by: 'multiple' }),
  {
    id: 'payback',
    heading: 'Payback',
    fields: ['onSale', 'multiple', 'profitMarginLast30Days'],
    cell: (record) => paybackText(record) ?? NONE,
    csv: paybackText,
    sorts: { ascending: 'best-deal' },
    isChosen: true,
  },
  {
    ...fieldColumn('verifiedAt', { by: 'verified' }),
    cell: ({ verifiedAt: at }, now) => (typeof at === 'string' ? freshness(new Date(at), now) : NONE),
    isChosen: true,
  },
  fieldColumn('profitMarginLast30Days', chosen),
  fieldColumn('customers', { by: 'customers', ...chosen }),
  fieldColumn('visitorsLast30Days', { by: 'visitors', ...chosen }),
  fieldColumn('rank', { by: 'total', ...chosen }),
  fieldColumn('country', { isText: true, ...chosen }),
  fieldColumn('foundedDate', { by: 'founded', ...chosen }),
  {
    id: 'listed',
    heading: 'Listed for',
    fields: ['onSale', 'firstListedForSaleAt'],
    cell: ({ onSale, firstListedForSaleAt: at }, now) =>
      onSale && typeof at === 'string' ? daysText((now - Date.parse(at)) / DAY_MS) : NONE,
    csv: 'firstListedForSaleAt',
    sorts: sortsBy('listed'),
    ...chosen,
  },
  fieldColumn('paymentProvider', { isText: true, ...chosen }),
];

/** What shows a field: the column that is named after it, if there is one. */
export const cellOf = (path: StartupFieldPath): ShownColumn['cell'] =>
  (columns.find(({ id }) => id === path) ?? fieldColumn(path)).cell;

/** The columns that people choose from. */
export const optionalColumns = columns.filter(({ isChosen }) => isChosen !== undefined);

/** The columns of a table. @param ids the chosen ones; undefined: the usual ones. */
export function shownColumns(ids: readonly string[] | undefined): ShownColumn[] {
  return columns.filter(({ id, isChosen }) => isChosen === undefined || (ids?.includes(id) ?? isChosen));
}

/** The fields of a table with these columns, which the requests beside it return. */
export function fieldsOf(shown: readonly ShownColumn[]): StartupFieldPath[] {
  return [
    ...new Set<StartupFieldPath>([
      'name',
      'slug',
      'category',
      'country',
      'onSale',
      ...shown.flatMap((column) => column.fields),
    ]),
  ];
}

/**
 * The years in which the profit of a startup for sale pays back its price, as it is now: without growth, and undefined if
 * its margin is unknown or not above 0. The order by best deals estimates what is unknown.
 */
export function paybackYears(record: ShownStartup): number | undefined {
  const { onSale, multiple, profitMarginLast30Days: margin } = record;
  return onSale && typeof multiple === 'number' && multiple > 0 && typeof margin === 'number' && margin > 0
    ? multiple / (margin / 100)
    : undefined;
}

/** The same in words. */
export function paybackText(record: ShownStartup): string | undefined {
  const years = paybackYears(record);
  if (years === undefined) {
    return undefined;
  }
  const months = Math.round(years * 12);
  return months === 0
    ? '< 1 month'
    : months > 36
      ? `${rounded(months / 12)} years`
      : `${months} ${months === 1 ? 'month' : 'months'}`;
}

/** The time since something in words: in days, months from 60 days on, or years from 24 months on. */
function daysText(days: number): string {
  const months = days / 30.44;
  const [number, unit] =
    months >= 24 ? [months / 12, 'year'] : days >= 60 ? [months, 'month'] : [Math.max(0, days), 'day'];
  const whole = Math.floor(number);
  return `${count(whole)} ${whole === 1 ? unit : `${unit}s`}`;
}

/** The asking price, after a higher one that it has replaced. */
function priceOf({ askingPrice: price, previousAskingPrice: previous }: ShownStartup): Content {
  return typeof price !== 'number' ? (
    NONE
  ) : typeof previous === 'number' && previous > price ? (
    <>
      <s class="soft">{money(previous)}</s> {money(price)}
    </>
  ) : (
    money(price)
  );
}

function trendOf({ history = [] }: ShownStartup): Content {
  const values = history.map(({ revenue }) => revenue.mrr);
  const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
  return values.length < 2 ? NONE : sparkline(values, `from ${moneyText(first)} to ${moneyText(last)}`);
}

/** Whether a column has something to show of a startup. */
export function hasCell(column: ShownColumn, record: ShownStartup, now: number): boolean {
  const [path] = column.fields;
  return column.fields.length === 1 && path !== undefined
    ? hasValue(record, path)
    : column.cell(record, now) !== NONE;
}
