import { exactText } from '../../lib/text/figures.ts';
import { isBlank } from '../../lib/text/one-line.ts';
import { unitOf } from './field-labels.ts';
import type { StartupFieldPath } from './fields.ts';
import type { OwnField } from './own-fields.ts';

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
 * A value of a field for people.
 *
 * @param write how a text of a record is written.
 */
export function fieldText(path: StartupFieldPath, value: unknown, write: (text: string) => string): string {
  switch (unitOf(path)) {
    case 'cents':
    case 'price':
      return dollars(value as number);
    case 'percent':
    case 'change':
      return percent(value as number);
    case 'ratio':
      return `${rounded(value as number)}x`;
    case 'count':
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

/**
 * A value of a declared field for people.
 *
 * @param value as surfaces have it: a date as ISO 8601.
 * @param write how a text of a record is written.
 */
export function ownText({ kind }: OwnField, value: unknown, write: (text: string) => string): string {
  switch (kind) {
    case 'cents':
      return dollars(value as number);
    case 'percent':
      return percent(value as number);
    case 'count':
    case 'number':
      return rounded(value as number);
    case 'date':
      return String(value).slice(0, 10);
    case 'boolean':
      return String(value);
    case 'texts':
      return (value as readonly string[]).map(write).join(', ');
    case 'text':
    case 'url':
    case 'choice':
      return write(String(value));
  }
}
