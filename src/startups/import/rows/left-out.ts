import { amount } from '../../../lib/errors.ts';
import { showText } from './errors.ts';

// What notes say of rows that an answer leaves out, and how such a note is told from those that need attention.

const LEFT_OUT = ' left out';
const REPEATS = `${LEFT_OUT}, the first is kept.`;
const ROW = new RegExp(`: line (\\d+)${LEFT_OUT}: `);

/** Of a row that is no startup. */
export const rowLeftOut = (line: number, name: string): string =>
  `line ${line}${LEFT_OUT}: ${showText(name)}`;

/** Of the records that repeat a name or slug. */
export const repeatsLeftOut = (name: string, repeats: number): string =>
  `${showText(name)}: ${amount(repeats, 'repeated record')}${REPEATS}`;

/** Which rows a note says are left out, such as `startups.csv, line 6: "Total"`; undefined for any other note. */
export function readLeftOut(note: string): string | undefined {
  const rows = note.endsWith(REPEATS)
    ? `${note.slice(0, -REPEATS.length)}${REPEATS.slice(LEFT_OUT.length)}`
    : note.replace(ROW, ', line\u00a0$1: ');
  return rows === note ? undefined : rows;
}
