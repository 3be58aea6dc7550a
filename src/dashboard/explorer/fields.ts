import { type Content, html } from '../../html.ts';
import { type NamedStartupField, type StartupFieldPath, startupFields } from '../../startups/fields.ts';
import {
  cutDescription,
  multipleOf,
  revenuePerVisitorOf,
  type StartupRecord,
} from '../../startups/record.ts';
import { labelOf } from '../../startups/vocabulary.ts';
import { count, money, percent, times } from '../figures.ts';
import { time } from '../forms.ts';

const regions = new Intl.DisplayNames('en', { type: 'region' });

/** The value of a field as the API gives it; amounts are numbers of cents. */
function readField(record: StartupRecord, path: StartupFieldPath): unknown {
  switch (path) {
    case 'multiple':
      return multipleOf(record);
    case 'revenuePerVisitor':
      return revenuePerVisitorOf(record);
    case 'description':
      return record.description === null ? null : cutDescription(record.description);
    default: {
      const value = record[startupFields[path].property];
      return typeof value === 'bigint' ? Number(value) : value;
    }
  }
}

/** Whether a record has a value for a field. */
export function hasValue(record: StartupRecord, path: StartupFieldPath): boolean {
  return (readField(record, path) ?? null) !== null;
}

/** A field of a record, formatted for display. Nothing is loaded from other servers. */
export function showField(record: StartupRecord, { path, kind, minimum }: NamedStartupField): Content {
  const value = readField(record, path);
  if (!hasValue(record, path)) {
    return html`<span class="soft">–</span>`;
  }
  switch (kind) {
    case 'cents':
      return money(value as number);
    case 'count':
      return count(value as number);
    case 'percent':
      return percent(value as number, minimum === undefined ? 'change' : 'plain');
    case 'ratio':
      return path === 'revenuePerVisitor'
        ? html`${money(value as number)} per visitor`
        : times(value as number);
    case 'boolean':
      return value === true ? 'yes' : 'no';
    case 'date':
      return time(value as Date);
    case 'url':
      return showAddress(String(value));
    case 'country':
      return html`${regions.of(String(value))} <span class="soft">${String(value)}</span>`;
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
  return /^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="noopener nofollow">${address}</a>`
    : address;
}
