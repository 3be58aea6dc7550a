import type { Wording } from '../../../lib/text/wording.ts';
import type { StartupFieldKind } from '../../model/field-kinds.ts';
import type { StartupField } from '../../model/fields.ts';
import type { StoredValue } from '../../model/stored-value.ts';
import { teamSizes } from '../../model/vocabulary.ts';

/** What separates the fraction in numbers that are text. Unknown by default: `1.250` is an error then. */
export const decimalMarks = ['point', 'comma'] as const satisfies readonly Word[];
export type DecimalMark = (typeof decimalMarks)[number];

/** Which of several notations a column can have at the same time: one of each group. */
type Group = 'unit' | 'decimal' | 'fractions' | 'style';

/** One way in which people write the values of a kind of field: all that is known of it. */
interface NotationRow {
  readonly group: Group;
  readonly kinds: readonly StartupFieldKind[];
  /** The only vocabulary that it is for, if not for all of its kinds. */
  readonly values?: readonly string[];
  /** What values are, in words: in errors, on pages, and in the documentation. */
  readonly what: string;
  /** Values that show it, for the documentation. */
  readonly examples?: string;
  /** How the page offers it beside a unit. */
  readonly choice?: string;
  readonly unit?: Unit;
}

/** What a notation is a multiple of, and how tables say so. */
interface Unit {
  /** The power of ten that makes the stored unit of it, such as cents. */
  readonly power: number;
  /** Headings that say that a column has it. They are compared in the order of the table. */
  readonly heading: RegExp;
  /** What the cell of a row of units below the header says. */
  readonly cell?: string;
  /** Values that say it, if all of a column do. */
  readonly value?: RegExp;
  /** How a value in dollars is shortened by it. */
  readonly suffix?: RegExp | undefined;
}

/** Amounts have each of these, or say that there is none: what is left out does not compile. */
type AmountUnit = Unit & { readonly cell: string; readonly suffix: RegExp | undefined };

const amounts = (what: string, examples: string, unit: AmountUnit): NotationRow => ({
  group: 'unit',
  kinds: ['cents'],
  what,
  examples,
  unit,
});
const percentages = (what: string, examples: string, unit: Unit): NotationRow => ({
  group: 'unit',
  kinds: ['percent'],
  what,
  examples,
  unit,
});
const mark = (name: string, example: string): NotationRow & { readonly choice: string } => ({
  group: 'decimal',
  kinds: ['cents', 'count', 'percent', 'ratio'],
  what: `a ${name}`,
  examples: `\`${example}\``,
  choice: `${name}: ${example}`,
});
const style =
  (...kinds: readonly StartupFieldKind[]) =>
  (what: string, examples?: string): NotationRow => ({
    group: 'style',
    kinds,
    what,
    ...(examples !== undefined && { examples }),
  });

/** The power of ten that makes cents of dollars, in which amounts are shown and typed. */
export const DOLLARS = 2;

/**
 * The ways in which people write values, by the words of a mapping: `revenue.mrr:thousands,comma`. What reads values and
 * headings, what is asked, errors, the choices on the page and the documentation follow from a row. A value is read only
 * where it has one meaning. Without a word, a column has the documented format.
 */
