import type { NamedStartupField, StartupFieldPath } from '../../../startups/fields.ts';
import { labelOf } from '../../../startups/vocabulary.ts';
import { count, money, percent, times } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import type { ShownStartup } from './requests.ts';

const regions = new Intl.DisplayNames('en', { type: 'region' });

/** The value of a field. */
export function readField(record: ShownStartup, path: StartupFieldPath): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as { [name: string]: unknown })[name], record);
}

/** Whether a record has a value for a field. */
export function hasValue(record: ShownStartup, path: StartupFieldPath): boolean {
  return (readField(record, path) ?? null) !== null;
}

/** A field of a record, formatted for display. Nothing is loaded from other servers. */
export function showField(record: ShownStartup, { path, kind, minimum }: NamedStartupField): Content {
  const value = readField(record, path);
  if (!hasValue(record, path)) {
    return <span class="soft">–</span>;
  }
  switch (kind) {
    case 'cents':
      return money(value as number);
    case 'count':
      return count(value as number);
    case 'percent':
      return percent(value as number, minimum === undefined ? 'change' : 'plain');
    case 'ratio':
      return path === 'revenuePerVisitor' ? (
        <>{money(value as number)} per visitor</>
      ) : (
        times(value as number)
      );
    case 'boolean':
      return value === true ? 'yes' : 'no';
    case 'date':
      return time(new Date(String(value)));
    case 'url':
      return showAddress(String(value));
    case 'country':
      return (
        <>
          {regions.of(String(value))} <span class="soft">{String(value)}</span>
        </>
      );
    case 'choice':
      return labelOf(String(value)) ?? String(value);
    case 'handle':
      return `@${String(value)}`;
    default:
      return String(value);
  }
}

/** Only stored http and https addresses become links. */
function showAddress(address: string): Content {
  return /^https?:\/\//i.test(address) ? (
    <a href={address} rel="noopener nofollow">
      {address}
    </a>
  ) : (
    address
  );
}
