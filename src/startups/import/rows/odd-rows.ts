import { plainName } from './column-names.ts';

/** The first cell of a row that is the sum or the mean of others, in English, German and French. */
const TOTAL = new RegExp(
  `^(${[
    '(grand |sub-?)?totals?|sum|averages?|avg|mean|median|[ØΣ]',
    'summen?|gesamt|gesamtsumme|gesamtergebnis|insgesamt|zwischensumme|durchschnitt|mittelwert',
    'somme|totaux|total g[eé]n[eé]ral|moyenne',
  ].join('|')})[ :.]*$`,
  'i',
);

/** The first cell of a row with a text. */
export const firstCell = (cells: readonly string[]): string =>
  cells[0] || (cells.find((cell) => cell !== '') ?? '');

/** What a row that seems to be no record is called in a mapping: its first cell with a text. */
export function oddRow(cells: readonly string[]): string | undefined {
  const first = firstCell(cells);
  // Of several columns a row fills one: a note below the table, or above it.
  const isAlone = cells.length > 2 && cells.filter((cell) => cell !== '').length === 1;
  return isAlone || TOTAL.test(first) ? first : undefined;
}

/** What a row of units below the header is called. */
export const unitRow = (cells: readonly string[]): string =>
  plainName(cells.filter((cell) => cell !== '').join(' '));
