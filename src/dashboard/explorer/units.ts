import { bounds } from '../../startups/filter.ts';
import type { ListParameterName } from '../../startups/list-parameters.ts';

/** A unit of the form for values that have another unit in the API. */
interface InputUnit {
  readonly symbol: '$' | '%';
  /** The suffix of form fields in this unit. */
  readonly suffix: 'Dollars' | 'Percent';
  /** One of this unit is 10 to this power of the API's: 100 cents, or the fraction 0.01. */
  readonly places: 2 | -2;
  /** The allowed input, as the end of a sentence. */
  readonly allowed: string;
}

const dollars: InputUnit = {
  symbol: '$',
  suffix: 'Dollars',
  places: 2,
  allowed: 'an amount in US dollars such as 1,200.50',
};
const percent: InputUnit = {
  symbol: '%',
  suffix: 'Percent',
  places: -2,
  allowed: 'a percentage such as 12.5',
};

/** One bound of a range, as the form shows it. */
export interface BoundField {
  readonly parameter: ListParameterName;
  /** The name of the field in the form: different from the parameter, which has the API's unit. */
  readonly field: string;
  readonly side: 'min' | 'max';
  readonly unit: InputUnit;
  /** The range, such as Asking price. */
  readonly label: string;
}

const labels: Readonly<Record<(typeof bounds)[number]['name'], string>> = {
  revenue: 'Revenue 30d',
  mrr: 'MRR',
  growth: 'Growth 30d',
  price: 'Asking price',
};

/** The ranges of the form, each with its lower and its upper bound. */
export const ranges: readonly { readonly label: string; readonly fields: readonly BoundField[] }[] =
  bounds.map(({ name, divisor, ...names }) => {
    const unit = divisor === 1 ? dollars : percent;
    const label = labels[name];
    return {
      label,
      fields: (['min', 'max'] as const).map((side) => ({
        ...{ side, unit, label },
        parameter: names[side],
        field: `${names[side]}${unit.suffix}`,
      })),
    };
  });

/** Every bound by the name of its parameter. */
export const boundFields: ReadonlyMap<string, BoundField> = new Map(
  ranges.flatMap(({ fields }) => fields.map((field) => [field.parameter, field])),
);

// With commas between all thousands, or without any: "1,5" is ambiguous, 1.5 or 15.
const TYPED = /^(-?)[$]?(\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(\.\d{1,20})?$/;

/** The input, in the unit of the API and exact; undefined if it is not a number. */
export function readTyped(text: string, { places }: InputUnit): string | undefined {
  const [whole, sign = '', digits = '', fraction = ''] = TYPED.exec(text.replace(/\s*%$/, '')) ?? [];
  return whole === undefined
    ? undefined
    : movePoint(`${sign}${digits.replaceAll(',', '')}${fraction}`, places);
}

/** A value of the API in the unit of the form, exact; any other text is unchanged. */
export function showTyped(value: string, { places, symbol }: InputUnit): string {
  if (!isDecimal(value)) {
    return value;
  }
  const [whole = '', fraction] = movePoint(value, -places).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined
    ? grouped
    : `${grouped}.${symbol === '$' ? fraction.padEnd(2, '0') : fraction}`;
}

/** The same with its unit, such as $1,200.50 or 12.5 %. */
export function showWithUnit(value: string, unit: InputUnit): string {
  const typed = showTyped(value, unit);
  return unit.symbol === '%' ? `${typed} %` : typed.replace(/^(-?)/, '$1$');
}

/** Whether a value is a number in the format of the API. */
export function isDecimal(value: string): boolean {
  return /^-?\d{1,40}(\.\d{1,40})?$/.test(value);
}

/** A decimal number times a power of ten, digit by digit: doubles would round it. */
function movePoint(decimal: string, places: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const point = whole.length + places;
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(point, '0');
  const end = Math.max(1, point);
  const above = digits.slice(0, end).replace(/^0+(?=\d)/, '');
  const below = digits.slice(end).replace(/0+$/, '');
  return `${sign}${above}${below === '' ? '' : `.${below}`}`;
}
