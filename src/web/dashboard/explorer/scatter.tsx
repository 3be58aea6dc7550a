import { percentText } from '../../../lib/text/figures.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import type { SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { nameOf, startupsText } from '../../parts/startups/columns.tsx';
import { readDocument } from '../../parts/startups/documents.ts';
import { count, moneyText, rounded } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { EXPLORER_PATH } from '../../shared/paths.ts';

/** A startup of the chart, with amounts above 0. */
export interface Point {
  readonly name: string;
  readonly slug: string;
  readonly onSale: boolean;
  readonly askingPrice: number;
  readonly multiple: number;
  /** Percent. */
  readonly growth30d: number | null;
  readonly revenue: { readonly last30Days: number };
}

/** How many pages of a list a chart reads by rank: with those that are furthest out, 200 startups at most. */
const PAGES_BY_RANK = 18;

const POINT = 'name slug onSale askingPrice multiple growth30d revenue { last30Days }';

/**
 * The startups of a list that its chart shows, the same whenever it is opened: at equal distances by rank, and those with
 * the lowest and the highest multiples.
 *
 * @param total how many of the list have a price and revenue.
 */
export async function readPoints(
  services: Pick<Services, 'engine'>,
  context: SignedInContext,
  { filter }: QueryArguments,
  total: number,
): Promise<Point[]> {
  const byRank = pagesApart(Math.ceil(total / RECORDS_PER_READ), PAGES_BY_RANK);
  const reads = [...byRank.map((page) => `TOTAL_DESC, page: ${page}`), 'MULTIPLE_ASC', 'MULTIPLE_DESC'].map(
    (sort, index) => `p${index}: startups(filter: $filter, sort: ${sort}) { page { ${POINT} } }`,
  );
  const data = await readDocument<Record<string, { readonly page: readonly Point[] }>>(
    services,
    context,
    `query Chart($filter: StartupFilter) { ${reads.join('\n')} }`,
    // Only startups with a price and revenue have a multiple.
    { filter: { minMultiple: 0, ...filter } },
  );
  const found = Object.values(data).flatMap(({ page }) => page);
  // A scale of powers of ten has no place for 0.
  return [...new Map(found.map((point) => [point.slug, point])).values()].filter(
    ({ askingPrice, revenue }) => askingPrice > 0 && revenue.last30Days > 0,
  );
}

/** The numbers of some pages of a list, at equal distances from the first to the last. */
export function pagesApart(pages: number, wanted: number): number[] {
  const reads = Math.min(pages, wanted);
  const step = reads > 1 ? (pages - 1) / (reads - 1) : 0;
  return Array.from({ length: reads }, (_, index) => 1 + Math.round(index * step));
}

/** How the circle of a point is drawn, by what is known of its growth. */
const growthOf = ({ growth30d }: Point): 'unknown' | 'shrinking' | '' =>
  growth30d === null ? 'unknown' : growth30d < 0 ? 'shrinking' : '';

/** The multiples that have a line. */
const MULTIPLES = [0.5, 1, 2, 5, 10];

/** The multiples of a power of ten that have a tick: the first ones that make enough of them. */
const STEPS = [[1], [1, 2, 5], [1, 1.5, 2, 3, 4, 6, 8]];
const ENOUGH = 3;

type Scale = ReturnType<typeof scaleOf>;

/** A scale of powers of ten, from below the least value to above the greatest. */
function scaleOf(values: readonly number[]) {
  const logs = values.map(Math.log10);
  const [from, to] = [Math.min(...logs) - 0.15, Math.max(...logs) + 0.15];
  /** The place of a value, from 0 to 1. */
  const at = (value: number): number => (Math.log10(value) - from) / (to - from);
  const powers = Array.from({ length: to - from + 2 }, (_, index) => 10 ** (Math.floor(from) + index));
  const found = STEPS.map((steps) =>
    powers
      .flatMap((power) => steps.map((step) => step * power))
      // Texts at the very ends would meet those of the other scale, or of the lines.
      .filter((tick) => at(tick) > 0.06 && at(tick) < 0.95),
  );
  return { from, to, at, ticks: found.find(({ length }) => length >= ENOUGH) ?? found.at(-1) ?? [] };
}

const share = (value: number): string => `${Math.round(value * 10_000) / 100}%`;

/**
 * Asking prices over revenue, both on scales of powers of ten, so that startups with the same multiple are on one line.
 * A point leads to its startup.
 *
 * @param total how many startups of the list have both.
 * @param all how many it has.
 */
