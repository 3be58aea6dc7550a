import { getCookie, setCookie } from 'hono/cookie';
import { preciseText } from '../../../lib/text/figures.ts';
import { isBlank, shortened } from '../../../lib/text/one-line.ts';
import { type FieldUnit, ownUnits, shortLabelOf, unitOf } from '../../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import {
  isSortedBy,
  type OwnField,
  type OwnKind,
  type OwnPath,
  ownPath,
  ownSortsOf,
} from '../../../startups/model/own-fields.ts';
import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import { saysNothing } from '../../../startups/model/words.ts';
import type { SignedInContext } from '../../page/page.ts';
import { sparkline } from '../../shared/charts.tsx';
import { Badge, monogram } from '../../shared/components.tsx';
import { count, money, moneyText, percent, rounded, times } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { EXPLORER_PATH } from '../../shared/paths.ts';
import { durationText, freshness, time } from '../../shared/time.tsx';
import type { ShownStartup } from './documents.ts';
import { textFormats } from './filters.ts';
import type { ResultColumn } from './results-table.tsx';

/** In place of a value that is unknown. */
export const NONE: Html = <span class="soft">–</span>;

/** The value at a path such as `revenue.mrr`; null where there is nothing to show: it is unknown, an empty list or a blank text. */
export function readField(record: object, path: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((one, name) => (one as Record<string, unknown> | undefined)?.[name], record);
  return [value].flat().every(saysNothing) ? null : value;
}

/** A field of a record, formatted for display. Nothing is loaded from other servers. */
export const showField = (record: object, path: StartupFieldPath): Content =>
  showValue(readField(record, path), unitOf(path));

/** How values are written in each unit; others as they are. */
const formats: Readonly<Partial<Record<FieldUnit, (value: never) => Content>>> = {
  cents: money,
  price: money,
  count,
  percent,
  change,
  ratio: times,
  number: (value: number) => preciseText(String(value)).replace('-', '−'),
  ...textFormats,
  date: dateOf,
  age: dateOf,
  boolean: (value: boolean) => (value ? 'Yes' : 'No'),
  texts: (values: readonly string[]) => values.join(', '),
  handles: (values: readonly string[]) => values.map((one) => `@${one}`).join(', '),
  // Only stored http and https addresses become links.
  url: (value: string) =>
    /^https?:\/\//i.test(value) ? (
      <a href={value} rel="noopener nofollow">
        {value.replace(/^https?:\/\/(www\.)?|\/$/gi, '')}
      </a>
    ) : (
      value
    ),
};

/** A value in its unit. */
export const showValue = (value: unknown, unit: FieldUnit): Content =>
  value === null ? NONE : (formats[unit]?.(value as never) ?? String(value));

function dateOf(value: string): Html {
  return time(new Date(value));
}

/** A growth, in the color of its direction. */
function change(value: number): Html {
  const tone = value > 0 ? 'up' : value < 0 ? 'down' : undefined;
  return <span class={tone}>{percent(value, 'change')}</span>;
}

/** A column of a table of startups. */
export interface StartupColumn extends Omit<ResultColumn<ShownStartup>, 'cell'> {
  /** What it reads of a startup. */
  readonly fields: readonly (StartupFieldPath | OwnPath)[];
  /** @param now ms since 1970. */
  readonly cell: (record: ShownStartup, now: number) => Content;
  /** Set for a column that people choose: whether it is shown until they do. */
  readonly isChosen?: boolean;
}

/** What both an ascending and a descending order are by, such as revenue. */
type SortedBy<Sort> = Sort extends `${infer Name}-asc` ? Name : never;
type More = Partial<Omit<StartupColumn, 'sorts'>> & { readonly by?: SortedBy<StartupSort> };

const column = (path: StartupFieldPath, { by, ...more }: More = {}): StartupColumn => ({
  id: path.split('.').at(-1) ?? path,
  heading: shortLabelOf(path),
  fields: [path],
  unit: unitOf(path),
  value: (record) => readField(record, path),
  cell: (record) => showField(record, path),
  ...(by && { sorts: { descending: `${by}-desc`, ascending: `${by}-asc` } }),
  ...more,
});

const chosen = { isChosen: false } as const;

