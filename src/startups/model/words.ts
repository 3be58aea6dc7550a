import { exactText } from '../../lib/text/figures.ts';
import { isBlank } from '../../lib/text/one-line.ts';
import type { FieldUnit } from './field-labels.ts';

// Values for people: agents and readers of feeds.

/** An amount of cents in dollars: without the cents where there are none. */
export function dollars(cents: number): string {
  return exactText(cents).replace('−', '-').replace(/\.00$/, '');
}

/** A number of percent. */
export const percent = (value: number): string => `${rounded(value)}%`;

/** A number with at most two decimals. */
export const rounded = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** Whether a value is unknown or a blank text, which has no line of its own. */
export const saysNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && isBlank(value));

/**
 * A value for people.
 *
 * @param value as surfaces have it: a date as ISO 8601.
 * @param write how a text of a record is written.
 */
export function textInUnit(unit: FieldUnit, value: unknown, write: (text: string) => string): string {
  switch (unit) {
    case 'cents':
    case 'price':
      return dollars(value as number);
    case 'percent':
    case 'change':
      return percent(value as number);
    case 'ratio':
      return `${rounded(value as number)}x`;
    case 'count':
    case 'number':
      return rounded(value as number);
    case 'date':
    case 'age':
      return String(value).slice(0, 10);
    case 'texts':
      return (value as readonly string[]).map(write).join(', ');
    case 'handles':
      return (value as readonly string[]).join(', ');
    case 'string':
    case 'url':
      return write(String(value));
    default:
      return String(value);
  }
}
