// Line breaks and other control characters, lone surrogates, and what reverses the direction of reading.
const BREAKS = /[\p{Cc}\p{Cs}\p{Z}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * A text of a record or a person in one line: in a format whose lines say something, it cannot pose as another line. What
 * joins letters and emojis is kept.
 */
export const oneLine = (text: string): string => text.replace(BREAKS, ' ').trim();

/** Whether a text shows nothing: it is empty, or has only spaces and invisible characters. */
export const isBlank = (text: string): boolean => /^[\p{Cc}\p{Cf}\p{Cs}\p{Z}]*$/u.test(text);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text of at most so many characters: a longer one ends with an ellipsis, and is never cut through an emoji. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const end = graphemes.segment(text).containing(max - 1)?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}
