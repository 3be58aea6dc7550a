import { wordsOf } from '../../../lib/text/words.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { createSuggester } from '../../../startups/model/requests/suggest.ts';
import type { SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { readDocument } from '../../parts/startups/documents.ts';
import { choiceLabel } from '../../parts/startups/filters.ts';
import { type CountedParameter, countedIn } from '../../parts/startups/query.ts';
import type { Counts } from './list-documents.ts';

/** A filter that may be what a search without a result meant. */
interface Suggestion {
  readonly parameter: CountedParameter;
  readonly value: string;
  /** How many startups it would leave. */
  readonly count: number;
}

/** Filters that a search may have meant, and whether only with typing errors. */
export interface Suggestions {
  readonly isCorrected: boolean;
  readonly filters: readonly Suggestion[];
}

export const noSuggestions: Suggestions = { isCorrected: false, filters: [] };

const SUGGESTIONS_MAX = 6;
/** Shorter words have to be whole. */
const PREFIX_MIN = 3;

const parameters: readonly CountedParameter[] = Object.values(countedIn).flat();

/**
 * The values of filters whose names are in a search, or begin with its words: of "analytics germany" a category and a
 * country. Where there is none, those whose names have few other letters. Only values that some startup has with the other
 * filters of the list, the most frequent first.
 */
export async function readSuggestions(
  services: Pick<Services, 'engine'>,
  context: SignedInContext,
  { filter }: QueryArguments,
): Promise<Suggestions> {
  const { search, ...others } = filter;
  if (typeof search !== 'string') {
    return noSuggestions;
  }
  const facets = parameters.filter((name) => !(name in filter)).map((name) => `${name} { value count }`);
  const data = await readDocument<{ readonly startups: { readonly facets: Counts } }>(
    services,
    context,
    `query Suggestions($filter: StartupFilter) { startups(filter: $filter) { facets { ${facets.join(' ')} } } }`,
    { filter: others },
  );
  return suggestionsOf(search, data.startups.facets);
}

/** @param counts how many startups have each value. */
function suggestionsOf(search: string, counts: Counts): Suggestions {
  const all = parameters
    .flatMap((parameter) =>
      (counts[parameter] ?? []).map(({ value, count }) => ({ parameter, value: String(value ?? ''), count })),
    )
    .filter(({ value }) => value !== '')
    .toSorted((a, b) => b.count - a.count);
  const words = wordsOf(search);
  const named = all.filter(({ parameter, value }) =>
    isMeant(words, wordsOf(choiceLabel(parameter, value)), value),
  );
  return named.length > 0
    ? { isCorrected: false, filters: named.slice(0, SUGGESTIONS_MAX) }
    : { isCorrected: true, filters: withTypingErrors(search, words, all) };
}

/** The values that the search or a word of it names with typing errors, in each filter the nearest one. */
function withTypingErrors(
  search: string,
  words: readonly string[],
  all: readonly Suggestion[],
): readonly Suggestion[] {
  return parameters.flatMap((parameter) => {
    const ofFilter = all.filter((one) => one.parameter === parameter);
    const label = ({ value }: Suggestion): string => choiceLabel(parameter, value);
    const nearest = createSuggester(ofFilter.map(label));
    const meant = new Set([search, ...words].map(nearest));
    return ofFilter.filter((one) => meant.has(label(one)));
  });
}

/** Whether the words of a search name a value: all of its words are among them, or each of them begins one of its words. */
function isMeant(words: readonly string[], named: readonly string[], value: string): boolean {
  const begins = (word: string): boolean =>
    named.some((one) => one === word || (word.length >= PREFIX_MIN && one.startsWith(word)));
  return (
    words.length > 0 &&
    (words.every(begins) || named.every((one) => words.includes(one)) || words.includes(value.toLowerCase()))
  );
}
