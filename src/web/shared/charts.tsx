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

/** A step of a chart, and its height, in the units of the drawing. */
export const [STEP, HEIGHT] = [10, 100];

interface Plot {
  readonly id: string;
  readonly summary: string;
  /** How many steps the drawing is wide, and the text below one of them. */
  readonly steps: number;
  readonly tick: (index: number) => Content;
  /** From above. */
  readonly scale: readonly string[];
  readonly drawing: Content;
  /** The first day, and what a script shows of each. */
  readonly readout?: { readonly start: string; readonly values: readonly string[] };
}

/** A drawing with its scale and its ticks. Its name is the element with the id. */
export function plot({ id, summary, scale, steps, drawing, tick, readout }: Plot): Html {
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
export function roundUp(most: number): number {
  if (most <= 10) {
    return Math.ceil(most / 2) * 2;
  }
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * (roundNumbers.find((step) => step * unit >= most) ?? 10);
}

const roundNumbers = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8];
