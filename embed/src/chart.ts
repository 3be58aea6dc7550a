import { closeScale } from '../../src/lib/text/scale.ts';
import { findRows, leavesOf } from './data.ts';
import { create, RevgateElement } from './element.ts';
import { hasValue, kindOf, labelOf, show, showChange, showDay, valueAt } from './format.ts';

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT] = [1000, 100];
const DAY_MS = 86_400_000;

/** `<revgate-chart>`: the market or the history of a startup by day. */
export class RevgateChart extends RevgateElement {
  readonly texts = {
    empty: 'There are no figures to show yet.',
    failed: 'This chart cannot be shown at the moment.',
  };

  draw(data: unknown): boolean {
    const { body } = this;
    body.className = 'chart';
    const rows = data === undefined ? [] : (findRows(data) ?? []);
    const asked = this.text('value');
    const isDrawn = (one: string): boolean => rows.some((row) => typeof valueAt(row, one) === 'number');
    this.paths = rows[0] === undefined ? [] : leavesOf(rows[0]).filter(isDrawn);
    const [only = '', ...others] = this.paths;
    this.tellUnknown(
      'value',
      asked === '' ? [] : [asked],
      (one) => rows.length === 0 || rows.some((row) => hasValue(row, one)),
    );
    if (asked === '' && others.length > 0) {
      this.tell('value', `missing, allowed: ${this.paths.join(', ')}`);
    }
    const path = asked || (others.length > 0 ? '' : only);
    const points = rows.flatMap((row) => {
      const [at, value] = [Date.parse(String(row.day)), valueAt(row, path)];
      return Number.isNaN(at) || typeof value !== 'number' ? [] : [{ day: String(row.day), at, value }];
    });
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) {
      body.replaceChildren();
      return false;
    }
    const values = points.map(({ value }) => value);
    // Labels are round in dollars.
    const unit = ['cents', 'price'].includes(kindOf(path)) ? 100 : 1;
    const [low, top] = closeScale(Math.min(...values) / unit, Math.max(...values) / unit).map(
      (end) => end * unit,
    ) as [number, number];
    // A value holds until the next one, and the last one for its day.
    const days = last.at + DAY_MS - first.at;
    const x = (at: number): number => ((at - first.at) / days) * WIDTH;
    const y = (value: number): number => (1 - (value - low) / (top - low)) * HEIGHT;
    const steps = points.map(({ at, value }) => `H${x(at)}V${y(value)}`).join('');
    const isPoint = points.length === 1;
    const line = isPoint ? `M${WIDTH / 2} ${y(first.value)}h0` : `M0 ${y(first.value)}${steps}H${WIDTH}`;
    const text = (value: number): string => show(path, value).text;
    const label = this.text('label') || labelOf(path);
    const svg = svgElement('svg', {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      part: 'plot',
    });
    svg.append(
      svgElement('path', {
        class: 'grid',
        d: [0, HEIGHT / 2, HEIGHT].map((at) => `M0 ${at}H${WIDTH}`).join(''),
      }),
      // Only from 0 does an area compare values.
      ...(low === 0 && !isPoint
        ? [svgElement('path', { class: 'area', part: 'area', d: `${line}V${HEIGHT}H0Z` })]
        : []),
      svgElement('path', { class: isPoint ? 'line point' : 'line', part: 'line', d: line }),
    );
    const change = showChange(path, first.value, last.value);
    const span = change && `${change} in ${Math.round((last.at - first.at) / DAY_MS)} days`;
    const changed = isPoint ? `on ${showDay(last.at)}` : span;
    const [readout, note] = [create('b'), create('span')];
    const read = (value: number, beside: string): void => {
      readout.textContent = text(value);
      note.textContent = beside;
    };
    read(last.value, changed);
    const ends = [...new Set([first, last])].map(({ value, day }) => `${text(value)} on ${day}`).join(', ');
    const most = `at most ${text(Math.max(...values))}`;
    const described = isPoint
      ? `${label}: ${ends}.`
      : `${label} by day: ${ends}, ${most}${changed && `, ${changed}`}.`;
    body.replaceChildren(
      create(
        'div',
        { role: 'img', 'aria-label': described },
        create('p', {}, create('bdi', {}, label)),
        create('p', {}, readout, ' ', note),
        create(
          'p',
          { class: 'scale' },
          ...[top, (top + low) / 2, low].map((at) => create('span', {}, text(at))),
        ),
        svg,
        create(
          'p',
          { class: 'days' },
          ...[...new Set([first, last])].map(({ at }) => create('span', {}, showDay(at))),
        ),
      ),
    );
    // The value under the pointer; that of the last day otherwise.
    svg.addEventListener('pointermove', (event) => {
      const { left, width } = svg.getBoundingClientRect();
      const at = first.at + (((event as PointerEvent).clientX - left) / width) * days;
      const point = points.filter((one) => one.at <= at).at(-1) ?? first;
      read(point.value, `on ${showDay(point.at)}`);
    });
    svg.addEventListener('pointerleave', () => read(last.value, changed));
    return true;
  }
}

function svgElement(name: string, attributes: Readonly<Record<string, string>>): Element {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  return element;
}
