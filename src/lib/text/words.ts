/**
 * The letters of Latin-1 and Latin Extended-A that Unicode decomposes into no other letter, with those that readers
 * type for them, and the sigma that ends a word. In lower case.
 */
export const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ĸ: 'q',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};

const MARKS = /\p{M}+/gu;
const ASCII = /^[\0-\x7f]*$/;
const WORD = /[\p{L}\p{N}]+/gu;
const FOLDED_LETTER = new RegExp(`[${Object.keys(foldedLetters).join('')}]`, 'g');

/**
 * A text without case and accents, its letters folded by {@link foldedLetters}: the form in which texts are compared and
 * searched.
 */
export function foldText(text: string): string {
  return ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(MARKS, '')
        .toLowerCase()
        .replace(FOLDED_LETTER, (letter) => foldedLetters[letter] as string);
}

/** The words of a text in that form: runs of letters or digits. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(WORD) ?? [];
}
