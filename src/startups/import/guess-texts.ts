import type { StoredStartupField } from '../model/fields.ts';
import { createSuggester } from '../model/requests/suggest.ts';
import { readText } from './cells.ts';
import type { Notation } from './notation.ts';
import { createCheck } from './value-checks.ts';

/** Of the unknown texts of a field. */
const MOST_UNKNOWN = 50;

/** What tables write for no value, in English and German. */
const NOTHING = /^([-–—?.]+|n\.?\s?\/?\s?a\.?|k\.?\s?a\.?|none|null|nil|unknown|tbd|unbekannt|keine?)$/i;

/** Whether a cell says that there is no value. */
export function saysNothing(value: unknown): boolean {
  return typeof value === 'string' && NOTHING.test(value.trim());
}

/** A text that is no value of its field. */
export interface UnknownText {
  readonly text: string;
  /** How many of the records that were read have it. */
  readonly records: number;
}

/** What texts of a column mean that are no values of its field. */
export interface GuessedTexts {
  /** The values that texts are close to; empty for a text that means none. */
  readonly named: Readonly<Record<string, string>>;
  /** The first texts that mean nothing known. */
  readonly unknown: readonly UnknownText[];
}

/** @param given the values of the column that is to fill the field. */
export function guessTexts(
  field: StoredStartupField,
  given: readonly unknown[],
  notation: Notation,
): GuessedTexts {
  const suggest = createSuggester(field.values ?? []);
  const check = createCheck(field, notation);
  const named: Record<string, string> = {};
  const unknown: UnknownText[] = [];
  for (const text of new Set(given.filter((value) => typeof value === 'string'))) {
    if (readText(field, check, text, notation) !== undefined) {
      continue;
    }
    const value = field.nullable && saysNothing(text) ? '' : suggest(text);
    if (value !== undefined) {
      named[text] = value;
    } else if (unknown.length < MOST_UNKNOWN) {
      unknown.push({ text, records: given.filter((one) => one === text).length });
    }
  }
  return { named, unknown };
}
