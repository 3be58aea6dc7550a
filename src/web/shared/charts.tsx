import { closeScale } from '../../lib/text/scale.ts';
import { count, dollarText, money, moneyText, percent } from './figures.tsx';
import type { Content, Html } from './jsx.ts';
import { tickText } from './time.tsx';

/**
 * A bar that compares a cell with the others of its column. The number beside it says the same, so a screen
 * reader skips it.
 *
 * @param share of the greatest, 0 to 1.
 */
export function cellBar(share: number, tone: 'plain' | 'refused' = 'plain'): Html {
  const width = Math.round(Math.max(0, Math.min(1, share)) * 1_000) / 10;
  return (
    <svg class={`cell-bar ${tone}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="4" />
      <rect class="fill" width={width} height="4" />
    </svg>
  );
}

/** The size of a small line, in the units of its drawing. */
const [SPARK_WIDTH, SPARK_HEIGHT] = [80, 20];

/**
 * A line as small as a word, in the color of its direction. Its scale is that of its values, but a change of a few percent
 * looks like one.
 *
 * @param values at least two, at equal distances; where one repeats for a while, it applied all that time.
 * @param summary the same in words.
 */
export function sparkline(values: readonly number[], summary: string): Html {
  const [most, least] = [Math.max(...values), Math.min(...values)];
  const range = Math.max(most - least, most / 10, 1);
  const bottom = (most + least - range) / 2;
  const last = values.length - 1;
  const points = values.flatMap((value, index) => {
    if (index !== 0 && index !== last && value === values[index - 1]) {
      return [];
    }
    const x = Math.round((index / last) * SPARK_WIDTH * 10) / 10;
    return [`${x} ${Math.round((1 - (value - bottom) / range) * SPARK_HEIGHT * 10) / 10}`];
  });
  const change = (values[last] ?? 0) - (values[0] ?? 0);
  const tone = Math.abs(change) * 50 < range ? '' : change > 0 ? 'up' : 'down';
  return (
    <svg
      class={`spark ${tone}`}
      viewBox={`0 -2 ${SPARK_WIDTH} ${SPARK_HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}

/** A step of a chart, its height, and the gap after a bar, in the units of the drawing. */
const [STEP, HEIGHT, GAP] = [10, 100, 2];

const hundredths = (number: number): number => Math.round(number * 100) / 100;

interface Plot {
  /** Of the element with its name. */
  readonly id: string;
  /** One sentence that describes it, for screen readers. */
  readonly summary: string;
  /** How many steps the drawing is wide, at least one, and the text below one of them. */
  readonly steps: number;
  readonly tick: (index: number) => Content;
  /** From above. */
  readonly scale: readonly string[];
  readonly drawing: Content;
  /** The first day, and what a script shows of each. */
  readonly readout?: { readonly start: string; readonly values: readonly string[] };
}

/** A drawing with its scale and its ticks. */
function plot({ id, summary, scale, steps, drawing, tick, readout }: Plot): Html {
  const width = steps * STEP;
  // With few steps, some of them are the same.
  const ticks = [...new Set([0, Math.floor(steps / 2), steps - 1])];
  const texts = (kind: string, all: readonly Content[]): Html => (
    <p class={kind} aria-hidden="true">
      {all.map((text) => (
        <span>{text}</span>
      ))}
    </p>
  );
  return (
    <div class="plot">
      {texts('scale', scale)}
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id} ${id}-summary`}
        data-start={readout?.start}
        data-values={readout && JSON.stringify(readout.values)}
      >
        <desc id={`${id}-summary`}>{summary}</desc>
        <path class="grid" d={`M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}`} />
        {drawing}
      </svg>
      {texts('ticks', ticks.map(tick))}
    </div>
  );
}

/** The next higher round number whose half is round too. */
function roundUp(most: number): number {
  if (most <= 10) {
    return Math.ceil(most / 2) * 2;
  }
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * ([1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8].find((step) => step * unit >= most) ?? 10);
}

interface Bars extends Pick<Plot, 'id' | 'summary' | 'tick'> {
  /** What each bar is of, and its parts from below: the class that colors one, its name and its number. */
  readonly bars: readonly {
    readonly label: string;
    readonly parts: readonly (readonly [tone: string, name: string, value: number])[];
  }[];
}

/** Stacked bars of numbers. */
export function barPlot({ bars, ...plotted }: Bars): Html {
  const top = roundUp(
    Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, [, , value]) => sum + value, 0))),
  );
  return plot({
    ...plotted,
    scale: [count(top), count(top / 2), '0'],
    steps: bars.length,
    drawing: bars.map(({ label, parts }, index) => {
      const x = index * STEP;
      let y = HEIGHT;
      return (
        <g data-label={label}>
          <title>{`${label}: ${parts.map(([, name, value]) => `${count(value)} ${name}`).join(', ')}`}</title>
          <rect class="area" x={x} width={STEP} height={HEIGHT} />
          {parts.map(([tone, , value]) => {
            const height = hundredths((value / top) * HEIGHT);
            y = hundredths(y - height);
            return (
              height > 0 && <rect class={tone} x={x + GAP / 2} y={y} width={STEP - GAP} height={height} />
            );
          })}
        </g>
      );
    }),
  });
}

/** What stands below a chart: the same in numbers. */
export const asTable = (table: Content): Html => (
  <details>
    <summary>Show as a table</summary>
    {table}
  </details>
);

/** A figure that can be drawn. */
export interface Series {
  /** In ids. */
  readonly name: string;
  /** Its path in a point, as GraphQL returns it. */
  readonly path: string;
  readonly label: string;
  readonly unit: 'cents' | 'count';
  /** Whether a change of it is neither good nor bad. */
  readonly isNeutral?: boolean;
}

/** A value of a figure. */
export const figureText = ({ unit }: Pick<Series, 'unit'>, value: number): Content =>
  unit === 'cents' ? money(value) : count(value);

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
        {series.map(({ name, label, unit, points, compared, isNeutral }, index) => {
          const shown = points.at(-1)?.value ?? 0;
          const [first, last] = compared ?? (compared === null ? [0, 0] : [points[0]?.value ?? 0, shown]);
          const tone = isNeutral || last === first ? 'soft' : last > first ? 'up' : 'down';
          return (
            <label>
              <input type="radio" name="series" id={`series-${name}`} checked={index === 0} />
              <span class="soft" id={`history-${name}`}>
                {label}
              </span>
              <strong>{figureText({ unit }, shown)}</strong>
              <span class={`small ${tone}`}>
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
      {table !== undefined && asTable(table)}
    </section>
  );
}

interface Line extends Pick<DrawnSeries, 'points' | 'unit'>, Pick<SeriesChart, 'isClose'> {
  /** Of the element with its name. */
  readonly id: string;
}

/**
 * Values day by day, as steps, because a value applies until the next day. A script shows the one under the pointer, or the
 * one to which the arrow keys lead.
 */
export function linePlot({ id, points, unit, isClose = false }: Line): Html {
  const isMoney = unit === 'cents';
  const show = (value: number): string => (isMoney ? moneyText(value * 100) : count(value));
  const values = points.map(({ value }) => (isMoney ? value / 100 : value));
  const [least, most] = [Math.min(...values), Math.max(...values, 1)];
  const [bottom, top] = isClose ? closeScale(least, most) : [0, roundUp(most)];
  const steps = values
    .map((value, index) => {
      const y = hundredths((1 - (value - bottom) / (top - bottom)) * HEIGHT);
      return `${index === 0 ? `M0 ${y}` : `V${y}`}H${(index + 1) * STEP}`;
    })
    .join('');
  const on = (index: number): string => `${show(values.at(index) ?? 0)} on ${points.at(index)?.day}`;
  return plot({
    id,
    summary: points.length === 1 ? `${on(0)}.` : `${on(0)}, ${on(-1)}.`,
    scale: [show(top), show((top + bottom) / 2), show(bottom)],
    steps: points.length,
    drawing: [
      bottom === 0 && <path class="under" d={`${steps}V${HEIGHT}H0Z`} />,
      <path class="line" d={steps} />,
    ],
    tick: (index) => tickText(new Date(points[index]?.day ?? 0), 'day'),
    readout: {
      start: points[0]?.day ?? '',
      values: points.map(({ value }) => (isMoney ? dollarText(value) : count(value))),
    },
  });
}
