import { type Content, type Html, html } from '../html.ts';
import { count } from './figures.ts';

/**
 * A bar that compares a cell with the others of its column. The number beside it says the same, so a screen
 * reader passes it over.
 *
 * @param share of the greatest, 0 to 1.
 */
export function cellBar(share: number, tone: 'plain' | 'bad' = 'plain'): Html {
  const width = Math.round(Math.max(0, Math.min(1, share)) * 1_000) / 10;
  return html`<svg class="cell-bar ${tone}" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4"/><rect class="fill" width="${width}" height="4"/></svg>`;
}

/** One bar of a chart. */
interface Bar {
  /** What it stands for, such as an hour. */
  readonly label: string;
  readonly admitted: number;
  readonly refused: number;
}

/** What a chart shows. */
interface BarChart {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** One sentence that says what is to be seen, for those who do not see it. */
  readonly summary: string;
  readonly bars: readonly Bar[];
  /** The same in numbers. */
  readonly table: Content;
}

/** A step of a bar and the gap after it, and a bar's height, in the units of the drawing. */
const [STEP, GAP, HEIGHT] = [10, 2, 100];

/**
 * Stacked bars, admitted below refused, drawn here as SVG that takes whatever width there is, with a table
 * behind. Its texts stand beside the drawing, so that they keep their size.
 */
export function barChart({ id, title, summary, bars, table }: BarChart): Html {
  const top = roundUp(Math.max(1, ...bars.map(({ admitted, refused }) => admitted + refused)));
  const width = bars.length * STEP;
  const middle = bars[Math.floor(bars.length / 2)];
  return html`<section class="card chart">
<div class="heading sub"><h2 id="${id}">${title}</h2><p class="legend"><span class="key admitted"></span>admitted <span class="key refused"></span>refused</p></div>
<div class="plot"><p class="scale" aria-hidden="true"><span>${count(top)}</span><span>${count(top / 2)}</span><span>0</span></p>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id} ${id}-summary"><desc id="${id}-summary">${summary}</desc>
<path class="grid" d="M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}"/>
${bars.map((bar, index) => stack(bar, index * STEP + GAP / 2, top))}</svg></div>
<p class="ticks" aria-hidden="true"><span>${bars[0]?.label}</span><span>${middle?.label}</span><span>${bars.at(-1)?.label}</span></p>
<details><summary>${title} as a table</summary>${table}</details>
</section>`;
}

function stack({ label, admitted, refused }: Bar, x: number, top: number): Html | undefined {
  if (admitted + refused === 0) {
    return undefined;
  }
  const height = (requests: number): number => Math.round((requests / top) * HEIGHT * 100) / 100;
  const [below, above] = [height(admitted), height(refused)];
  const rect = (tone: string, y: number, size: number): Html | false =>
    size > 0 &&
    html`<rect class="${tone}" x="${x}" y="${Math.round(y * 100) / 100}" width="${STEP - GAP}" height="${size}"/>`;
  return html`<g><title>${label}: ${count(admitted)} admitted, ${count(refused)} refused</title>${rect('admitted', HEIGHT - below, below)}${rect('refused', HEIGHT - below - above, above)}</g>`;
}

/** The next number above that reads well, and whose half does. */
export function roundUp(most: number): number {
  if (most <= 10) {
    return Math.ceil(most / 2) * 2;
  }
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * (steps.find((step) => step * unit >= most) ?? 10);
}

const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8];
