import { countries, findCountry } from '../model/countries.ts';
import type { StoredStartupField } from '../model/fields.ts';
import { createSuggester, didYouMean } from '../model/requests/suggest.ts';
import { labelOf } from '../model/vocabulary.ts';
import { readText } from './cells.ts';
import type { Check, StoredValue } from './check.ts';
import type { Notation } from './notation.ts';

/** The check of a vocabulary's values, which may be given by their labels, in any case. */
export function checkChoice(values: readonly string[]): Check {
  const known = new Map<string, string>(
    values.flatMap((value) => [
      [simplify(labelOf(value) ?? value), value] as const,
      [simplify(value), value] as const,
    ]),
  );
  return {
    allowed: `one of ${values.join(', ')}`,
    read: (value) => (typeof value === 'string' ? known.get(simplify(value)) : undefined),
    fix: suggestOf(values),
  };
}

/** The check of a country, which may be given by its code or name, in any case. */
export function checkCountry(): Check {
  return {
    allowed: 'an ISO 3166-1 alpha-2 code such as DE, or the name in English or German',
    read: (value) => (typeof value === 'string' ? findCountry(value) : undefined),
    fix: suggestOf(countries),
  };
}

/** The check of a field whose values have further texts in a mapping. Empty ones mean none, where that is allowed. */
export function withTexts(check: Check, field: StoredStartupField, notation: Notation): Check {
  const texts = notation.values?.[field.path] ?? {};
  const byText = new Map<string, StoredValue | undefined>(
    Object.entries(texts).map(([text, value]) => [
      simplify(text),
      value === '' && field.nullable ? null : readText(field, check, value, notation),
    ]),
  );
  return byText.size === 0
    ? check
    : {
        ...check,
        read(value) {
          const text = typeof value === 'string' ? simplify(value) : undefined;
          return text !== undefined && byText.has(text) ? byText.get(text) : check.read(value);
        },
      };
}

function simplify(text: string): string {
  return text.trim().toLowerCase();
}

function suggestOf(values: readonly string[]): (value: unknown) => string | undefined {
  const suggest = createSuggester(values);
  return (value) =>
    typeof value === 'number' && values.includes(`${value}`)
      ? `write it as text: "${value}"`
      : typeof value === 'string' || typeof value === 'number'
        ? didYouMean(suggest(`${value}`))
        : undefined;
}
