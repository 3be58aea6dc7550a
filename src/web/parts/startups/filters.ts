import { isDay } from '../../../lib/text/days.ts';
import { shift } from '../../../lib/text/decimals.ts';
import { moneyText, nameInWords, preciseText } from '../../../lib/text/figures.ts';
import { type Bound, bounds } from '../../../startups/model/bounds.ts';
import { shortLabelOf } from '../../../startups/model/field-labels.ts';
import { type StartupFieldPath, startupFieldList, startupFields } from '../../../startups/model/fields.ts';
import { type OwnField, type OwnKind, ownFilterOf, ownPath } from '../../../startups/model/own-fields.ts';
import {
  filterParameters,
  type ListParameterName,
  listParameters,
  type QueryParameter,
} from '../../../startups/model/requests/list-parameters.ts';
import { ownParametersOf } from '../../../startups/model/requests/own-parameters.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { timeText } from '../../shared/time.tsx';

/** A unit in which people type and read bounds. */
interface InputUnit {
  readonly symbol: '$' | '%' | '×' | '#';
  /** The suffix of form fields in this unit, if it is not the unit of the API. */
  readonly suffix?: 'Dollars' | 'Percent';
  /** One of this unit is 10 to this power of the API's: 100 cents, or the fraction 0.01. */
  readonly places: 2 | 0 | -2;
  /** The unit in words. */
  readonly name: string;
  /** The allowed input, as the end of a sentence. */
  readonly allowed: string;
}

const percent = { symbol: '%', places: 0, name: 'percent', allowed: 'a percentage such as 12.5' } as const;
const units: Readonly<Record<Exclude<Bound['unit'], 'date'>, InputUnit>> = {
  cents: {
    symbol: '$',
    suffix: 'Dollars',
    places: 2,
    name: 'US dollars',
    allowed: 'an amount in US dollars such as 1,200.50, 10k or 1.2M',
  },
  fraction: { ...percent, suffix: 'Percent', places: -2 },
  percent,
  ratio: { symbol: '×', places: 0, name: 'years of revenue', allowed: 'a number such as 2.5' },
  count: { symbol: '#', places: 0, name: 'number', allowed: 'a number such as 1,200 or 10k' },
};

/** A filter of the explorer: one parameter, or both bounds of a range. */
export interface Filter {
  /** Its parameter, or the name of the range. */
  readonly id: string;
  readonly label: string;
  readonly kind: QueryParameter['kind'] | 'range' | 'dates';
  readonly parameters: readonly string[];
  /** Whether it can have several values, which commas separate. */
  readonly isPlural: boolean;
  /** Of a range of numbers. */
  readonly unit?: InputUnit;
  /** Of a choice that is declared, its values. */
  readonly choices?: readonly string[];
}

/** What a parameter is called that is no field of a startup, or that asks something else than it. */
const otherLabels: Readonly<Partial<Record<ListParameterName, string>>> = {
  onSale: 'Sale status',
  slug: 'Startup',
  active: 'Ranking',
  paymentProvider: 'Payment provider',
  updatedSince: 'Changed since',
  createdSince: 'Added since',
};

const ranges = bounds.flatMap(({ name, column, min, max, unit }): Filter[] => {
  const path = startupFieldList.find(({ property }) => property === column)?.path;
  const parameters = [min, max].filter((one) => one !== undefined);
  return unit === 'date' || path === undefined
    ? []
    : [
        {
          id: name,
          label: shortLabelOf(path),
          kind: 'range',
          parameters,
          isPlural: false,
          unit: units[unit],
        },
      ];
});
const inRange = new Set(ranges.flatMap(({ parameters }) => parameters));

