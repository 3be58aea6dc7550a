import { amount } from '../../../lib/errors.ts';
import { inCommand, type Wording } from '../../../lib/text/wording.ts';

/** An error at one place of an input, in the words of its message. */
export interface InputError {
  /** The line on which the record begins, from 1. */
  line: number;
  /** In a JSON list, the number of the record from 1, and its slug if that is known. */
  record?: number | undefined;
  slug?: string | undefined;
  /** Dotted path of the field; `record`, `header` or `file` for an error that is not about one field. */
  field: string;
  /** What was found, as shown to the operator. */
  got: string;
  allowed: string;
  /** How to fix this value, if that can be guessed. */
  fix?: Wording | undefined;
  /** What `allowed` has in common with other errors of its kind; by default all of it. */
  kind?: string;
}

/** What begins the allowed names of columns and keys. */
export const KNOWN_FIELDS = 'only known fields';

/** Ends the reading of one input: the rest of it cannot be parsed. Other inputs are still read. */
export class UnreadableInput extends Error {
  readonly errors: InputError[];

  constructor(...errors: [InputError, ...InputError[]]) {
    super(errors[0].field);
    this.name = 'UnreadableInput';
    this.errors = errors;
  }
}

/** @throws UnreadableInput with the errors, if there are any. */
export function endIfAny([first, ...others]: readonly InputError[]): void {
  if (first !== undefined) {
    throw new UnreadableInput(first, ...others);
  }
}

/** The most columns of a table, and names in a record of JSON. */
export const MOST_COLUMNS = 500;

/** The error of an input that is too wide. */
export function tooManyColumns(line: number, field: 'header' | 'record', count: number): UnreadableInput {
  const got = `${count.toLocaleString('en')} ${field === 'header' ? 'columns' : 'fields'}`;
  return new UnreadableInput({ line, field, got, allowed: `at most ${MOST_COLUMNS}` });
}

/** An error with its file. */
export type FoundError = ReturnType<typeof findIn>;

/** An error as programs read it. */
export type ReportedError = ReturnType<typeof reportError>;

/** An error as programs read it, in the words of the command. */
export const reportError = ({ fix, ...error }: FoundError) => ({
  ...error,
  fix: fix === null ? null : inCommand(fix),
});

/** `FILE: line N: FIELD: got VALUE, allowed …; FIX`, always in one line. */
export function errorMessage(file: string, error: InputError): string {
  return messageOf(findIn(file, error));
}

function findIn(file: string, { line, record, slug, field, got, allowed, fix }: InputError) {
  const place = { file, line, record: record ?? null, slug: slug ?? null };
  return { ...place, field: cut(field), got, allowed, fix: fix ?? null };
}

const messageOf = (error: FoundError): string =>
  `${placeOf(error)}: ${showName(error.field)}: ${gotOf(error, `, allowed ${error.allowed}`)}`;

/** `FILE: line N`, and in a JSON list, whose records may be on one line, `, record N (SLUG)`. */
function placeOf({ file, line, record, slug }: FoundError): string {
  const which = record === null ? '' : `, record ${record}${slug === null ? '' : ` (${slug})`}`;
  return `${file}: line ${line}${which}`;
}

const gotOf = ({ got, fix }: FoundError, allowed = ''): string =>
  `got ${got}${allowed}${fix === null ? '' : `; ${inCommand(fix)}`}`;

const SHOWN_LENGTH = 60;

// Characters that JSON does not escape, and a terminal would interpret or hide: DEL, C1 controls, invisible and
// direction-changing characters.
const UNSEEN = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as JSON in one short line that is safe on a terminal; `nothing` for a missing value. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') {
    return showText(value);
  }
  // Never through JSON.stringify: a value may be nested too deep for it.
  if (typeof value === 'object' && value !== null) {
    const inner = Object.keys(value).length === 0 ? '' : '…';
    return Array.isArray(value) ? `[${inner}]` : `{${inner}}`;
  }
  return value === undefined ? 'nothing' : String(value);
}

/** Text as a JSON string, cut to a readable length. */
export function showText(text: string): string {
  return JSON.stringify(cut(text)).replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text cut to a readable length. */
export function cut(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** The name of a field, quoted unless it is a plain word. */
export function showName(name: string): string {
  return /^[\w.-]{1,60}$/.test(name) ? name : showText(name);
}

const MOST_KINDS = 50;
/** A longer list of allowed values, such as that of 31 categories, is only in the first line that has it. */
const REPEATED_LENGTH = 120;

/**
 * Counts every error, and keeps kinds of them and the first ones, so that memory stays bounded.
 *
 * @param keep how many errors are kept.
 */
export function createErrorLog(keep: number) {
  const first: FoundError[] = [];
  const kinds = new Map<string, { count: number; kind: string; message: string }>();
  let count = 0;
  let others = 0;
  const shownOf = (number: number, what: string): string => `${number.toLocaleString('en')} × ${what}`;
  return {
    add(file: string, error: InputError): void {
      count += 1;
      const shown = findIn(file, error);
      if (first.length < keep) {
        first.push(shown);
      }
      const { kind = error.allowed } = error;
      const key = `${shown.field}\0${kind}`;
      const known = kinds.get(key);
      if (known !== undefined) {
        known.count += 1;
      } else if (kinds.size < MOST_KINDS) {
        const example = `${placeOf(shown)}: ${gotOf(shown)}`;
        const message = `${showName(error.field)}: allowed ${kind}; example: ${example}`;
        kinds.set(key, { count: 1, kind, message });
      } else {
        others += 1;
      }
    },
    get count(): number {
      return count;
    },
    first,
    /**
     * A line for each kind of error if any occurs repeatedly, the most frequent first: its count, what is allowed, and an
     * example; then one for each of the first errors.
     */
    messages(): string[] {
      const byCount = [...kinds.values()].sort((one, other) => other.count - one.count);
      const all = [
        ...byCount.map(({ count: times, message }) => shownOf(times, message)),
        ...(others === 0 ? [] : [shownOf(others, 'errors of other kinds')]),
      ];
      const lines = all.length < count ? all : [];
      const listed = new Set(lines.length > 0 ? byCount.map(({ kind }) => kind) : []);
      for (const error of first) {
        const { allowed, field } = error;
        const isListed = allowed.length > REPEATED_LENGTH && listed.has(allowed);
        lines.push(isListed ? `${placeOf(error)}: ${showName(field)}: ${gotOf(error)}` : messageOf(error));
        listed.add(allowed);
      }
      const more = count - first.length;
      return more > 0 ? [...lines, `… and ${amount(more, 'more error', 'more errors')}.`] : lines;
    },
  };
}
