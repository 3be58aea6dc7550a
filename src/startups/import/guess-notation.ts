import type { StoredStartupField } from '../model/fields.ts';
import { unitOf } from './column-names.ts';
import { type DecimalMark, readDollars, readNumbers } from './notation.ts';
import type { TableColumn } from './table-sample.ts';

/** How the numbers of a table are written. */
export function findDecimal(columns: readonly TableColumn[]): { mark?: DecimalMark; note?: string } {
  const texts = columns.flatMap(({ values }) =>
    values.filter((value) => typeof value === 'string'),
  ) as string[];
  const written = texts.map((text) => text.replace(/\s?%$/, '')).filter((text) => /\d[.,\s'’]\d/.test(text));
  const isAmount = (text: string, mark: DecimalMark): boolean =>
    readDollars(text, mark).length + readNumbers(text, mark).length > 0;
  const only = (mark: DecimalMark, other: DecimalMark): number =>
    written.filter((text) => isAmount(text, mark) && !isAmount(text, other)).length;
  const [point, comma] = [only('point', 'comma'), only('comma', 'point')];
  if (point + comma > 0) {
    return { mark: comma > point ? 'comma' : 'point' };
  }
  const unclear = written.find((text) => isAmount(text, 'point') && isAmount(text, 'comma'));
  if (unclear === undefined) {
    return {};
  }
  // Prices and counts are grouped more often than they have three decimals.
  const mark = unclear.includes('.') ? 'comma' : 'point';
  return {
    mark,
    note: `A number such as ${unclear} has two meanings: the mapping assumes a decimal ${mark}. Check decimal.`,
  };
}

/** Whether amounts are in dollars. */
export function findUnit(
  names: readonly string[],
  values: readonly unknown[],
  fields: readonly StoredStartupField[],
): { dollars: boolean; note?: string } {
  const units = names.map(unitOf);
  const hasMark = values.some((value) =>
    typeof value === 'string' ? /\d/.test(value) && /[^\d\s-]/.test(value) : !Number.isInteger(value),
  );
  if (hasMark || units.includes('dollars')) {
    return { dollars: true };
  }
  const areOurs = fields.every(({ path }) => names.includes(path));
  return names.length === 0 || units.includes('cents') || areOurs
    ? { dollars: false }
    : {
        dollars: true,
        note: 'Amounts have no unit: the mapping assumes US dollars. For cents, set dollars to false.',
      };
}

/** Whether percentages are written as fractions. */
export function areFractions(values: readonly unknown[]): boolean {
  const numbers = values.flatMap((value) =>
    typeof value === 'number'
      ? [value]
      : typeof value === 'string' && !value.includes('%')
        ? readNumbers(value).slice(0, 1).map(Number)
        : [],
  );
  return (
    numbers.some((number) => !Number.isInteger(number)) && numbers.every((number) => Math.abs(number) <= 2)
  );
}