/** All columns after that of the names, in order. */
export const columns: readonly StartupColumn[] = [
  column('category', { isText: true, place: 'line' }),
  column('revenue.last30Days', { by: 'revenue' }),
  column('revenue.mrr', { by: 'mrr' }),
  {
    id: 'trend',
    heading: 'MRR trend',
    fields: [],
    isDrawn: true,
    value: ({ history = [] }) => (history.length < 2 ? null : history.length),
    cell: ({ history = [] }) => trendLine(history.map(({ revenue }) => revenue.mrr)),
  },
  column('growth30d', { by: 'growth' }),
  column('askingPrice', { by: 'price', fields: ['askingPrice', 'previousAskingPrice'], cell: priceOf }),
  column('multiple', { by: 'multiple' }),
  {
    id: 'payback',
    heading: 'Payback',
    inCsv: 'Payback (months)',
    isChosen: true,
    fields: ['onSale', 'multiple', 'profitMarginLast30Days'],
    value: paybackMonths,
    cell: (record) => paybackText(record) ?? NONE,
  },
  column('verifiedAt', {
    by: 'verified',
    cell: ({ verifiedAt: at }, now) => (typeof at === 'string' ? freshness(new Date(at), now) : NONE),
    isChosen: true,
  }),
  column('profitMarginLast30Days', chosen),
  column('customers', { by: 'customers', ...chosen }),
  column('visitorsLast30Days', { by: 'visitors', ...chosen }),
  column('rank', { by: 'total', ...chosen }),
  column('country', { isText: true, ...chosen }),
  column('foundedDate', { by: 'founded', ...chosen }),
  column('firstListedForSaleAt', {
    id: 'listed',
    by: 'listed',
    heading: 'Listed for',
    fields: ['onSale', 'firstListedForSaleAt'],
    value: ({ onSale, firstListedForSaleAt: at }) => (onSale ? at : null),
    cell: ({ onSale, firstListedForSaleAt: at }, now) =>
      onSale && typeof at === 'string' ? durationText(now - Date.parse(at)) : NONE,
    ...chosen,
  }),
  column('paymentProvider', { isText: true, ...chosen }),
];

/** The most letters of a text that a column shows. */
const SHOWN_LETTERS = 80;
/** The most letters of a heading. */
const SHOWN_LABEL = 30;

/** Whether values of a kind are figures, which stand at the right edge of their column. */
const isFigure = (kind: OwnKind): boolean => ['count', 'cents', 'percent', 'number', 'date'].includes(kind);

/** A declared field of a record, formatted for display. */
export const showOwnField = (record: object, { name, kind }: OwnField): Content =>
  showValue(readField(record, ownPath(name)), ownUnits[kind]);

/** Columns of declared fields. Their ids have no dot, which separates those of the chosen ones. */
export const ownColumns = (own: readonly OwnField[]): StartupColumn[] =>
  own.map((field) => {
    const { name, kind, label } = field;
    const path = ownPath(name);
    const [descending, ascending] = ownSortsOf(name);
    const isLong = kind === 'text' || kind === 'texts';
    const read = (record: ShownStartup): unknown => readField(record, path);
    const textOf = (record: ShownStartup): string => [read(record)].flat().join(', ');
    return {
      id: `own-${name}`,
      heading: shortened(label, SHOWN_LABEL),
      fields: [path],
      unit: ownUnits[kind],
      value: (record) => (isLong && read(record) !== null ? textOf(record) : read(record)),
      cell: (record) =>
        isLong && read(record) !== null
          ? shortened(textOf(record), SHOWN_LETTERS)
          : showOwnField(record, field),
      ...(!isFigure(kind) && { isText: true }),
      ...(isLong && { place: 'line' as const }),
      ...(isSortedBy(field) && { sorts: { descending, ascending } }),
      ...chosen,
    };
  });

/** The columns that people choose from. */
export const optionalColumns = (own: readonly OwnField[]): readonly StartupColumn[] => [
  ...columns.filter(({ isChosen }) => isChosen !== undefined),
  ...ownColumns(own),
];

/** The columns of a table. @param ids the chosen ones; undefined: the usual ones. */
export const shownColumns = (
  ids: readonly string[] | undefined,
  own: readonly OwnField[] = [],
): StartupColumn[] =>
  [...columns, ...ownColumns(own)].filter(
    ({ id, isChosen }) => isChosen === undefined || (ids?.includes(id) ?? isChosen),
  );

/** The cookie with the ids of the chosen columns. */
const COLUMNS_COOKIE = 'revgate.columns';
const YEAR_SECONDS = 31_536_000;

