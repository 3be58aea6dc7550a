import { type Chart, card, HEIGHT, plot, roundUp, STEP } from './charts.tsx';
import { count, share } from './figures.tsx';
import type { Content, Html } from './jsx.ts';
import { time, timeText } from './time.tsx';

// Charts of requests, by what became of them.

/** The requests of a period, by what became of them. */
interface Outcomes {
  readonly succeeded: number;
  readonly errors: number;
  readonly refused: number;
}

/** One bar of a chart. */
interface Bar extends Outcomes {
  /** The start of its period. */
  readonly start: Date;
  /** Where it leads. */
  readonly href?: string | undefined;
}

interface BarChart extends Chart {
  /** One sentence that describes the chart, for screen readers. */
  readonly summary: string;
  /** At least one. */
  readonly bars: readonly Bar[];
  /** How precisely the start of a bar is shown. */
  readonly precision: 'day' | 'minute';
  /** The name of the line below the bars, which shows their share of errors. */
  readonly rate: string;
}

/** The gap after a bar, in the units of the drawing. */
const GAP = 2;

/** The fewest bars with requests whose share of errors is worth a line. */
const FEWEST_POINTS = 3;

/** The parts of a bar, from below, and what they are called. */
const tones = [
  ['succeeded', 'succeeded'],
  ['errors', 'errors'],
  ['refused', 'rate limited'],
] as const;

/**
 * Bars as small as a word, on a scale that begins with zero.
 *
 * @param summary the same in words.
 */
export function sparkBars(bars: readonly Outcomes[], summary: string): Html {
  const top = Math.max(1, ...bars.map(sumOf));
  return (
    <svg
      class="spark bars"
      viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      {bars.map((bar, index) => (
        <>
          <rect class="track" x={index * STEP + GAP / 2} y={HEIGHT - 4} width={STEP - GAP} height={4} />
          {parts(bar, index * STEP, top)}
        </>
      ))}
    </svg>
  );
}

/**
 * Stacked bars, drawn as SVG that fills the available width, with a table behind. Its texts are
 * outside of the drawing, so that they keep their size.
 */
export function barChart({ bars, precision, summary, rate, ...chart }: BarChart): Html {
  const top = roundUp(Math.max(1, ...bars.map(sumOf)));
  const drawing = plot({
    id: chart.id,
    summary,
    scale: [count(top), count(top / 2), '0'],
    steps: bars.length,
    hasLinks: bars.some(({ href }) => href !== undefined),
    drawing: bars.map((bar, index) => stack(bar, index * STEP, top, precision)),
    tick: (index) => time((bars[index] as Bar).start, precision),
  });
  return card(
    { ...chart, legend: tones },
    <>
      {drawing}
      {bars.filter((bar) => sumOf(bar) > 0).length >= FEWEST_POINTS && (
        <>
          <h3 id={`${chart.id}-rate`}>{rate}</h3>
          {ratePlot(`${chart.id}-rate`, bars, precision)}
        </>
      )}
    </>,
  );
}

/** The share of errors of each bar, as a line with gaps where nothing was requested. Its name is the element with the id. */
function ratePlot(id: string, bars: readonly Bar[], precision: BarChart['precision']): Html {
  const rates = bars.map((bar) => (sumOf(bar) === 0 ? undefined : bar.errors / sumOf(bar)));
  const top = roundUp(Math.max(1, ...rates.map((rate) => (rate ?? 0) * 100)));
  const line = rates.map((rate, index) => {
    const y = Math.round((1 - ((rate ?? 0) * 100) / top) * HEIGHT * 100) / 100;
    const start = rates[index - 1] === undefined ? `M${index * STEP} ${y}` : `V${y}`;
    return rate === undefined ? '' : `${start}H${(index + 1) * STEP}`;
  });
  const show = (rate: number | undefined): string => (rate === undefined ? 'no requests' : share(rate));
  const most = rates.reduce((one, other) => ((other ?? 0) > (one ?? 0) ? other : one));
  return plot({
    id,
    kind: 'low',
    summary: `At most ${show(most)}.`,
    scale: [`${top} %`, `${top / 2} %`, '0'],
    steps: bars.length,
    drawing: <path class="line errors" d={line.join('')} />,
    tick: (index) => time((bars[index] as Bar).start, precision),
    readout: {
      start: (bars[0] as Bar).start.toISOString(),
      step: (bars[1]?.start.getTime() ?? 0) - (bars[0] as Bar).start.getTime(),
      values: rates.map(show),
    },
  });
}

const sumOf = ({ succeeded, errors, refused }: Outcomes): number => succeeded + errors + refused;

function stack(bar: Bar, x: number, top: number, precision: BarChart['precision']): Html {
  const label = timeText(bar.start, precision);
  const text = `${label}: ${tones.map(([tone, name]) => `${count(bar[tone])} ${name}`).join(', ')}`;
  const drawn = (
    <g data-label={label}>
      <title>{text}</title>
      <rect class="area" x={x} width={STEP} height={HEIGHT} />
      {parts(bar, x, top)}
    </g>
  );
  // No stop of the keyboard, of which there would be many: the table behind has the same links.
  return bar.href === undefined ? (
    drawn
  ) : (
    <a href={bar.href} tabindex="-1" aria-label={text}>
      {drawn}
    </a>
  );
}

/** The parts of a bar, one on top of another. */
function parts(bar: Outcomes, x: number, top: number): Content {
  let below = 0;
  return tones.map(([tone]) => {
    const height = Math.round((bar[tone] / top) * HEIGHT * 100) / 100;
    below += height;
    const y = Math.round((HEIGHT - below) * 100) / 100;
    return height > 0 && <rect class={tone} x={x + GAP / 2} y={y} width={STEP - GAP} height={height} />;
  });
}