export function scatter(points: readonly Point[], total: number, all: number): Html {
  const inOrder = points.toSorted((a, b) => a.revenue.last30Days - b.revenue.last30Days);
  const x = scaleOf(inOrder.map(({ revenue }) => revenue.last30Days));
  const y = scaleOf(inOrder.map(({ askingPrice }) => askingPrice));
  const areOnSale = points.every(({ onSale }) => onSale);
  const marks = [
    ...(points.some((point) => growthOf(point) === 'shrinking') ? [['sale hollow', 'revenue falling']] : []),
    ...(points.some((point) => growthOf(point) === 'unknown') ? [['sale dashed', 'growth unknown']] : []),
    ['sale', areOnSale ? 'flat or growing' : 'for sale'],
    ...(areOnSale ? [] : [['', 'not for sale']]),
  ];
  return (
    <figure class="card scatter">
      <figcaption class="heading sub">
        <p class="soft small">
          {count(total)} of {startupsText(all)} have a price and revenue.
          {points.length < total && ` ${count(points.length)} are shown, at equal distances by rank.`} Dashed
          lines: price as a multiple of yearly revenue.
        </p>
        <p class="legend">
          {marks.length > 1 &&
            marks.map(([kind, text]) => <span>{[<span class={`key ${kind}`} />, text]}</span>)}
        </p>
      </figcaption>
      <p class="soft small" aria-hidden="true">
        Asking price
      </p>
      <div class="field-of-points">
        <svg role="group" aria-label="Asking price by revenue">
          {y.ticks.map((tick) => {
            const top = share(1 - y.at(tick));
            return [
              <line class="grid" x1="0" x2="100%" y1={top} y2={top} />,
              <text x="0" y={top} dx="-6" dy="4" text-anchor="end">
                {moneyText(tick)}
              </text>,
            ];
          })}
          {x.ticks.map((tick, index) => (
            <g class={index % 2 === 0 ? undefined : 'between'}>
              <line class="grid" y1="0" y2="100%" x1={share(x.at(tick))} x2={share(x.at(tick))} />
              <text x={share(x.at(tick))} y="100%" dy="16" text-anchor="middle">
                {moneyText(tick)}
              </text>
            </g>
          ))}
          {MULTIPLES.map((multiple, index) => multipleLine(multiple, x, y, index % 4 === 0))}
          {inOrder.map((point) => {
            const [left, top] = [x.at(point.revenue.last30Days), 1 - y.at(point.askingPrice)].map(share);
            return (
              <a
                href={`${EXPLORER_PATH}/${point.slug}`}
                class={`${point.onSale ? 'sale' : ''} ${growthOf(point)}`}
              >
                <title>{textOf(point)}</title>
                <circle cx={left} cy={top} r="5" />
              </a>
            );
          })}
        </svg>
      </div>
      <p class="soft small across" aria-hidden="true">
        Revenue 30d
      </p>
    </figure>
  );
}

/** A line for each figure, which a script shows beside the point. */
function textOf(point: Point): string {
  const { askingPrice, multiple, growth30d, revenue } = point;
  return [
    nameOf(point),
    `${moneyText(askingPrice)} asking price`,
    `${moneyText(revenue.last30Days)} revenue 30d`,
    `${rounded(multiple)}× multiple`,
    growth30d === null ? 'Growth 30d unknown' : `${percentText(growth30d, 'change')} growth 30d`,
  ].join('\n');
}

/**
 * The line of all points with a multiple: a price is that many times a year's revenue. Nothing if it is beside the chart.
 *
 * @param isOuter whether a narrow chart has no room for it.
 */
function multipleLine(multiple: number, x: Scale, y: Scale, isOuter: boolean): Html | null {
  const priceAt = (log: number): number => 10 ** log * 12 * multiple;
  const [left, right] = [y.at(priceAt(x.from)), y.at(priceAt(x.to))];
  // Where it leaves the chart: at its right, or above.
  const end = right <= 1 ? 1 : (1 - left) / (right - left);
  if (right < 0.06 || end < 0.06) {
    return null;
  }
  return (
    <g class={isOuter ? 'multiple between' : 'multiple'}>
      <line
        x1={share(left < 0 ? left / (left - right) : 0)}
        y1={share(1 - Math.max(0, left))}
        x2={share(end)}
        y2={share(1 - Math.min(1, right))}
      />
      <text
        x={share(end)}
        y={share(1 - Math.min(1, right))}
        {...(right <= 1 ? { dx: '4', dy: '4' } : { dy: '-4', 'text-anchor': 'middle' })}
      >
        {rounded(multiple)}×
      </text>
    </g>
  );
}
