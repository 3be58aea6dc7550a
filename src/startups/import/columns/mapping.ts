import * as z from 'zod/mini';
import { OperatorError } from '../../../lib/errors.ts';
import { encodings } from '../rows/input.ts';
import { repeatedKey } from '../rows/json-text.ts';
import { repeatAnswers } from './repeats.ts';

/** What is done with a row that seems to be no startup, and with records that have the same name. */
const rowAnswers = ['keep', 'leave out', ...repeatAnswers];
const ROW_ANSWER = new RegExp(`^(${rowAnswers.join('|')}|\\?.*)$`, 's');

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
    z.record(z.string(), z.string().check(z.regex(ROW_ANSWER, `allowed: ${rowAnswers.join(', ')} or ?`))),
  ),
  /** The fields that an import declares, by their names, unless they are declared already. */
  fields: z.optional(
    z.record(
      z.string(),
      z.strictObject({
        kind: z.string(),
        label: z.optional(z.string()),
        description: z.optional(z.string()),
        sortable: z.optional(z.boolean()),
      }),
    ),
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
