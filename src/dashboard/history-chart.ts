import { type Content, type Html, html } from '../html.ts';
import { dayOf } from '../startups/days.ts';
import type { StartupPoint } from '../startups/history/points.ts';
import { roundUp } from './charts.ts';
import { count, money, shortMoney } from './figures.ts';

/** The width of a day and the height of the drawing, in its own units. */
const [STEP, HEIGHT] = [10, 100];
const CENTS_PER_DOLLAR = 100;

/**
 * The revenue of a startup day by day as a line, with all its figures in a table behind it.
 *
 * @param points one for each day, as history returns them with `fill`.
 */
export function historyChart(points: readonly StartupPoint[]): Html {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) {
    return html`<section class="card"><h2>History</h2><p class="soft">There are no figures for these days.</p></section>`;
  }
  const top = roundUp(Math.max(1, ...points.map(revenueOf)) / CENTS_PER_DOLLAR) * CENTS_PER_DOLLAR;
  const width = points.length * STEP;
  const summary = `${shortMoney(revenueOf(first))} on ${dayOf(first.day)}, ${shortMoney(revenueOf(last))} on ${dayOf(last.day)}.`;
  const middle = points[Math.floor(points.length / 2)] ?? last;
  return html`<section class="card chart">
<div class="heading sub"><h2 id="history">History</h2><p class="legend"><span class="key admitted"></span>revenue last 30 days</p></div>
<div class="plot"><p class="scale" aria-hidden="true"><span>${shortMoney(top)}</span><span>${shortMoney(top / 2)}</span><span>0</span></p>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="history history-summary"><desc id="history-summary">${summary}</desc>
<path class="grid" d="M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}"/>
<path class="line" d="${lineOf(points, top)}"/></svg></div>
<p class="ticks" aria-hidden="true">${[first, middle, last].map(({ day }) => html`<span>${dayOf(day)}</span>`)}</p>
<details><summary>History as a table</summary>${historyTable(points)}</details>
</section>`;
}

function revenueOf({ revenueLast30Days }: StartupPoint): number {
  return Number(revenueLast30Days);
}

/** As steps, because a value applies until the next day. */
function lineOf(points: readonly StartupPoint[], top: number): string {
  return points
    .map((point, index) => {
      const y = Math.round((1 - revenueOf(point) / top) * HEIGHT * 100) / 100;
      return `${index === 0 ? `M0 ${y}` : `V${y}`}H${(index + 1) * STEP}`;
    })
    .join('');
}

/** The columns of the table, in addition to the day. */
const figures: readonly (readonly [
  keyof StartupPoint,
  head: string,
  show: (point: StartupPoint) => Content,
])[] = [
  ['revenueLast30Days', 'Revenue last 30 days', (point) => money(revenueOf(point))],
  ['revenueMrr', 'MRR', ({ revenueMrr }) => money(Number(revenueMrr))],
  ['revenueTotal', 'Total revenue', ({ revenueTotal }) => money(Number(revenueTotal))],
  ['customers', 'Customers', ({ customers }) => count(customers)],
  ['activeSubscriptions', 'Active subscriptions', ({ activeSubscriptions }) => count(activeSubscriptions)],
  [
    'askingPrice',
    'Asking price',
    ({ askingPrice }) =>
      askingPrice === null ? html`<span class="soft">–</span>` : money(Number(askingPrice)),
  ],
  ['onSale', 'On sale', ({ onSale }) => (onSale ? 'yes' : 'no')],
];

function historyTable(points: readonly StartupPoint[]): Html {
  const changes = points.filter((point, index) => {
    const before = points[index - 1];
    return before === undefined || figures.some(([name]) => point[name] !== before[name]);
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="History in numbers"><table class="counts"><caption>In UTC, the last day first; a day on which no figure changed is left out. Amounts are US dollars.</caption>
<thead><tr><th scope="col">Day</th>${figures.map(([, head]) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${changes
    .toReversed()
    .map(
      (point) =>
        html`<tr><th scope="row">${dayOf(point.day)}</th>${figures.map(([, , show]) => html`<td>${show(point)}</td>`)}</tr>`,
    )}</tbody></table></div>`;
}
