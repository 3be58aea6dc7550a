import { OperatorError } from '../../../lib/errors.ts';
import type { StartupFieldKind } from '../../model/field-kinds.ts';
import { type StartupFieldPath, startupFields } from '../../model/fields.ts';

/** Which of several notations a column can have at the same time: one of each group. */
type Group = 'unit' | 'decimal' | 'fractions' | 'style';

/** One way in which people write the values of a kind of field. */
export interface NotationRow {
  readonly kinds: readonly StartupFieldKind[];
  readonly group: Group;
  /** What it reads, for people. */
  readonly reads: string;
  /** Headings that say that a column has it. */
  readonly heading?: RegExp;
  /** Of a unit of money: the power of ten that makes cents. */
  readonly places?: number;
}

const AMOUNTS = ['cents'] as const;
const PERCENTAGES = ['percent'] as const;
const NUMBERS = ['cents', 'count', 'percent'] as const;

/**
 * The ways in which people write values, by the words of a mapping: `revenue.mrr:thousands,comma`. Mappings are checked
 * by it, suggestions proposed, columns of the form offered, and the documentation lists it. A value is read only where
 * it has one meaning. Without a word, a column has the documented format.
 */
export const notations = {
  cents: {
    kinds: AMOUNTS,
    group: 'unit',
    places: 0,
    reads: 'US cents: `500,000` is $5,000.00',
    heading: /\b(cents?|cts?)\b|¢/i,
  },
  thousands: {
    kinds: AMOUNTS,
    group: 'unit',
    places: 5,
    reads: 'thousands of US dollars: `12.5` is $12,500.00',
    heading:
      /\$\s?k\b|\bk\s?(us)?\$|\busd\s?k\b|\bk\s?usd\b|\b(in |en )?(thousands?|tausend|milliers)( of| de)?\b|'000|\b000'?s\b|\(000\)|\btsd\b\.?|\(k\)/i,
  },
  millions: {
    kinds: AMOUNTS,
    group: 'unit',
    places: 8,
    reads: 'millions of US dollars: `1.2` is $1,200,000.00',
    heading:
      /\$\s?mm?\b|\bmm?\s?(us)?\$|\busd\s?mm?\b|\bmm?\s?usd\b|\b(in |en )?(millions?|millionen)( of| de)?\b|\bmio\b\.?|\(mm?\)/i,
  },
  dollars: {
    kinds: AMOUNTS,
    group: 'unit',
    places: 2,
    reads: 'US dollars: `$1,250.00`, `12.5k`, `1.2E+05`, `$-`',
    heading: /(\bus)?\$|\b(us )?(usd|dollars?)\b/i,
  },
  point: { kinds: NUMBERS, group: 'decimal', reads: 'a decimal point: `1,250.00`' },
  comma: { kinds: NUMBERS, group: 'decimal', reads: 'a decimal comma: `1.250,00`' },
  round: { kinds: AMOUNTS, group: 'fractions', reads: 'fractions of a cent, rounded half to even' },
  percent: {
    kinds: PERCENTAGES,
    group: 'unit',
    reads: 'percentages: `24` or `24 %` is 24 %',
    heading: /%|\b(percent|pct|percentage|prozent|pourcentage)\b/i,
  },
  fraction: {
    kinds: PERCENTAGES,
    group: 'unit',
    reads: 'fractions: `0.24` is 24 %',
    heading: /\b(fraction|decimal|as ratio)\b/i,
  },
  number: { kinds: ['count'], group: 'unit', reads: 'numbers with separators: `1,250`, `12k`' },
  words: {
    kinds: ['boolean'],
    group: 'style',
    reads: '`✓` `x` `checked` `1` `t` `oui` `ja`, and their opposites',
  },
  date: {
    kinds: ['date'],
    group: 'style',
    reads: '`2021/03/15`, `15 March 2024`, `Jan 2023`, `2021`, `25/04/2024`',
  },
  'day-first': { kinds: ['date'], group: 'style', reads: 'the same, and `03/04/2024` is April 3' },
  'month-first': { kinds: ['date'], group: 'style', reads: 'the same, and `03/04/2024` is March 4' },
  names: { kinds: ['country'], group: 'style', reads: 'flags, and names in English, German or French' },
  address: { kinds: ['url'], group: 'style', reads: '`a.example`, to which https:// is added' },
  handle: { kinds: ['handle'], group: 'style', reads: '`@name`, `https://x.com/name`' },
  list: {
    kinds: ['texts', 'handles'],
    group: 'style',
    reads: 'values separated by `,` `;` a bar or line breaks, `{a,b}`, `["a","b"]`',
  },
} as const satisfies Record<string, NotationRow>;

export type Word = keyof typeof notations;

const rows: Readonly<Record<string, NotationRow>> = notations;
export const words = Object.keys(notations) as Word[];

/** The notation of a column. */
export type Notation = ReadonlySet<Word>;

/** The words that a kind of field may have. */
export function wordsFor(kind: StartupFieldKind): Word[] {
  return words.filter((word) => (rows[word] as NotationRow).kinds.includes(kind));
}

