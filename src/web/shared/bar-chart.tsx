import { HEIGHT, plot, roundUp, STEP } from './charts.tsx';
import { count } from './figures.tsx';
import type { Content, Html } from './jsx.ts';
import { time, timeText } from './time.tsx';

/** The requests of a period, by what became of them. */
interface Bar {
  readonly succeeded: number;
  readonly errors: number;
  readonly refused: number;
  /** The start of the period. */
  readonly start: Date;
}

interface BarChart {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** The same in numbers. */
  readonly table: Content;
  /** One sentence that describes the chart, for screen readers. */
  readonly summary: string;
  /** At least one. */
  readonly bars: readonly Bar[];
  /** How precisely the start of a bar is shown. */
  readonly precision: 'day' | 'minute';
}

/** The gap after a bar, in the units of the drawing. */
const GAP = 2;

/** The parts of a bar, from below, and what they are called. */
const tones = [
  ['succeeded', 'succeeded'],
  ['errors', 'errors'],
  ['refused', 'rate limited'],
] as const;

const sumOf = ({ succeeded, errors, refused }: Bar): number => succeeded + errors + refused;

/** Stacked bars of requests by what became of them, with a table behind. */
export function barChart({ id, title, bars, precision, summary, table }: BarChart): Html {
  const top = roundUp(Math.max(1, ...bars.map(sumOf)));
  return (
    <section class="card chart">
      <div class="heading sub">
        <h2 id={id}>{title}</h2>
        <p class="legend">
          {tones.map(([tone, name]) => (
            <span>
              <span class={`key ${tone}`} />
              {name}
            </span>
          ))}
        </p>
      </div>
      {plot({
        id,
        summary,
        scale: [count(top), count(top / 2), '0'],
        steps: bars.length,
        drawing: bars.map((bar, index) => stack(bar, index * STEP, top, precision)),
        tick: (index) => time((bars[index] as Bar).start, precision),
      })}
      <details>
        <summary>Show as a table</summary>
        {table}
      </details>
    </section>
  );
}

function stack(bar: Bar, x: number, top: number, precision: BarChart['precision']): Html {
  const label = timeText(bar.start, precision);
  let below = 0;
  return (
    <g data-label={label}>
      <title>{`${label}: ${tones.map(([tone, name]) => `${count(bar[tone])} ${name}`).join(', ')}`}</title>
      <rect class="area" x={x} width={STEP} height={HEIGHT} />
      {tones.map(([tone]) => {
        const height = Math.round((bar[tone] / top) * HEIGHT * 100) / 100;
        below += height;
        const y = Math.round((HEIGHT - below) * 100) / 100;
        return height > 0 && <rect class={tone} x={x + GAP / 2} y={y} width={STEP - GAP} height={height} />;
      })}
    </g>
  );
}
