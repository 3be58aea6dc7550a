import { betterOf, labelOfField } from '../../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import { cellBar } from '../../shared/charts.tsx';
import { monogram } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { cellOf, columns, NONE, paybackMonths, readField, type StartupColumn } from '../explorer/columns.tsx';
import type { ShownStartup } from '../explorer/documents.ts';
import { EXPLORER_PATH } from '../explorer/query.ts';
import { factGroups } from '../explorer/startup-view.tsx';

/** One line of a comparison. */
interface Line {
  readonly label: string;
  readonly cell: StartupColumn['cell'];
  /** What is compared. */
  readonly value: (startup: ShownStartup) => unknown;
  /** Which value is the best; without it, none is better than another. */
  readonly better: 'more' | 'less' | undefined;
}

/** What differs between startups in few words. */
const kinds = ['cents', 'count', 'percent', 'ratio', 'boolean', 'choice', 'country', 'date'];

const fieldLine = (path: StartupFieldPath): Line => ({
  label: labelOfField(path),
  cell: cellOf(path),
  value: (startup) => readField(startup, path),
  better: betterOf(path),
});

const columnLine = (wanted: string, more: Pick<Line, 'value' | 'better'>): Line[] =>
  columns.filter(({ id }) => id === wanted).map(({ heading: label, cell }) => ({ label, cell, ...more }));

/** Lines that show a column of the explorer, each after the field that it is about. */
const further: Readonly<Record<string, readonly Line[]>> = {
  'revenue.mrr': columnLine('trend', { value: () => null, better: undefined }),
  multiple: columnLine('payback', { value: paybackMonths, better: 'less' }),
};

const compared = factGroups.map(({ title, fields }) => ({
  title,
  paths: fields.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path),
}));

/** Everything that a comparison reads. */
export const comparedFields: readonly StartupFieldPath[] = [
  ...(['name', 'slug', 'previousAskingPrice'] as const),
  ...compared.flatMap(({ paths }) => paths),
];

/** Startups side by side; the lines in which all are the same are behind them. @param starOf the button that adds one to the shortlist. */
export function comparison(
  startups: readonly ShownStartup[],
  starOf: (startup: ShownStartup) => Html,
  now: number,
): Html {
  const groups = compared.map(({ title, paths }) => ({
    title,
    lines: paths
      .flatMap((path) => [fieldLine(path), ...(further[path] ?? [])])
      .map((line) => ({ ...line, cells: startups.map((startup) => line.cell(startup, now)) }))
      .filter(({ cells }) => cells.some((cell) => cell !== NONE))
      .map((line) => ({
        ...line,
        isSame: startups.length > 1 && new Set(line.cells.map(String)).size === 1,
      })),
  }));
  const same = groups.flatMap(({ lines }) => lines.filter(({ isSame }) => isSame));
  return (
    <>
      <div class="table">
        <table class="compared">
          <caption class="soft small">
            The best value in each row is <mark>marked</mark>.
          </caption>
          <thead>
            <tr>
              <td />
              {startups.map((startup) => (
                <th scope="col">
                  {monogram(startup.name)}
                  <a href={`${EXPLORER_PATH}/${startup.slug}`}>{startup.name}</a>
                  {starOf(startup)}
                </th>
              ))}
            </tr>
          </thead>
          {groups
            .map(({ title, lines }) => ({ title, differing: lines.filter(({ isSame }) => !isSame) }))
            .filter(({ differing }) => differing.length > 0)
            .map(({ title, differing }) => (
              <tbody>
                <tr>
                  <th class="group" scope="rowgroup" colspan={startups.length + 1}>
                    {title}
                  </th>
                </tr>
                {differing.map((line) => (
                  <tr>
                    <th scope="row">{line.label}</th>
                    {comparedCells(line.cells, startups.map(line.value), line.better)}
                  </tr>
                ))}
              </tbody>
            ))}
        </table>
      </div>
      {same.length > 0 && (
        <details class="card">
          <summary>Same for all ({same.length})</summary>
          <dl class="facts">{same.map(({ label, cells }) => [<dt>{label}</dt>, <dd>{cells[0]}</dd>])}</dl>
        </details>
      )}
    </>
  );
}

/** The cells of a line, each with a bar that compares it where more is better. That of a negative value is empty. */
function comparedCells(
  cells: readonly Content[],
  values: readonly unknown[],
  better: Line['better'],
): Content {
  const best = better === undefined ? [] : bestOf(values, better);
  const known = values.filter((value) => typeof value === 'number');
  const most = Math.max(...known);
  const hasBars = better === 'more' && known.length > 1 && most > 0;
  return cells.map((cell, index) => (
    <td>
      {best.includes(index) ? (
        <mark>
          {cell} <span class="hidden">best</span>
        </mark>
      ) : (
        cell
      )}
      {hasBars && typeof values[index] === 'number' && cellBar(values[index] / most)}
    </td>
  ));
}

/** The places of the best values; none if all are the same, or one is known only. */
export function bestOf(values: readonly unknown[], better: 'more' | 'less'): number[] {
  const known = values.filter((value) => typeof value === 'number');
  const best = better === 'less' ? Math.min(...known) : Math.max(...known);
  return known.every((value) => value === best)
    ? []
    : values.flatMap((value, index) => (value === best ? [index] : []));
}
