import { distance } from 'fastest-levenshtein';
import { labelOf } from '../vocabulary.ts';

/** Longer texts are not compared: no name or label is this long. */
const MOST_COMPARED = 60;
/** A text is close if at most one in this many characters differs. */
const CHARACTERS_PER_EDIT = 3;

/**
 * Creates the one function that finds the intended candidate for an unknown text: a name or a value that
 * differs in case, white space or punctuation, in few letters, or that goes by its label or (`mrr` for `revenue.mrr`)
 * by the end of its path.
 *
 * @returns a function that returns the only other candidate close to a text, and undefined where none or several are.
 */
export function createSuggester(candidates: readonly string[]): (text: string) => string | undefined {
  const known = candidates.flatMap((candidate) =>
    [candidate, candidate.slice(candidate.lastIndexOf('.') + 1), labelOf(candidate) ?? candidate].map(
      (text) => {
        const name = simplify(text);
        // A different number is a different value, however few digits differ.
        const isWord = /\p{L}/u.test(name);
        return { candidate, name, most: isWord ? Math.floor(name.length / CHARACTERS_PER_EDIT) : 0 };
      },
    ),
  );
  return (text) => {
    if (text.length > MOST_COMPARED) {
      return undefined;
    }
    const simple = simplify(text);
    let best: string | undefined;
    let least = Math.floor(simple.length / CHARACTERS_PER_EDIT);
    let isOnly = false;
    for (const { candidate, name, most } of known) {
      const allowed = Math.min(least, most);
      if (simple === '' || Math.abs(name.length - simple.length) > allowed) {
        continue;
      }
      const edits = distance(simple, name);
      if (edits > allowed || (edits === least && candidate === best)) {
        continue;
      }
      isOnly = best === undefined || edits < least;
      best = candidate;
      least = edits;
    }
    return isOnly && best !== text ? best : undefined;
  };
}

/** The wording of a suggestion in a message, if there is one. */
export function didYouMean(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : `did you mean "${suggestion}"?`;
}

/** The same after what was given, before what is allowed. */
export function orSuggestion(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` (${didYouMean(suggestion)})`;
}

function simplify(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
