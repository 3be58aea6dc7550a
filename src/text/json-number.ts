/** Longer texts are not searched, so that no message takes long to write. */
const MOST_SEARCHED = 20_000;

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * How a number is written in a JSON text. Parsing rounds it to a double, and only Node 21 and later hand the source to
 * a reviver of JSON.parse. So the text is parsed again, with each number as a string.
 *
 * @param text valid JSON.
 * @param path the names and indexes that lead to the number.
 * @returns undefined for a long text: numbers in long texts may be shown rounded.
 */
export function numberTextAt(text: string, path: readonly (string | number)[]): string | undefined {
  if (text.length > MOST_SEARCHED) {
    return undefined;
  }
  const quoted = text.replace(STRING_OR_NUMBER, (found) => (found.startsWith('"') ? found : `"${found}"`));
  return path.reduce((value, name) => value?.[name], JSON.parse(quoted));
}