/** All filters but those of declared fields. */
const usualFilters: readonly Filter[] = [
  ...(Object.keys(filterParameters) as (keyof typeof filterParameters)[])
    .filter((name) => !inRange.has(name))
    .map((name) => ({
      id: name,
      label:
        otherLabels[name] ??
        (Object.hasOwn(startupFields, name) ? shortLabelOf(name as StartupFieldPath) : nameInWords(name)),
      kind: listParameters[name].kind,
      parameters: [name],
      isPlural: 'plural' in listParameters[name] || listParameters[name].kind === 'texts',
    })),
  ...ranges,
];

/** The filters that have no control, as hardly anybody uses them: addresses and saved searches set them, and chips remove them. */
export const filtersOfAddresses: readonly string[] = ['slug', 'website', 'xHandle', 'active'];

/** The units of the kinds of declared fields that have a range of numbers. */
const ownUnits: Readonly<Partial<Record<OwnKind, InputUnit>>> = {
  count: units.count,
  cents: units.cents,
  percent: units.percent,
  number: { ...units.count, allowed: 'a number such as 2.5' },
};

function ownFilters(field: OwnField): Filter[] {
  const { name, label, kind, choices } = field;
  const of = { id: ownPath(name), label, parameters: ownParametersOf(field), isPlural: false };
  const unit = ownUnits[kind];
  switch (ownFilterOf(field)) {
    case 'range':
      return [{ ...of, kind: 'range', ...(unit && { unit }) }];
    case 'dates':
      return [{ ...of, kind: 'dates' }];
    case 'values':
      // In an address, commas separate values.
      return [
        { ...of, kind: 'ownValues', isPlural: true, choices: choices.filter((one) => !one.includes(',')) },
      ];
    case 'flag':
      return [{ ...of, kind: 'boolean' }];
    case undefined:
      return [];
  }
}

/** The filters of a list: their controls, chips and the reading of their values derive from this. */
export interface Filters {
  readonly all: readonly Filter[];
  /** Those of declared fields, and these fields. */
  readonly own: readonly Filter[];
  readonly fields: readonly OwnField[];
  /** The fields of the form that are bounds. */
  readonly bounds: ReadonlyMap<string, { readonly parameter: string; readonly unit: InputUnit }>;
  /** The filter that a parameter belongs to; undefined for any other name. */
  readonly find: (parameter: string) => Filter | undefined;
}

function createFilters(fields: readonly OwnField[]): Filters {
  const own = fields.flatMap(ownFilters);
  const all = [...usualFilters, ...own];
  const byParameter = new Map(
    all.flatMap((filter) => filter.parameters.map((name) => [name, filter] as const)),
  );
  return {
    all,
    own,
    fields,
    bounds: new Map(
      all.flatMap((filter) =>
        filter.unit === undefined
          ? []
          : filter.parameters.map((parameter) => [
              fieldOf(filter, parameter),
              { parameter, unit: filter.unit as InputUnit },
            ]),
      ),
    ),
    find: (parameter) => byParameter.get(parameter),
  };
}

const known = new WeakMap<readonly OwnField[], Filters>();

/** The filters of a list with declared fields. */
export function filtersWith(own: readonly OwnField[]): Filters {
  const filters = known.get(own) ?? createFilters(own);
  known.set(own, filters);
  return filters;
}

/** The name of a parameter in the form: another one where that has another unit. */
export const fieldOf = ({ unit }: Filter, parameter: string): string => `${parameter}${unit?.suffix ?? ''}`;

/** Without those of declared fields. */
export const filters: Filters = createFilters([]);

/** Whether a parameter is the lower one of its range. */
export const isLowest = (parameter: string): boolean => /^min[A-Z]|\.(min|from)$/.test(parameter);

/** The label of a parameter of lists. */
export function parameterLabel(name: string, of: Filters = filters): string {
  const filter = of.find(name);
  if (filter?.kind === 'range') {
    return `${filter.label}, ${isLowest(name) ? 'minimum' : 'maximum'}`;
  }
  return filter?.kind === 'dates'
    ? `${filter.label}, ${isLowest(name) ? 'from' : 'to'}`
    : (filter?.label ?? nameInWords(name));
}

