import { betterOf, labelOfField } from '../../../startups/model/field-labels.ts';
import type { NamedStartupField, StartupFieldPath } from '../../../startups/model/fields.ts';
import { cellBar } from '../../shared/charts.tsx';
import { monogram } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { cellOf, columns, paybackYears, type ShownColumn } from '../explorer/columns.tsx';
import { factGroups } from '../explorer/facts.ts';
import { NONE, readField } from '../explorer/fields.tsx';
import { EXPLORER_PATH } from '../explorer/query.ts';
import type { ShownStartup } from '../explorer/requests.ts';
import { COMPARE_MIN, comparePath } from './paths.ts';

/** One line of a comparison. */
interface Line {
  readonly label: string;
  readonly cell: ShownColumn['cell'];
  /** What is compared; without it, no value is better than another. */
  readonly value?: (startup: ShownStartup) => number | undefined;
  /** Whether the best is the lowest. */
  readonly isLess?: boolean;
}

/** What differs between startups in few words. */
const kinds = ['cents', 'count', 'percent', 'ratio', 'boolean', 'choice', 'country', 'date'];

const lineOf = ({ path }: NamedStartupField): Line => ({
  label: labelOfField(path),
  cell: cellOf(path),
  ...(betterOf(path) !== undefined && {
    value: (startup) => (readField(startup, path) as number | null) ?? undefined,
    isLess: betterOf(path) === 'less',
  }),
});

/** Lines that show a column of the explorer, each after the field that it is about. */
const further: Readonly<Record<string, Pick<Line, 'value' | 'isLess'> & { readonly column: string }>> = {
  'revenue.mrr': { column: 'trend' },
  multiple: { column: 'payback', value: paybackYears, isLess: true },
};

function furtherLines({ path }: NamedStartupField): Line[] {
  const { column, ...comparing } = further[path] ?? {};
  return columns
    .filter(({ id }) => id === column)
    .map(({ heading, cell }) => ({ label: heading, cell, ...comparing }));
}

const compared = factGroups.map(({ title, fields }) => ({
  title,
  fields: fields.filter(({ kind }) => kinds.includes(kind)),
}));

const groups: readonly { readonly title: string; readonly lines: readonly Line[] }[] = compared.map(
  ({ title, fields }) => ({
    title,
    lines: fields.flatMap((field) => [lineOf(field), ...furtherLines(field)]),
  }),
);

/** Everything that a comparison reads. */
export const comparedFields: readonly StartupFieldPath[] = [
  ...(['name', 'slug', 'previousAskingPrice'] as const),
  ...compared.flatMap(({ fields }) => fields.map(({ path }) => path)),
];

/** Startups side by side; the lines in which all are the same are behind them. @param starOf the button that adds one to the shortlist. */
export function comparison(
  startups: readonly ShownStartup[],
  starOf: (startup: ShownStartup) => Html,
  now: number,
): Html {
  const [first] = startups as [ShownStartup];
  const same: Line[] = [];
  const shown = groups.map(({ title, lines }) => ({
    title,
    lines: lines.filter((line) => {
      const cells = startups.map((startup) => line.cell(startup, now));
      const isKnown = cells.some((cell) => cell !== NONE);
      const isSame = cells.length > 1 && new Set(cells.map(String)).size === 1;
      if (isSame && isKnown) {
        same.push(line);
      }
      return isKnown && !isSame;
    }),
  }));
  return (
    <>
      <div class="table">
        <table class="compared">
          <caption class="soft small">
            The best value of a line is <mark>marked</mark>
          </caption>
          <thead>
            <tr>
              <td />
              {startups.map((startup) => (
                <th scope="col">
                  {monogram(startup.name)}
                  <a href={`${EXPLORER_PATH}/${startup.slug}`}>{startup.name}</a>
                  {starOf(startup)}
                  {startups.length > COMPARE_MIN && withoutOne(startup, startups)}
                </th>
              ))}
            </tr>
          </thead>
          {shown
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
            {same.map(({ label, cell }) => (
              <>
                <dt>{label}</dt>
                <dd>{cell(first, now)}</dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

/** Leads to the comparison of all others. */
function withoutOne({ name, slug }: ShownStartup, startups: readonly ShownStartup[]): Html {
  const others = startups.map((one) => one.slug).filter((one) => one !== slug);
  return (
    <a class="small soft" href={comparePath(others)} aria-label={`Leave out ${name}`} title="Leave out">
      ✕
    </a>
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
  return new Set(
    isDecided ? known.filter(({ number }) => number === best).map(({ startup }) => startup) : [],
  );
}
