import { exactText, moneyText, nameInWords, percentText, rounded } from '../../src/lib/text/figures.ts';
import { isBlank } from '../../src/lib/text/one-line.ts';
import { figureLabel, figureUnit } from '../../src/startups/model/figure-labels.ts';
import { fields, terms } from './fields.ts';

/** A value as text, or as a link. */
export interface Shown {
  readonly text: string;
  readonly href?: string;
  /** Whether it is marked as old. */
  readonly isOld?: boolean;
}

const NONE = '–';
/** Kinds whose values are aligned at the right. */
const NUMBERS = ['cents', 'count', 'percent', 'change', 'ratio', 'price', 'number'];
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const regions = new Intl.DisplayNames('en', { type: 'region' });
const ages = new Intl.RelativeTimeFormat('en');

/** What an object has under a name itself: `constructor` is not one of its names. */
function own<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value at a dotted path; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        found === null || found === undefined ? undefined : own(found as Record<string, unknown>, name),
      value,
    );
}

/** Whether there is a value to show at a path: it may be null. */
export function hasValue(value: unknown, path: string): boolean {
  const found = valueAt(value, path);
  return found !== undefined && (found === null || Array.isArray(found) || typeof found !== 'object');
}

/** The longest end of a path that is a field of startups. */
function fieldOf(path: string): readonly [label: string, kind: string] | undefined {
  const names = path.split('.');
  return names
    .map((_, index) => own(fields, names.slice(index).join('.')))
    .find((field) => field !== undefined);
}

export function kindOf(path: string): string {
  return fieldOf(path)?.[1] ?? figureUnit(path) ?? 'number';
}

export const isNumeric = (path: string): boolean => NUMBERS.includes(kindOf(path));

/** The heading of a column or figure. */
export function labelOf(path: string): string {
  const field = fieldOf(path);
  if (field !== undefined) {
    return field[0];
  }
  const [last = '', parent = ''] = path.split('.').reverse();
  return figureLabel(path) ?? (parent === 'meta' && last === 'total' ? 'Startups' : nameInWords(last));
}

/** A day in UTC. */
export const showDay = (at: number): string => days.format(at);

const formats: Readonly<Record<string, (value: number) => string>> = {
  cents: moneyText,
  price: exactText,
  percent: percentText,
  change: (percent) => percentText(percent, 'change'),
  ratio: (ratio) => `${rounded(ratio)}×`,
};

/** How much a figure has changed, in percent; empty for one that is a percentage itself, or where that says nothing. */
export function showChange(path: string, first: number, last: number): string {
  const isShare = ['percent', 'change'].includes(kindOf(path));
  return isShare || first <= 0 ? '' : percentText(((last - first) / first) * 100, 'change');
}

/** A value of the API for people. */
export function show(path: string, value: unknown): Shown {
  if (value === null || value === undefined || (typeof value === 'string' && isBlank(value))) {
    return { text: NONE };
  }
  const text = String(value);
  const kind = kindOf(path);
  if (typeof value === 'number') {
    return { text: (own(formats, kind) ?? rounded)(value) };
  }
  switch (kind) {
    case 'boolean':
      return { text: value === true ? 'Yes' : 'No' };
    case 'age':
      return { text: age(Date.parse(text)), isOld: Date.now() - Date.parse(text) > OLD_DAYS * DAY_MS };
    case 'date':
      return { text: days.format(new Date(text)) };
    case 'country':
      return { text: regions.of(text) ?? text };
    case 'choice':
      return { text: own(terms, text) ?? text };
    case 'handle':
      return { text: `@${text}` };
    case 'url':
      return link(text);
    default:
      return { text };
  }
}

/** Only http and https become links. */
export function link(url: unknown, text?: string): Shown {
  const shown = text ?? String(url);
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return { text: shown };
  }
  return { text: text ?? new URL(url).host.replace(/^www\./, ''), href: url };
}

/** How long ago a time was, such as “5 minutes ago”. */
export function age(since: number): string {
  const minutes = Math.floor((Date.now() - since) / 60_000);
  const hours = Math.floor(minutes / 60);
  return minutes < 1
    ? 'just now'
    : minutes < 60
      ? ages.format(-minutes, 'minute')
      : hours < 48
        ? ages.format(-hours, 'hour')
        : ages.format(-Math.floor(hours / 24), 'day');
}

const DAY_MS = 86_400_000;
/** Figures that nobody has confirmed for more days are marked. */
const OLD_DAYS = 30;
