import { betterOf, labelOfField } from '../../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import { cellBar } from '../../shared/charts.tsx';
import { monogram } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { cellOf, columns, NONE, paybackMonths, readField, type StartupColumn } from '../explorer/columns.tsx';
import type { ShownStartup } from '../explorer/documents.ts';
import { EXPLORER_PATH } from '../explorer/query.ts';
import { factGroups } from '../explorer/startup-view.tsx';

/** One line of a comparison. */
interface Line {
  readonly label: string;
  readonly cell: StartupColumn['cell'];
  /** What is compared; without it, no value is better than another. */
  readonly value?: (startup: ShownStartup) => number | undefined;
  /** Whether the best is the lowest. */
  readonly isLess?: boolean;
}

/** What differs between startups in few words. */
const kinds = ['cents', 'count', 'percent', 'ratio', 'boolean', 'choice', 'country', 'date'];

const fieldLine = (path: StartupFieldPath): Line => {
  const better = betterOf(path);
  return {
    label: labelOfField(path),
    cell: cellOf(path),
    ...(better !== undefined && {
      value: (startup) => (readField(startup, path) as number | null) ?? undefined,
      isLess: better === 'less',
    }),
  };
};

const columnLine = (wanted: string, more: Partial<Line> = {}): Line[] =>
  columns.filter(({ id }) => id === wanted).map(({ heading: label, cell }) => ({ label, cell, ...more }));

/** Lines that show a column of the explorer, each after the field that it is about. */
const further: Readonly<Record<string, readonly Line[]>> = {
  'revenue.mrr': columnLine('trend'),
  multiple: columnLine('payback', { value: paybackMonths, isLess: true }),
};

const compared = factGroups.map(({ title, fields }) => ({
  title,
  paths: fields.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path),
}));
const groups = compared.map(({ title, paths }) => ({
  title,
  lines: paths.flatMap((path) => [fieldLine(path), ...(further[path] ?? [])]),
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
  const [first] = startups as [ShownStartup];
  const cellsOf = ({ cell }: Line) => startups.map((startup) => cell(startup, now));
  const isKnown = (line: Line): boolean => cellsOf(line).some((cell) => cell !== NONE);
  const isSame = (line: Line): boolean =>
    startups.length > 1 && new Set(cellsOf(line).map(String)).size === 1;
  const same = groups.flatMap(({ lines }) => lines.filter((line) => isKnown(line) && isSame(line)));
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
            .map(({ title, lines }) => ({
              title,
              lines: lines.filter((line) => isKnown(line) && !isSame(line)),
            }))
            .filter(({ lines }) => lines.length > 0)
            .map(({ title, lines }) => (
              <tbody>
                <tr>
                  <th class="group" scope="rowgroup" colspan={startups.length + 1}>
                    {title}
                  </th>
                </tr>
                {lines.map((line) => comparedLine(line, startups, now))}
              </tbody>
            ))}
        </table>
      </div>
      {same.length > 0 && (
        <details class="card">
          <summary>Same for all ({same.length})</summary>
          <dl class="facts">
            {same.map(({ label, cell }) => [<dt>{label}</dt>, <dd>{cell(first, now)}</dd>])}
          </dl>
        </details>
      )}
    </>
  );
}

/** The values of a line, each with a bar that compares it where more is better. That of a negative value is empty. */
function comparedLine(line: Line, startups: readonly ShownStartup[], now: number): Html {
  const best = bestOf(line, startups);
  const values = startups.map((startup) => line.value?.(startup) ?? Number.NaN);
  const known = values.filter((value) => !Number.isNaN(value));
  const most = Math.max(...known);
  const hasBars = line.isLess === false && known.length > 1 && most > 0;
  return (
    <tr>
      <th scope="row">{line.label}</th>
      {startups.map((startup, index) => (
        <td>
          {best.has(startup) ? (
            <mark>
              {line.cell(startup, now)} <span class="hidden">best</span>
            </mark>
          ) : (
            line.cell(startup, now)
          )}
          {hasBars && !Number.isNaN(values[index]) && cellBar((values[index] ?? 0) / most)}
        </td>
      ))}
    </tr>
  );
}

/** Those with the best value of a line; none if all are the same, or there is one value only. */
export function bestOf(
  { value, isLess = false }: Pick<Line, 'value' | 'isLess'>,
  startups: readonly ShownStartup[],
): ReadonlySet<ShownStartup> {
  const known = startups.flatMap((startup) => {
    const number = value?.(startup);
    return number === undefined || !Number.isFinite(number) ? [] : [{ startup, number }];
  });
  const numbers = known.map(({ number }) => number);
  const best = isLess ? Math.min(...numbers) : Math.max(...numbers);
  const isDecided = numbers.some((number) => number !== best);
  return new Set(known.filter(({ number }) => isDecided && number === best).map(({ startup }) => startup));
}