const rows = {
  cents: amounts('US cents', '`500,000` is $5,000.00', {
    power: 0,
    heading: /\b(cents?|cts?)\b|¢/i,
    cell: 'cents?',
    suffix: undefined,
  }),
  thousands: amounts('thousands of US dollars', '`12.5` is $12,500.00', {
    power: DOLLARS + 3,
    heading:
      /\$\s?k\b|\bk\s?(us)?\$|\busd\s?k\b|\bk\s?usd\b|\b(in |en )?(thousands?|tausend|milliers)( of| de)?\b|'000|\b000'?s\b|\(000\)|\btsd\b\.?|\(k\)/i,
    cell: '(us)?\\$ ?k|k ?\\$|thousands?',
    suffix: /\s?(k|tsd\.?|thousand)$/i,
  }),
  millions: amounts('millions of US dollars', '`1.2` is $1,200,000.00', {
    power: DOLLARS + 6,
    heading:
      /\$\s?mm?\b|\bmm?\s?(us)?\$|\busd\s?mm?\b|\bmm?\s?usd\b|\b(in |en )?(millions?|millionen)( of| de)?\b|\bmio\b\.?|\(mm?\)/i,
    cell: '(us)?\\$ ?m|m ?\\$|millions?',
    suffix: /\s?(mm|m|mn|mio\.?|million|millions|millionen)$/i,
  }),
  dollars: amounts('US dollars', '`$1,250.00`, `12.5k`, `1.2E+05`, `$-`', {
    power: DOLLARS,
    heading: /(\bus)?\$|\b(us )?(usd|dollars?)\b/i,
    cell: '(us)?\\$ ?|usd',
    suffix: undefined,
    value: /^[-−+(]*\s*(us\s?)?\$|\$\)?$|usd/i,
  }),
  point: mark('decimal point', '1,250.00'),
  comma: mark('decimal comma', '1.250,00'),
  round: {
    group: 'fractions',
    kinds: ['cents'],
    what: 'fractions of a cent, rounded half to even',
    choice: 'rounded to cents',
  },
  percent: percentages('percentages', '`24` or `24%` is 24%', {
    power: 0,
    heading: /%|\b(percent|pct|percentage|prozent|pourcentage)\b/i,
    cell: '%|percent|pct',
    value: /%\s*$/,
  }),
  fraction: percentages('fractions', '`0.24` is 24%', {
    power: 2,
    heading: /\b(fraction|decimal|as ratio)\b/i,
  }),
  number: style('count', 'ratio')('numbers with separators', '`1,250`, `12k`'),
  words: style('boolean')('yes and no', '`✓` `x` `checked` `1` `t` `oui` `ja`, and their opposites'),
  date: style('date')('`2021/03/15`, `15 March 2024`, `Jan 2023`, `2021`, `25/04/2024`'),
  'day-first': style('date')('day first', 'also `03/04/2024`, April 3'),
  'month-first': style('date')('month first', 'also `03/04/2024`, March 4'),
  address: style('url')('`a.example`, to which https:// is added'),
  handle: style('handle')('`@name`, `https://x.com/name`'),
  people: {
    ...style('choice')('numbers of people', '`24` is 11-25, also beside `2-5`'),
    values: teamSizes,
  },
  list: style('texts', 'handles')('values separated by `,` `;` a bar or line breaks, `{a,b}`, `["a","b"]`'),
} satisfies Readonly<Record<string, NotationRow>>;

export type Word = keyof typeof rows;

/** The row of each word. */
export const notations: Readonly<Record<Word, NotationRow>> = rows;

const words = Object.keys(rows) as Word[];

/** The notation of a column; empty: the documented one. */
export type Notation = ReadonlySet<Word>;

/** What of a field says which words it may have. */
type Written = Pick<StartupField, 'kind' | 'values'>;

/** The words that a field may have. */
export const wordsFor = ({ kind, values }: Written): Word[] =>
  words.filter((word) => {
    const row = notations[word];
    return row.kinds.includes(kind) && (row.values === undefined || row.values === values);
  });

/** The units of a kind whose values say nothing without one. */
export const unitsOf = (kind: StartupFieldKind): Word[] => wordsOfGroup('unit', { kind });

/** The notation of a field: its own words, and of others those of groups that it has none of. */
export function joinWords(field: Written, own: readonly Word[], others: readonly Word[]): Notation {
  const groups = new Set<Group>(own.map((word) => notations[word].group));
  const allowed = wordsFor(field);
  return new Set([
    ...own,
    ...others.filter((word) => allowed.includes(word) && !groups.has(notations[word].group)),
  ]);
}

