import { labelOfField, shortLabelOf } from '../../../startups/model/field-labels.ts';
import { pointFigureList } from '../../../startups/model/point-figures.ts';
import { type DrawnSeries, figureText, type Series, seriesChart } from '../../shared/charts.tsx';
import { type Column, Facts, Table } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { readField, showField } from './columns.tsx';

/** A startup on one day such as 2026-11-23, as GraphQL returns it; amounts are cents. */
export interface StartupDay {
  readonly day: string;
  readonly [field: string]: unknown;
}

/** The figures that can be drawn. */
export const historySeries: readonly Series[] = pointFigureList.flatMap(({ path, kind, line }) =>
  line === undefined
    ? []
    : [
        {
          name: line.name,
          path,
          unit: kind === 'cents' ? 'cents' : 'count',
          label: shortLabelOf(path),
          isNeutral: line.neutral === true,
        },
      ],
);

const DAY_MS = 86_400_000;

/** The figures that are known on all days since the first one of each; one that ended or has a gap is left out. */
export function drawnSeries(points: readonly StartupDay[]): readonly DrawnSeries[] {
  return historySeries.flatMap((one) => {
    const known = points.flatMap((point) => {
      const value = readField(point, one.path) as number | null;
      return value === null ? [] : [{ day: point.day, value }];
    });
    const [first, last] = [known[0], points.at(-1)];
    const days = first && last ? (Date.parse(last.day) - Date.parse(first.day)) / DAY_MS + 1 : 0;
    return first === undefined || known.length < days ? [] : [{ ...one, points: known }];
  });
}

/**
 * The figures of a startup day by day, one of them as a line at a time, with all of them in a table behind it. A single
 * day has no line.
 *
 * @param points one for each day, as history returns them with `fill`.
 * @param series what is drawn of them.
 * @param embed the address of the page that embeds the line of a figure, by its path.
 */
export function historyChart(
  points: readonly StartupDay[],
  series: readonly DrawnSeries[],
  embed?: (path: string) => string,
): Html {
  const [first, second] = points;
  return second === undefined ? (
    <section class="card">
      <h2>History</h2>
      <Facts facts={series.map((one) => [one.label, figureText(one, one.points.at(-1)?.value ?? 0)])} />
      <p class="soft small">
        {first === undefined
          ? 'There are no figures for these days.'
          : `History starts on ${first.day}. A chart appears with the second day.`}
      </p>
    </section>
  ) : (
    seriesChart({ heading: <h2 class="hidden">History</h2>, series, embed, table: historyTable(points) })
  );
}

function historyTable(points: readonly StartupDay[]): Html {
  const figuresOf = (point: StartupDay | undefined): string => JSON.stringify({ ...point, day: '' });
  const changes = points.filter((point, index) => figuresOf(point) !== figuresOf(points[index - 1]));
  return (
    <Table<StartupDay>
      layout="scroll"
      box="History in numbers"
      caption="In UTC, the last day first; a day on which no figure changed is left out. Amounts are US dollars."
      columns={[
        ['Day', ({ day }) => day],
        ...pointFigureList.map(
          ({ path }): Column<StartupDay> => [labelOfField(path), (point) => showField(point, path)],
        ),
      ]}
      rows={changes.toReversed()}
    />
  );
}
