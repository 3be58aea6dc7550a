import { unitOf } from '../../../startups/model/field-labels.ts';
import type { NamedStartupField, StartupFieldPath } from '../../../startups/model/fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { count, money, percent, times } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { countryName } from './labels.tsx';
import type { ShownStartup } from './requests.ts';

/** In place of a value that is unknown. */
export const NONE: Html = <span class="soft">–</span>;

/** The value of a field. */
export function readField(record: ShownStartup, path: StartupFieldPath): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as { [name: string]: unknown } | undefined)?.[name], record);
}

/** Whether a record has a value for a field. */
export function hasValue(record: ShownStartup, path: StartupFieldPath): boolean {
  const value = readField(record, path) ?? null;
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** A field of a record, formatted for display. Nothing is loaded from other servers. */
export function showField(record: ShownStartup, { path }: Pick<NamedStartupField, 'path'>): Content {
  const value = readField(record, path);
  if (!hasValue(record, path)) {
    return NONE;
  }
  switch (unitOf(path)) {
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
      return time(new Date(String(value)));
    case 'url':
      return showAddress(String(value));
    case 'country':
      return (
        <>
          {countryName(String(value))} <span class="soft">{String(value)}</span>
        </>
      );
    case 'choice':
      return labelOf(String(value)) ?? String(value);
    case 'handle':
      return `@${String(value)}`;
    case 'texts':
      return (value as string[]).join(', ');
    case 'handles':
      return (value as string[]).map((one) => `@${one}`).join(', ');
    default:
      return String(value);
  }
}

/** A growth, in the color of its direction. */
export function change(value: number): Html {
  const tone = value > 0 ? 'up' : value < 0 ? 'down' : undefined;
  return <span class={tone}>{percent(value, 'change')}</span>;
}

/** Only stored http and https addresses become links. */
function showAddress(address: string): Content {
  return /^https?:\/\//i.test(address) ? (
    <a href={address} rel="noopener nofollow">
      {address.replace(/^https?:\/\/(www\.)?|\/$/gi, '')}
    </a>
  ) : (
    address
  );
}
