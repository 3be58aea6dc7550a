import { listItems, type StoredValue } from './stored-value.ts';

// Fields that an operator declares, beside those of the table of fields. Their values are one object of a startup, `own`.

/** The most fields that can be declared, and of these the most that are indexed: each takes memory for every startup. */
export const MOST_OWN_FIELDS = 40;
export const MOST_INDEXED = 12;
/** The most values of a choice: they are those of the data. */
export const MOST_CHOICES = 100;

/** The object of a record that has the fields that an operator declares. */
export const OWN = 'own';

/** The most characters of a name; the database checks it, too. */
export const OWN_NAME_LENGTH = 40;
export const OWN_NAME_PATTERN = `^[a-z][A-Za-z0-9]{0,${OWN_NAME_LENGTH - 1}}$`;
/** What a name is, as the end of a sentence. */
export const ALLOWED_OWN_NAME = `1 to ${OWN_NAME_LENGTH} letters and digits, beginning with a small letter`;

/** The most characters of a value that is a text. */
export const OWN_TEXT_LENGTH = 1_000;

/** What a kind of field can be filtered by: a range of numbers or of dates, some values, or one of two. */
type OwnFilterKind = 'range' | 'dates' | 'values' | 'flag';

interface OwnKindEntry {
  /** How values are told, in a sentence. */
  readonly meaning: string;
  /** Undefined for a kind that is not indexed. */
  readonly filter?: OwnFilterKind;
}

/** The kinds of fields that can be declared. Ranges and dates are also sorted by. */
export const ownKinds = {
  text: { meaning: `a text of at most ${OWN_TEXT_LENGTH.toLocaleString('en')} characters` },
  url: { meaning: 'an http or https address' },
  count: { meaning: 'an integer from 0', filter: 'range' },
  cents: { meaning: 'an amount of money, in US cents', filter: 'range' },
  percent: { meaning: 'a percentage: 24 means 24%', filter: 'range' },
  number: { meaning: 'a number', filter: 'range' },
  date: { meaning: 'a date or date-time', filter: 'dates' },
  boolean: { meaning: 'true or false', filter: 'flag' },
  choice: { meaning: `one of at most ${MOST_CHOICES} values, which are those of the data`, filter: 'values' },
  texts: { meaning: 'a list of texts' },
} as const satisfies Record<string, OwnKindEntry>;
export type OwnKind = keyof typeof ownKinds;
export const ownKindNames = Object.keys(ownKinds) as OwnKind[];

/** Whether fields of a kind can be indexed. */
export const canBeIndexed = (kind: OwnKind): boolean => 'filter' in ownKinds[kind];

/** A field that an operator has declared. */
export interface OwnField {
  readonly name: string;
  readonly kind: OwnKind;
  /** What people read. */
  readonly label: string;
  /** Null where the operator wrote none. */
  readonly description: string | null;
  /** Whether lists can be filtered by it and, if its kind has an order, sorted. */
  readonly indexed: boolean;
  /** Of a choice, its values: new ones are added behind those before. */
  readonly choices: readonly string[];
}

/** The dotted path of a declared field in records. */
export type OwnPath = `own.${string}`;
export const ownPath = (name: string): OwnPath => `own.${name}`;

/** The declared fields in their order, as one value of JSON: an expression of SQL. */
export const OWN_FIELDS_SQL = `(SELECT coalesce(json_agg(json_build_object('name', name, 'kind', kind, 'label', label, 'description', description,
  'indexed', indexed, 'choices', choices) ORDER BY id), '[]') FROM own_fields)`;

/** What a field can be filtered by; undefined if it is not indexed. */
export function ownFilterOf({ kind, indexed }: OwnField): OwnFilterKind | undefined {
  const entry: OwnKindEntry = ownKinds[kind];
  return indexed ? entry.filter : undefined;
}

/** Whether lists can be sorted by a field. */
export function isSortedBy(field: OwnField): boolean {
  const filter = ownFilterOf(field);
  return filter === 'range' || filter === 'dates';
}

/** A value of `sort` that a declared field adds. */
export type OwnSort = `own.${string}-${'asc' | 'desc'}`;

/** The two orders by a field, the highest first before the lowest first. */
export const ownSortsOf = (name: string): readonly [highest: OwnSort, lowest: OwnSort] => [
  `own.${name}-desc`,
  `own.${name}-asc`,
];

/** What the object of all of them is, in a sentence. */
export const OWN_TEXT = 'The values of the fields that this service adds.';

/** What an order by a field puts first, in a sentence. */
export function describeOwnSort({ label, kind }: OwnField, sort: OwnSort): string {
  const isDate = kind === 'date';
  const first = sort.endsWith('-desc') ? (isDate ? 'Latest' : 'Highest') : isDate ? 'Earliest' : 'Lowest';
  return `${first} first, by the field of this service "${label}".`;
}

/** What a field is, in sentences: what the operator says of it, what its values are, and that they may be unknown. */
export function describeOwn({ label, description, kind }: OwnField): string {
  const told = description === null ? label : `${label}: ${description}`;
  return `${told.replace(/[^.!?]$/, '$&.')} A field of this service: ${ownKinds[kind].meaning}. Null when unknown.`;
}

/** The conditions of a filter on declared fields, by their names in order. Dates are in ms since 1970. */
export type OwnFilter = Readonly<Record<string, OwnCondition>>;
export type OwnCondition =
  | boolean
  | { readonly in: readonly string[] }
  | { readonly min?: number; readonly max?: number };

/** A value of a declared field as it is stored and shown: dates in ms since 1970. */
export type OwnValue = string | number | boolean | readonly string[];

/** The values of declared fields by their names. It has no other properties, not even inherited ones. */
export type OwnValues = Readonly<Record<string, OwnValue | null>>;

/** A value of a declared field as it is stored, from one as it is staged. */
export function toOwnValue({ kind }: OwnField, value: NonNullable<StoredValue>): OwnValue {
  switch (kind) {
    case 'date':
      return Date.parse(String(value));
    case 'texts':
      return listItems(String(value));
    default:
      return value;
  }
}
