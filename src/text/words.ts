const MARKS = /\p{M}+/gu;
const ASCII = /^[\0-\x7f]*$/;
const WORD = /[\p{L}\p{N}]+/gu;

/** A text without case and accents: the form in which texts are compared and searched. */
export function foldText(text: string): string {
  return ASCII.test(text)
    ? text.toLowerCase()
    : // The form of a sigma depends on what follows the word.
      text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ς', 'σ');
}

/** The words of a text in that form: runs of letters or digits. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(WORD) ?? [];
}
