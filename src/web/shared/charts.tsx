import { closeScale } from '../../lib/text/scale.ts';
import { count, dollarText, moneyText } from './figures.tsx';
import type { Content, Html } from './jsx.ts';

/**
 * A bar that compares a cell with the others of its column. The number beside it says the same, so a screen
 * reader skips it.
 *
 * @param share of the greatest, 0 to 1.
 */
export function cellBar(share: number, tone: 'plain' | 'bad' | 'refused' = 'plain'): Html {
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

/** What all charts with a card have. */
export interface Chart {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** The same in numbers. */
  readonly table?: Content;
}

/** A step of a chart, and its height, in the units of the drawing. */
export const [STEP, HEIGHT] = [10, 100];

/** Values by day. */
interface Line {
  /** Unique on its page. */
  readonly id: string;
  /** In order, without gaps; at least one. */
  readonly points: readonly { readonly day: string; readonly value: number }[];
  /** What the values are. */
  readonly unit?: 'cents' | 'count';
  /** Whether the scale begins near the lowest value instead of at 0, so that a change of a few percent is seen. */
  readonly isClose?: boolean;
}

/**
 * Values day by day, as steps, because a value applies until the next day. A script shows the one under the pointer, or the
 * one to which the arrow keys lead. Its name is the element with the id.
 */
export function linePlot({ id, points, unit = 'cents', isClose = false }: Line): Html {
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

interface Plot {
  readonly id: string;
  readonly summary: string;
  /** From above. */
  readonly scale: readonly string[];
  /** How many steps the drawing is wide. */
  readonly steps: number;
  readonly drawing: Content;
  /** The text below a step. */
  readonly tick: (index: number) => Content;
  /** The first day, and what a script shows of each. */
  readonly readout?: { readonly start: string; readonly values: readonly string[] };
}

/** A drawing with its scale and its ticks. Its name is the element with the id. */
export function plot(of: Plot): Html {
  const { id, summary, scale, steps, drawing, tick, readout } = of;
  const width = steps * STEP;
  // With few steps, some of them are the same.
  const ticks = [...new Set([0, Math.floor(steps / 2), steps - 1])];
  return (
    <div class="plot">
      <p class="scale" aria-hidden="true">
        {scale.map((label) => (
          <span>{label}</span>
        ))}
      </p>
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
      <p class="ticks" aria-hidden="true">
        {ticks.map((index) => (
          <span>{tick(index)}</span>
        ))}
      </p>
    </div>
  );
}

/**
 * A drawing with its title and the same in numbers.
 *
 * @param legend the class and the name of each colour.
 */
export function chartCard(
  {
    id,
    title,
    legend,
    table,
  }: Chart & { readonly legend: readonly (readonly [tone: string, name: string])[] },
  drawing: Html,
): Html {
  return (
    <section class="card chart">
      <div class="heading sub">
        <h2 id={id}>{title}</h2>
        <p class="legend">
          {legend.map(([tone, name]) => (
            <span>
              <span class={`key ${tone}`} />
              {name}
            </span>
          ))}
        </p>
      </div>
      {drawing}
      {table !== undefined && (
        <details>
          <summary>Show as a table</summary>
          {table}
        </details>
      )}
    </section>
  );
}

/** The next higher round number whose half is round too. */
export function roundUp(most: number): number {
  if (most <= 10) {
    return Math.ceil(most / 2) * 2;
  }
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * (roundNumbers.find((step) => step * unit >= most) ?? 10);
}

const roundNumbers = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8];
