import * as z from 'zod/mini';
import { OperatorError } from '../../../lib/errors.ts';
import { startupFields } from '../../model/fields.ts';
import { encodings } from '../options.ts';
import { repeatedKey } from '../rows/json-text.ts';
import { ASKED, fieldOf } from '../values/checks.ts';
import { readWords, unitsOf, type Word } from '../values/notation-words.ts';

/** What is done with a row that seems to be no startup; of records with the same name, the first can be kept. */
const ROW_ANSWER = /^(keep|leave out|first|\?.*)$/s;

const texts = z.record(z.string(), z.string());
/** A fraction could have more digits than a number keeps. */
const asText = z.pipe(
  z.union([z.string(), z.int(), z.boolean()], 'write it as text, such as "0.5"'),
  z.transform(String),
);

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
  defaults: z.optional(z.record(z.string(), asText)),
  /** For each field, its values by the texts that mean them, in any case; nothing: no value; `!`: an error. */
  values: z.optional(z.record(z.string(), texts)),
  /** What is done with rows that seem to be no startups, and with records that repeat a name or slug, by their name. */
  rows: z.optional(
    z.record(z.string(), z.string().check(z.regex(ROW_ANSWER, 'allowed: keep, leave out, first or ?'))),
  ),
  /** Leaves columns out that are not fields. */
  ignoreUnknown: z.optional(z.boolean()),
  /** The list of records in a JSON document, by its key; dotted where it is in objects. */
  path: z.optional(z.string()),
  /** How the text of the input is encoded. */
  encoding: z.optional(z.enum(encodings)),
});

export type Mapping = Readonly<z.infer<typeof mappingSchema>>;

/** What to change in a mapping that was written before each column had an answer of its own. */
const OLDER_FORM =
  ' It is of an older form: remove "confidence", and in place of "dollars" name the notation of each column, such as "MRR": "revenue.mrr:dollars".';

/**
 * A mapping of a file or a request. What it names is not checked.
 *
 * @param name of the file or parameter, for messages.
 * @throws OperatorError for a value that is no mapping.
 */
export function readMappingValue(value: unknown, name: string): Mapping {
  const { success, data, error } = mappingSchema.safeParse(value, { error: z.locales.en().localeError });
  if (success) {
    return data;
  }
  const [{ code, path, message } = { code: '', path: [], message: '' }] = error.issues;
  const more =
    code === 'unrecognized_keys' ? `; allowed: ${Object.keys(mappingSchema.shape).join(', ')}` : '';
  const older = ['confidence', 'dollars'].some((key) => Object.hasOwn(Object(value), key)) ? OLDER_FORM : '';
  throw new OperatorError(
    `${name} is not a mapping: ${[path.join('.'), message].filter(Boolean).join(': ')}${more}.${older}`,
  );
}

/**
 * A mapping as JSON.
 *
 * @throws OperatorError for other text, a key that an object has twice, or a value that is no mapping.
 */
export function readMappingText(text: string, name: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperatorError(`${name} is not valid JSON.`);
  }
  const repeated = repeatedKey(text, value);
  if (repeated !== undefined) {
    throw new OperatorError(`${name} is not a mapping: ${repeated} is in it twice, allowed: each key once.`);
  }
  return readMappingValue(value, name);
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
  if (text.startsWith(ASKED)) {
    const [, asked = '', why = ''] = /^\?\s*([\w.]*)(?::\s*(.*))?$/s.exec(text) ?? [];
    return Object.hasOwn(startupFields, asked)
      ? { path: asked, words: [], question: why }
      : { path: '', words: [], question: text.slice(1).trim() };
  }
  const [, leftOut, reason = ''] = /^(|left out)(?::\s*(.*))?$/s.exec(text) ?? [];
  if (leftOut !== undefined) {
    return { path: '', words: [], reason };
  }
  const [, path = '', rest = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  if (path === 'only') {
    return { path: '', words: [], only: rest.trim() };
  }
  const words = readWords(rest, fieldOf(path)?.kind);
  if (typeof words === 'string') {
    throw new OperatorError(`The column ${JSON.stringify(column)} is ${JSON.stringify(text)}: ${words}.`);
  }
  return { path, words };
}

/** An answer as a mapping has it. */
export function writeAnswer({ path, words, question, reason, only }: Answer): string {
  const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(': ');
  return question !== undefined
    ? `? ${joined(path, question)}`
    : only !== undefined
      ? `only:${only}`
      : path === ''
        ? joined('left out', reason)
        : `${path}${words.length > 0 ? `:${words.join()}` : ''}`;
}

/** The questions of a mapping, one each. */
export function questionsOf({ columns = {}, defaults = {}, values = {}, rows = {} }: Mapping): string[] {
  const ask = (name: string, answer: string, why: string): string[] =>
    answer.startsWith(ASKED) ? [`${name}${why === '' ? '' : ` (${why})`}`] : [];
  const answers = Object.entries(columns).map(([name, text]) => ({ name, text, ...readAnswer(text, name) }));
  /** The unit of the column of a field, in which answers about its texts are read, too. */
  const unitOf = (path: string): string => {
    const { words = [] } = answers.find((answer) => answer.path === path) ?? {};
    const unit = words.find((word) => unitsOf('cents').includes(word));
    return unit === undefined ? '' : `, in ${unit}`;
  };
  return [
    ...answers.flatMap(({ name, text, ...answer }) =>
      ask(`column ${JSON.stringify(name)}`, text, writeAnswer(answer).slice(2)),
    ),
    ...Object.entries(defaults).flatMap(([path, text]) =>
      ask(path, text, 'a required field without a value: map a column, or give a default'),
    ),
    ...Object.entries(values).flatMap(([path, byText]) =>
      Object.entries(byText).flatMap(([text, value]) =>
        ask(`${path} ${JSON.stringify(text)}`, value, `what it means${unitOf(path)}`),
      ),
    ),
    ...Object.entries(rows).flatMap(([name, answer]) =>
      ask(`row ${JSON.stringify(name)}`, answer, answer.slice(1).trim() || 'keep, or leave out'),
    ),
  ];
}
