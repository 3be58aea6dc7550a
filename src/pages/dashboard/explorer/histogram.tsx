import { count, moneyText } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import type { RangeCount } from './requests.ts';
import type { InputUnit } from './units.ts';

/** A bar with the gap after it, and the height of the highest, in the units of the drawing. */
const [STEP, GAP, HEIGHT] = [10, 1, 32];

interface Histogram {
  readonly label: string;
  readonly unit: InputUnit;
  /** How many startups have a value in each range, the least first. */
  readonly ranges: readonly RangeCount[];
  /** The bounds in force, in the unit of the counts. */
  readonly min: number;
  readonly max: number;
}

/**
 * How many startups have which value, as bars above the fields for its bounds: the part within them in color. Each bar is
 * a range between round numbers, so that a few large values do not press all others together.
 */
export function histogram({ label, unit, ranges, min, max }: Histogram): Html | null {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) {
    return null;
  }
  const most = Math.max(...ranges.map((range) => range.count));
  const fullest = ranges.find((range) => range.count === most) ?? first;
  const isWithin = ({ from, to }: RangeCount): boolean =>
    (to ?? Number.POSITIVE_INFINITY) > min && (from ?? Number.NEGATIVE_INFINITY) <= max;
  const pathOf = (isShown: boolean): string =>
    ranges
      .map((range, index) =>
        range.count > 0 && isWithin(range) === isShown
          ? `M${index * STEP} ${HEIGHT}v-${Math.max(1, Math.round((range.count / most) * HEIGHT))}h${STEP - GAP}V${HEIGHT}`
          : '',
      )
      .join('');
  const total = ranges.reduce((sum, range) => sum + range.count, 0);
  const summary = `${label} of ${count(total)} ${total === 1 ? 'startup' : 'startups'}, most of them (${count(most)}) ${between(fullest, unit)}`;
  return (
    <>
      <svg
        class="histogram"
        viewBox={`0 0 ${ranges.length * STEP - GAP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        <path class="outside" d={pathOf(false)} />
        <path d={pathOf(true)} />
      </svg>
      <p class="ends" aria-hidden="true">
        <span>{endText(first.from, unit)}</span>
        <span>{endText(last.to, unit)}</span>
      </p>
    </>
  );
}

function between({ from, to }: RangeCount, unit: InputUnit): string {
  return from === null
    ? `below ${endText(to, unit)}`
    : to === null
      ? `from ${endText(from, unit)}`
      : `from ${endText(from, unit)} to ${endText(to, unit)}`;
}

/** A bound in few characters. */
function endText(value: number | null, { symbol }: InputUnit): string {
  return value === null
    ? ''
    : symbol === '$'
      ? moneyText(value)
      : `${String(value).replace('-', '−')}${symbol === '%' ? ' %' : symbol === '×' ? '×' : ''}`;
}
