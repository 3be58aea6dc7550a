import { type FieldUnit, unitOf } from '../../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { count, money, percent, times } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { countryName } from './filters.ts';

/** In place of a value that is unknown. */
export const NONE: Html = <span class="soft">–</span>;

/** The value at a path such as `revenue.mrr`; null where it is unknown or an empty list. */
export function readField(record: object, path: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((one, name) => (one as Record<string, unknown> | undefined)?.[name], record);
  return Array.isArray(value) && value.length === 0 ? null : (value ?? null);
}

/** A field of a record, formatted for display. Nothing is loaded from other servers. */
export const showField = (record: object, path: StartupFieldPath): Content =>
  showValue(readField(record, path), unitOf(path));

/** A value in its unit. */
export function showValue(value: unknown, unit: FieldUnit): Content {
  if (value === null) {
    return NONE;
  }
  const text = String(value);
  switch (unit) {
    case 'cents':
    case 'price':
      return money(value as number);
    case 'count':
      return count(value as number);
    case 'percent':
      return percent(value as number);
    case 'change':
      return change(value as number);
    case 'ratio':
      return times(value as number);
    case 'boolean':
      return value === true ? 'yes' : 'no';
    case 'date':
    case 'age':
      return time(new Date(text));
    case 'url':
      // Only stored http and https addresses become links.
      return /^https?:\/\//i.test(text) ? (
        <a href={text} rel="noopener nofollow">
          {text.replace(/^https?:\/\/(www\.)?|\/$/gi, '')}
        </a>
      ) : (
        text
      );
    case 'country':
      return countryName(text);
    case 'choice':
      return labelOf(text) ?? text;
    case 'handle':
      return `@${text}`;
    case 'texts':
      return (value as string[]).join(', ');
    case 'handles':
      return (value as string[]).map((one) => `@${one}`).join(', ');
    default:
      return text;
  }
}

/** A growth, in the color of its direction. */
function change(value: number): Html {
  const tone = value > 0 ? 'up' : value < 0 ? 'down' : undefined;
  return <span class={tone}>{percent(value, 'change')}</span>;
}
