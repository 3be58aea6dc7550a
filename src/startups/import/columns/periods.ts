import { showText } from '../rows/errors.ts';
import type { TableColumn } from './sample.ts';

/** Months as tables shorten or write them, in English, German and French. */
const MONTH =
  '(jan|feb|mar|m[aä]r|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t|nov|de[cz]|f[eé]v|avr|ju(in|illet)|ao[uû]t|d[eé]c)\\p{L}*\\.?';
/** A month, quarter, year or day. */
const PERIOD = new RegExp(
  `^(${[
    '\\d{4}([-/.]\\d{1,2}){0,2}(T[\\d:.]+Z?)?',
    '(\\d{1,2}[-/.]){1,2}\\d{4}',
    `(\\d{1,2}\\.? )?${MONTH}([ ,'’-]*(\\d{2}|\\d{4}))?`,
    "[QH][1-4][ /'’-]*(\\d{2}|\\d{4})?|\\d{4}[ /-]*([QH][1-4]|W\\d{1,2})",
  ].join('|')})$`,
  'iu',
);

/**
 * The column that is probably why names are repeated: each record of a name has another period in it.
 *
 * @param repeated the lines of the records of each repeated name.
 */
export function periodColumn(
  columns: readonly TableColumn[],
  repeated: readonly (readonly number[])[],
): TableColumn | undefined {
  return columns.find(({ cells }) => {
    const byLine = new Map(cells.map(({ line, value }) => [line, String(value).trim()]));
    return (
      repeated.length > 0 &&
      [...byLine.values()].every((text) => PERIOD.test(text)) &&
      repeated.every((lines) => {
        const periods = new Set(lines.map((line) => byLine.get(line)));
        return periods.size === lines.length && !periods.has(undefined);
      })
    );
  });
}

/** What is asked about records that have the same name or slug. */
export function repeatQuestion(lines: string, period: TableColumn | undefined): string {
  const why = period === undefined ? '' : `, probably one for each period in ${showText(period.name)}`;
  return `? ${lines} have this name or slug${why}: keep the "first", the "last" or "none", or give each a slug`;
}
