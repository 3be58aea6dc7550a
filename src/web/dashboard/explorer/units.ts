import { moneyText, preciseText } from '../../../lib/text/figures.ts';
import { shortLabelOf } from '../../../startups/model/field-labels.ts';
import { type StartupFieldPath, startupFieldList } from '../../../startups/model/fields.ts';
import { type Bound, bounds } from '../../../startups/model/filter.ts';
import type { ListParameterName } from '../../../startups/model/requests/list-parameters.ts';

export interface InputUnit {
  readonly symbol: '$' | '%' | '×' | '#';
  /** The suffix of form fields in this unit, if it is not the unit of the API. */
  readonly suffix: 'Dollars' | 'Percent' | '';
  /** One of this unit is 10 to this power of the API's: 100 cents, or the fraction 0.01. */
  readonly places: 2 | 0 | -2;
  /** The unit in words. */
  readonly name: string;
  /** The allowed input, as the end of a sentence. */
  readonly allowed: string;
}

const percentage = 'a percentage such as 12.5';
const units: Readonly<Record<Exclude<Bound['unit'], 'date'>, InputUnit>> = {
  cents: {
    symbol: '$',
    suffix: 'Dollars',
    places: 2,
    name: 'US dollars',
    allowed: 'an amount in US dollars such as 1,200.50',
  },
  fraction: { symbol: '%', suffix: 'Percent', places: -2, name: 'percent', allowed: percentage },
  percent: { symbol: '%', suffix: '', places: 0, name: 'percent', allowed: percentage },
  ratio: { symbol: '×', suffix: '', places: 0, name: 'years of revenue', allowed: 'a number such as 2.5' },
  count: { symbol: '#', suffix: '', places: 0, name: 'number', allowed: 'a number such as 1,200' },
};

/** One bound of a range, as the form shows it. */
export interface BoundField {
  readonly parameter: ListParameterName;
  /** The name of the field in the form: different from the parameter if that has another unit. */
  readonly field: string;
  readonly side: 'min' | 'max';
  readonly unit: InputUnit;
  /** The range, such as Asking price. */
  readonly label: string;
}

/** The fields by the columns that ranges bound. */
const pathOf = new Map<string, StartupFieldPath>(
  startupFieldList.map(({ property, path }) => [property, path]),
);

/** A range of numbers of the form, with its lower and its upper bound. */
export interface Range {
  readonly name: Bound['name'];
  readonly label: string;
  readonly unit: InputUnit;
  readonly fields: readonly BoundField[];
}
export const ranges: readonly Range[] = bounds.flatMap(({ name, column, min, max, unit: apiUnit }) => {
  if (apiUnit === 'date') {
    return [];
  }
  const [unit, label] = [units[apiUnit], shortLabelOf(pathOf.get(column) as StartupFieldPath)];
  const fieldOf = (side: 'min' | 'max', parameter: ListParameterName): BoundField => ({
    side,
    unit,
    label,
    parameter,
    field: `${parameter}${unit.suffix}`,
  });
  return [
    { name, label, unit, fields: [fieldOf('min', min), ...(max === undefined ? [] : [fieldOf('max', max)])] },
  ];
});

/** Every bound by the name of its parameter. */
export const boundFields: ReadonlyMap<string, BoundField> = new Map(
  ranges.flatMap(({ fields }) => fields.map((field) => [field.parameter, field])),
);

// With commas between all thousands, or without any: "1,5" is ambiguous, 1.5 or 15.
const TYPED = /^(-?)[$]?(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(\.\d{1,10})?$/;

/** The input in the unit of the API; undefined if it is not a number. */
export function readTyped(text: string, { places }: InputUnit): string | undefined {
  const [whole, sign = '', digits = '', fraction = ''] =
    TYPED.exec(text.endsWith('%') ? text.slice(0, -1).trimEnd() : text) ?? [];
  const value = scaled(Number(`${sign}${digits.replaceAll(',', '')}${fraction}`), places);
  return whole === undefined || !isDecimal(String(value)) ? undefined : String(value);
}

/** A value of the API in the unit of the form; any other text is unchanged. */
export function showTyped(value: string, { places, symbol }: InputUnit): string {
  const shown = scaled(Number(value), -places);
  return isDecimal(value) ? preciseText(shown, symbol === '$' ? 'dollars' : 'plain') : value;
}

/** A number times a power of ten, without the digits that a double has too many. */
const scaled = (value: number, places: number): number => Number((value * 10 ** places).toPrecision(15));

/** The same with its unit, such as $1,200.50 or 12.5 %. Amounts are as elsewhere where that rounds nothing. */
export function showWithUnit(value: string, unit: InputUnit): string {
  const typed = showTyped(value, unit).replace('-', '−');
  const cents = Number(value);
  if (unit.symbol === '$') {
    return Number.isSafeInteger(cents) && cents % CENTS_OF_SHORTEST === 0
      ? moneyText(cents)
      : typed.replace(/^(−?)/, '$1$');
  }
  return `${typed}${unit.symbol === '%' ? ' %' : unit.symbol === '×' ? '×' : ''}`;
}

/** A tenth of a million dollars, which is the last digit of the shortest amounts. */
const CENTS_OF_SHORTEST = 10_000_000;

/** Whether a value is a number in the format of the API. */
export function isDecimal(value: string): boolean {
  return /^-?\d{1,40}(\.\d{1,40})?$/.test(value);
}
