import type { StartupFieldKind } from '../../model/field-kinds.ts';
import type { StoredValue } from '../../model/stored-value.ts';

/** What separates the fraction in numbers that are text. Unknown by default: `1.250` is an error then. */
export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** Which of several notations a column can have at the same time: one of each group. */
type Group = 'unit' | 'decimal' | 'fractions' | 'style';

/** One way in which people write the values of a kind of field. */
type NotationRow = ReturnType<ReturnType<typeof row>>;

const row =
  (group: Group, ...kinds: readonly StartupFieldKind[]) =>
  (reads: string, heading?: RegExp, places?: number) => ({
    group,
    kinds,
    /** What it reads, for people. */
    reads,
    /** Headings that say that a column has it. */
    heading,
    /** Of a unit: the power of ten that makes the stored one of it, such as cents. */
    places,
  });
const amounts = row('unit', 'cents');
const percentages = row('unit', 'percent');
const marks = row('decimal', 'cents', 'count', 'percent');
const days = row('style', 'date');

/**
 * The ways in which people write values, by the words of a mapping: `revenue.mrr:thousands,comma`. Mappings are checked
 * by it, suggestions proposed, columns of the form offered, and the documentation lists it. A value is read only where
 * it has one meaning. Without a word, a column has the documented format. Headings are compared in this order.
 */
export const notations = {
  cents: amounts('US cents: `500,000` is $5,000.00', /\b(cents?|cts?)\b|¢/i, 0),
  thousands: amounts(
    'thousands of US dollars: `12.5` is $12,500.00',
    /\$\s?k\b|\bk\s?(us)?\$|\busd\s?k\b|\bk\s?usd\b|\b(in |en )?(thousands?|tausend|milliers)( of| de)?\b|'000|\b000'?s\b|\(000\)|\btsd\b\.?|\(k\)/i,
    5,
  ),
  millions: amounts(
    'millions of US dollars: `1.2` is $1,200,000.00',
    /\$\s?mm?\b|\bmm?\s?(us)?\$|\busd\s?mm?\b|\bmm?\s?usd\b|\b(in |en )?(millions?|millionen)( of| de)?\b|\bmio\b\.?|\(mm?\)/i,
    8,
  ),
  dollars: amounts(
    'US dollars: `$1,250.00`, `12.5k`, `1.2E+05`, `$-`',
    /(\bus)?\$|\b(us )?(usd|dollars?)\b/i,
    2,
  ),
  point: marks('a decimal point: `1,250.00`'),
  comma: marks('a decimal comma: `1.250,00`'),
  round: row('fractions', 'cents')('fractions of a cent, rounded half to even'),
  percent: percentages(
    'percentages: `24` or `24%` is 24%',
    /%|\b(percent|pct|percentage|prozent|pourcentage)\b/i,
  ),
  fraction: percentages('fractions: `0.24` is 24%', /\b(fraction|decimal|as ratio)\b/i, 2),
  number: row('style', 'count')('numbers with separators: `1,250`, `12k`'),
  words: row('style', 'boolean')('yes and no: `✓` `x` `checked` `1` `t` `oui` `ja`, and their opposites'),
  date: days('`2021/03/15`, `15 March 2024`, `Jan 2023`, `2021`, `25/04/2024`'),
  'day-first': days('day first: also `03/04/2024`, April 3'),
  'month-first': days('month first: also `03/04/2024`, March 4'),
  address: row('style', 'url')('`a.example`, to which https:// is added'),
  handle: row('style', 'handle')('`@name`, `https://x.com/name`'),
  list: row(
    'style',
    'texts',
    'handles',
  )('values separated by `,` `;` a bar or line breaks, `{a,b}`, `["a","b"]`'),
};

export type Word = keyof typeof notations;

const words = Object.keys(notations) as Word[];

/** The notation of a column; empty: the documented one. */
export type Notation = ReadonlySet<Word>;

/** The words that a kind of field may have. */
export const wordsFor = (kind: StartupFieldKind): Word[] =>
  words.filter((word) => notations[word].kinds.includes(kind));

/** The units of a kind whose values say nothing without one. */
export const unitsOf = (kind: StartupFieldKind): Word[] =>
  wordsFor(kind).filter((word) => notations[word].group === 'unit');

/** The notation of a field: its own words, and of others those of groups that it has none of. */
export function joinWords(kind: StartupFieldKind, own: readonly Word[], others: readonly Word[]): Notation {
  const groups = new Set<Group>(own.map((word) => notations[word].group));
  const allowed = wordsFor(kind);
  return new Set([
    ...own,
    ...others.filter((word) => allowed.includes(word) && !groups.has(notations[word].group)),
  ]);
}

/** The power of ten that makes the stored unit of the one that a notation has; undefined if it has none. */
export function placesOf(notation: Notation): number | undefined {
  return [...notation].map((word) => notations[word].places).find((places) => places !== undefined);
}

/** The first unit that a heading names. */
export function unitIn(heading: string, kind: StartupFieldKind): Word | undefined {
  return unitsOf(kind).find((word) => notations[word].heading?.test(heading) === true);
}

/** A heading without what it says of units. */
export function withoutUnits(heading: string): string {
  return words.reduce((text, word) => {
    const { heading: says } = notations[word];
    return says === undefined ? text : text.replace(new RegExp(says.source, 'gi'), ' ');
  }, heading);
}

/**
 * The words of a text such as `thousands,comma`.
 *
 * @returns an explanation for words that do not exist, are not for this kind, or contradict each other.
 */
export function readWords(text: string, kind?: StartupFieldKind): Word[] | string {
  const given = text.split(/[\s,]+/).filter((word) => word !== '') as Word[];
  const allowed = kind === undefined ? words : wordsFor(kind);
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
  readonly fix?: (value: unknown) => string | undefined;
}
