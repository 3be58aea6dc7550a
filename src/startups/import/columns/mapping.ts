import * as z from 'zod/mini';
import { OperatorError } from '../../../lib/errors.ts';
import { readAnswer } from '../values/notations.ts';

export const encodings = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];
/** What is done with a row that seems to be no startup. */
export const rowAnswers = ['keep', 'leave out', '?'] as const;

const texts = z.record(z.string(), z.string());

/**
 * How the columns and values of any table become records. Everything is optional: without it, the input has records. A
 * `?` is a question that is still to be answered.
 */
const mappingSchema = z.strictObject({
  /**
   * The answer for each column or JSON key, nested ones by their dotted path: `field:notation`, `left out: reason` or
   * nothing, `only:TEXT` for a column whose every value must be that text, or `? field: reason`.
   */
  columns: z.optional(texts),
  /** Words for the fields whose column names none of their kind: `dollars,point`. */
  notation: z.optional(z.string()),
  /** The value of each field in records that lack it, as a cell of CSV has it. */
  defaults: z.optional(texts),
  /** For each field, its values by the texts that mean them, in any case. Empty: such a text means no value. */
  values: z.optional(z.record(z.string(), texts)),
  /** What is done with rows that seem to be no startups, by their name. */
  rows: z.optional(z.record(z.string(), z.enum(rowAnswers))),
  /** Leaves columns out that are not fields. */
  ignoreUnknown: z.optional(z.boolean()),
  /** The list of records in a JSON document, by its key; dotted where it is in objects. */
  path: z.optional(z.string()),
  /** How the text of the input is encoded. */
  encoding: z.optional(z.enum(encodings)),
});

export type Mapping = Readonly<z.infer<typeof mappingSchema>>;

const perColumn = 'answer each column with its notation, such as "MRR": "revenue.mrr:';
/** Properties that mappings had, and what replaces them. */
const removed: Readonly<Record<string, string>> = {
  confidence: 'remove it: a mapping has answers, not percentages',
  dollars: `${perColumn}dollars"`,
  decimal: `${perColumn}dollars,comma"`,
  round: `${perColumn}dollars,round"`,
  percentAsFraction: `${perColumn.replace('MRR', 'Growth').replace('revenue.mrr', 'growth30d')}fraction"`,
};

/**
 * A mapping of a file or a request. What it names is not checked.
 *
 * @param name of the file or parameter, for messages.
 * @throws OperatorError for a value that is no mapping.
 */
export function readMappingValue(value: unknown, name: string): Mapping {
  const old = Object.keys(removed).filter((property) => Object.hasOwn(Object(value), property));
  if (old.length > 0) {
    const [first, ...others] = old.map(
      (property) => `${name}: "${property}" is of an older form: ${removed[property]}.`,
    );
    throw new OperatorError(`${first}`, ...others);
  }
  const { success, data, error } = mappingSchema.safeParse(value);
  if (success) {
    return data;
  }
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new OperatorError(
    issue?.code === 'unrecognized_keys'
      ? `${name}: ${JSON.stringify(issue.keys[0])} is unknown; allowed: ${Object.keys(mappingSchema.shape).join(', ')}.`
      : path === ''
        ? `${name} is not a mapping: it must be a JSON object.`
        : `${name}: ${path} must be ${issue?.code === 'invalid_value' ? issue.values.join(' or ') : issue?.code === 'invalid_type' ? (kinds[issue.expected] ?? issue.expected) : 'another value'}.`,
  );
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  record: 'an object of texts',
  boolean: 'true or false',
};

/** The questions of a mapping, one each. */
export function questionsOf({ columns = {}, defaults = {}, values = {}, rows = {} }: Mapping): string[] {
  const asked = (name: string, why: string): string => `${name}${why === '' ? '' : ` (${why})`}`;
  return [
    ...Object.entries(columns).flatMap(([name, text]) => {
      const { path, question } = text.startsWith('?') ? readAnswer(text, name) : { path: '' };
      const why = [path, question].filter((part) => part !== undefined && part !== '').join(': ');
      return question === undefined ? [] : asked(`column ${JSON.stringify(name)}`, why);
    }),
    ...Object.entries(defaults).flatMap(([path, text]) =>
      text === '?' ? asked(path, 'a required field without a value: map a column, or give a default') : [],
    ),
    ...Object.entries(values).flatMap(([path, byText]) =>
      Object.entries(byText).flatMap(([text, value]) =>
        value === '?' ? asked(`${path} ${JSON.stringify(text)}`, 'what it means') : [],
      ),
    ),
    ...Object.entries(rows).flatMap(([name, answer]) =>
      answer === '?' ? asked(`row ${JSON.stringify(name)}`, 'keep, or leave out') : [],
    ),
  ];
}
