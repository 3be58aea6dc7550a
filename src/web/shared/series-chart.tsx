import { closeScale } from '../../lib/text/scale.ts';
import { HEIGHT, plot, roundUp, STEP } from './charts.tsx';
import { count, dollarText, money, moneyText, percent } from './figures.tsx';
import type { Content, Html } from './jsx.ts';

/** A figure that can be drawn. */
export interface Series {
  /** In ids. */
  readonly name: string;
  /** Its path in a point, as GraphQL returns it. */
  readonly path: string;
  readonly label: string;
  readonly unit: 'cents' | 'count';
}

/** A figure with its values, one for each day, without gaps; at least one. */
export interface DrawnSeries extends Series {
  readonly points: readonly { readonly day: string; readonly value: number }[];
  /** What its growth compares: the first and the last value by default; null where it has none. */
  readonly compared?: readonly [before: number, now: number] | null;
}

interface SeriesChart {
  /** Its heading. */
  readonly heading: Html;
  readonly series: readonly DrawnSeries[];
  /** Whether the scale begins near the lowest value instead of at 0. */
  readonly isClose?: boolean;
  /** The address of the page that embeds the line of a figure, by its path. */
  readonly embed?: ((path: string) => string) | undefined;
  /** The same in numbers. */
  readonly table?: Content;
}

/** Figures day by day, one of them as a line at a time, in a card. The choice takes no script. At most four. */
export function seriesChart({ heading, series, isClose = false, embed, table }: SeriesChart): Html {
  return (
    <section class="card chart series">
      {heading}
      <fieldset class="figures-to-draw">
        <legend class="hidden">Figure</legend>
        {series.map(({ name, label, unit, points, compared }, index) => {
          const shown = points.at(-1)?.value ?? 0;
          const [first, last] = compared ?? (compared === null ? [0, 0] : [points[0]?.value ?? 0, shown]);
          return (
            <label>
              <input type="radio" name="series" id={`series-${name}`} checked={index === 0} />
              <span class="soft" id={`history-${name}`}>
                {label}
              </span>
              <strong>{unit === 'cents' ? money(shown) : count(shown)}</strong>
              <span class={last > first ? 'small up' : last < first ? 'small down' : 'small soft'}>
                {first > 0 &&
                  points.length > 1 &&
                  (last === first ? (
                    'unchanged'
                  ) : (
                    <>
                      {percent(((last - first) / first) * 100, 'change')} in {points.length - 1} days
                    </>
                  ))}
              </span>
            </label>
          );
        })}
      </fieldset>
      {series.map(({ name, path, unit, points }) => (
        <div class={`drawn ${name}`}>
          {linePlot({ id: `history-${name}`, points, unit, isClose })}
          {embed !== undefined && (
            <p class="small">
              <a href={embed(path)}>Embed this chart</a>
            </p>
          )}
        </div>
      ))}
      {table !== undefined && (
        <details>
          <summary>Show as a table</summary>
          {table}
        </details>
      )}
    </section>
  );
}

interface Line extends Pick<DrawnSeries, 'points' | 'unit'> {
  /** Of the element with its name. */
  readonly id: string;
  /** Whether the scale begins near the lowest value instead of at 0, so that a change of a few percent is seen. */
  readonly isClose?: boolean;
}

/**
 * Values day by day, as steps, because a value applies until the next day. A script shows the one under the pointer, or the
 * one to which the arrow keys lead.
 */
export function linePlot({ id, points, unit, isClose = false }: Line): Html {
  const [scale, show] =
    unit === 'cents'
      ? [100, (value: number) => moneyText(value * 100)]
      : [1, (value: number) => count(value)];
  const values = points.map(({ value }) => value / scale);
  const [least, most] = [Math.min(...values), Math.max(...values, 1)];
  const [bottom, top] = isClose ? closeScale(least, most) : [0, roundUp(most)];
  const steps = values
    .map((value, index) => {
      const y = Math.round((1 - (value - bottom) / (top - bottom)) * HEIGHT * 100) / 100;
      return `${index === 0 ? `M0 ${y}` : `V${y}`}H${(index + 1) * STEP}`;
    })
    .join('');
  const on = (index: number): string => `${show(values.at(index) ?? 0)} on ${points.at(index)?.day}`;
  return plot({
    id,
    summary: points.length === 1 ? `${on(0)}.` : `${on(0)}, ${on(-1)}.`,
    scale: [show(top), show((top + bottom) / 2), bottom === 0 ? '0' : show(bottom)],
    steps: points.length,
    drawing: (
      <>
        {bottom === 0 && <path class="under" d={`${steps}V${HEIGHT}H0Z`} />}
        <path class="line" d={steps} />
      </>
    ),
    tick: (index) => points[index]?.day,
    readout: {
      start: points[0]?.day ?? '',
      values: points.map(({ value }) => (unit === 'cents' ? dollarText(value) : count(value))),
    },
  });
}
