import { type Content, type Html, html } from '../html.ts';
import { count } from './figures.ts';
import { time, timeText } from './forms.ts';

/**
 * A bar that compares a cell with the others of its column. The number beside it says the same, so a screen
 * reader skips it.
 *
 * @param share of the greatest, 0 to 1.
 */
export function cellBar(share: number, tone: 'plain' | 'bad' = 'plain'): Html {
  const width = Math.round(Math.max(0, Math.min(1, share)) * 1_000) / 10;
  return html`<svg class="cell-bar ${tone}" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4"/><rect class="fill" width="${width}" height="4"/></svg>`;
}

/** One bar of a chart. */
interface Bar {
  /** The start of its period. */
  readonly start: Date;
  readonly succeeded: number;
  readonly errors: number;
  readonly refused: number;
}

/** The content of a chart. */
interface BarChart {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** One sentence that describes the chart, for screen readers. */
  readonly summary: string;
  /** At least one. */
  readonly bars: readonly Bar[];
  /** How precisely the start of a bar is shown. */
  readonly precision: 'day' | 'minute';
  /** The same in numbers. */
  readonly table: Content;
}

/** A step of a bar and the gap after it, and a bar's height, in the units of the drawing. */
const [STEP, GAP, HEIGHT] = [10, 2, 100];

/** The parts of a bar, from below. */
const tones = ['succeeded', 'errors', 'refused'] as const;

/**
 * Stacked bars, drawn as SVG that fills the available width, with a table behind. Its texts are
 * outside of the drawing, so that they keep their size.
 */
export function barChart({ id, title, summary, bars, precision, table }: BarChart): Html {
  const top = roundUp(
    Math.max(1, ...bars.map(({ succeeded, errors, refused }) => succeeded + errors + refused)),
  );
  const width = bars.length * STEP;
  const tick = (bar: Bar | undefined): Html =>
    html`<span>${bar !== undefined && time(bar.start, precision)}</span>`;
  return html`<section class="card chart">
<div class="heading sub"><h2 id="${id}">${title}</h2><p class="legend">${tones.map((tone) => html`<span class="key ${tone}"></span>${tone} `)}</p></div>
<div class="plot"><p class="scale" aria-hidden="true"><span>${count(top)}</span><span>${count(top / 2)}</span><span>0</span></p>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id} ${id}-summary"><desc id="${id}-summary">${summary}</desc>
<path class="grid" d="M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}"/>
${bars.map((bar, index) => stack(bar, index * STEP, top, precision))}</svg></div>
<p class="ticks" aria-hidden="true">${tick(bars[0])}${tick(bars[Math.floor(bars.length / 2)])}${tick(bars.at(-1))}</p>
<details><summary>Show as a table</summary>${table}</details>
</section>`;
}

function stack(bar: Bar, x: number, top: number, precision: BarChart['precision']): Html {
  const iso = bar.start.toISOString();
  const label = timeText(bar.start, precision);
  let below = 0;
  const parts = tones.map((tone) => {
    const height = Math.round((bar[tone] / top) * HEIGHT * 100) / 100;
    below += height;
    const y = Math.round((HEIGHT - below) * 100) / 100;
    return (
      height > 0 &&
      html`<rect class="${tone}" x="${x + GAP / 2}" y="${y}" width="${STEP - GAP}" height="${height}"/>`
    );
  });
  return html`<g data-start="${iso}" data-label="${label}"${precision === 'minute' && html` data-local`}><title>${label}: ${tones.map((tone) => `${count(bar[tone])} ${tone}`).join(', ')}</title><rect class="area" x="${x}" width="${STEP}" height="${HEIGHT}"/>${parts}</g>`;
}

/** The next higher round number whose half is round too. */
export function roundUp(most: number): number {
  if (most <= 10) {
    return Math.ceil(most / 2) * 2;
  }
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * (steps.find((step) => step * unit >= most) ?? 10);
}

const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8];