/** The units of a kind whose values say nothing without one. */
export function unitsOf(kind: StartupFieldKind): Word[] {
  return kind === 'cents' || kind === 'percent'
    ? wordsFor(kind).filter((word) => (rows[word] as NotationRow).group === 'unit')
    : [];
}

/** The notation of a field: its own words, and of others those of groups that it has none of. */
export function joinWords(kind: StartupFieldKind, own: readonly Word[], others: readonly Word[]): Notation {
  const groups = new Set<Group>(own.map((word) => notations[word].group));
  const added = others.filter((word) => wordsFor(kind).includes(word) && !groups.has(notations[word].group));
  return new Set([...own, ...added]);
}

/** The unit of money that a notation has; undefined for the documented cents. */
export function placesOf(notation: Notation): number | undefined {
  return [...notation].map((word) => rows[word]?.places).find((places) => places !== undefined);
}

/** The first unit that a heading names. */
export function unitIn(heading: string, kind: StartupFieldKind): Word | undefined {
  return unitsOf(kind).find((word) => rows[word]?.heading?.test(heading));
}

/** A heading without what it says of units. */
export function withoutUnits(heading: string): string {
  return words.reduce((text, word) => {
    const { heading: says } = rows[word] as NotationRow;
    return says === undefined ? text : text.replace(new RegExp(says.source, 'gi'), ' ');
  }, heading);
}

/**
 * The words of a text such as `thousands,comma`.
 *
 * @returns an explanation for words that do not exist, are not for this kind, or contradict each other.
 */
export function readWords(text: string, kind?: StartupFieldKind): Word[] | string {
  const given = text.split(/[\s,]+/).filter((word) => word !== '');
  const allowed = kind === undefined ? words : wordsFor(kind);
  const wrong = given.find((word) => !allowed.includes(word as Word));
  if (wrong !== undefined) {
    return `got ${JSON.stringify(wrong)}, allowed ${allowed.join(', ') || 'no notation'}`;
  }
  const found = given as Word[];
  const twice = found.find((word, index) =>
    found.some(
      (other, at) =>
        at < index &&
        notations[other].group === notations[word].group &&
        notations[other].kinds.some((one) => (notations[word].kinds as readonly string[]).includes(one)),
    ),
  );
  return twice === undefined ? found : `got ${JSON.stringify(text)}, allowed one of each kind`;
}

/** What a mapping says of a column. */
export interface Answer {
  /** The field, or one that a question is about; empty for a column that is left out. */
  readonly path: string;
  readonly words: readonly Word[];
  /** Why it is asked, if it is a question; empty if that is not known. */
  readonly question?: string;
  /** Why the column is left out. */
  readonly reason?: string;
  /** The only text that its cells may have. */
  readonly only?: string;
}

/** @throws OperatorError for words that do not exist. */
export function readAnswer(text: string, column: string): Answer {
  if (text.startsWith('?')) {
    const [, asked = '', why = ''] = /^\?\s*([\w.]*)(?::\s*(.*))?$/s.exec(text) ?? [];
    return Object.hasOwn(startupFields, asked)
      ? { path: asked, words: [], question: why }
      : { path: '', words: [], question: text.slice(1).trim() };
  }
  const [, reason = ''] = /^left out(?::\s*(.*))?$/s.exec(text) ?? [];
  if (text === '' || /^left out(:|$)/.test(text)) {
    return { path: '', words: [], reason };
  }
  const at = text.indexOf(':');
  const path = at === -1 ? text : text.slice(0, at);
  if (path === 'only') {
    return { path: '', words: [], only: text.slice(at + 1).trim() };
  }
  const field = Object.hasOwn(startupFields, path) ? startupFields[path as StartupFieldPath] : undefined;
  const found = at === -1 ? [] : readWords(text.slice(at + 1), field?.kind);
  if (typeof found === 'string') {
    throw new OperatorError(`The column ${JSON.stringify(column)} is ${JSON.stringify(text)}: ${found}.`);
  }
  return { path, words: found };
}

/** An answer as a mapping has it. */
export function writeAnswer({ path, words: own, question, reason, only }: Answer): string {
  return question !== undefined
    ? `? ${[path, question].filter((part) => part !== '').join(': ')}`
    : only !== undefined
      ? `only:${only}`
      : path === ''
        ? `left out${reason === undefined || reason === '' ? '' : `: ${reason}`}`
        : `${path}${own.length > 0 ? `:${own.join(',')}` : ''}`;
}

/** A value in the format of the staging table: dates as ISO 8601 in UTC, lists as literals of PostgreSQL. */
export type StoredValue = string | number | boolean | null;

/** The rule of one field, whose values are written in a notation. */
export interface Check {
  /** The allowed values, in words. */
  readonly allowed: string;
  /** The value to store, or undefined when it is not allowed. Never sees null or undefined. */
  read(value: unknown): StoredValue | undefined;
  /** How to fix an invalid value, if that can be guessed. */
  fix?(value: unknown): string | undefined;
}