/** The columns that a browser has chosen: the ones given, which it then keeps, or the last ones. */
export function columnsOf(
  context: SignedInContext,
  own: readonly OwnField[],
  ids?: readonly string[],
): StartupColumn[] {
  if (ids === undefined) {
    return shownColumns(getCookie(context, COLUMNS_COOKIE)?.split('.'), own);
  }
  const known = optionalColumns(own)
    .filter(({ id }) => ids.includes(id))
    .map(({ id }) => id);
  const options = { path: '/dashboard', maxAge: YEAR_SECONDS, httpOnly: true, sameSite: 'Lax' } as const;
  setCookie(context, COLUMNS_COOKIE, known.join('.'), options);
  return shownColumns(ids, own);
}

/** The columns of a table at a time, that of the names first. @param named what stands in that. @param now ms since 1970. */
export const tableColumns = (
  shown: readonly StartupColumn[],
  named: (record: ShownStartup) => Content,
  now: number,
): readonly ResultColumn<ShownStartup>[] =>
  [column('name', { by: 'name', isText: true, cell: named }), ...shown].map((one) => ({
    ...one,
    cell: (record) => one.cell(record, now),
  }));

/** What a startup is called: by its slug if its name is blank. */
export const nameOf = ({ name, slug }: Pick<ShownStartup, 'name' | 'slug'>): string =>
  isBlank(name) ? slug : name;

/** A startup's name, which leads to its page. */
export const startupNameCell = (record: ShownStartup, star: Html | null, marksSale: boolean): Content => [
  star,
  monogram(nameOf(record)),
  <a href={`${EXPLORER_PATH}/${record.slug}`}>{nameOf(record)}</a>,
  marksSale && record.onSale && <Badge tone="good">For sale</Badge>,
];

/** The column with an id; or of a field, if none has its path. */
export const columnOf = (id: string): StartupColumn =>
  columns.find((one) => one.id === id) ?? column(id as StartupFieldPath);

/** The fields of a table with these columns, which the requests beside it return. */
export const fieldsOf = (shown: readonly Pick<StartupColumn, 'fields'>[]): (StartupFieldPath | OwnPath)[] => [
  ...new Set<StartupFieldPath | OwnPath>([
    'name',
    'slug',
    'category',
    'country',
    'onSale',
    ...shown.flatMap(({ fields }) => fields),
  ]),
];

/**
 * The months in which the profit of a startup for sale pays back its price, as it is now: without growth, and undefined if
 * its margin is unknown or not above 0. The deal score, by which best deals are sorted, counts growth and estimates what is unknown.
 */
function paybackMonths(record: ShownStartup): number | undefined {
  const { onSale, multiple, profitMarginLast30Days: margin } = record;
  return onSale && typeof multiple === 'number' && multiple > 0 && typeof margin === 'number' && margin > 0
    ? (multiple * 12) / (margin / 100)
    : undefined;
}

/** The same in words: in months, or years from 37 months on. Above 20 years, how many says no more. */
export function paybackText(record: ShownStartup): string | undefined {
  const exact = paybackMonths(record);
  const months = Math.round(exact ?? 0);
  return exact === undefined
    ? undefined
    : months > 240
      ? '20+ years'
      : months > 36
        ? `${rounded(months / 12)} years`
        : months > 1
          ? `${months} months`
          : `${months === 1 ? '' : '< '}1 month`;
}

/** What the order of best deals is by. */
export const bestDealsText =
  'Lowest deal score first: the price in years of profit, adjusted for growth. An unknown margin counts as 50%.';

/** The asking price, after a higher one that it has replaced. */
function priceOf({ askingPrice: price, previousAskingPrice: previous }: ShownStartup): Content {
  const shown = showValue(price ?? null, 'cents');
  const isReduced = typeof previous === 'number' && previous > Number(price ?? Infinity);
  return isReduced ? [<s class="soft">{money(previous)}</s>, ' ', shown] : shown;
}

/** Amounts of some days as a small line. */
export const trendLine = (values: readonly number[]): Html =>
  values.length < 2
    ? NONE
    : sparkline(values, `from ${moneyText(values[0] ?? 0)} to ${moneyText(values.at(-1) ?? 0)}`);

/** How many startups there are. */
export const startupsText = (total: number): string =>
  `${count(total)} ${total === 1 ? 'startup' : 'startups'}`;