const regions = new Intl.DisplayNames('en', { type: 'region' });

/** How texts of some kinds are written, those of parameters and of fields. */
export const textFormats: Readonly<Record<string, (value: string) => string>> = {
  handle: (value) => `@${value.replace(/^@/, '')}`,
  country: (code) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code),
  choice: (value) => labelOf(value) ?? value,
};

const booleans: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  onSale: { true: 'For sale', false: 'Not for sale' },
  active: { true: 'Ranked', false: 'Not ranked' },
};
const yesOrNo: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

/** One value of a parameter, in words. */
export function choiceLabel(name: string, value: string, of: Filters = filters): string {
  const { unit, kind = '' } = of.find(name) ?? {};
  const isTime =
    (kind === 'instant' || kind === 'dates') && !isDay(value) && !Number.isNaN(Date.parse(value));
  return unit !== undefined
    ? showWithUnit(value, unit)
    : isTime
      ? timeText(new Date(value), 'minute')
      : ((kind === 'boolean' ? (booleans[name] ?? yesOrNo)[value] : textFormats[kind]?.(value)) ?? value);
}

/** The bounds of a range that are set, such as $1,000–$1.2M or ≥ $1,000. */
export function rangeText({ kind, parameters }: Filter, query: URLSearchParams, of: Filters): string {
  const set = parameters.filter((name) => query.has(name));
  const texts = set.map((name) => choiceLabel(name, query.get(name) ?? '', of));
  const isFrom = isLowest(set[0] ?? '');
  if (kind === 'dates') {
    return set.length === 1 ? `${isFrom ? 'from' : 'to'} ${texts[0]}` : texts.join(' to ');
  }
  return set.length === 1 ? `${isFrom ? '≥' : '≤'} ${texts[0]}` : texts.join('–');
}

// With commas between all thousands, or without any: "1,5" is ambiguous, 1.5 or 15.
const TYPED = /^(-?)[$]?(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(\.\d{1,10})? ?([kKmM%]?)$/;
const powers: Readonly<Record<string, number>> = { k: 3, m: 6 };

/** The input in the unit of the API; undefined if it is not a number. Amounts and counts can end in k or M. */
export function readTyped(text: string, { places, symbol }: InputUnit): string | undefined {
  const [whole, sign = '', digits = '', fraction = '', suffix = ''] = TYPED.exec(text) ?? [];
  const power = powers[suffix.toLowerCase()];
  const isAllowed = power === undefined ? suffix === '' || symbol === '%' : symbol === '$' || symbol === '#';
  return whole === undefined || !isAllowed
    ? undefined
    : shift(`${sign}${digits.replaceAll(',', '')}${fraction}`, places + (power ?? 0));
}

/** A value of the API in the unit of the form; any other text is unchanged. */
export function showTyped(value: string, { places, symbol }: InputUnit): string {
  return isDecimal(value) ? preciseText(shift(value, -places), symbol === '$' ? 'dollars' : 'plain') : value;
}

/** A tenth of a million dollars, which is the last digit of the shortest amounts. */
const CENTS_OF_SHORTEST = 10_000_000;

/** A value of the API with its unit, such as $1,200.50 or 12.5%. Amounts are as elsewhere where that rounds nothing. */
function showWithUnit(value: string, unit: InputUnit): string {
  const typed = showTyped(value, unit).replace('-', '−');
  return unit.symbol === '#'
    ? typed
    : unit.symbol !== '$'
      ? `${typed}${unit.symbol}`
      : Number(value) % CENTS_OF_SHORTEST === 0
        ? moneyText(Number(value))
        : typed.replace(/^(−?)/, '$1$');
}

/** Whether a value is a number in the format of the API. */
export function isDecimal(value: string): boolean {
  return /^-?\d{1,40}(\.\d{1,40})?$/.test(value);
}