/** The words of a group that a field may have. */
export const wordsOfGroup = (group: Group, field: Written): Word[] =>
  wordsFor(field).filter((word) => notations[word].group === group);

/** The unit that a notation has, in words such as `thousands of US dollars`, and its power; undefined if it has none. */
export function unitOf(notation: Notation): { readonly what: string; readonly power: number } | undefined {
  for (const word of notation) {
    const { what, unit } = notations[word];
    if (unit !== undefined) {
      return { what, power: unit.power };
    }
  }
  return undefined;
}

/** The power of ten that makes the stored unit of the one that a notation has; undefined if it has none. */
export const powerOf = (notation: Notation): number | undefined => unitOf(notation)?.power;

/** The first unit that a heading names. */
export function unitIn(heading: string, kind: StartupFieldKind): Word | undefined {
  return unitsOf(kind).find((word) => notations[word].unit?.heading.test(heading) === true);
}

/** The unit that all of some values say, such as `$5`. */
export function unitOfValues(values: readonly unknown[], kind: StartupFieldKind): Word | undefined {
  return unitsOf(kind).find((word) => {
    const says = notations[word].unit?.value;
    return says !== undefined && values.every((value) => typeof value === 'string' && says.test(value));
  });
}

/** A heading without what it says of units. */
export function withoutUnits(heading: string): string {
  return words.reduce((text, word) => {
    const says = notations[word].unit?.heading;
    return says === undefined ? text : text.replace(new RegExp(says.source, 'gi'), ' ');
  }, heading);
}

/** What rows of units say of columns that have no unit of ours. */
const OTHER_CELLS = ['€|eur|£|gbp', 'count|number|text|date|url|#|yes\\/no'];
const cells = words.flatMap((word) => notations[word].unit?.cell ?? []);
const UNIT_CELL = new RegExp(`^\\(?(in )?(${[...cells, ...OTHER_CELLS].join('|')})\\)?$`, 'i');

/** Whether a cell below the header says only the unit of its column. */
export const isUnitCell = (cell: string): boolean => UNIT_CELL.test(cell);

/** How people shorten amounts in dollars and counts, with the power of ten; billions are no unit of a column. */
export const suffixes: readonly (readonly [end: RegExp, power: number])[] = [
  ...words.flatMap((word) => {
    const { suffix, power = 0 } = notations[word].unit ?? {};
    return suffix === undefined ? [] : [[suffix, power - DOLLARS] as const];
  }),
  [/\s?(b|bn|mrd\.?)$/i, 9],
];

/**
 * The words of a text such as `thousands,comma`.
 *
 * @returns an explanation for words that do not exist, are not for this field, or contradict each other.
 */
export function readWords(text: string, field?: Written): Word[] | string {
  const given = text.split(/[\s,]+/).filter((word) => word !== '') as Word[];
  const allowed = field === undefined ? words : wordsFor(field);
  const wrong = given.find((word) => !allowed.includes(word));
  if (wrong !== undefined) {
    return `got ${JSON.stringify(wrong)}, allowed ${allowed.join(', ') || 'no notation'}`;
  }
  const contradict = (one: NotationRow, other: NotationRow): boolean =>
    one.group === other.group && one.kinds.some((each) => other.kinds.includes(each));
  const isTwice = given.some((word, index) =>
    given.some((other, at) => at < index && contradict(notations[word], notations[other])),
  );
  return isTwice ? `got ${JSON.stringify(text)}, allowed one of each kind` : given;
}

/** The rule of one field, whose values are written in a notation. */
export interface Check {
  /** The allowed values, in words. */
  readonly allowed: string;
  /** The value to store, or undefined when it is not allowed. Never sees null or undefined. */
  readonly read: (value: unknown) => StoredValue | undefined;
  /** How to fix an invalid value, if that can be guessed. */
  readonly fix?: (value: unknown) => Wording | undefined;
}
