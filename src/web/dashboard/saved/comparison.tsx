import { betterOf, labelOfField } from '../../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import {
  columnOf,
  columns,
  NONE,
  nameOf,
  readField,
  type StartupColumn,
} from '../../parts/startups/columns.tsx';
import type { ShownStartup } from '../../parts/startups/documents.ts';
import { factGroups } from '../../parts/startups/fact-groups.ts';
import { cellBar } from '../../shared/charts.tsx';
import { monogram } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { EXPLORER_PATH } from '../../shared/paths.ts';

/** One line of a comparison. */
type Line = Pick<StartupColumn, 'heading' | 'cell' | 'value'> & {
  /** Which value is the best; without it, none is better than another. */
  readonly better?: 'more' | 'less' | undefined;
};

/** What differs between startups in few words. */
const kinds = ['cents', 'count', 'percent', 'ratio', 'boolean', 'choice', 'country', 'date'];

/** Columns of the explorer that have a line too, by the field that it follows. */
const columnAfter: Readonly<Record<string, { readonly id: string; readonly better?: 'less' }>> = {
  'revenue.mrr': { id: 'trend' },
  multiple: { id: 'payback', better: 'less' },
};

const linesOf = (path: StartupFieldPath): readonly Line[] => {
  const { id, better } = columnAfter[path] ?? {};
  return [
    {
      heading: labelOfField(path),
      cell: columnOf(path).cell,
      value: (startup) => readField(startup, path),
      better: betterOf(path),
    },
    ...columns.filter((column) => column.id === id).map((column) => ({ ...column, better })),
  ];
};

const compared = factGroups.map(({ title, fields }) => ({
  title,
  paths: fields.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path),
}));

/** Everything that a comparison reads. */
export const comparedFields: readonly StartupFieldPath[] = [
  'name',
  'slug',
  'previousAskingPrice',
  ...compared.flatMap(({ paths }) => paths),
];

/**
 * Startups side by side; the lines that one has are last, those in which all are the same behind them.
 *
 * @param starOf the button that saves one.
 */
export function comparison(
  startups: readonly ShownStartup[],
  starOf: (startup: ShownStartup) => Html,
  now: number,
): Content {
  const groups = compared.map(({ title, paths }) => {
    const lines = paths
      .flatMap(linesOf)
      .map((line) => ({ ...line, cells: startups.map((startup) => line.cell(startup, now)) }))
      .filter(({ cells }) => cells.some((cell) => cell !== NONE));
    const isSame = ({ cells }: (typeof lines)[number]): boolean =>
      startups.length > 1 && new Set(cells.map(String)).size === 1;
    const isRare = ({ cells }: (typeof lines)[number]): boolean =>
      startups.length > 2 && cells.filter((cell) => cell !== NONE).length === 1;
    // What buyers ask first stays in its place.
    const isApart = (line: (typeof lines)[number]): boolean =>
      title !== 'Sale' && (isSame(line) || isRare(line));
    const apart = lines.filter(isApart);
    return {
      title,
      same: apart.filter(isSame),
      rare: apart.filter((line) => !isSame(line)),
      differing: lines.filter((line) => !isApart(line)),
    };
  });
  const rare = { title: 'Known for one startup only', differing: groups.flatMap((group) => group.rare) };
  const same = groups.flatMap((group) => group.same);
  return [
    <div class="table">
      <table class="compared entries">
        <caption class={startups.length > 1 ? 'soft small' : 'hidden'}>
          The best value in each row is <mark>marked</mark>.
        </caption>
        <thead>
          <tr>
            <td />
            {startups.map((startup) => (
              <th scope="col">
                {monogram(nameOf(startup))}
                <a href={`${EXPLORER_PATH}/${startup.slug}`}>{nameOf(startup)}</a>
                {starOf(startup)}
              </th>
            ))}
          </tr>
        </thead>
        {[...groups, rare]
          .filter(({ differing }) => differing.length > 0)
          .map(({ title, differing }) => (
            <tbody>
              <tr>
                <th class="group" scope="rowgroup" colspan={startups.length + 1}>
                  {title}
                </th>
              </tr>
              {differing.map(({ heading, cells, value, better }) => (
                <tr>
                  <th scope="row">{heading}</th>
                  {comparedCells(cells, startups.map(value), better)}
                </tr>
              ))}
            </tbody>
          ))}
      </table>
    </div>,
    same.length > 0 && (
      <details class="card">
        <summary>Same for all ({same.length})</summary>
        <dl class="facts">{same.map(({ heading, cells }) => [<dt>{heading}</dt>, <dd>{cells[0]}</dd>])}</dl>
      </details>
    ),
  ];
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
      {best.includes(index) ? marked([cell].flat()) : cell}
      {hasBars && typeof values[index] === 'number' && cellBar(values[index] / most)}
    </td>
  ));
}

/** Marks a best value, but not the one that it has replaced. */
const marked = (parts: readonly Content[]): Content =>
  parts.with(-1, [<mark>{parts.at(-1)}</mark>, <span class="hidden"> best</span>]);

/** The places of the best values; none if all are the same, or one is known only. */
export function bestOf(values: readonly unknown[], better: 'more' | 'less'): number[] {
  const known = values.filter((value) => typeof value === 'number');
  const best = better === 'less' ? Math.min(...known) : Math.max(...known);
  return known.every((value) => value === best)
    ? []
    : values.flatMap((value, index) => (value === best ? [index] : []));
}
